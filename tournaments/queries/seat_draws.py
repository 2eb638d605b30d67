"""Draws of seats for a session of a tournament: `draws`, asked with the tournament's data."""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from tournaments import draws
from tournaments.draws import Quality
from tournaments.models import Entry, Seat, Tournament
from tournaments.queries.events import Event
from tournaments.queries.stages import groups_of_session

# About a second of work. Counted, not timed: the same seed gives the same draw on every machine.
STEPS = 100_000
NEW_SEEDS = 10**9
BY_STANDING = frozenset({"level", "mixed"})


class Choices(NamedTuple):
    """How the director wants the seats drawn.

    `method` is one of `draws`; `separates_clubs` tells whether clubmates are seated apart where no
    repeat is gained by it. `apart` has groups of players who do not share a table, by key; `fixed`
    players and the number of their table; `mix` the sizes of the tables, empty for the usual ones.
    Who does not play, and a mix of more seats than players, are passed over. `sessions` are drawn
    together.
    """

    method: str
    separates_clubs: bool
    seed: int
    apart: tuple[tuple[str, ...], ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    mix: tuple[int, ...] = ()
    sessions: int = 1

    def pairs_apart(self, playing: Collection[str]) -> list[tuple[str, str]]:
        """Return each two of those playing who are kept apart, once."""
        groups = [[key for key in group if key in playing] for group in self.apart]
        return list(dict.fromkeys(pair for each in groups for pair in combinations(each, 2)))


class DrawnSeats(NamedTuple):
    """Drawn tables of a session in seat order, and who sits out for lack of a table."""

    tables: list[list[Entry]]
    sits_out: list[Entry]


class SeatDraw(NamedTuple):
    """The seats of each session drawn, and the whole draw."""

    choices: Choices
    sessions: list[DrawnSeats]
    drawn: draws.Draw

    @property
    def tables(self) -> list[list[Entry]]:
        """Return the tables of the first session."""
        return self.sessions[0].tables

    @property
    def sits_out(self) -> list[Entry]:
        """Return who sits out in the first session."""
        return self.sessions[0].sits_out

    @property
    def quality(self) -> Quality:
        """Return how good the draw is."""
        return self.drawn.quality

    @property
    def may_improve(self) -> bool:
        """Return whether a longer search may find fewer repeats; those of groups are short."""
        is_searched = self.drawn.steps is not None and not self.quality.optimal
        return is_searched and not any(each.group for each in self.drawn.request.players)

    @property
    def facts(self) -> dict[str, Any]:
        """Return what is stored of the draw: `models.Draw`."""
        return {"request": draws.as_document(self.drawn.request), "answer": self.drawn.as_json()}

    @property
    def has_history(self) -> bool:
        """Return whether sessions are seated before the drawn ones."""
        return bool(self.drawn.request.history)

    @property
    def meeting_again(self) -> int:
        """Return how many pairs at a table of the first session have met in an earlier one."""
        return draws.meeting_again(self.drawn.request.history, self.drawn.sessions[0].tables)

    @property
    def met_twice(self) -> int:
        """Return how many pairs will have met twice or more."""
        return sum(pairs for times, pairs in self.quality.meetings.items() if times > 1)

    @property
    def most_meetings(self) -> int:
        """Return how often the pair that meets most will have met."""
        return max(self.quality.meetings, default=0)


def new_seed() -> int:
    """Return a random seed."""
    return secrets.randbelow(NEW_SEEDS)


def draw_seats(
    tournament: Tournament, session: int, playing: Sequence[Entry], choices: Choices
) -> SeatDraw | None:
    """Return a draw from a session on, by its number, behind earlier ones; None if too few play.

    Each group of the session's stage has tables of its own, in the order of the groups.

    Who sits out, if the tables cannot seat all, is one of those who did least often. Raises
    `draws.InvalidRequest` where not everybody can be kept apart or fixed.
    """
    group_of = groups_of_session(tournament, session)
    groups = list(dict.fromkeys(group_of.values())) or [""]
    in_order = sorted(playing, key=lambda each: groups.index(group_of.get(each.key, groups[0])))
    by_key = {entry.key: entry for entry in in_order}
    sizes = tournament.table_sizes
    if len(by_key) < max(2, min(sizes)):
        return None
    points = _points(tournament) if choices.method in BY_STANDING else {}
    mix = choices.mix if sum(choices.mix) <= len(by_key) else ()
    request = draws.Request(
        players=[
            draws.Player(key, entry.club, points.get(key, 0), group=group_of.get(key, groups[0]))
            for key, entry in by_key.items()
        ],
        sizes=() if mix else sizes,
        tables=mix,
        apart=choices.pairs_apart(by_key),
        fixed={key: table for key, table in choices.fixed if key in by_key},
        history=earlier_tables(tournament, session),
        method=choices.method,
        clubs=choices.separates_clubs,
        seed=choices.seed,
        sessions=choices.sessions,
        steps=STEPS // len(groups),  # for each group
    )
    draws.read_request(draws.as_document(request))  # what is stored can be drawn again
    return _seat_draw(draws.draw(request, time.monotonic), by_key, choices)


def seat_draw_of(
    facts: Mapping[str, Any], playing: Sequence[Entry], choices: Choices
) -> SeatDraw | None:
    """Return a draw from what is stored of it, None if others play by now."""
    by_key = {entry.key: entry for entry in playing}
    if {each["id"] for each in facts["request"]["players"]} != by_key.keys():
        return None
    request = draws.read_request(facts["request"])
    return _seat_draw(draws.read_answer(request, facts["answer"]), by_key, choices)


def _seat_draw(drawn: draws.Draw, by_key: Mapping[str, Entry], choices: Choices) -> SeatDraw:
    """Return a draw with the players for their keys."""
    sessions = [
        DrawnSeats(
            tables=[[by_key[key] for key in table] for table in each.tables],
            sits_out=[by_key[key] for key in each.sits_out],
        )
        for each in drawn.sessions
    ]
    return SeatDraw(choices._replace(seed=drawn.request.seed), sessions, drawn)


def _points(tournament: Tournament) -> dict[str, int]:
    """Return the points of each player who has a place, by key."""
    rows = Event(tournament).standings
    return {row.entry.key: row.place.points for row in rows if row.place is not None}


def earlier_tables(tournament: Tournament, session: int) -> list[draws.Tables]:
    """Return the tables of the sessions before this one, in seat order, in one query."""
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament,
        sitting__session__number__lt=session,
        sitting__session__tied__isnull=True,  # who plays off meets again by result, not by a draw
        sitting__continued_by=None,  # where players have changed, the last ones count
    )
    places = seats.order_by("sitting__session__number", "sitting__number", "position")
    tables: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, sitting, entry in places.values_list(
        "sitting__session__number", "sitting_id", "entry__number"
    ):
        tables[number][sitting].append(str(entry))
    return [tuple(map(tuple, each.values())) for each in tables.values()]
