"""The methods of drawing: each returns a schedule for a plan, found within a budget of steps."""

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
    with_fitting_sit_outs,
)
from tournaments.draws.designs import design_for
from tournaments.draws.placing import seat_players
from tournaments.draws.plan import Plan, Schedule, in_numbers
from tournaments.draws.quality import meetings_of
from tournaments.draws.search import Annealing, Budget, Groups

CYCLES_BESIDE_A_DESIGN = 3  # of annealing from a random schedule
# The weights of a repeat, tried in turn while small tables are shared out; small tables have 1.
RELAXED_WEIGHTS = (2, 4, 8)
OUTSIDE = FORBIDDEN // 1000  # the cost of each place in the standings outside the window


class Result(NamedTuple):
    """A schedule, and how it was found, such as “annealing, 20,000 steps”."""

    schedule: Schedule
    how: str


class Method:
    """Draws a plan by the method of its request; a budget limits the steps of all searches."""

    def __init__(self, plan: Plan, rng: Random, budget: Budget) -> None:
        self.plan = plan
        self.rng = rng
        self.budget = budget

    def draw(self) -> Result:
        methods: dict[str, Callable[[], Result]] = {
            "lot": self.by_lot,
            "fewest_repeats": self.with_fewest_repeats,
            "level": self.by_level,
            "mixed": self.by_pots,
            "fixed": self.by_movement,
        }
        return methods[self.plan.request.method]()

    def by_lot(self) -> Result:
        """Seat everybody at random. If clubs count, search for fewer clubmates at one table."""
        schedule = self._random_schedule()
        if not (self.plan.request.clubs and self.plan.clubs):
            return Result(schedule, "lot")
        return self._anneal(
            Board(self.plan, Costs(clubmate=1), schedule), self._groups_of_everybody()
        )

    def with_fewest_repeats(self) -> Result:
        """Draw with as few repeats as possible, then share out the small tables evenly."""
        return self._share_small_tables(self._by_design_or_search())

    def _share_small_tables(self, result: Result) -> Result:
        """Return a schedule in which small tables are shared more evenly, if one is found.

        Exchanges without a new repeat are rare. So the search uses relaxed weights, with which a
        repeat costs little more than an uneven share, and its schedule is taken if its true cost is
        lower. `result` is returned if no schedule is better, or if the repeats of `result` are not
        at their lower bound.
        """
        plan, costs, schedule = self.plan, self._costs(), result.schedule
        is_applicable = costs.small and costs.repeat and costs.repeat == costs.distinct_weights()[0]
        if not is_applicable or not self._has_fewest_repeats(schedule):
            return result
        cost, least = self._cost(costs, result), self._least_cost(costs)
        for weight in RELAXED_WEIGHTS:
            if cost <= least or self.budget.ended:
                break
            relaxed = Costs(weight * weight, weight, 1) if costs.clubmate else Costs(weight, 0, 1)
            search = Annealing(
                Board(plan, relaxed, schedule), self._groups_of_everybody(), self.rng, self.budget
            )
            search.run(goal=0, least=-1, is_good_enough=lambda _schedule: False, most_cycles=1)
            true_cost = Board(plan, costs, search.best).cost
            if true_cost < cost:
                schedule, cost = search.best, true_cost
        if schedule is result.schedule:
            return result
        design = "" if result.how.startswith("annealing") else result.how.split(", ann")[0]
        return Result(schedule, ", ".join(filter(None, (design, self._effort()))))

    def _by_design_or_search(self) -> Result:
        """Draw from a design if there is one; search if there is none, or if it can be improved.

        Replaces the plan by one with sit-outs that fit the design.
        """
        costs = self._costs()
        design = design_for(len(self.plan.mix), self.plan.mix[0], self.plan.size)
        players = players_of_cells(self.plan, design, self.rng) if design else []
        if design and any(self.plan.sit_outs):
            self.plan = with_fitting_sit_outs(self.plan, design, players, self.rng)
        plan, random_schedule = self.plan, self._random_schedule()
        board = Board(plan, costs, random_schedule)
        by_design = None
        if design:
            by_design = schedule_by_design(plan, design, players, random_schedule, self.rng)
        if design is None or by_design is None or not self._is_legal(by_design):
            return self._anneal(board, self._groups_of_everybody())
        result = self._improve_gently(Board(plan, costs, by_design), design.name)
        if self.budget.ended or self._cost(costs, result) <= self._least_cost(costs):
            return result
        cycles = None
        if self._has_fewest_repeats(result.schedule):
            cycles = CYCLES_BESIDE_A_DESIGN  # only the rest of the cost can be lowered
        else:
            board = min(board, Board(plan, costs, result.schedule), key=lambda each: each.cost)
        searched = self._anneal(board, self._groups_of_everybody(), most_cycles=cycles)
        return min(result, searched, key=lambda each: self._cost(costs, each))

    def by_level(self) -> Result:
        """Fill the tables from the top of the standings, then search among near neighbours.

        The cost of a player at a table is the distance in the standings, with `OUTSIDE` for each
        place beyond the window. The window is by default the size of the largest table.
        """
        plan, standing = self.plan, self._players_by_standing()
        costs, schedule = self._costs(has_places=True), []
        window = plan.mix[0] if plan.request.window is None else plan.request.window
        for session, seated in enumerate(plan.seated):
            playing = set(seated)
            order = [player for player in standing if player in playing]
            distances = _distances_in_standings(plan, order)
            costs.places.append(
                [[away + OUTSIDE * max(away - window, 0) for away in row] for row in distances]
            )
            nearest = [sorted(range(len(row)), key=row.__getitem__) for row in distances]
            schedule.append(
                seat_players(plan, session, order, self.rng, preferred=nearest.__getitem__)
            )
        return self._anneal(
            Board(plan, costs, schedule), self._groups_of_everybody(), how="standing"
        )

    def by_pots(self) -> Result:
        """Seat one player of each pot at every table, then search among the players of a pot.

        Pots are filled from the top of the standings.
        """
        plan, standing = self.plan, self._players_by_standing()
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
            schedule.append(seat_players(plan, session, order, self.rng, pots=pot_of))
            groups.append(pots)
        return self._anneal(Board(plan, self._costs(), schedule), groups, how="pots")

    def by_movement(self) -> Result:
        return Result(in_numbers(self.plan.request, self.plan.request.movement), "movement")

    def _random_schedule(self) -> Schedule:
        """Return a random schedule that is legal: players fixed and kept apart are seated so."""
        schedule = []
        for session, seated in enumerate(self.plan.seated):
            order = list(seated)
            self.rng.shuffle(order)
            schedule.append(seat_players(self.plan, session, order, self.rng))
        return schedule

    def _groups_of_everybody(self) -> list[Groups]:
        """Return one group for each session: all who play in it may exchange tables."""
        return [[seated] for seated in self.plan.seated]

    def _players_by_standing(self) -> list[int]:
        """Return the players from the top of the standings; players with equal points by lot."""
        order = list(range(self.plan.size))
        self.rng.shuffle(order)
        return sorted(order, key=lambda player: -self.plan.request.players[player].points)

    def _costs(self, *, has_places: bool = False) -> Costs:
        """Return the costs, weighted in the order of the request.

        What cannot differ between schedules of this plan has the weight 0. With `has_places`, the
        lightest weight is left to `Costs.places`, which the caller fills.
        """
        plan = self.plan
        can_differ = {
            "repeats": len(plan.seated) + len(plan.history) > 1 or bool(plan.request.met),
            "clubmates": plan.request.clubs and bool(plan.clubs),
            "fairness": min(plan.mix) < max(plan.mix),
        }
        order = [name for name in plan.request.weights if can_differ[name]]
        lowest = len(order) - 1 + has_places
        weights = {name: LEVEL ** (lowest - i) for i, name in enumerate(order)}
        return Costs(
            weights.get("repeats", 0), weights.get("clubmates", 0), weights.get("fairness", 0)
        )

    def _is_legal(self, schedule: Schedule) -> bool:
        """Return whether fixed players sit at their table, and no pair kept apart shares one."""
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

    def _has_fewest_repeats(self, schedule: Schedule) -> bool:
        """Return whether the repeats, those of the history included, reach the lower bound."""
        return repeats(meetings_of(self.plan, schedule)) <= self.plan.bound

    def _goal(self, costs: Costs) -> int:
        """Return a cost below which the repeats are at their lower bound; 0 if they weigh less."""
        if not costs.repeat or costs.repeat != costs.distinct_weights()[0]:
            return 0
        repeats_before = repeats(meetings_of(self.plan, []))
        return (self.plan.bound - repeats_before + 1) * costs.repeat

    def _cost(self, costs: Costs, result: Result) -> int:
        return Board(self.plan, costs, result.schedule).cost

    def _least_cost(self, costs: Costs) -> int:
        """Return a lower bound of the cost of a schedule.

        It has the fewest repeats and the most even share of small tables; clubmates and places
        count as 0.
        """
        plan = self.plan
        counts = list(plan.small_tables_before)
        heapify(counts)
        for _ in range(len(plan.seated) * sum(size for size in plan.mix if size < plan.mix[0])):
            heapreplace(counts, counts[0] + 1)
        least_repeats = plan.bound - repeats(meetings_of(plan, []))
        return least_repeats * costs.repeat + costs.small * sum(n * n for n in counts)

    def _improve_gently(self, board: Board, design: str) -> Result:
        """Improve a schedule of the named design by few exchanges, which keep most of it.

        If its repeats are at their lower bound, search for a lower cost, too.
        """
        search = Annealing(board, self._groups_of_everybody(), self.rng, self.budget)
        cost_before, least = board.cost, self._least_cost(board.costs)
        if cost_before > least:
            search.run_gently(self._goal(board.costs))
        if search.cost > least and self._has_fewest_repeats(search.best):
            search.run(self._goal(board.costs), least, self._has_fewest_repeats)
        how = design if search.cost == cost_before else f"{design}, {self._effort()}"
        return Result(search.best, how)

    def _anneal(
        self,
        board: Board,
        groups: Sequence[Groups],
        *,
        how: str = "",
        most_cycles: int | None = None,
    ) -> Result:
        """Search by annealing, from the schedule of the board; `how` names its origin."""
        search = Annealing(board, groups, self.rng, self.budget)
        least = self._least_cost(board.costs)
        search.run(self._goal(board.costs), least, self._has_fewest_repeats, most_cycles)
        return Result(search.best, f"{how}, {self._effort()}" if how else self._effort())

    def _effort(self) -> str:
        """Return the number of steps as text, with the seconds if time ended the search."""
        seconds = f"{self.plan.request.seconds:.1f} s, " if self.budget.ended == "time" else ""
        return f"annealing, {seconds}{self.budget.steps:,} steps"


def _distances_in_standings(plan: Plan, order: Sequence[int]) -> list[list[int]]:
    """Return how many places each player is from each table, by player and table.

    Tables are filled from the top of the standings: a table takes a range of places. `order` has
    the players of a session by standing; other players are at distance 0.
    """
    first, ranges = 0, []
    for size in plan.mix:
        ranges.append((first, first + size - 1))
        first += size
    distances = [[0] * len(plan.mix)] * plan.size
    for index, player in enumerate(order):
        distances[player] = [max(low - index, index - high, 0) for low, high in ranges]
    return distances


def _pots(plan: Plan, order: Sequence[int]) -> list[list[int]]:
    """Return the pots, filled in order. Pot n has a player for each table with n seats or more."""
    pots, remaining = [], list(order)
    for seat in range(plan.mix[0]):
        size = sum(each > seat for each in plan.mix)
        pots.append(remaining[:size])
        remaining = remaining[size:]
    return pots
