"""The points of every player by round, as the workbook lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import scoring
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.standings import Standing

TOTALS_ONLY = 0  # stands for a round's number: the typed totals of a session

SessionAndRound = tuple[int, int]  # numbers of a session and of a round in it
RoundPoints = dict[str, dict[SessionAndRound, int]]  # by key of the player


def points_by_round(facts: RankingFacts) -> RoundPoints:
    """Return the points of complete rounds by key of the player credited with them, then by round.

    If a table is continued by another, the player's rounds there are numbered on. Typed totals of a
    session have the round number `TOTALS_ONLY`. Rounds credited to nobody are left out.
    """
    credited = scoring.credits_of(facts.contest.substitutes, facts.rules)  # only of substitutes
    points: defaultdict[str, defaultdict[SessionAndRound, int]]
    points = defaultdict(lambda: defaultdict(int))
    played: defaultdict[tuple[int, str], int] = defaultdict(int)
    for sheet in facts.counting_sheets:
        session = sheet.sitting.session.number
        for player in sheet.players:
            who = credited.get((session, player), player)
            if who is None:
                continue
            first_number = TOTALS_ONLY if sheet.is_totals_only else played[session, who] + 1
            for number, score in enumerate(sheet.score.rounds, first_number):
                if score.complete:
                    points[who][session, number] += score.points[player]
            played[session, who] += len(sheet.score.rounds)
    return {who: dict(by_round) for who, by_round in points.items()}


def earlier_stages(standing: Standing, rounds: Mapping[SessionAndRound, int]) -> int:
    """Return the points carried over from earlier stages minus the points won there.

    This is the rest by which the rounds of all stages, missed sessions and adjustments differ from
    the total; 0 without stages.
    """
    if standing.place is None:
        return 0
    return (
        standing.place.points
        - sum(rounds.values())
        - sum(line.points for line in standing.place.lines)
    )
