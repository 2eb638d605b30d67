"""Lower bounds of repeats, from arithmetic alone: pigeonhole and counting (`docs/draws.md`).

Repeats are the sum of C(meetings, 2) over all pairs of players: they count each two sessions in
which a pair met. So they are also the sum, over each two sessions, of the pairs that met in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from math import comb


def lower_bound(
    present: int, mixes: Sequence[Sequence[int]], history: Sequence[Sequence[int]]
) -> int:
    """Return a lower bound of the repeats in drawn sessions, by the pigeonhole principle.

    It counts repeats of meetings in the history or in another drawn session, but not the repeats
    within the history. `present` is the number of players, `mixes` are the table sizes of the
    sessions to be drawn. `history` has a list for each earlier session: how many of the present
    players sat at each table.

    >>> lower_bound(12, [(6, 6)] * 3, []), lower_bound(12, [(6, 6), (4, 4, 4)], [])
    (36, 6)
    """
    drawn = Counter(map(tuple, mixes))
    total = sum(comb(n, 2) * least_common_pairs(present, mix, mix) for mix, n in drawn.items())
    for (one, n), (two, m) in combinations(drawn.items(), 2):
        total += n * m * least_common_pairs(present, one, two)
    for mix, n in drawn.items():
        total += n * sum(least_common_pairs(present, mix, tables) for tables in history)
    return total


def least_common_pairs(present: int, one: Sequence[int], two: Sequence[int]) -> int:
    """Return the least number of pairs that share a table in both of two sessions.

    `one` and `two` are the table sizes of the sessions, `present` the number of players. At least
    as many play in both sessions as there are seats in both, less the players.
    """
    in_both = sum(one) + sum(two) - present
    return max(least_reunions(in_both, one, len(two)), least_reunions(in_both, two, len(one)))


def least_reunions(players: int, sizes: Sequence[int], origins: int) -> int:
    """Return the least number of pairs that share a table after they shared an origin.

    An origin is a table of another session; each of the players comes from one of them, and now
    sits at a table of one of these sizes. The least is reached if the players of each table come
    from all origins evenly.

    >>> least_reunions(12, (6, 6), 2), least_reunions(30, (6,) * 5, 5)
    (12, 5)
    """
    if players <= 0:
        return 0
    # Who joins a table with c players meets at least c // origins of the own origin there.
    reunions = sorted(chain.from_iterable((c // origins for c in range(size)) for size in sizes))
    return sum(reunions[:players])


def counting_bound(meetings: Mapping[int, int], pairs: int, mixes: Sequence[Sequence[int]]) -> int:
    """Return a lower bound of all repeats: as if each new meeting were of a pair with the fewest.

    `meetings` has the number of pairs by their number of earlier meetings, if that is not 0;
    `pairs` is the number of all pairs.

    >>> counting_bound({}, 66, [(6, 6)] * 3)
    24
    """
    pairs_by_meetings = Counter(meetings)
    pairs_by_meetings[0] = pairs - sum(meetings.values())
    new_meetings = sum(comb(size, 2) for size in chain.from_iterable(mixes))
    fewest = 0
    while new_meetings and pairs:
        meeting = min(new_meetings, pairs_by_meetings[fewest])
        pairs_by_meetings[fewest] -= meeting
        pairs_by_meetings[fewest + 1] += meeting
        new_meetings -= meeting
        fewest += 1
    return repeats(pairs_by_meetings)


def repeats(meetings: Mapping[int, int]) -> int:
    """Return the repeats. `meetings` has the number of pairs by their number of meetings."""
    return sum(count * comb(times, 2) for times, count in meetings.items())


def count_meetings(sessions: Sequence[Sequence[Sequence[int]]]) -> Counter[tuple[int, int]]:
    """Return the number of meetings of each pair (lower player number first) that met at all."""
    tables = chain.from_iterable(sessions)
    return Counter(chain.from_iterable(combinations(sorted(table), 2) for table in tables))
