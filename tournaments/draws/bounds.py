"""Lower bounds of repeats, from arithmetic alone: pigeonhole and counting (`docs/draws.md`).

The sum over all pairs of C(meetings, 2) counts each two sessions in which a pair met, so it is also
the sum over each two sessions of the pairs that met in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from math import comb


def lower_bound(
    present: int, mixes: Sequence[Sequence[int]], history: Sequence[Sequence[int]]
) -> int:
    """Return the least repeats that are between drawn sessions, and of them with the history.

    `mixes` are the table sizes of the sessions to be drawn. `history` has a list for each earlier
    session: how many of those present sat at each table. Two sessions share all players but those
    who sat out one of them.

    >>> lower_bound(12, [(6, 6)] * 3, [])
    36
    """
    drawn = Counter(map(tuple, mixes))
    total = sum(comb(n, 2) * between(present, mix, mix) for mix, n in drawn.items())
    for (one, n), (two, m) in combinations(drawn.items(), 2):
        total += n * m * between(present, one, two)
    for mix, n in drawn.items():
        total += n * sum(between(present, mix, tables) for tables in history)
    return total


def between(present: int, one: Sequence[int], two: Sequence[int]) -> int:
    """Return the least possible number of pairs that share a table in both of two sessions.

    `one` and `two` are the table sizes of the sessions, `present` the number of players.
    """
    both = sum(one) + sum(two) - present
    return max(fewest_together(both, one, len(two)), fewest_together(both, two, len(one)))


def fewest_together(players: int, sizes: Sequence[int], parts: int) -> int:
    """Return the fewest pairs that share a part while `players` of them sit at these tables.

    Each comes from one of the parts; a table's players are spread over the parts evenly.

    >>> fewest_together(12, (6, 6), 2), fewest_together(30, (6,) * 5, 5)
    (12, 5)
    """
    if players <= 0:
        return 0
    # The next player at a table with c of them already shares a part with c // parts at least.
    together = sorted(chain.from_iterable((c // parts for c in range(size)) for size in sizes))
    return sum(together[:players])


def counting_bound(meetings: Mapping[int, int], pairs: int, mixes: Sequence[Sequence[int]]) -> int:
    """Return the repeats if all new meetings went to the pairs that have met least.

    `meetings` counts the pairs by how often they have met before, for those who have met.

    >>> counting_bound({}, 66, [(6, 6)] * 3)
    24
    """
    level = Counter(meetings)
    level[0] = pairs - sum(meetings.values())
    new = sum(comb(size, 2) for size in chain.from_iterable(mixes))
    least = 0
    while new and pairs:
        moved = min(new, level[least])
        level[least] -= moved
        level[least + 1] += moved
        new -= moved
        least += 1
    return repeats(level)


def repeats(meetings: Mapping[int, int]) -> int:
    """Return the repeats, given how many pairs have met how often."""
    return sum(count * comb(times, 2) for times, count in meetings.items())


def count_meetings(sessions: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    """Return how often each pair of players sat at one table, for those who did."""
    tables = chain.from_iterable(sessions)
    return Counter(chain.from_iterable(combinations(sorted(table), 2) for table in tables))
