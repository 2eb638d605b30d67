"""Mixes of table sizes: how many tables of each allowed size for a number of players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

IMPOSSIBLE = 10**9  # more sizes than there can be: a number of players that cannot be seated
MOST_TRIED = 2000  # mixes that are compared


class SeatableNumbers(NamedTuple):
    """The nearest numbers of players that can all be seated: fewer (0 if none) and more."""

    fewer: int
    more: int


class TablePlan(NamedTuple):
    """The usual mix for a number of players, and how many of them sit out."""

    players: int
    mix: tuple[int, ...]
    sits_out: int

    @property
    def tables(self) -> dict[int, int]:
        """By size, the largest first."""
        return dict(Counter(self.mix))


def table_plan(player_count: int, allowed_sizes: Sequence[int]) -> TablePlan:
    """Return the usual mix for a number of players, see `best_mix`.

    >>> table_plan(34, (5, 6)).tables, table_plan(13, (6,)).sits_out
    ({6: 4, 5: 2}, 1)
    """
    mix = best_mix(player_count, allowed_sizes)
    return TablePlan(player_count, mix, player_count - sum(mix))


def all_mixes(player_count: int, allowed_sizes: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Return at most `most` mixes, all with as few sit-outs as possible; none without a table.

    The usual mix comes first, then mixes with fewer tables before those with more.

    >>> all_mixes(30, (5, 6), 9), all_mixes(24, (4, 5, 6), 2)
    ([(6, 6, 6, 6, 6), (5, 5, 5, 5, 5, 5)], [(6, 6, 6, 6), (6, 6, 4, 4, 4)])
    """
    best = best_mix(player_count, allowed_sizes)
    mixes = _mixes_with_seats(sum(best), sorted(set(allowed_sizes), reverse=True))
    by_tables = sorted(islice(mixes, MOST_TRIED), key=len)
    return [best, *(mix for mix in by_tables if mix != best)][:most] if best else []


def _mixes_with_seats(seats: int, descending_sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    size, *smaller = descending_sizes
    if not smaller:
        if seats % size == 0:
            yield (size,) * (seats // size)
        return
    for tables in range(seats // size, -1, -1):
        for rest in _mixes_with_seats(seats - tables * size, smaller):
            yield (size,) * tables + rest


def best_mix(player_count: int, allowed_sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the usual mix: table sizes, largest first; empty if no table can be filled.

    As few players as possible sit out; then there are as few different sizes as possible, and
    then as many large tables as possible.

    >>> best_mix(34, (5, 6)), best_mix(35, (5, 6)), best_mix(13, (6,))
    ((6, 6, 6, 6, 5, 5), (5, 5, 5, 5, 5, 5, 5), (6, 6))
    """
    sizes = sorted(set(allowed_sizes))
    fewest = _fewest_different_sizes(player_count, sizes)
    # The most players that can be seated. From the largest size down, as many tables are taken as
    # leave the number of different sizes at its least.
    unseated = max(count for count in range(player_count + 1) if fewest[-1][count] < IMPOSSIBLE)
    mix: list[int] = []
    for i in range(len(sizes), 0, -1):
        size, different_sizes, without_size = sizes[i - 1], fewest[i][unseated], fewest[i - 1]
        tables = max(
            tables
            for tables in range(unseated // size + 1)
            if without_size[unseated - tables * size] + (tables > 0) == different_sizes
        )
        mix += [size] * tables
        unseated -= tables * size
    return tuple(mix)


def _fewest_different_sizes(player_count: int, sizes: Sequence[int]) -> list[list[int]]:
    """Return ``fewest[i][count]``: how many of the first i sizes it takes to seat `count` players.

    `IMPOSSIBLE` if they cannot be seated with these sizes.
    """
    fewest = [[0] + [IMPOSSIBLE] * player_count]
    for size in sizes:
        before, with_size = fewest[-1], [IMPOSSIBLE] * (player_count + 1)
        for count in range(size, player_count + 1):
            with_size[count] = min(before[count - size] + 1, with_size[count - size])
        fewest.append([min(pair) for pair in zip(before, with_size, strict=True)])
    return fewest


def divide_into_tables(player_count: int, allowed_sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return the mix that seats everybody; None if there is none.

    >>> divide_into_tables(28, (5, 6))
    (6, 6, 6, 5, 5)
    >>> divide_into_tables(7, (5, 6)) is None
    True
    """
    mix = best_mix(player_count, allowed_sizes)
    return mix if sum(mix) == player_count else None


def nearest_seatable(player_count: int, allowed_sizes: Sequence[int]) -> SeatableNumbers:
    """Return the nearest numbers of players that can be seated without sit-outs.

    >>> nearest_seatable(7, (5, 6))
    SeatableNumbers(fewer=6, more=10)
    >>> nearest_seatable(2, (4,))
    SeatableNumbers(fewer=0, more=4)
    """
    more = player_count + 1
    while divide_into_tables(more, allowed_sizes) is None:
        more += 1
    return SeatableNumbers(sum(best_mix(player_count - 1, allowed_sizes)), more)
