"""Ranks entries by a list of tie-breaks, of which the first is usually the points.

Callers choose the rounds that count and the entries to rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from scoring.translation import gettext_noop as _


class Result(NamedTuple):
    """An entry's points in every round that counts, in the order played.

    `carried` are points from typed totals, whose rounds are unknown: they count for the points, but
    not for rounds won, the best round or the worst.
    """

    who: str
    rounds: tuple[int, ...]
    carried: int = 0


class TieBreak(NamedTuple):
    """A value by which entries are ranked, the highest first. `title` is shown to users."""

    code: str
    title: str
    value: Callable[[Result], int]


class Place(NamedTuple):
    """An entry's place. Entries with equal values share a rank: 1, 2, 2, 4.

    `values` has one number for every tie-break, in their order. `separated_by` is the code of the
    first tie-break that puts this entry below the one before; None for the first entry, and for
    one that shares its rank with the one before.
    """

    rank: int
    who: str
    points: int
    rounds_played: int
    values: tuple[int, ...]
    tied: bool
    separated_by: str | None


def points(result: Result) -> int:
    """Return the sum of the points.

    >>> points(Result("A", (13, -1, 4))), points(Result("A", (13, -1, 4), carried=-6))
    (16, 10)
    """
    return sum(result.rounds) + result.carried


def rounds_won(result: Result) -> int:
    """Return the number of rounds with more than 0 points.

    >>> rounds_won(Result("A", (13, -1, 0, 4)))
    2
    """
    return len([points for points in result.rounds if points > 0])


def best_round(result: Result) -> int:
    """Return the points of the best round; 0 before the first.

    >>> best_round(Result("A", (13, -1, 4)))
    13
    """
    return max(result.rounds, default=0)


def worst_round(result: Result) -> int:
    """Return the points of the worst round; 0 before the first.

    >>> worst_round(Result("A", (13, -1, 4)))
    -1
    """
    return min(result.rounds, default=0)


POINTS = TieBreak("points", _("Points"), points)
ROUNDS_WON = TieBreak("rounds_won", _("Rounds won"), rounds_won)
BEST_ROUND = TieBreak("best_round", _("Best round"), best_round)
WORST_ROUND = TieBreak("worst_round", _("Worst round"), worst_round)

# All tie-breaks, and the default ones.
TIE_BREAKS = (POINTS, ROUNDS_WON, BEST_ROUND, WORST_ROUND)
USUAL_TIE_BREAKS = (POINTS, ROUNDS_WON, BEST_ROUND)


def rank(
    results: Iterable[Result], tie_breaks: Sequence[TieBreak] = USUAL_TIE_BREAKS
) -> tuple[Place, ...]:
    """Return the places from first to last; entries that share a rank keep the order of `results`.

    >>> results = [Result("A", (1, 1)), Result("B", (4,)), Result("C", (2,)), Result("D", (2,))]
    >>> [(place.rank, place.who, place.separated_by) for place in rank(results)]
    [(1, 'B', None), (2, 'A', 'points'), (3, 'C', 'rounds_won'), (3, 'D', None)]
    """
    value_functions = [tie_break.value for tie_break in tie_breaks]
    ranked = [(tuple([value(result) for value in value_functions]), result) for result in results]
    ranked.sort(key=itemgetter(0), reverse=True)
    all_values = [values for values, _result in ranked]
    places: list[Place] = []
    for i, (values, result) in enumerate(ranked):
        values_above = all_values[i - 1] if i else None
        place = Place(
            rank=places[-1].rank if values == values_above else i + 1,
            who=result.who,
            points=points(result),
            rounds_played=len(result.rounds),
            values=values,
            tied=values in (values_above, *all_values[i + 1 : i + 2]),
            separated_by=separating_tie_break(values_above, values, tie_breaks),
        )
        places.append(place)
    return tuple(places)


def separating_tie_break(
    values_above: tuple[int, ...] | None, values: tuple[int, ...], tie_breaks: Sequence[TieBreak]
) -> str | None:
    """Return the code of the first tie-break in which an entry differs from the one above it.

    Both are given by their values, one for every tie-break. None if all values are equal, or if
    nobody is above.

    >>> separating_tie_break((4, 2, 3), (4, 1, 4), USUAL_TIE_BREAKS)
    'rounds_won'
    """
    if values_above is None or values_above == values:
        return None
    for tie_break, value_above, value in zip(tie_breaks, values_above, values, strict=True):
        if value_above != value:
            return tie_break.code
    return None
