"""Table sizes and random draws of seats, on plain data; no database."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

Player = TypeVar("Player")


class Impossible(NamedTuple):
    """The nearest numbers of players that can be seated, below (0 for none) and above."""

    fewer: int
    more: int


def table_sizes(players: int, allowed: Sequence[int]) -> tuple[int, ...] | None:
    """Return the sizes of tables for a number of players, with as many large tables as possible.

    None if the players cannot be divided into tables of the allowed sizes.

    >>> table_sizes(28, (5, 6))
    (6, 6, 6, 5, 5)
    >>> table_sizes(7, (5, 6)) is None
    True
    """
    if not players or not allowed:
        return None if players else ()
    *smaller, largest = sorted(allowed)
    for count in range(players // largest, -1, -1):
        rest = table_sizes(players - count * largest, smaller)
        if rest is not None:
            return (largest,) * count + rest
    return None


def nearest_seatable(players: int, allowed: Sequence[int]) -> Impossible:
    """Return the nearest numbers of players that can be seated, for a number that cannot.

    >>> nearest_seatable(7, (5, 6))
    Impossible(fewer=6, more=10)
    >>> nearest_seatable(2, (4,))
    Impossible(fewer=0, more=4)
    """
    fewer, more = players - 1, players + 1
    while table_sizes(fewer, allowed) is None:
        fewer -= 1
    while table_sizes(more, allowed) is None:
        more += 1
    return Impossible(fewer, more)


def draw(
    players: Sequence[Player], allowed: Sequence[int], rng: random.Random
) -> list[list[Player]]:
    """Return the shuffled players table by table, in seat order.

    Empty if the players cannot be divided into tables of the allowed sizes.

    >>> draw("ABCDEFGH", (4,), random.Random(1))
    [['D', 'G', 'B', 'F'], ['H', 'A', 'E', 'C']]
    """
    shuffled = list(players)
    rng.shuffle(shuffled)
    tables, start = [], 0
    for size in table_sizes(len(shuffled), allowed) or ():
        tables.append(shuffled[start : start + size])
        start += size
    return tables
