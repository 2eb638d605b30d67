"""All that a ranking is derived from, as plain data, and the places that follow from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.ranking.deals import NONE, DealCounts, deal_counts
from scoring.ranking.places import Place, rank
from scoring.ranking.results import Result
from scoring.ranking.rules import USUAL_RANKING, RankingRules
from scoring.ranking.tie_breaks import (
    BEST_SESSION,
    DECISION,
    HEAD_TO_HEAD,
    JUROKU,
    SKUNKS,
    THREE_DEALS,
    TieBreak,
    TiedContext,
)
from scoring.record import Record
from scoring.rules import RoundScore

NEED_DEALS = frozenset({THREE_DEALS.code, SKUNKS.code, JUROKU.code})


class PlayedTable(NamedTuple):
    """A table of a session: its players and rounds. `is_typed`: one round of typed totals."""

    session: int
    record: Record
    rounds: tuple[RoundScore, ...]
    is_typed: bool = False


class Contest(NamedTuple):
    """All that a ranking is derived from. Players are named as in records.

    - `decisions`: the director's decisions on ties, each the players in order, the newest first
    """

    players: Sequence[str]
    tables: Sequence[PlayedTable]
    rules: RankingRules = USUAL_RANKING
    decisions: Sequence[Sequence[str]] = ()


def steps_of(rules: RankingRules, *, has_decisions: bool) -> tuple[TieBreak, ...]:
    """Return the tie-breaks in force. A decision counts although it is not chosen: as the last."""
    steps = rules.steps
    return (*steps, DECISION) if has_decisions and DECISION not in steps else steps


def places_of(contest: Contest) -> tuple[Place, ...]:
    """Return the places of the players who have a result, from first to last."""
    steps = steps_of(contest.rules, has_decisions=bool(contest.decisions))
    context = TiedContext(
        tables=_points_by_table(contest.tables) if HEAD_TO_HEAD in steps else (),
        decisions=contest.decisions,
        lot_seed=contest.rules.lot_seed,
    )
    return rank(results_of(contest), steps, context)


def results_of(contest: Contest) -> list[Result]:
    """Return the results of the players who have any, in their order."""
    rounds: dict[str, list[int]] = defaultdict(list)
    carried: dict[str, int] = defaultdict(int)
    for table in contest.tables:
        complete = [score.points for score in table.rounds if score.complete]
        for player in table.record.players if complete else ():
            points = [each[player] for each in complete]
            if table.is_typed:
                carried[player] += sum(points)
            else:
                rounds[player] += points
    results = [
        Result(player, rounds=tuple(rounds[player]), carried=carried.get(player, 0))
        for player in contest.players
        if player in rounds or player in carried
    ]
    return _with_values_of_tie_breaks(results, contest)


def _with_values_of_tie_breaks(results: list[Result], contest: Contest) -> list[Result]:
    """Return the results with the values that only some tie-breaks need."""
    chosen = contest.rules.tie_breaks
    if not NEED_DEALS.isdisjoint(chosen):
        counts = _counts_by_player(contest.tables)
        results = [each._replace(**counts.get(each.who, NONE)._asdict()) for each in results]
    if BEST_SESSION.code in chosen:
        sessions = points_by_session(contest.tables)
        results = [each._replace(sessions=tuple(sessions[each.who].values())) for each in results]
    return results


def _counts_by_player(tables: Iterable[PlayedTable]) -> dict[str, DealCounts]:
    """Return what single deals contribute, by player."""
    counts: dict[str, DealCounts] = {}
    for table in tables:
        if table.is_typed:
            continue
        for player, own in deal_counts(table.record, table.rounds).items():
            before = counts.get(player, NONE)
            counts[player] = DealCounts(*map(sum, zip(before, own, strict=True)))
    return counts


def points_by_session(tables: Iterable[PlayedTable]) -> defaultdict[str, dict[int, int]]:
    """Return the points of each player by session, of complete rounds."""
    sessions: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for table, points in zip(tables, _points_by_table(tables), strict=True):
        for player, own in points.items():
            of_player = sessions[player]
            of_player[table.session] = of_player.get(table.session, 0) + own
    return sessions


def _points_by_table(tables: Iterable[PlayedTable]) -> list[dict[str, int]]:
    """Return the points of each table's players in its complete rounds; empty without any."""
    return [
        {player: sum(each[player] for each in complete) for player in table.record.players}
        if (complete := [score.points for score in table.rounds if score.complete])
        else {}
        for table in tables
    ]
