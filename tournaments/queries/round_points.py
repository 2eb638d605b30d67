"""The points of every player by round, as the workbook lists them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Mapping

import scoring
from scoring.ranking import contest
from scoring.stages.places import places_by_stage
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.standings import Standing

TOTALS_ONLY = 0  # stands for a round's number: the typed totals of a session

SessionAndRound = tuple[int, int]  # numbers of a session and of a round in it
RoundPoints = dict[str, dict[SessionAndRound, int]]  # by key of the player


def points_by_round(facts: RankingFacts) -> RoundPoints:
    """Return the points of complete rounds by key of the player credited with them, then by round.

    Rounds have the numbers of their table; those of a player who has come from another table of the
    session are numbered on. Typed totals of a session have the round number `TOTALS_ONLY`. Rounds
    that count for nobody are left out.
    """
    credited = scoring.credits_of(facts.contest.substitutes, facts.rules)  # only of substitutes
    stages = _stages_of(facts)
    points: defaultdict[str, defaultdict[SessionAndRound, int]]
    points = defaultdict(lambda: defaultdict(int))
    played: defaultdict[tuple[int, str], int] = defaultdict(int)
    for sheet in facts.counting_sheets:
        session = sheet.sitting.session.number
        for player in sheet.players:
            who = credited.get((session, player), player)
            if who is None or not _may_count(who, session, stages):
                continue
            before = max(sheet.rounds_before, played[session, who])
            first_number = TOTALS_ONLY if sheet.is_totals_only else before + 1
            for number, score in enumerate(sheet.score.rounds, first_number):
                if score.complete:
                    points[who][session, number] += score.points[player]
            played[session, who] = before + len(sheet.score.rounds)
    return {who: dict(by_round) for who, by_round in points.items()}


def points_by_session(facts: RankingFacts) -> dict[str, dict[int, int]]:
    """Return the points by key of the player and by session, without those that count for nobody.

    Unlike `scoring.ranking.contest.points_by_session` it knows the stages.
    """
    stages = _stages_of(facts)
    return {
        who: {number: own[number] for number in own if _may_count(who, number, stages)}
        for who, own in contest.points_by_session(facts.contest).items()
    }


def sessions_played(facts: RankingFacts, sessions: Container[int] | None = None) -> dict[str, int]:
    """Return the number of sessions in which a player has points, by key; typed totals included.

    Points that count for nobody are none. With `sessions` only those are counted.
    """
    return {
        player: sum(sessions is None or session in sessions for session in played)
        for player, played in points_by_session(facts).items()
    }


def _stages_of(facts: RankingFacts) -> list[tuple[int, frozenset[str]]]:
    """Return the first session and the members of each stage after the first, in order."""
    return [(each.first_session, each.members) for each in facts.played_stages]


def _may_count(who: str, session: int, stages: list[tuple[int, frozenset[str]]]) -> bool:
    """Return whether the session is of the first stage, or of one whose member the player is."""
    begun = [members for first, members in stages if first <= session]
    return not begun or who in begun[-1]


def points_beside_rounds(facts: RankingFacts) -> dict[str, Counter[str]]:
    """Return the points of missed sessions and adjustments in all stages, by key and by item."""
    points: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for stage in places_by_stage(facts.contest, facts.played_stages):
        for place in (place for group in stage for place in group.places):
            for line in place.lines:
                points[place.who][line.item] += line.points
    return points


def change_on_carrying(
    standing: Standing, rounds: Mapping[SessionAndRound, int], others: Counter[str]
) -> int:
    """Return the points carried over from earlier stages minus all points there.

    This is the rest by which the rounds of all stages and the `others`, as in
    `points_beside_rounds`, differ from the total; 0 without stages.
    """
    if standing.place is None:
        return 0
    return standing.place.points - sum(rounds.values()) - others.total()
