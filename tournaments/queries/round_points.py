"""The points of every player by round: what each row of the workbook's sheet adds up from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import scoring
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.standings import Standing

TOTALS_ONLY = 0  # in place of a round's number, for the totals of a session without rounds

SessionAndRound = tuple[int, int]  # their numbers
RoundPoints = dict[str, dict[SessionAndRound, int]]  # by player


def points_by_round(facts: RankingFacts) -> RoundPoints:
    """Return the points of complete rounds by who is credited with them, then by round.

    A player's rounds at a table that goes on as another are numbered on. The totals of a session
    without rounds are those of its round `TOTALS_ONLY`.
    """
    credited = scoring.credits_of(facts.contest.substitutes, facts.rules)
    points: defaultdict[str, defaultdict[SessionAndRound, int]]
    points = defaultdict(lambda: defaultdict(int))
    played: defaultdict[tuple[int, str], int] = defaultdict(int)
    for sheet in facts.counting_sheets:
        session = sheet.sitting.session.number
        for player in sheet.players:
            who = credited.get((session, player), player)
            if who is None:
                continue
            first = TOTALS_ONLY if sheet.is_totals_only else played[session, who] + 1
            for number, score in enumerate(sheet.score.rounds, first):
                if score.complete:
                    points[who][session, number] += score.points[player]
            played[session, who] += len(sheet.score.rounds)
    return {who: dict(own) for who, own in points.items()}


def earlier_stages(standing: Standing, rounds: Mapping[SessionAndRound, int]) -> int:
    """Return what is carried over from earlier stages less what was won there.

    It makes the points of `rounds`, of all stages, add up to the total with missed sessions and
    adjustments; 0 without stages.
    """
    if standing.place is None:
        return 0
    return standing.place.points - sum(rounds.values()) - standing.missed - standing.adjusted
