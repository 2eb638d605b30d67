"""The season table: each player's results of several events, the total and the rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.season.rules import BEST_PLACE, BY_PLACES, FIRSTS, SeasonRules

Key = tuple[Fraction | int, ...]
NO_PLACE = 10**9  # comes after every place


class Outcome(NamedTuple):
    """A player's points in the final standings of an event, and the rank there, if any."""

    points: int
    rank: int | None


class Cell(NamedTuple):
    """What an event brings a player, and whether it counts among the best results."""

    points: Fraction
    rank: int | None
    counts: bool


class SeasonRow(NamedTuple):
    """A player's row. Equal players share a rank: 1, 2, 2, 4.

    `cells` has one for each event, None where the player has no result. `lacking` is the number of
    events still needed for a rank; `rank` is None until then. An event in which the player has no
    rank, as after withdrawing, is none of these. `separated_by` and `separates` are
    the codes of the steps that decided between this row and the one above, or below, if the totals
    are equal; None between rows that share a rank.
    """

    rank: int | None
    who: str
    total: Fraction
    cells: tuple[Cell | None, ...]
    lacking: int = 0
    tied: bool = False
    separated_by: str | None = None
    separates: str | None = None


def season_table(rules: SeasonRules, events: Sequence[Mapping[str, Outcome]]) -> list[SeasonRow]:
    """Return the rows in the order of their ranks; those without a rank come last.

    `events` are in the order in which they were held, each with the outcomes by player.

    By places, players who share a place share the points of the places that they take together:
    two second ones get half of those for the second and the third place each.

    >>> spring = {"A": Outcome(9, 1), "B": Outcome(4, 2), "C": Outcome(4, 2)}
    >>> autumn = {"A": Outcome(-2, 2), "B": Outcome(7, 1)}
    >>> rules = SeasonRules(counting="places", place_points=(10, 7, 5))
    >>> [(row.rank, row.who, str(row.total)) for row in season_table(rules, [spring, autumn])]
    [(1, 'A', '17'), (2, 'B', '16'), (3, 'C', '6')]
    """
    worth = [_points_by_player(rules, event) for event in events]
    everybody = dict.fromkeys(who for event in events for who in event)
    rows = [_row(rules, who, events, worth) for who in everybody]
    ranked = [row for row in rows if not row.lacking]
    listed = sorted((row for row in rows if row.lacking), key=lambda row: -row.total)
    return [*_with_ranks(rules, ranked), *listed]


def _points_by_player(rules: SeasonRules, event: Mapping[str, Outcome]) -> dict[str, Fraction]:
    """Return the points that count for each player of an event, by the key of the outcome."""
    if rules.counting != BY_PLACES:
        return {who: Fraction(outcome.points) for who, outcome in event.items()}
    sharing = Counter(outcome.rank for outcome in event.values())
    return {
        who: shared_points(rules.place_points, outcome.rank, sharing[outcome.rank])
        for who, outcome in event.items()
    }


def shared_points(place_points: Sequence[int], rank: int | None, sharing: int) -> Fraction:
    """Return what each of `sharing` players with this rank gets; nothing without a rank.

    >>> str(shared_points((10, 7, 5), 1, 2)), str(shared_points((10, 7, 5), 3, 2))
    ('17/2', '5/2')
    """
    if rank is None:
        return Fraction(0)
    return Fraction(sum(place_points[rank - 1 : rank - 1 + sharing]), sharing)


def _row(
    rules: SeasonRules,
    who: str,
    events: Sequence[Mapping[str, Outcome]],
    worth: Sequence[Mapping[str, Fraction]],
) -> SeasonRow:
    """Return a player's row without a rank."""
    played = [i for i, event in enumerate(events) if who in event]
    # Of equal results the earlier one counts: the total is the same.
    best = sorted(played, key=lambda i: (-worth[i][who], i))[: rules.best or None]
    cells = tuple(
        Cell(worth[i][who], event[who].rank, i in best) if who in event else None
        for i, event in enumerate(events)
    )
    total = sum((worth[i][who] for i in best), Fraction(0))
    ranked = sum(events[i][who].rank is not None for i in played)
    return SeasonRow(None, who, total, cells, lacking=max(0, rules.least - ranked))


def _with_ranks(rules: SeasonRules, rows: Sequence[SeasonRow]) -> list[SeasonRow]:
    """Return the rows in order, with their ranks and the steps that decided."""
    in_order = sorted(((_key(rules, row), row) for row in rows), key=lambda pair: pair[0])
    keys = [key for key, _row in in_order]
    steps = [
        _separating_step(rules, above, own) for above, own in zip([None, *keys], keys, strict=False)
    ]
    ranked: list[SeasonRow] = []
    for i, (key, row) in enumerate(in_order):
        is_as_above = i > 0 and key == keys[i - 1]
        ranked.append(
            row._replace(
                rank=ranked[-1].rank if is_as_above else i + 1,
                tied=is_as_above or keys[i + 1 : i + 2] == [key],
                separated_by=steps[i],
                separates=steps[i + 1] if i + 1 < len(steps) else None,
            )
        )
    return ranked


def _key(rules: SeasonRules, row: SeasonRow) -> Key:
    """Return what rows are sorted by: the total, then the value of each step, the least first."""
    return (-row.total, *(_value(code, row.cells) for code in rules.tie_breaks))


def _value(code: str, cells: Sequence[Cell | None]) -> int:
    """Return a player's value in a step, the least of which is the best."""
    ranks = [cell.rank for cell in cells if cell and cell.rank is not None]
    if code == FIRSTS:
        return -ranks.count(1)
    if code == BEST_PLACE:
        return min(ranks, default=NO_PLACE)
    latest = cells[-1] if cells else None  # the step LATEST
    return latest.rank if latest and latest.rank is not None else NO_PLACE


def _separating_step(rules: SeasonRules, above: Key | None, own: Key) -> str | None:
    """Return the code of the step that decides between two rows with the same total, if any."""
    if above is None or above[0] != own[0]:
        return None
    for code, upper, lower in zip(rules.tie_breaks, above[1:], own[1:], strict=True):
        if upper != lower:
            return code
    return None
