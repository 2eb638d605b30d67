"""The methods of drawing: each makes a schedule of a plan, within a budget of steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heapreplace
from random import Random
from typing import NamedTuple

from tournaments.draws.board import FORBIDDEN, LEVEL, Board, Costs
from tournaments.draws.bounds import repeats
from tournaments.draws.cells import (
    players_of_cells,
    schedule_by_design,
    with_suited_sit_outs,
)
from tournaments.draws.designs import design_for
from tournaments.draws.placing import place
from tournaments.draws.plan import Plan, Schedule, in_numbers
from tournaments.draws.quality import meetings_of
from tournaments.draws.search import Annealing, Budget, Groups

CYCLES_BESIDE_A_DESIGN = 3  # of annealing from a random schedule
LITTLE_MORE = (2, 4, 8)  # how much more repeats weigh than an uneven share, for a while
OUTSIDE = FORBIDDEN // 1000  # for each place that a player is outside the window


class Result(NamedTuple):
    """A schedule, and how it was found."""

    schedule: Schedule
    how: str


class Method:
    """What the methods share: the plan, the random numbers, the budget of steps."""

    def __init__(self, plan: Plan, rng: Random, budget: Budget) -> None:
        self.plan = plan
        self.rng = rng
        self.budget = budget

    def draw(self) -> Result:
        """Return the schedule drawn by the request's method, and how it was found."""
        methods: dict[str, Callable[[], Result]] = {
            "lot": self.by_lot,
            "fewest_repeats": self.with_fewest_repeats,
            "level": self.by_level,
            "mixed": self.mixed,
            "fixed": self.as_typed,
        }
        return methods[self.plan.request.method]()

    def by_lot(self) -> Result:
        """Seat everybody at random; clubmates apart if that is asked for."""
        schedule = self._at_random()
        if not (self.plan.request.clubs and self.plan.clubs):
            return Result(schedule, "lot")
        return self._anneal(Board(self.plan, Costs(clubmate=1), schedule), self._everybody())

    def with_fewest_repeats(self) -> Result:
        """Draw with as few repeats as possible, then share the small tables out."""
        return self._shared_fairly(self._by_design_or_search())

    def _shared_fairly(self, result: Result) -> Result:
        """Share small tables out more evenly, if that costs nothing that weighs more.

        Exchanges that keep every pair apart are rare: for a while, repeats weigh little more than
        an uneven share, and what comes of it is taken if it is better all in all.
        """
        plan, costs, schedule = self.plan, self._costs(), result.schedule
        is_asked = costs.small and costs.repeat and costs.repeat == costs.levels()[0]
        if not is_asked or not self._is_best(schedule):
            return result
        cost, least = self._cost(costs, result), self._least(costs)
        for weight in LITTLE_MORE:
            if cost <= least or self.budget.ended:
                break
            relaxed = Costs(weight * weight, weight, 1) if costs.clubmate else Costs(weight, 0, 1)
            search = Annealing(
                Board(plan, relaxed, schedule), self._everybody(), self.rng, self.budget
            )
            search.run(0, -1, lambda _schedule: False, most_cycles=1)
            found = Board(plan, costs, search.best).cost
            if found < cost:
                schedule, cost = search.best, found
        if schedule is result.schedule:
            return result
        design = "" if result.how.startswith("annealing") else result.how.split(", ann")[0]
        return Result(schedule, ", ".join(filter(None, (design, self._effort()))))

    def _by_design_or_search(self) -> Result:
        """Draw from a design where there is one; search where it leaves something to improve."""
        costs = self._costs()
        design = design_for(len(self.plan.mix), self.plan.mix[0], self.plan.size)
        players = players_of_cells(self.plan, design, self.rng) if design else []
        if design and any(self.plan.sit_outs):
            self.plan = with_suited_sit_outs(self.plan, design, players, self.rng)
        plan, start = self.plan, self._at_random()
        board = Board(plan, costs, start)
        drawn = schedule_by_design(plan, design, players, start, self.rng) if design else None
        if design is None or drawn is None or not self._is_legal(drawn):
            return self._anneal(board, self._everybody())
        result = self._mend(Board(plan, costs, drawn), design.name)
        if self.budget.ended or self._cost(costs, result) <= self._least(costs):
            return result
        cycles = None
        if self._is_best(result.schedule):  # only fewer clubmates, or a fairer draw, are looked for
            cycles = CYCLES_BESIDE_A_DESIGN
        else:
            board = min(board, Board(plan, costs, result.schedule), key=lambda each: each.cost)
        searched = self._anneal(board, self._everybody(), most_cycles=cycles)
        return min(result, searched, key=lambda each: self._cost(costs, each))

    def by_level(self) -> Result:
        """Fill the tables from the top of the standings; exchange near neighbours only."""
        plan, standing = self.plan, self._standing()
        costs, schedule = self._costs(has_places=True), []
        window = plan.mix[0] if plan.request.window is None else plan.request.window
        for session, seated in enumerate(plan.seated):
            playing = set(seated)
            order = [player for player in standing if player in playing]
            away = _places_away(plan, order)
            costs.places.append(
                [[far + OUTSIDE * max(far - window, 0) for far in row] for row in away]
            )
            nearest = [sorted(range(len(row)), key=row.__getitem__) for row in away]
            schedule.append(place(plan, session, order, self.rng, preferred=nearest.__getitem__))
        return self._anneal(Board(plan, costs, schedule), self._everybody(), how="standing")

    def mixed(self) -> Result:
        """Seat one of each pot at every table; pots are filled from the top of the standings."""
        plan, standing = self.plan, self._standing()
        schedule, groups = [], []
        for session, seated in enumerate(plan.seated):
            playing = set(seated)
            order = [player for player in standing if player in playing]
            pots = _pots(plan, order)
            pot_of = [0] * plan.size
            for number, pot in enumerate(pots):
                self.rng.shuffle(pot)
                for player in pot:
                    pot_of[player] = number
            order = [player for pot in pots for player in pot]
            schedule.append(place(plan, session, order, self.rng, pots=pot_of))
            groups.append(pots)
        return self._anneal(Board(plan, self._costs(), schedule), groups, how="pots")

    def as_typed(self) -> Result:
        """Seat as in the movement of the request."""
        return Result(in_numbers(self.plan.request, self.plan.request.movement), "movement")

    def _at_random(self) -> Schedule:
        schedule = []
        for session, seated in enumerate(self.plan.seated):
            order = list(seated)
            self.rng.shuffle(order)
            schedule.append(place(self.plan, session, order, self.rng))
        return schedule

    def _everybody(self) -> list[Groups]:
        """Return the groups of a method in which everybody may change tables with everybody."""
        return [[seated] for seated in self.plan.seated]

    def _standing(self) -> list[int]:
        """Return the players from the top of the standings, equals by lot."""
        order = list(range(self.plan.size))
        self.rng.shuffle(order)
        return sorted(order, key=lambda player: -self.plan.request.players[player].points)

    def _costs(self, *, has_places: bool = False) -> Costs:
        """Return the weights of what there is to look at, in the order of the request."""
        plan = self.plan
        counted = {
            "repeats": len(plan.seated) + len(plan.history) > 1,
            "clubmates": plan.request.clubs and bool(plan.clubs),
            "fairness": min(plan.mix) < max(plan.mix),
        }
        order = [name for name in plan.request.weights if counted[name]]
        lowest = len(order) - 1 + has_places
        weights = {name: LEVEL ** (lowest - i) for i, name in enumerate(order)}
        return Costs(
            weights.get("repeats", 0), weights.get("clubmates", 0), weights.get("fairness", 0)
        )

    def _is_legal(self, schedule: Schedule) -> bool:
        """Return whether everybody who is fixed sits there, and nobody beside who is kept apart."""
        return all(
            players <= set(session[table])
            for session, seated in zip(schedule, self.plan.seated, strict=True)
            for player, table in self.plan.fixed.items()
            if (players := {player}.intersection(seated))
        ) and not any(
            one in table and two in table
            for one, two in self.plan.apart
            for session in schedule
            for table in session
        )

    def _is_best(self, schedule: Schedule) -> bool:
        """Return whether no schedule can have fewer repeats."""
        return repeats(meetings_of(self.plan, schedule)) <= self.plan.bound

    def _goal(self, costs: Costs) -> int:
        """Return a cost below which no schedule has fewer repeats, if they weigh most."""
        if not costs.repeat or costs.repeat != costs.levels()[0]:
            return 0
        before = repeats(meetings_of(self.plan, []))
        return (self.plan.bound - before + 1) * costs.repeat

    def _cost(self, costs: Costs, result: Result) -> int:
        """Return what a result costs."""
        return Board(self.plan, costs, result.schedule).cost

    def _least(self, costs: Costs) -> int:
        """Return a cost that no schedule can go below."""
        plan = self.plan
        counts = list(plan.small_tables_before)
        heapify(counts)
        for _ in range(len(plan.seated) * sum(size for size in plan.mix if size < plan.mix[0])):
            heapreplace(counts, counts[0] + 1)
        least_repeats = plan.bound - repeats(meetings_of(plan, []))
        return least_repeats * costs.repeat + costs.small * sum(n * n for n in counts)

    def _mend(self, board: Board, design: str) -> Result:
        """Improve what comes from a design without taking it apart."""
        search = Annealing(board, self._everybody(), self.rng, self.budget)
        before, least = board.cost, self._least(board.costs)
        if before > least:
            search.mend(self._goal(board.costs))
        if search.cost > least and self._is_best(search.best):
            search.run(self._goal(board.costs), least, self._is_best)
        how = design if search.cost == before else f"{design}, {self._effort()}"
        return Result(search.best, how)

    def _anneal(
        self,
        board: Board,
        groups: Sequence[Groups],
        *,
        how: str = "",
        most_cycles: int | None = None,
    ) -> Result:
        """Search from the board; `how` names what it begins with."""
        search = Annealing(board, groups, self.rng, self.budget)
        least = self._least(board.costs)
        search.run(self._goal(board.costs), least, self._is_best, most_cycles)
        return Result(search.best, f"{how}, {self._effort()}" if how else self._effort())

    def _effort(self) -> str:
        """Return how long was searched. The time is told where it ended the search."""
        seconds = f"{self.plan.request.seconds:.1f} s, " if self.budget.ended == "time" else ""
        return f"annealing, {seconds}{self.budget.steps:,} steps"


def _places_away(plan: Plan, order: Sequence[int]) -> list[list[int]]:
    """Return for each player and table how many places it is from those filled with its equals."""
    first, ranges = 0, []
    for size in plan.mix:
        ranges.append((first, first + size - 1))
        first += size
    away = [[0] * len(plan.mix)] * plan.size
    for rank, player in enumerate(order):
        away[player] = [max(low - rank, rank - high, 0) for low, high in ranges]
    return away


def _pots(plan: Plan, order: Sequence[int]) -> list[list[int]]:
    """Return the pots: the n-th has a player for each table of n seats or more."""
    pots, rest = [], list(order)
    for seat in range(plan.mix[0]):
        size = sum(each > seat for each in plan.mix)
        pots.append(rest[:size])
        rest = rest[size:]
    return pots
