"""Simulated annealing: exchanges two players of a session at a time, and keeps the best schedule.

Reference: Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, Science 220 (1983).
The result depends on the board, the random numbers and the number of steps only, never on time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log
from random import Random

from tournaments.draws.board import Board, exchange_partners
from tournaments.draws.plan import Schedule
from tournaments.draws.quality import meetings_of

# Returns the number of pairs by their number of meetings, in the best schedule so far and in the
# history.
CountMeetings = Callable[[], dict[int, int]]
# Called with the number of steps so far; returns whether to go on.
Progress = Callable[[int, CountMeetings], bool]
Groups = Sequence[Sequence[int]]  # of a session; members of a group may exchange tables

CHUNK = 2000  # steps between two looks at the clock
FIRST_CYCLE, LONGEST_CYCLE = 60_000, 1_000_000  # steps
HOT, COLD = 0.40, 0.20  # the first and last temperature of a cycle, in units of the weight
COOLINGS = 12  # temperatures of a cycle
LEVELS_OF_CHANCE = 4096
SKIPPED = 0.9  # the share of steps that are given up if the player costs nothing at their table
ENDING_CYCLES = 3  # cycles after the repeats have reached their lower bound


class Budget:
    """Limits the steps of a search: by its time, or by `steps` if given; `progress` may stop it.

    `steps` counts the steps taken. `ended` is the reason why the search was ended: "time", "steps"
    or "stop"; empty as long as it may go on.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        seconds: float,
        steps: int | None,
        progress: Progress,
    ) -> None:
        """Start the time now. `seconds` do not count if `steps` are given."""
        self.clock = clock
        self.deadline = clock() + seconds
        self.most_steps = steps
        self.progress = progress
        self.steps = 0
        self.ended = ""

    def grant(self, requested: int, count_meetings: CountMeetings) -> int:
        """Return how many steps may be taken now, at most `requested`; 0 if the search is ended.

        Calls `progress`. The caller adds the steps that it has taken to `steps`.
        """
        if self.most_steps is not None and self.steps >= self.most_steps:
            self.ended = "steps"
        elif self.most_steps is None and self.clock() >= self.deadline:
            self.ended = "time"
        elif not self.progress(self.steps, count_meetings):
            self.ended = "stop"
        if self.ended:
            return 0
        if self.most_steps is None:
            return requested
        return min(requested, self.most_steps - self.steps)


class Annealing:
    """A search on one board. `best` is the cheapest schedule so far, `cost` is its cost."""

    def __init__(self, board: Board, groups: Sequence[Groups], rng: Random, budget: Budget) -> None:
        """`groups` are by session: only members of a group exchange tables."""
        self.board = board
        self.exchange_partners = [exchange_partners(board.plan, each) for each in groups]
        self.movable = [
            player
            for player, by_session in enumerate(zip(*self.exchange_partners, strict=True))
            if any(len(partners) > 1 for partners in by_session)
        ]
        self.rng = rng
        self.budget = budget
        self.best: Schedule = board.copy()
        self.cost = board.cost

    def run(
        self,
        goal: int,
        least: int,
        is_good_enough: Callable[[Schedule], bool],
        most_cycles: int | None = None,
    ) -> None:
        """Search in cycles, each of which lowers the temperature for every level of weights.

        Ends when the budget is used up, after `most_cycles`, at a cost of `least`, or a few cycles
        after the best schedule `is_good_enough`. Below the cost `goal`, the heaviest level cannot
        be improved any more. Cycles become longer until the schedule is good enough.
        """
        levels = self.board.costs.distinct_weights()
        length, good_cycles, cycles = FIRST_CYCLE, 0, 0
        while levels and self.movable and cycles != most_cycles and not self.budget.ended:
            for level in levels:
                self._cool(level, length, goal)
            cycles += 1
            good_cycles += is_good_enough(self.best)
            if good_cycles >= (ENDING_CYCLES if len(levels) > 1 else 1) or self.cost <= least:
                return
            if not good_cycles:
                length = min(2 * length, LONGEST_CYCLE)

    def count_meetings(self) -> dict[int, int]:
        """Return the number of pairs by their number of meetings, in the best schedule so far."""
        return meetings_of(self.board.plan, self.best)

    def run_gently(self, goal: int) -> None:
        """Search one short cycle at a low temperature, which keeps most of the schedule.

        For `goal` see `run`.
        """
        levels = self.board.costs.distinct_weights()
        for level in levels:
            self._cool(level, FIRST_CYCLE, goal, hot=COLD / 2, cold=COLD / 2)

    def _cool(
        self, level: int, steps: int, goal: int, hot: float = HOT, cold: float = COLD
    ) -> None:
        """Search one cycle of `steps` steps: lower a level's temperature from `hot` to `cold`.

        The heaviest level starts from the current schedule, and ends below the cost `goal`. Others
        start from the best schedule so far.
        """
        is_first = level == self.board.costs.distinct_weights()[0]
        if is_first and self.cost < goal:
            return
        if not is_first and self.board.cost != self.cost:
            self.board.load(self.best)
        for i in range(COOLINGS):
            heat = hot * (cold / hot) ** (i / (COOLINGS - 1))
            # A random item is the highest increase of the cost at which an exchange is made.
            increases = [
                int(-level * heat * log((j + 0.5) / LEVELS_OF_CHANCE))
                for j in range(LEVELS_OF_CHANCE)
            ]
            remaining = steps // COOLINGS
            while remaining > 0 and (
                granted := self.budget.grant(min(remaining, CHUNK), self.count_meetings)
            ):
                taken = self._try_exchanges(granted, increases, SKIPPED if is_first else 0)
                self.budget.steps += taken
                remaining -= taken
                if self.board.cost < self.cost:
                    self.cost, self.best = self.board.cost, self.board.copy()
                    if is_first and self.cost < goal:
                        return

    def _try_exchanges(  # noqa: C901
        self, count: int, increases: Sequence[int], skipped: float
    ) -> int:
        """Try `count` random exchanges; return how many were tried.

        Stops at an exchange with which the cost is lower than the best so far. An exchange is made
        if it raises the cost by at most a random item of `increases`. Of the players who cost
        nothing at their table, the share `skipped` is left there.
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
            others = self.exchange_partners[session][one]
            if not others:
                continue
            two = others[int(random() * len(others))]
            a, b = table_of[one], table_of[two]
            if a == b:
                continue
            table, other, row, row_two = tables[a], tables[b], values[one], values[two]
            # Who leaves a table saves the value of each pair less `repeat`, for the meeting there.
            saved, change = -repeat * (len(table) - 1), repeat * (len(other) - 1)
            for player in table:
                saved += row[player]
                change += row_two[player]
            if not saved and random() < skipped:
                continue
            change -= saved + 2 * row[two]  # the two do not meet each other
            for player in other:
                change += row[player] - row_two[player]
            if is_uneven and is_small[a] != is_small[b]:
                way = is_small[b] - is_small[a]
                change += 2 * small * (way * (counts[one] - counts[two]) + 1)
            if places:
                mine, theirs = places[session][one], places[session][two]
                change += mine[b] - mine[a] + theirs[a] - theirs[b]
            if change <= 0 or change <= increases[int(random() * LEVELS_OF_CHANCE)]:
                board.swap(session, one, two)
                board.cost += change
                if board.cost < best:
                    return step
        return count
