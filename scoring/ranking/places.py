"""Places: results ordered by tie-breaks, with shared ranks and the deciding steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

from scoring.ranking.results import Result, SumLine
from scoring.ranking.tie_breaks import USUAL_TIE_BREAKS, TieBreak, TiedContext, points

Values = tuple[int | None, ...]
Row = tuple[Values, Result]


class Place(NamedTuple):
    """An entry's place. Entries with equal values share a rank: 1, 2, 2, 4.

    `rank` is None for who is listed without one. `values` has one number for every tie-break, in
    their order; None where a step that compares tied entries was not needed, or decided nothing.

    `separated_by` is the code of the first tie-break that puts this entry below the one before;
    None for the first entry, and for one that shares its rank with the one before. `separates` is
    that of the entry after it. `lines` explain the points beside those of rounds.
    """

    rank: int | None
    who: str
    points: int
    rounds_played: int
    values: Values
    tied: bool
    separated_by: str | None
    separates: str | None = None
    lines: tuple[SumLine, ...] = ()


def without_ranks(places: Iterable[Place]) -> tuple[Place, ...]:
    """Return places without ranks, in the same order, for players who are only listed."""
    return tuple(
        place._replace(rank=None, tied=False, separated_by=None, separates=None) for place in places
    )


def rank(
    results: Iterable[Result],
    tie_breaks: Sequence[TieBreak] = USUAL_TIE_BREAKS,
    context: TiedContext = TiedContext(),  # noqa: B008  immutable
) -> tuple[Place, ...]:
    """Return the places from first to last; entries that share a rank keep the order of `results`.

    >>> results = [Result("A", (1, 1)), Result("B", (4,)), Result("C", (2,)), Result("D", (2,))]
    >>> [(place.rank, place.who, place.separated_by) for place in rank(results)]
    [(1, 'B', None), (2, 'A', 'points'), (3, 'C', 'rounds_won'), (3, 'D', None)]
    """
    ranked = _in_order(results, tie_breaks, context)
    all_values = [values for values, _result in ranked]
    separated = [
        separating_tie_break(above, values, tie_breaks)
        for above, values in zip([None, *all_values], all_values, strict=False)
    ]
    separates = [*separated[1:], None]
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
            separated_by=separated[i],
            separates=separates[i],
            lines=result.lines,
        )
        places.append(place)
    return tuple(places)


def _in_order(
    results: Iterable[Result], tie_breaks: Sequence[TieBreak], context: TiedContext
) -> list[Row]:
    """Return the results with their values, from first to last.

    Every entry's own values are computed; tied entries are compared only where they are tied.
    """
    functions = [tie_break.value for tie_break in tie_breaks]
    rows: list[Row] = [
        (tuple([value(result) if value else None for value in functions]), result)
        for result in results
    ]
    leading = len(list(takewhile(lambda tie_break: tie_break.value, tie_breaks)))
    rows.sort(key=lambda row: row[0][:leading], reverse=True)
    if leading == len(tie_breaks):
        return rows
    ordered: list[Row] = []
    for _values, tied in groupby(rows, key=lambda row: row[0][:leading]):
        ordered += _separated(list(tied), leading, tie_breaks, context)
    return ordered


def _separated(
    tied: list[Row], step: int, tie_breaks: Sequence[TieBreak], context: TiedContext
) -> Iterator[Row]:
    """Yield rows that are tied before a step (its index), in the order of that one and the next."""
    if len(tied) < 2 or step == len(tie_breaks):
        yield from tied
        return
    if compare := tie_breaks[step].compare:
        compared = compare([result.who for _values, result in tied], context)
        tied = [
            ((*values[:step], own, *values[step + 1 :]), result)
            for own, (values, result) in zip(compared, tied, strict=True)
        ]
    own_value = itemgetter(step)
    if None not in (own_value(values) for values, _result in tied):
        tied.sort(key=lambda row: own_value(row[0]), reverse=True)
    for _value, still_tied in groupby(tied, key=lambda row: own_value(row[0])):
        yield from _separated(list(still_tied), step + 1, tie_breaks, context)


def separating_tie_break(
    values_above: Values | None, values: Values, tie_breaks: Sequence[TieBreak]
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
