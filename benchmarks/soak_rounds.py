"""The plan of the day of `soak.py`: its rounds, and what befalls the server in each."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import NamedTuple

ELSEWHERE = ("stick", "follower", "lossy follower")  # what another computer goes on from
RESTART, POWER_CUT = "restart", "power cut"
SESSIONS, FINALISTS = 3, 12
A_YEAR = 365 * 86_400
CLOCKS = (1500, -3000, A_YEAR)  # seconds from the right time


class Round(NamedTuple):
    """A round of all tables of a session, and what befalls the server: the kind of kill, if any.

    `clock`: how far it is set from the right time; `in_gap`: seats are made after the last copy.
    """

    session: int
    number: int
    kill: str
    clock: float
    is_disk_full: bool
    in_gap: bool
    comes_back: bool

    def __str__(self) -> str:
        """Return what befalls the server."""
        clock = f"clock {self.clock:+.0f} s" if self.clock else ""
        gap, full = self.in_gap and "seated in the gap", self.is_disk_full and "full disk"
        return ", ".join(what for what in (gap, clock, full, self.kill) if what)


def planned(kills: int, dice: Random) -> Iterator[Round]:
    """Yield the rounds of the day: at least two a session, and not fewer than kills."""
    clocks, each_session = cycle(CLOCKS), rounds_of(kills)
    for session in range(1, SESSIONS + 2):
        for number in range(1, each_session + 1):
            kill_number = (session - 1) * each_session + number
            in_gap = number == 1 and 1 < session <= SESSIONS and kill_number <= kills
            kill = dice.choice(ELSEWHERE if in_gap else (RESTART, *ELSEWHERE))
            kill = POWER_CUT if kill_number == 2 else kill
            kill = kill if kill_number <= kills else ""
            comes_back = bool(kill) and kill != RESTART and kill_number % 2 == 1
            clock = next(clocks) if number % 2 else 0
            yield Round(session, number, kill, clock, number == 2, in_gap, comes_back)


def rounds_of(kills: int) -> int:
    """Return the number of rounds of a session."""
    return max(2, -(-kills // (SESSIONS + 1)))


def tables_of(players: list[int]) -> list[list[int]]:
    """Seat 20 players or more by six, and at the end by five so that it comes out even."""
    fives = -len(players) % 6
    sizes = [6] * ((len(players) - 5 * fives) // 6) + [5] * fives
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return [players[end - size : end] for size, end in zip(sizes, ends, strict=True)]
