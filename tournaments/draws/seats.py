"""The order of seats at a table: the first dealer's seat shared evenly, the others by lot."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random

from tournaments.draws.plan import Schedule


def arrange_seats(schedule: Schedule, before: Sequence[int], rng: Random) -> Schedule:
    """Return the schedule with each table in seat order, so that first seats are shared evenly.

    `before` is how often each player has had a first seat. No other choice is more even: it is an
    optimal semi-matching (Harvey, Ladner, Lovász and Tamir, Journal of Algorithms 59, 2006).
    """
    tables = [list(table) for session in schedule for table in session]
    counts = list(before)
    first: list[int] = []
    for table in tables:
        rng.shuffle(table)
        player = min(table, key=counts.__getitem__)
        first.append(player)
        counts[player] += 1
    while _even_out(tables, first, counts):
        pass
    seated = iter(
        [
            [player, *(each for each in table if each != player)]
            for table, player in zip(tables, first, strict=True)
        ]
    )
    return [[next(seated) for _ in session] for session in schedule]


def _even_out(tables: Sequence[Sequence[int]], first: list[int], counts: list[int]) -> bool:
    """Move first seats along a chain of tables, if that makes the counts more even.

    At each table of the chain, the first seat goes to another player of the table, who gives up a
    first seat at the next table. The player at the beginning has one fewer, the player at the end,
    who had at least two fewer, has one more. `first` (by table) and `counts` (by player) are
    changed in place. Return whether there was such a chain.
    """
    tables_by_first: dict[int, list[int]] = {}
    for number, player in enumerate(first):
        tables_by_first.setdefault(player, []).append(number)
    lowest = min((counts[player] for table in tables for player in table), default=0)
    hopeless: set[int] = set()
    givers = (player for player in tables_by_first if counts[player] >= lowest + 2)
    for giver in sorted(givers, key=lambda player: -counts[player]):
        # Breadth-first search: the table and its first player, from which each player was reached.
        reached_from: dict[int, tuple[int, int]] = {giver: (-1, giver)}
        queue = deque([giver])
        while queue:
            holder = queue.popleft()
            for number in tables_by_first.get(holder, ()):
                for player in tables[number]:
                    if player in reached_from or player in hopeless:
                        continue
                    reached_from[player] = (number, holder)
                    if counts[player] <= counts[giver] - 2:
                        _move_first_seats(giver, player, reached_from, first)
                        counts[giver] -= 1
                        counts[player] += 1
                        return True
                    queue.append(player)
        hopeless.update(reached_from)  # from these, no player with a low count can be reached
    return False


def _move_first_seats(
    giver: int, receiver: int, reached_from: dict[int, tuple[int, int]], first: list[int]
) -> None:
    """Give each first seat on the chain from `giver` to `receiver` to the player reached by it."""
    player = receiver
    while player != giver:
        number, holder = reached_from[player]
        first[number] = player
        player = holder
