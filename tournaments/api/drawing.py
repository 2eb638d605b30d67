"""Seats in request bodies: named table by table, or drawn as the request chooses."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments import draws
from tournaments.api.refusals import Invalid, Refused
from tournaments.api.request_bodies import RequestBody
from tournaments.i18n.draws import problems_in_words
from tournaments.models import Entry, Tournament
from tournaments.queries import stages
from tournaments.queries.seat_draws import NEW_SEEDS, Choices, SeatDraw, draw_seats, new_seed


class FixedIn(RequestBody):
    """The `number` of a player, and the number of the `table` where the player must sit."""

    number: StrictInt
    table: Annotated[StrictInt, Field(ge=1, le=1000)]


class DrawIn(RequestBody):
    """How seats are drawn: by `method` and `seed`.

    `apart` lists groups of players who do not share a table. `sizes` are the sizes of the tables;
    empty: the usual sizes.
    """

    method: Literal["lot", "fewest_repeats", "level", "mixed"] = "lot"
    separate_clubs: StrictBool = False
    seed: Annotated[StrictInt, Field(ge=0, lt=NEW_SEEDS)] | None = None
    apart: Annotated[list[list[StrictInt]], Field(max_length=5000)] = Field(default_factory=list)
    fixed: Annotated[list[FixedIn], Field(max_length=3000)] = Field(default_factory=list)
    sizes: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)


class SeatsToStore(NamedTuple):
    """Tables in seat order, and the draw they come from (`models.Draw`), if any."""

    tables: list[list[Entry]]
    draw: dict[str, Any] | None = None


def draw_for(
    tournament: Tournament, session: int, payload: DrawIn, *, sessions: int = 1
) -> SeatDraw:
    """Draw the seats of session number `session`, and of the following ones if `sessions` > 1.

    The players are those not marked as away in `session`. Raises `Refused` for sizes or a number
    of players that make no tables, and `Invalid` with the problems that the draw reports.
    """
    entries = stages.roll_call_of(tournament, session).to_be_seated()
    if payload.sizes and stages.groups_of_session(tournament, session):
        raise Refused("sizes_with_groups", at="sizes")
    if not set(payload.sizes) <= set(tournament.table_sizes) or sum(payload.sizes) > len(entries):
        raise Refused("table_size", at="sizes")
    choices = Choices(
        payload.method,
        payload.separate_clubs,
        new_seed() if payload.seed is None else payload.seed,
        apart=tuple(tuple(map(str, group)) for group in payload.apart),
        fixed=tuple((str(each.number), each.table) for each in payload.fixed),
        table_mix=tuple(sorted(payload.sizes, reverse=True)),
        sessions=sessions,
    )
    try:
        drawn = draw_seats(tournament, session, entries, choices)
    except draws.InvalidRequest as invalid:
        entries_by_key = {entry.key: entry for entry in entries}
        words = problems_in_words(invalid.problems, entries_by_key)
        errors = [
            {**problem.as_json(), "message": message}
            for problem, message in zip(invalid.problems, words, strict=True)
        ]
        raise Invalid(errors, invalid.unlisted) from None
    if drawn is None:
        raise Refused("table_size", at="tables")
    return drawn


def named_tables(tournament: Tournament, tables: list[list[int]]) -> list[list[Entry]]:
    """Return the players of each table; `tables` are their numbers.

    Raises `Refused` without tables, for a table of a wrong size, and for a number that is unknown
    or named twice.
    """
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    seated_numbers: set[int] = set()
    for table_index, numbers in enumerate(tables):
        if len(numbers) not in tournament.table_sizes:
            raise Refused("table_size", at=f"tables[{table_index}]")
        for seat_index, number in enumerate(numbers):
            at = f"tables[{table_index}][{seat_index}]"
            if number not in by_number:
                raise Refused("no_entry", at=at)
            if number in seated_numbers:
                raise Refused("seated_twice", at=at)
            seated_numbers.add(number)
    if not tables:
        raise Refused("missing", at="tables")
    return [[by_number[number] for number in numbers] for numbers in tables]
