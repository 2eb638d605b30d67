"""The season table: each player's results of several events, the total and the rank."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scoring.season.rules import BEST_PLACE, BY_PLACES, FIRSTS, SeasonRules

SortKey = tuple[Fraction | float, ...]
NO_PLACE = math.inf  # comes after every place


class Outcome(NamedTuple):
    """A player's points and rank in the final standings of an event. `rank` None: no rank there.

    `division` is the class in whose final the rank is; empty if it is that among all players.
    """

    points: int
    rank: int | None
    division: str = ""


class Cell(NamedTuple):
    """A player's season points for one event. `counts`: whether they are among the best results."""

    points: Fraction
    rank: int | None
    counts: bool


class SeasonRow(NamedTuple):
    """A player's row. Players who are equal in all steps share a rank: 1, 2, 2, 4.

    - `cells`: one for each event; None if the player has no result there
    - `lacking`: the number of events that the player still needs for a rank; `rank` is None until
      it is 0. Only events in which the player has a rank count for it.
    - `tied`: whether the player shares the rank with another one
    - `separated_by`, `separates`: the code of the step that decided between this row and the one
      above, and the one below. None if the totals differ, or if the rank is shared.
    """

    rank: int | None
    who: str
    total: Fraction
    cells: tuple[Cell | None, ...]
    lacking: int
    tied: bool = False
    separated_by: str | None = None
    separates: str | None = None

    @property
    def deciding_steps(self) -> tuple[str, ...]:
        """Return the codes of the steps that decided between this row and its neighbours."""
        return tuple(dict.fromkeys(filter(None, (self.separated_by, self.separates))))


def season_table(rules: SeasonRules, events: Sequence[Mapping[str, Outcome]]) -> list[SeasonRow]:
    """Return the rows in the order of their ranks; rows without a rank come last, by points.

    `events` are in the order in which they were held, each with the outcomes by player.

    If places are counted, players who share a place share the points of the places that they take
    together: two players in second place get half of the points for places 2 and 3 each. The
    winners of the finals of two classes get all points for place 1 each.

    >>> spring = {"A": Outcome(9, 1), "B": Outcome(4, 2), "C": Outcome(4, 2)}
    >>> autumn = {"A": Outcome(-2, 2), "B": Outcome(7, 1)}
    >>> rules = SeasonRules(counting="places", place_points=(10, 7, 5))
    >>> [(row.rank, row.who, str(row.total)) for row in season_table(rules, [spring, autumn])]
    [(1, 'A', '17'), (2, 'B', '16'), (3, 'C', '6')]
    """
    season_points = [_points_by_player(rules, event) for event in events]
    everybody = dict.fromkeys(who for event in events for who in event)
    rows = [_row_without_rank(rules, who, events, season_points) for who in everybody]
    ranked = [row for row in rows if not row.lacking]
    unranked = sorted((row for row in rows if row.lacking), key=lambda row: -row.total)
    return [*rank_rows(rules, ranked), *unranked]


def _points_by_player(rules: SeasonRules, event: Mapping[str, Outcome]) -> dict[str, Fraction]:
    """Return the season points of each player of an event: the points there, or for the place."""
    if rules.counting != BY_PLACES:
        return {who: Fraction(outcome.points) for who, outcome in event.items()}
    sharing = Counter((outcome.division, outcome.rank) for outcome in event.values())
    return {
        who: shared_points(
            rules.place_points, outcome.rank, sharing[outcome.division, outcome.rank]
        )
        for who, outcome in event.items()
    }


def shared_points(place_points: Sequence[int], rank: int | None, sharing: int) -> Fraction:
    """Return the points of each player, if `sharing` players have this rank; 0 without a rank.

    >>> str(shared_points((10, 7, 5), 1, 2)), str(shared_points((10, 7, 5), 3, 2))
    ('17/2', '5/2')
    """
    if rank is None:
        return Fraction(0)
    return Fraction(sum(place_points[rank - 1 : rank - 1 + sharing]), sharing)


def _row_without_rank(
    rules: SeasonRules,
    who: str,
    events: Sequence[Mapping[str, Outcome]],
    season_points: Sequence[Mapping[str, Fraction]],
) -> SeasonRow:
    """Return a player's row without a rank. `season_points` are by event and player."""
    played = [i for i, event in enumerate(events) if who in event]
    # Of equal results the earlier one counts: the total is the same.
    best = sorted(played, key=lambda i: (-season_points[i][who], i))[: rules.best or None]
    cells = tuple(
        Cell(season_points[i][who], event[who].rank, i in best) if who in event else None
        for i, event in enumerate(events)
    )
    total = sum((season_points[i][who] for i in best), Fraction(0))
    events_with_rank = sum(events[i][who].rank is not None for i in played)
    return SeasonRow(None, who, total, cells, lacking=max(0, rules.least - events_with_rank))


def rank_rows(rules: SeasonRules, rows: Sequence[SeasonRow]) -> list[SeasonRow]:
    """Return these rows in order, with the ranks, ties and deciding steps among them.

    They lack no event; they may be the rows of one class of players.
    """
    in_order = sorted(((_sort_key(rules, row), row) for row in rows), key=lambda pair: pair[0])
    keys = [key for key, _row in in_order]
    separated_by = [
        _separating_step(rules, above, key) for above, key in zip([None, *keys], keys, strict=False)
    ]
    ranked: list[SeasonRow] = []
    for i, (key, row) in enumerate(in_order):
        is_shared = i > 0 and key == keys[i - 1]
        ranked.append(
            row._replace(
                rank=ranked[-1].rank if is_shared else i + 1,
                tied=is_shared or keys[i + 1 : i + 2] == [key],
                separated_by=separated_by[i],
                separates=separated_by[i + 1] if i + 1 < len(keys) else None,
            )
        )
    return ranked


def _sort_key(rules: SeasonRules, row: SeasonRow) -> SortKey:
    """The negated total, then the value of each tie-break."""
    return (-row.total, *(_tie_break_value(code, row.cells) for code in rules.tie_breaks))


def _tie_break_value(code: str, cells: Sequence[Cell | None]) -> float:
    """Return a player's value in the tie-break with this code. The lowest value is the best."""
    ranks = [cell.rank for cell in cells if cell and cell.rank is not None]
    if code == FIRSTS:
        return -ranks.count(1)
    if code == BEST_PLACE:
        return min(ranks, default=NO_PLACE)
    latest = cells[-1]  # the tie-break LATEST
    return latest.rank if latest and latest.rank is not None else NO_PLACE


def _separating_step(rules: SeasonRules, above: SortKey | None, key: SortKey) -> str | None:
    """Return the code of the step that decides between two rows with the same total.

    `above` is the key of the row above, if any. None if the totals differ or all steps are equal.
    """
    if above is None or above[0] != key[0]:
        return None
    for code, upper, lower in zip(rules.tie_breaks, above[1:], key[1:], strict=True):
        if upper != lower:
            return code
    return None
