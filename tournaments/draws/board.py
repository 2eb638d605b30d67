"""The schedule that a search changes, with its cost kept up to date move by move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from tournaments.draws.bounds import count_meetings
from tournaments.draws.plan import Plan, Schedule, at_small_tables

FORBIDDEN = 10**15  # the cost of a pair that is kept apart, at one table: more than all else
LEVEL = 10**4  # the ratio of two weights, the lighter of which never outweighs the heavier one
NOWHERE = -1  # the table of a player who sits out


@dataclass
class Costs:
    """Integer weights of the parts of a schedule's cost; a part with weight 0 does not count.

    - `repeat`: the cost of each repeat
    - `clubmate`: the cost of each pair of one club at one table
    - `small`: multiplied by the square of the number of each player's small tables
    - `places`: ``places[session][player][table]`` is the cost of a player at a table
    """

    repeat: int = 0
    clubmate: int = 0
    small: int = 0
    places: list[list[list[int]]] = field(default_factory=list)

    def distinct_weights(self) -> list[int]:
        """Return the different weights above 0, heaviest first, as the search reduces them.

        `places` are costs themselves: their weight is 1 if there are any.
        """
        weights = {self.repeat, self.clubmate, self.small, int(bool(self.places))}
        return sorted(weights - {0}, reverse=True)


class Board:
    """The tables of every session to be drawn, and their `cost`.

    ``values[p][q]`` is the cost of seating players p and q at one table once more. So the change of
    the cost by an exchange is a sum over two tables.

    `small_tables` counts the small tables of each player, those of the history included.
    """

    def __init__(self, plan: Plan, costs: Costs, schedule: Schedule) -> None:
        self.plan = plan
        self.costs = costs
        self.is_small = [int(size < max(plan.mix, default=0)) for size in plan.mix]
        self.is_uneven = bool(costs.small) and any(self.is_small)
        self.load(schedule)

    def load(self, schedule: Schedule) -> None:
        """Replace the schedule, and compute its cost and all values anew."""
        plan, costs = self.plan, self.costs
        self.tables = [[list(table) for table in session] for session in schedule]
        self.table_of = [[NOWHERE] * plan.size for _ in schedule]
        self.small_tables = list(plan.small_tables_before)
        for tables, table_of in zip(self.tables, self.table_of, strict=True):
            for player in at_small_tables(tables):
                self.small_tables[player] += 1
            for number, table in enumerate(tables):
                for player in table:
                    table_of[player] = number
        self.values = self._values_before()
        self.cost = 0
        for (one, two), times in count_meetings(self.tables).items():
            self.cost += times * self.values[one][two] + costs.repeat * comb(times, 2)
            self.values[one][two] += costs.repeat * times
            self.values[two][one] += costs.repeat * times
        if self.is_uneven:
            self.cost += costs.small * sum(count * count for count in self.small_tables)
        for places, table_of in zip(costs.places, self.table_of, strict=False):
            self.cost += sum(
                places[player][table] for player, table in enumerate(table_of) if table != NOWHERE
            )

    def _values_before(self) -> list[list[int]]:
        """Return the `values` of an empty schedule: of the history, clubs, and pairs kept apart."""
        plan, costs = self.plan, self.costs
        values = [[0] * plan.size for _ in range(plan.size)]
        pairs = Counter(dict.fromkeys(plan.apart, FORBIDDEN))
        for pair, times in plan.meetings_before.items() if costs.repeat else ():
            pairs[pair] += costs.repeat * times
        for club in plan.clubs if costs.clubmate else ():
            for pair in combinations(club, 2):
                pairs[pair] += costs.clubmate
        for (one, two), value in pairs.items():
            values[one][two] += value
            values[two][one] += value
        return values

    def swap(self, session: int, one: int, two: int) -> None:
        """Exchange two players at different tables of a session.

        Leaves `cost` unchanged: the caller has computed the change already.
        """
        table_of, values, repeat = self.table_of[session], self.values, self.costs.repeat
        table, other = (self.tables[session][table_of[player]] for player in (one, two))
        if repeat:
            for players, leaving, coming in ((table, one, two), (other, two, one)):
                row_leaving, row_coming = values[leaving], values[coming]
                for player in players:
                    if player != leaving:
                        row_leaving[player] -= repeat
                        values[player][leaving] -= repeat
                        row_coming[player] += repeat
                        values[player][coming] += repeat
        if self.is_uneven:
            change = self.is_small[table_of[two]] - self.is_small[table_of[one]]
            self.small_tables[one] += change
            self.small_tables[two] -= change
        table[table.index(one)], other[other.index(two)] = two, one
        table_of[one], table_of[two] = table_of[two], table_of[one]

    def copy(self) -> Schedule:
        return [[list(table) for table in session] for session in self.tables]


def exchange_partners(plan: Plan, groups: Sequence[Sequence[int]]) -> list[Sequence[int]]:
    """Return, for each player, the players with whom an exchange of tables is allowed.

    These are all members of the player's group who are not fixed, the player included. Empty for a
    player who is fixed or in no group.
    """
    partners: list[Sequence[int]] = [()] * plan.size
    for group in groups:
        movable = [player for player in group if player not in plan.fixed]
        for player in movable:
            partners[player] = movable
    return partners
