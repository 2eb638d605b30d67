"""Draws of seats for sessions of a tournament: requests of `draws` made from its data."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q

from tournaments import draws
from tournaments.draws import Quality
from tournaments.models import Entry, Round, Seat, SittingTotals, Tournament
from tournaments.queries import draw_turns
from tournaments.queries.class_spellings import spelling_key
from tournaments.queries.events import Event
from tournaments.queries.stages import groups_of_session

# Steps of a search: about a second of work. A search is not limited by time, so that the same seed
# gives the same draw on every machine.
STEPS = 100_000
NEW_SEEDS = 10**9
BY_STANDING = frozenset({"level", "mixed"})


class Choices(NamedTuple):
    """How the director wants the seats drawn.

    - `method`: the name of a method in `draws`
    - `separates_clubs`: players of one club are seated apart where this causes no repeat
    - `apart`: groups of players, by key, who must not share a table
    - `fixed`: players, by key, each with the number of their table
    - `table_mix`: the sizes of all tables; empty for the usual sizes
    - `sessions`: the number of sessions drawn together

    Players in `apart` and `fixed` who do not play are ignored, and so is a `table_mix` with more
    seats than players.
    """

    method: str
    separates_clubs: bool
    seed: int
    apart: tuple[tuple[str, ...], ...] = ()
    fixed: tuple[tuple[str, int], ...] = ()
    table_mix: tuple[int, ...] = ()
    sessions: int = 1

    def pairs_apart(self, playing: Collection[str]) -> list[tuple[str, str]]:
        """Return every pair in a group of `apart`, once; without players who do not play."""
        groups = [[key for key in group if key in playing] for group in self.apart]
        return list(dict.fromkeys(pair for each in groups for pair in combinations(each, 2)))


class DrawnSeats(NamedTuple):
    """The drawn tables of one session, each in seat order, and the players without a seat."""

    tables: list[list[Entry]]
    sits_out: list[Entry]


class SeatDraw(NamedTuple):
    """The drawn seats of each session as entries, and the draw as `draws` returned it."""

    choices: Choices
    sessions: list[DrawnSeats]
    drawn: draws.Draw

    @property
    def tables(self) -> list[list[Entry]]:
        return self.sessions[0].tables

    @property
    def sits_out(self) -> list[Entry]:
        return self.sessions[0].sits_out

    @property
    def quality(self) -> Quality:
        return self.drawn.quality

    @property
    def may_improve(self) -> bool:
        """Return whether a longer search may find fewer repeats; False for draws by group."""
        is_searched = self.drawn.steps is not None and not self.quality.optimal
        return is_searched and not any(each.group for each in self.drawn.request.players)

    @property
    def facts(self) -> dict[str, Any]:
        """Return request and answer as JSON, as `models.Draw` stores them."""
        return {"request": draws.as_document(self.drawn.request), "answer": self.drawn.as_json()}

    @property
    def has_history(self) -> bool:
        return bool(self.drawn.request.history)

    @property
    def meeting_again(self) -> int:
        """Return how many pairs share a table in the first session who met in an earlier one."""
        request = self.drawn.request
        tables = self.drawn.sessions[0].tables
        return draws.count_pairs_meeting_again(request.history, tables, request.met)

    @property
    def met_twice(self) -> int:
        """Return how many pairs meet twice or more, earlier sessions included."""
        return sum(pairs for times, pairs in self.quality.meetings.items() if times > 1)

    @property
    def most_meetings(self) -> int:
        """Return the highest number of meetings of any pair, earlier sessions included."""
        return max(self.quality.meetings, default=0)


def new_seed() -> int:
    return secrets.randbelow(NEW_SEEDS)


def draw_seats(
    tournament: Tournament, session: int, playing: Sequence[Entry], choices: Choices
) -> SeatDraw | None:
    """Draw the seats of session number `session`, and of the next if `choices.sessions` is above 1.

    The tables of earlier sessions are taken into account. Each group of the session's stage has
    tables of its own, in the order of the groups. If the tables cannot seat everybody, those sit
    out who did so least often. Return None if too few players are playing for one table. Raises
    `draws.InvalidRequest` if not all players can be kept apart or fixed, and `Busy`.
    """
    group_of = groups_of_session(tournament, session)
    groups = list(dict.fromkeys(group_of.values())) or [""]
    in_order = sorted(playing, key=lambda each: groups.index(group_of.get(each.key, groups[0])))
    by_key = {entry.key: entry for entry in in_order}
    if len(by_key) < max(2, min(tournament.table_sizes)):
        return None
    with draw_turns.turn(tournament.pk) as draw:  # before any reading: refusals cost little
        drawn = draw(_request_for(tournament, session, by_key, group_of, choices))
    return _seat_draw(drawn, by_key, choices)


def one_spelling_of_clubs(entries: Iterable[Entry]) -> dict[str, str]:
    """Return the club of each player by key, in the first spelling of those that are alike."""
    first = {"": ""}
    return {each.key: first.setdefault(spelling_key(each.club), each.club) for each in entries}


def _request_for(
    tournament: Tournament,
    session: int,
    by_key: Mapping[str, Entry],
    group_of: Mapping[str, str],
    choices: Choices,
) -> draws.Request:
    """Raises `draws.InvalidRequest`."""
    groups = list(dict.fromkeys(group_of.values())) or [""]
    points = points_by_key(tournament) if choices.method in BY_STANDING else {}
    table_mix = choices.table_mix if sum(choices.table_mix) <= len(by_key) else ()
    earlier = earlier_seats(tournament, session)
    clubs = one_spelling_of_clubs(by_key.values())
    request = draws.Request(
        players=[
            draws.Player(key, clubs[key], points.get(key, 0), group=group_of.get(key, groups[0]))
            for key in by_key
        ],
        sizes=() if table_mix else tournament.table_sizes,
        mix=table_mix,
        apart=choices.pairs_apart(by_key),
        fixed={key: table for key, table in choices.fixed if key in by_key},
        history=earlier.tables,
        met=earlier.met,
        method=choices.method,
        clubs=choices.separates_clubs,
        seed=choices.seed,
        sessions=choices.sessions,
        steps=STEPS // len(groups),  # for each group
    )
    draws.read_request(draws.as_document(request))  # raises if it cannot be stored and read again
    return request


def seat_draw_of(facts: Mapping[str, Any], entries: Iterable[Entry]) -> SeatDraw:
    """Return a stored draw (`facts` as `SeatDraw.facts`), without players who are not `entries`."""
    request = draws.read_request(facts["request"])
    choices = Choices(request.method, request.clubs, request.seed, sessions=request.sessions)
    drawn = draws.read_answer(request, facts["answer"])
    return _seat_draw(drawn, {entry.key: entry for entry in entries}, choices)


def _seat_draw(drawn: draws.Draw, by_key: Mapping[str, Entry], choices: Choices) -> SeatDraw:
    """Return the draw with entries instead of keys, and with its seed in `choices`."""
    sessions = [
        DrawnSeats(
            tables=[[by_key[key] for key in table if key in by_key] for table in each.tables],
            sits_out=[by_key[key] for key in each.sits_out if key in by_key],
        )
        for each in drawn.sessions
    ]
    return SeatDraw(choices._replace(seed=drawn.request.seed), sessions, drawn)


def points_by_key(tournament: Tournament) -> dict[str, int]:
    """Without players who have no place."""
    rows = Event(tournament).standings
    return {row.entry.key: row.place.points for row in rows if row.place is not None}


class EarlierSeats(NamedTuple):
    """Who sat with whom in earlier sessions, as a draw reads it: players by key.

    - `tables`: the tables of each session, each in seat order and every player once
    - `met`: the pairs who shared a table only before players joined or left it, or in a play-off
    """

    tables: list[draws.Tables]
    met: list[tuple[str, str]]


def earlier_seats(tournament: Tournament, session: int) -> EarlierSeats:
    """Return the seats of the sessions before this one, in one query; in none for the first.

    Of play-offs, whose tables follow from results, only who met there is included. Of tables whose
    players changed, only the last one of each is included; who left after a round has a table
    alone, and so has not sat out, and is in `met` with those of that time. Tables of a session that
    has ended with nothing recorded there are excluded: nobody met, and these players count as
    having sat out.
    """
    if session == 1:
        return EarlierSeats([], [])
    has_round = Exists(Round.objects.filter(sitting=OuterRef("sitting")))
    seats = Seat.objects.filter(
        sitting__session__tournament=tournament,
        sitting__session__number__lt=session,
    ).exclude(
        ~has_round,
        ~Exists(SittingTotals.objects.filter(sitting=OuterRef("sitting"))),
        sitting__session__ended_at__isnull=False,
        sitting__continues=None,
    )
    places = seats.filter(has_round | Q(sitting__continued_by=None)).order_by(
        "sitting__session__number", "sitting__number", "position"
    )
    tables: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    stopped: defaultdict[int, defaultdict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    play_offs: set[int] = set()
    columns = ("sitting_id", "entry__number", "sitting__continued_by", "sitting__session__tied")
    for number, sitting, entry, continued_by, tied in places.values_list(
        "sitting__session__number", *columns
    ):
        if tied is not None:
            play_offs.add(number)
        (stopped if continued_by else tables)[number][sitting].append(str(entry))
    earlier = EarlierSeats([], [])
    for number, by_sitting in tables.items():
        last, before = list(by_sitting.values()), list(stopped[number].values())
        if number in play_offs:
            earlier.met.extend(sorted(_pairs_at([*last, *before])))
            continue
        seated = set().union(*last)
        left = dict.fromkeys(key for table in before for key in table if key not in seated)
        earlier.tables.append((*map(tuple, last), *((key,) for key in left)))
        earlier.met.extend(sorted(_pairs_at(before) - _pairs_at(last)))
    return earlier


def _pairs_at(tables: Iterable[Sequence[str]]) -> set[tuple[str, str]]:
    return {pair for table in tables for pair in combinations(sorted(table), 2)}
