"""What a session counts that a player has not played: as the ranking rules say."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from scoring.ranking.results import MISSED, SumLine
from scoring.ranking.rules import FIXED, NOTHING, OWN_AVERAGE, RankingRules

PointsBySession = Mapping[str, Mapping[int, int]]


def missed_lines(
    rules: RankingRules,
    sessions_over: Collection[int],
    points: PointsBySession,
    withdrawn: Mapping[str, int],
) -> dict[str, tuple[SumLine, ...]]:
    """Return the lines of missed sessions, by player.

    Missed is a session that is over, in which the player had no seat. `points` are by player and
    session, 0 for a seat without a complete round. A session counts for nothing from the one in
    which a player withdrew: `withdrawn`, by player.
    """
    if rules.missed == NOTHING:
        return {}
    over = sorted(sessions_over)
    averages = {session: _average_of_session(session, points) for session in over}
    found: dict[str, tuple[SumLine, ...]] = {}
    for player, own in points.items():
        until = withdrawn.get(player)
        missed = [each for each in over if each not in own and (until is None or each < until)]
        if not missed:
            continue
        played = [own[session] for session in own if session in sessions_over]
        found[player] = tuple(
            SumLine(MISSED, _points_of(rules, played, averages[session]), session=session)
            for session in missed
        )
    return found


def _points_of(rules: RankingRules, played: Collection[int], of_session: int) -> int:
    """Return what one missed session counts; `played` are the player's sessions that are over."""
    if rules.missed == FIXED:
        return rules.missed_points
    if rules.missed == OWN_AVERAGE:
        return rounded(sum(played), len(played))
    return of_session


def _average_of_session(session: int, points: PointsBySession) -> int:
    """Return the average points of those who had a seat in a session."""
    of_session = [own[session] for own in points.values() if session in own]
    return rounded(sum(of_session), len(of_session))


def rounded(total: int, count: int) -> int:
    """Return the average as a whole number; a half is rounded away from 0. 0 of nothing.

    >>> [rounded(total, 2) for total in (3, -3, 4, -5)], rounded(7, 0)
    ([2, -2, 2, -3], 0)
    """
    if count == 0:
        return 0
    nearest = (2 * abs(total) + count) // (2 * count)
    return nearest if total >= 0 else -nearest
