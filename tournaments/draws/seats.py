"""The order of seats: whose turn it is to have the first dealer's seat, the others by lot."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random

from tournaments.draws.plan import Schedule


def arrange_seats(schedule: Schedule, before: Sequence[int], rng: Random) -> Schedule:
    """Return the schedule with each table in seat order, the first seats shared out evenly.

    `before` is how often each player had one. No other choice of first seats is more even: an
    optimal semi-matching (Harvey, Ladner, Lovász and Tamir, Journal of Algorithms 59, 2006).
    """
    tables = [list(table) for session in schedule for table in session]
    counts = list(before)
    first: list[int] = []
    for table in tables:
        rng.shuffle(table)
        player = min(table, key=counts.__getitem__, default=-1)
        first.append(player)
        if table:
            counts[player] += 1
    while _hand_on(tables, first, counts):
        pass
    seated = iter(
        [
            [player, *(each for each in table if each != player)] if table else []
            for table, player in zip(tables, first, strict=True)
        ]
    )
    return [[next(seated) for _ in session] for session in schedule]


def _hand_on(tables: Sequence[Sequence[int]], first: list[int], counts: list[int]) -> bool:
    """Hand first seats on from table to table if that makes the counts more even.

    Return whether it did. From a player with many, the chain ends with one who has two fewer.
    """
    held: dict[int, list[int]] = {}
    for number, player in enumerate(first):
        held.setdefault(player, []).append(number)
    lowest = min((counts[player] for table in tables for player in table), default=0)
    hopeless: set[int] = set()
    for giver in sorted(held, key=lambda player: -counts[player]):
        if counts[giver] < lowest + 2:
            return False
        came: dict[int, tuple[int, int]] = {giver: (-1, giver)}
        queue = deque([giver])
        while queue:
            holder = queue.popleft()
            for number in held.get(holder, ()):
                for player in tables[number]:
                    if player in came or player in hopeless:
                        continue
                    came[player] = (number, holder)
                    if counts[player] <= counts[giver] - 2:
                        _follow(player, giver, came, first)
                        counts[giver] -= 1
                        counts[player] += 1
                        return True
                    queue.append(player)
        hopeless.update(came)  # nobody they lead to has fewer than the giver's count less one
    return False


def _follow(player: int, giver: int, came: dict[int, tuple[int, int]], first: list[int]) -> None:
    """Give each first seat on the chain to the player it led to."""
    while player != giver:
        number, holder = came[player]
        first[number] = player
        player = holder
