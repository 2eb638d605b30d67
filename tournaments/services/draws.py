"""Table sizes and random draws of seats, on plain data; no database."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

Player = TypeVar("Player")


class SeatableNumbers(NamedTuple):
    """The nearest numbers of players that can be seated, below (0 for none) and above."""

    fewer: int
    more: int


def divide_into_tables(player_count: int, allowed_sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return the sizes of tables for a number of players, with as many large tables as possible.

    None if the players cannot be divided into tables of the allowed sizes.

    >>> divide_into_tables(28, (5, 6))
    (6, 6, 6, 5, 5)
    >>> divide_into_tables(7, (5, 6)) is None
    True
    """
    if not player_count or not allowed_sizes:
        return None if player_count else ()
    *smaller, largest = sorted(allowed_sizes)
    for count in range(player_count // largest, -1, -1):
        rest = divide_into_tables(player_count - count * largest, smaller)
        if rest is not None:
            return (largest,) * count + rest
    return None


def nearest_seatable(player_count: int, allowed_sizes: Sequence[int]) -> SeatableNumbers:
    """Return the nearest numbers of players that can be seated, for a number that cannot.

    >>> nearest_seatable(7, (5, 6))
    SeatableNumbers(fewer=6, more=10)
    >>> nearest_seatable(2, (4,))
    SeatableNumbers(fewer=0, more=4)
    """
    fewer, more = player_count - 1, player_count + 1
    while divide_into_tables(fewer, allowed_sizes) is None:
        fewer -= 1
    while divide_into_tables(more, allowed_sizes) is None:
        more += 1
    return SeatableNumbers(fewer, more)


def draw(
    players: Sequence[Player], allowed_sizes: Sequence[int], rng: random.Random
) -> list[list[Player]]:
    """Return the shuffled players table by table, in seat order.

    Empty if the players cannot be divided into tables of the allowed sizes.

    >>> draw("ABCDEFGH", (4,), random.Random(1))
    [['D', 'G', 'B', 'F'], ['H', 'A', 'E', 'C']]
    """
    shuffled = list(players)
    rng.shuffle(shuffled)
    tables, start = [], 0
    for size in divide_into_tables(len(shuffled), allowed_sizes) or ():
        tables.append(shuffled[start : start + size])
        start += size
    return tables
