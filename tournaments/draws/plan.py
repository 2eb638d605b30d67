"""The plan of a draw: a request with numbers for players, and who plays in each session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from random import Random

from tournaments.draws.bounds import count_meetings, counting_bound, lower_bound, repeats
from tournaments.draws.requests import Request, Tables
from tournaments.draws.sizes import best_mix

Session = list[list[int]]  # tables of player numbers
Schedule = list[Session]


@dataclass(frozen=True)
class Plan:
    """A request with numbers for players and tables, from 0, in the order of the request.

    - `seated`: the players of each session to be drawn
    - `history`: the tables of earlier sessions, without players who have left
    """

    request: Request
    mix: tuple[int, ...]
    seated: Sequence[Sequence[int]]
    history: Schedule

    @property
    def size(self) -> int:
        return len(self.request.players)

    @property
    def sit_outs(self) -> list[int]:
        return [self.size - len(seated) for seated in self.seated]

    @property
    def mixes(self) -> list[tuple[int, ...]]:
        if self.request.method == "fixed":
            return [tuple(map(len, session)) for session in self.request.movement]
        return [self.mix] * len(self.seated)

    @cached_property
    def apart(self) -> list[tuple[int, int]]:
        number = numbers_by_id(self.request)
        return [(number[one], number[two]) for one, two in self.request.apart]

    @cached_property
    def fixed(self) -> dict[int, int]:
        number = numbers_by_id(self.request)
        return {number[name]: table - 1 for name, table in self.request.fixed.items()}

    @cached_property
    def clubs(self) -> list[list[int]]:
        """Return the players of each club with two or more."""
        members: dict[str, list[int]] = {}
        for i, player in enumerate(self.request.players):
            if player.club:
                members.setdefault(player.club, []).append(i)
        return [club for club in members.values() if len(club) > 1]

    @cached_property
    def meetings_before(self) -> Counter[tuple[int, int]]:
        """Return the number of earlier meetings of each pair that has met."""
        number = numbers_by_id(self.request)
        pairs = [
            [number[one], number[two]]
            for one, two in self.request.met
            if {one, two} <= number.keys()
        ]
        return count_meetings([*self.history, pairs])

    @cached_property
    def bound(self) -> int:
        """Return a lower bound of the repeats of any draw, those of the history included."""
        pairs_by_meetings = Counter(self.meetings_before.values())
        tables = [[len(table) for table in session if table] for session in self.history]
        pigeonhole = repeats(pairs_by_meetings) + lower_bound(self.size, self.mixes, tables)
        pairs = comb(self.size, 2)
        return max(pigeonhole, counting_bound(pairs_by_meetings, pairs, self.mixes))

    @cached_property
    def sit_outs_before(self) -> list[int]:
        """By player number."""
        return _sit_outs_before(self.request, self.history)

    @cached_property
    def small_tables_before(self) -> list[int]:
        """Return how often each player has sat at a small table: by the history or the request.

        The larger number counts.
        """
        counts = Counter(i for each in self.history for i in at_small_tables(each))
        return [
            max(player.small_tables, counts[i]) for i, player in enumerate(self.request.players)
        ]

    @cached_property
    def first_seats_before(self) -> list[int]:
        """Return how often each player has had the first dealer's seat, by history or request.

        The larger number counts. Seats are those of the request's history, since in `history` the
        first player of a table may have been left out.
        """
        first = Counter(table[0] for session in self.request.history for table in session if table)
        return [max(player.first_seats, first[player.id]) for player in self.request.players]


def numbers_by_id(request: Request) -> dict[str, int]:
    return {player.id: i for i, player in enumerate(request.players)}


def at_small_tables(session: Session) -> list[int]:
    """Return the players at small tables: those smaller than the session's largest table."""
    largest = max(map(len, session), default=0)
    return [player for table in session for player in table if len(table) < largest]


def plan_of(request: Request, rng: Random) -> Plan:
    """Return the plan of a request; who sits out is chosen by `_choose_seated`."""
    history = in_numbers(request, request.history)
    if request.method == "fixed":
        movement = in_numbers(request, request.movement)
        seated = [sorted(player for table in each for player in table) for each in movement]
        return Plan(request, tuple(map(len, movement[0])) if movement else (), seated, history)
    mix = tuple(request.mix) or best_mix(len(request.players), request.sizes)
    return Plan(request, mix, _choose_seated(request, history, sum(mix), rng), history)


def in_numbers(request: Request, sessions: Sequence[Tables]) -> Schedule:
    """Return sessions with player numbers for ids.

    Players who are not in the request are left out; a table may become empty.
    """
    number = numbers_by_id(request)
    return [
        [[number[name] for name in table if name in number] for table in tables]
        for tables in sessions
    ]


def _choose_seated(request: Request, history: Schedule, seats: int, rng: Random) -> list[list[int]]:
    """Return the players of each session. Who sits out has sat out least often, chosen by lot."""
    sit_outs = _sit_outs_before(request, history)
    sessions = []
    for _ in range(request.sessions):
        order = list(range(len(sit_outs)))
        rng.shuffle(order)
        order.sort(key=sit_outs.__getitem__)
        without_seat = len(sit_outs) - seats
        for player in order[:without_seat]:
            sit_outs[player] += 1
        sessions.append(sorted(order[without_seat:]))
    return sessions


def _sit_outs_before(request: Request, history: Schedule) -> list[int]:
    """Return how often each player has sat out: by history or request, the larger number."""
    played = Counter(player for session in history for table in session for player in table)
    return [
        max(player.sat_out, len(history) - played[i]) for i, player in enumerate(request.players)
    ]
