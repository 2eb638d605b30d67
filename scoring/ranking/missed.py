"""The points that a missed session counts as, by the ranking rules."""

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
    """Return the lines of missed sessions, by player. Players who missed none are left out.

    Empty if the rules count missed sessions as nothing.

    A player misses a session that is over and in which the player had no seat. `points` are by
    player and session: 0 for a seat without a complete round. `withdrawn` is, by player, the first
    session after a withdrawal; this session and later ones are not missed.
    """
    if rules.missed == NOTHING:
        return {}
    over = sorted(sessions_over)
    averages = {session: _average_of_session(session, points) for session in over}
    lines: dict[str, tuple[SumLine, ...]] = {}
    for player, own_points in points.items():
        first_without = withdrawn.get(player)
        missed = [
            session
            for session in over
            if session not in own_points and (first_without is None or session < first_without)
        ]
        if not missed:
            continue
        played = [own_points[session] for session in own_points if session in sessions_over]
        lines[player] = tuple(
            SumLine(MISSED, _points_of_missed(rules, played, averages[session]), session=session)
            for session in missed
        )
    return lines


def _points_of_missed(rules: RankingRules, played: Collection[int], session_average: int) -> int:
    """Return the points of one missed session.

    `played` are the player's points in each session that is over; `session_average` is the average
    of the players of the missed session.
    """
    if rules.missed == FIXED:
        return rules.missed_points
    if rules.missed == OWN_AVERAGE:
        return rounded_average(sum(played), len(played))
    return session_average


def _average_of_session(session: int, points: PointsBySession) -> int:
    """Return the average points of the players who had a seat in a session."""
    session_points = [own[session] for own in points.values() if session in own]
    return rounded_average(sum(session_points), len(session_points))


def rounded_average(total: int, count: int) -> int:
    """Return the average as a whole number, a half rounded away from 0; 0 if `count` is 0.

    >>> [rounded_average(total, 2) for total in (3, -3, 4, -5)], rounded_average(7, 0)
    ([2, -2, 2, -3], 0)
    """
    if count == 0:
        return 0
    nearest = (2 * abs(total) + count) // (2 * count)
    return nearest if total >= 0 else -nearest
