"""Simulated annealing: exchanges two players of a session at a time, and keeps the best found.

Reference: Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220 (1983).
What it finds depends on the board, the random numbers and the number of steps only, never on time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from random import Random

from tournaments.draws.board import Board, partners
from tournaments.draws.plan import Schedule
from tournaments.draws.quality import meetings_of

# How many pairs have met how often in the best schedule so far, the history included.
Meetings = Callable[[], dict[int, int]]
# Told the steps taken, and what counts the meetings so far; answers whether to go on.
Progress = Callable[[int, Meetings], bool]
Groups = Sequence[Sequence[int]]  # players who may change tables with each other

CHUNK = 2000  # steps between two looks at the clock
FIRST_CYCLE, LONGEST_CYCLE = 60_000, 1_000_000  # steps
HOT, COLD, COOLINGS = 0.40, 0.20, 12  # temperatures, as parts of the weight of what is minimised
LEVELS_OF_CHANCE = 4096
SKIPPED = 0.9  # of the players who cost nothing where they sit
ENDING_CYCLES = 3  # after the fewest repeats there can be were found


class Budget:
    """How many steps a search may still take: until the time is over, it is stopped, or steps end.

    `ended` says by what it was ended: "time", "steps", "stop", or "" while it was not.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        seconds: float,
        steps: int | None,
        progress: Progress,
    ) -> None:
        """`progress` answers whether to go on."""
        self.clock = clock
        self.deadline = clock() + seconds
        self.most = steps
        self.progress = progress
        self.steps = 0
        self.ended = ""

    def take(self, wanted: int, meetings: Meetings) -> int:
        """Return how many steps may be taken now, up to `wanted`; 0 if it is over."""
        if self.most is not None and self.steps >= self.most:
            self.ended = "steps"
        elif self.most is None and self.clock() >= self.deadline:
            self.ended = "time"
        elif not self.progress(self.steps, meetings):
            self.ended = "stop"
        if self.ended:
            return 0
        return wanted if self.most is None else min(wanted, self.most - self.steps)


class Annealing:
    """A search on one board; `best` is the cheapest schedule so far, `cost` what it costs."""

    def __init__(self, board: Board, groups: Sequence[Groups], rng: Random, budget: Budget) -> None:
        """In each session, a player may change tables with those of its group."""
        self.board = board
        self.partners = [partners(board.plan, each) for each in groups]
        self.movable = [
            player
            for player, others in enumerate(zip(*self.partners, strict=True))
            if any(len(each) > 1 for each in others)
        ]
        self.rng = rng
        self.budget = budget
        self.best: Schedule = board.copy()
        self.cost = board.cost

    def run(
        self,
        goal: int,
        least: int,
        is_over: Callable[[Schedule], bool],
        most_cycles: int | None = None,
    ) -> None:
        """Search until the budget is used up, or for a few cycles after `is_over` the best.

        Below the cost `goal`, the first level cannot be improved; below `least`, nothing can.
        """
        levels = self.board.costs.levels()
        length, over, cycles = FIRST_CYCLE, 0, 0
        while levels and self.movable and cycles != most_cycles and not self.budget.ended:
            for level in levels:
                self._cool(level, length, goal)
            cycles += 1
            over += is_over(self.best)
            if over >= (ENDING_CYCLES if len(levels) > 1 else 1) or self.cost <= least:
                return
            if not over:
                length = min(2 * length, LONGEST_CYCLE)

    def count_meetings(self) -> dict[int, int]:
        """Return how many pairs have met how often in the best schedule so far."""
        return meetings_of(self.board.plan, self.best)

    def mend(self, goal: int) -> None:
        """Try some exchanges at a low temperature, which leaves most of the schedule as it is."""
        levels = self.board.costs.levels()
        for level in levels:
            self._cool(level, FIRST_CYCLE, goal, hot=COLD / 2, cold=COLD / 2)

    def _cool(
        self, level: int, steps: int, goal: int, hot: float = HOT, cold: float = COLD
    ) -> None:
        """Lower the temperature of one level; a later level begins with the best so far."""
        is_first = level == self.board.costs.levels()[0]
        if is_first and self.cost < goal:
            return
        if not is_first and self.board.cost != self.cost:
            self.board.load(self.best)
        for i in range(COOLINGS):
            heat = hot * (cold / hot) ** (i / (COOLINGS - 1))
            chances = [
                int(-level * heat * log((j + 0.5) / LEVELS_OF_CHANCE))
                for j in range(LEVELS_OF_CHANCE)
            ]
            left = steps // COOLINGS
            while left > 0 and (count := self.budget.take(min(left, CHUNK), self.count_meetings)):
                taken = self._attempt(count, chances, SKIPPED if is_first else 0)
                self.budget.steps += taken
                left -= taken
                if self.board.cost < self.cost:
                    self.cost, self.best = self.board.cost, self.board.copy()
                    if is_first and self.cost < goal:
                        return

    def _attempt(self, count: int, chances: Sequence[int], skipped: float) -> int:  # noqa: C901
        """Try that many exchanges, fewer if one is the best so far; return how many.

        An exchange that costs more than nothing is made if it costs no more than a random chance.
        """
        board, movable = self.board, self.movable
        values, places, repeat = board.values, board.costs.places, board.costs.repeat
        small, is_small, counts = board.costs.small, board.is_small, board.small_tables
        is_uneven, best, random = board.is_uneven, self.cost, self.rng.random
        sessions, players = len(board.tables), len(movable)
        for step in range(1, count + 1):
            session = int(random() * sessions)
            table_of, tables = board.table_of[session], board.tables[session]
            one = movable[int(random() * players)]
            others = self.partners[session][one]
            if not others:
                continue
            two = others[int(random() * len(others))]
            a, b = table_of[one], table_of[two]
            if a == b:
                continue
            table, other, row, row_two = tables[a], tables[b], values[one], values[two]
            change, met = repeat * (len(other) - 2), -repeat * len(table)
            for player in table:
                met += row[player]
                change += row_two[player]
            if met == -repeat and random() < skipped:
                continue
            change -= met + 2 * row[two]
            for player in other:
                change += row[player] - row_two[player]
            if is_uneven and is_small[a] != is_small[b]:
                way = is_small[b] - is_small[a]
                change += 2 * small * (way * (counts[one] - counts[two]) + 1)
            if places:
                mine, theirs = places[session][one], places[session][two]
                change += mine[b] - mine[a] + theirs[a] - theirs[b]
            if change <= 0 or change <= chances[int(random() * LEVELS_OF_CHANCE)]:
                board.swap(session, one, two)
                board.cost += change
                if board.cost < best:
                    return step
        return count
