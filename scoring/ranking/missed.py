"""The points that a missed session counts as, by the ranking rules and the reason of absence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import ROUND_HALF_UP, Decimal

from scoring.ranking.absence import Absence
from scoring.ranking.results import MISSED, SumLine
from scoring.ranking.rules import NOTHING, OWN_AVERAGE, RankingRules

PointsBySession = Mapping[str, Mapping[int, int]]
Absences = Mapping[str, Mapping[int, Absence]]  # by player and session


def missed_lines(
    rules: RankingRules,
    sessions_over: Collection[int],
    points: PointsBySession,
    absences: Absences,
) -> dict[str, tuple[SumLine, ...]]:
    """Return the lines of missed sessions that are over, by player.

    Sessions that count as nothing have no line, nor have those in which a player is credited with
    points, such as those of a substitute. `points` are by player and session.
    """
    averages = {session: _average_of_session(session, points) for session in sessions_over}
    lines: dict[str, tuple[SumLine, ...]] = {}
    for player, reasons in absences.items():
        own_points = points.get(player, {})
        missed = sorted(reasons.keys() & averages.keys() - own_points.keys())
        played = [own_points[session] for session in own_points if session in averages]
        own_lines = tuple(
            SumLine(MISSED, counted, session=session, reason=reasons[session])
            for session in missed
            if (counted := _counted(rules, reasons[session], played, averages[session])) is not None
        )
        if own_lines:
            lines[player] = own_lines
    return lines


def _counted(
    rules: RankingRules, reason: Absence, played: Collection[int], session_average: int
) -> int | None:
    """Return the points of one missed session; None if it counts as nothing.

    `played` are the player's points in each session that is over; `session_average` is the average
    of the players of the missed session.
    """
    counts_as = rules.counts_as(reason)
    if isinstance(counts_as, int):
        return counts_as
    if counts_as == NOTHING:
        return None
    if counts_as == OWN_AVERAGE:
        return rounded_average(sum(played), len(played))
    return session_average


def _average_of_session(session: int, points: PointsBySession) -> int:
    """Only players who played in the session count."""
    session_points = [own[session] for own in points.values() if session in own]
    return rounded_average(sum(session_points), len(session_points))


def rounded_average(total: int, count: int) -> int:
    """Return the average as a whole number, a half rounded away from 0; 0 if `count` is 0.

    >>> [rounded_average(total, 2) for total in (3, -3, 4, -5)], rounded_average(7, 0)
    ([2, -2, 2, -3], 0)
    """
    return int((Decimal(total) / count).to_integral_value(ROUND_HALF_UP)) if count else 0
