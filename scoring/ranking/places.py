"""Places: results ordered by tie-breaks, with shared ranks and the tie-breaks that decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from scoring.ranking.results import Result, SumLine
from scoring.ranking.tie_breaks import USUAL_TIE_BREAKS, TieBreak, TiedContext, points

Values = tuple[int | None, ...]
Row = tuple[Values, Result]


class Place(NamedTuple):
    """A player's place. Players with equal values share a rank: 1, 2, 2, 4.

    - `rank`: None for a player who is listed without a rank
    - `values`: a number for every tie-break, in their order. None if nothing is recorded for it, or
      if it compares tied players, and these were not tied, or it decided nothing.
    - `tied`: whether the player shares the rank with another one
    - `separated_by`: the code of the first tie-break that puts the player below the one before.
      None for the first player, and for one who shares the rank with the player before.
    - `separates`: the `separated_by` of the next player
    - `lines`: explain the points beside those of rounds
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
    """Return the same places without ranks and ties, for players who are only listed."""
    return tuple(
        place._replace(rank=None, tied=False, separated_by=None, separates=None) for place in places
    )


def rank(
    results: Iterable[Result],
    tie_breaks: Sequence[TieBreak] = USUAL_TIE_BREAKS,
    context: TiedContext = TiedContext(),  # noqa: B008  immutable
) -> tuple[Place, ...]:
    """Return the places from first to last; players who share a rank keep the order of `results`.

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
    sharing = Counter(all_values)
    places: list[Place] = []
    for i, (values, result) in enumerate(ranked):
        values_above = all_values[i - 1] if i else None
        place = Place(
            rank=places[-1].rank if values == values_above else i + 1,
            who=result.who,
            points=points(result),
            rounds_played=len(result.rounds),
            values=values,
            tied=sharing[values] > 1,
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

    Values of a player alone are computed for everybody, comparisons only among tied players.
    """
    functions = [tie_break.value for tie_break in tie_breaks]
    rows: list[Row] = [
        (tuple([value(result) if value else None for value in functions]), result)
        for result in results
    ]
    # The tie-breaks before the first comparison, by which all rows can be sorted at once.
    sortable = len(list(takewhile(lambda tie_break: tie_break.value, tie_breaks)))
    rows.sort(key=lambda row: [*map(sort_key, row[0])], reverse=True)
    if sortable == len(tie_breaks):
        return rows
    ordered: list[Row] = []
    for _values, tied in groupby(rows, key=lambda row: row[0][:sortable]):
        ordered += _ordered_from_step(sortable, list(tied), tie_breaks, context)
    return ordered


def sort_key(value: int | None) -> tuple[bool, int]:
    """Return the sort key of a value: None is below every number.

    >>> sorted([3, None, -1], key=sort_key)
    [None, -1, 3]
    """
    return value is not None, value or 0


def _ordered_from_step(
    step: int, tied: list[Row], tie_breaks: Sequence[TieBreak], context: TiedContext
) -> Iterator[Row]:
    """Yield tied rows ordered by the tie-break with the index `step`, then by the later ones.

    The rows are equal in all tie-breaks before `step`. They get the values of comparisons.
    """
    if len(tied) < 2 or step == len(tie_breaks):
        yield from tied
        return
    if compare := tie_breaks[step].compare:
        compared = compare([result.who for _values, result in tied], context)
        tied = [
            ((*values[:step], value, *values[step + 1 :]), result)
            for value, (values, result) in zip(compared, tied, strict=True)
        ]
    tied.sort(key=lambda row: sort_key(row[0][step]), reverse=True)
    for _value, still_tied in groupby(tied, key=lambda row: row[0][step]):
        yield from _ordered_from_step(step + 1, list(still_tied), tie_breaks, context)


def separating_tie_break(
    values_above: Values | None, values: Values, tie_breaks: Sequence[TieBreak]
) -> str | None:
    """Return the code of the first tie-break in which a player differs from the one above.

    Both players are given by their values, one for every tie-break. None if all values are equal,
    or if nobody is above.

    >>> separating_tie_break((4, 2, 3), (4, 1, 4), USUAL_TIE_BREAKS)
    'rounds_won'
    """
    if values_above is None or values_above == values:
        return None
    compared = zip(tie_breaks, values_above, values, strict=True)
    return next(tie_break.code for tie_break, above, value in compared if above != value)
