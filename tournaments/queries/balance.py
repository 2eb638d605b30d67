"""All points of an event together: what was played, apart from what the director gave."""

from __future__ import annotations

from typing import NamedTuple

from scoring.ranking.contest import points_by_session
from tournaments.queries.ranking_facts import RankingFacts


class Balance(NamedTuple):
    """Sums of points: of all complete rounds, and of the adjustments of players and of teams."""

    played: int
    players: int
    teams: int


def balance_of(facts: RankingFacts) -> Balance:
    """Return the sums of points of an event."""
    return Balance(
        played=sum(sum(own.values()) for own in points_by_session(facts.contest).values()),
        players=sum(each.points for each in facts.adjustments if not each.team),
        teams=sum(each.points for each in facts.adjustments if each.team),
    )
