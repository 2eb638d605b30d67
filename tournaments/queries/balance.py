"""The sums of all points of an event: points of rounds, and adjustments by the director."""

from __future__ import annotations

from typing import NamedTuple

from scoring.ranking.contest import points_by_session
from tournaments.queries.ranking_facts import RankingFacts


class Balance(NamedTuple):
    """Sums of points: `played` is that of all rounds that count."""

    played: int
    players: int  # adjustments of players
    teams: int  # adjustments of teams


def balance_of(facts: RankingFacts) -> Balance:
    return Balance(
        played=sum(
            sum(by_session.values()) for by_session in points_by_session(facts.contest).values()
        ),
        players=sum(each.points for each in facts.adjustments if not each.team),
        teams=sum(each.points for each in facts.adjustments if each.team),
    )
