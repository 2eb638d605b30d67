"""A request in numbers: who is present, who sits out when, which tables there are."""

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
    """Players are numbered as in the request, from 0, and so are tables.

    `seated` has the players of each session to be drawn; `history` the tables of earlier ones,
    without those who have left.
    """

    request: Request
    mix: tuple[int, ...]
    seated: Sequence[Sequence[int]]
    history: Schedule

    @property
    def size(self) -> int:
        """Return the number of players."""
        return len(self.request.players)

    @property
    def sit_outs(self) -> list[int]:
        """Return how many sit out in each session to be drawn."""
        return [self.size - len(seated) for seated in self.seated]

    @property
    def mixes(self) -> list[tuple[int, ...]]:
        """Return the table sizes of each session to be drawn."""
        if self.request.method == "fixed":
            return [tuple(map(len, session)) for session in self.request.movement]
        return [self.mix] * len(self.seated)

    @cached_property
    def apart(self) -> list[tuple[int, int]]:
        """Return the pairs kept apart."""
        number = numbers(self.request)
        return [(number[one], number[two]) for one, two in self.request.apart]

    @cached_property
    def fixed(self) -> dict[int, int]:
        """Return the table of each player who is fixed to one."""
        number = numbers(self.request)
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
        """Return how often pairs of those present have met."""
        return count_meetings(self.history)

    @cached_property
    def bound(self) -> int:
        """Return a number of repeats that no draw can go below, the history's included."""
        met = Counter(self.meetings_before.values())
        tables = [[len(table) for table in session if table] for session in self.history]
        pigeonhole = repeats(met) + lower_bound(self.size, self.mixes, tables)
        return max(pigeonhole, counting_bound(met, comb(self.size, 2), self.mixes))

    @cached_property
    def sit_outs_before(self) -> list[int]:
        """Return how often each player has sat out."""
        return _sit_outs_before(self.request, self.history)

    @cached_property
    def small_tables_before(self) -> list[int]:
        """Return how often each player has sat at a small table."""
        counts = Counter(i for each in self.history for i in at_small_tables(each))
        return [
            max(player.small_tables, counts[i]) for i, player in enumerate(self.request.players)
        ]

    @cached_property
    def first_seats_before(self) -> list[int]:
        """Return how often each player has had the first dealer's seat.

        The order of seats is the request's: a stranger's first seat is nobody's.
        """
        first = Counter(table[0] for session in self.request.history for table in session if table)
        return [max(player.first_seats, first[player.id]) for player in self.request.players]


def numbers(request: Request) -> dict[str, int]:
    """Return the number of each player's id."""
    return {player.id: i for i, player in enumerate(request.players)}


def at_small_tables(session: Session) -> list[int]:
    """Return the players at tables that are smaller than the session's largest."""
    largest = max(map(len, session), default=0)
    return [player for table in session for player in table if len(table) < largest]


def plan_of(request: Request, rng: Random) -> Plan:
    """Return the plan; who sits out is chosen by lot among those who did least often."""
    history = in_numbers(request, request.history)
    if request.method == "fixed":
        movement = in_numbers(request, request.movement)
        seated = [sorted(player for table in each for player in table) for each in movement]
        return Plan(request, tuple(map(len, movement[0])) if movement else (), seated, history)
    mix = tuple(request.tables) or best_mix(len(request.players), request.sizes)
    return Plan(request, mix, _choose_seated(request, history, sum(mix), rng), history)


def in_numbers(request: Request, sessions: Sequence[Tables]) -> Schedule:
    """Return these sessions with numbers for ids, without strangers; a table may be empty."""
    number = numbers(request)
    return [
        [[number[name] for name in table if name in number] for table in tables]
        for tables in sessions
    ]


def _choose_seated(request: Request, history: Schedule, seats: int, rng: Random) -> list[list[int]]:
    """Return who plays in each session: nobody sits out twice before everybody did once."""
    out = _sit_outs_before(request, history)
    sessions = []
    for _ in range(request.sessions):
        order = list(range(len(out)))
        rng.shuffle(order)
        order.sort(key=out.__getitem__)
        away = len(out) - seats
        for player in order[:away]:
            out[player] += 1
        sessions.append(sorted(order[away:]))
    return sessions


def _sit_outs_before(request: Request, history: Schedule) -> list[int]:
    played = Counter(player for session in history for table in session for player in table)
    return [
        max(player.sat_out, len(history) - played[i]) for i, player in enumerate(request.players)
    ]
