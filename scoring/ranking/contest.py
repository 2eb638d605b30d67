"""All that a ranking is derived from, as plain data, and the places that follow from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scoring.ranking.deals import NONE, DealCounts, deal_counts
from scoring.ranking.missed import missed_lines
from scoring.ranking.places import Place, rank, without_ranks
from scoring.ranking.results import ADJUSTMENT, Result, SumLine
from scoring.ranking.rules import LISTED, NOBODY, NOTHING, SUBSTITUTE, USUAL_RANKING, RankingRules
from scoring.ranking.tie_breaks import (
    BEST_ROUND,
    BEST_SESSION,
    DECISION,
    HEAD_TO_HEAD,
    JUROKU,
    LOT,
    PLACE_BEFORE,
    PLAY_OFF,
    POINTS_BEFORE,
    ROUNDS_WON,
    SKUNKS,
    THREE_DEALS,
    WORST_ROUND,
    TieBreak,
    TiedContext,
    TieDecision,
)
from scoring.record import Record
from scoring.rules import RoundScore

NEED_DEALS = frozenset({THREE_DEALS.code, SKUNKS.code, JUROKU.code})
# Steps that only the rounds of a table answer, not its totals.
NEED_ROUNDS = NEED_DEALS | {ROUNDS_WON.code, BEST_ROUND.code, WORST_ROUND.code}
ABOUT_STAGES = frozenset({PLACE_BEFORE.code, POINTS_BEFORE.code})
# Who is credited with what a player played in a session, where it is somebody else; None: nobody.
Credits = Mapping[tuple[int, str], str | None]


class PlayedTable(NamedTuple):
    """A table of a session: its players and rounds. `is_typed`: one round of typed totals."""

    session: int
    record: Record
    rounds: tuple[RoundScore, ...]
    is_typed: bool = False


class Stand(NamedTuple):
    """In a session, a substitute played in the place of a player who was absent."""

    session: int
    absent: str
    substitute: str


class PointsAdjusted(NamedTuple):
    """Points given to a player, or deducted if below 0, by the adjustment of this number."""

    number: int
    player: str
    points: int


class Before(NamedTuple):
    """A player's place in the stage before, None for who has none, and the points there."""

    rank: int | None
    points: int


class PlayOff(NamedTuple):
    """A session that decides the order of `tied` players, and counts for nothing else.

    `points` are theirs in its complete rounds; empty before the first.
    """

    session: int
    tied: frozenset[str]
    points: Mapping[str, int]


class Contest(NamedTuple):
    """All that a ranking is derived from. Players are named as in records.

    - `sessions_over`: the sessions in which nothing more is played
    - `withdrawn`: the session from which a player takes part no more, by player
    - `reserves`: players who are there as substitutes only, and miss no session
    - `play_offs`: the play-offs, the newest first, none of whose tables is among `tables`
    - `decisions`: the decisions on ties, the newest first
    - `carried`: the points that players bring from an earlier stage
    - `before`: the place of each player in the stage before, and the points there
    """

    players: Sequence[str]
    tables: Sequence[PlayedTable]
    rules: RankingRules = USUAL_RANKING
    sessions_over: Collection[int] = frozenset()
    withdrawn: Mapping[str, int] = MappingProxyType({})
    reserves: Collection[str] = frozenset()
    substitutes: Sequence[Stand] = ()
    adjustments: Sequence[PointsAdjusted] = ()
    play_offs: Sequence[PlayOff] = ()
    decisions: Sequence[TieDecision] = ()
    carried: Mapping[str, int] = MappingProxyType({})
    before: Mapping[str, Before] = MappingProxyType({})


def steps_of(
    rules: RankingRules, *, play_offs: Sequence[PlayOff], decisions: Sequence[TieDecision]
) -> tuple[TieBreak, ...]:
    """Return the tie-breaks in force.

    A play-off, a decision and a lot for tied players count although they are not chosen: after all
    other steps. Where some who remained tied in a play-off played another one, the step stands
    there once more.
    """
    steps = rules.steps
    if play_offs:
        at = steps.index(PLAY_OFF) if PLAY_OFF in steps else len(steps)
        again = (PLAY_OFF,) * _most_within_each_other([each.tied for each in play_offs])
        steps = (*steps[:at], *again, *steps[at + 1 :])
    made = (
        *([DECISION] if any(not each.seed for each in decisions) else []),
        *([LOT] if any(each.seed for each in decisions) else []),
    )
    return (*steps, *(step for step in made if step not in steps))


def _most_within_each_other(sets: Iterable[frozenset[str]]) -> int:
    """Return the greatest number of sets each of which is a part of the one before.

    >>> _most_within_each_other([frozenset("AB"), frozenset("CD"), frozenset("ABE")])
    2
    """
    depths: dict[frozenset[str], int] = {}
    for each in sorted(set(sets), key=len, reverse=True):
        depths[each] = 1 + max((depths[other] for other in depths if each < other), default=0)
    return max(depths.values(), default=0)


def credits_of(substitutes: Iterable[Stand], rules: RankingRules) -> Credits:
    """Return who is credited with what substitutes played, as the ranking rules say.

    >>> stands = [Stand(2, absent="12", substitute="61")]
    >>> credits_of(stands, RankingRules()), credits_of(stands, RankingRules(substitutes="place"))
    ({}, {(2, '61'): '12'})
    """
    if rules.substitutes == SUBSTITUTE:
        return {}
    return {
        (each.session, each.substitute): None if rules.substitutes == NOBODY else each.absent
        for each in substitutes
    }


def places_of(contest: Contest) -> tuple[Place, ...]:
    """Return the places of the players who have a result, from first to last.

    Those who withdrew come last and have no rank where the ranking rules say so.
    """
    steps = steps_of(contest.rules, play_offs=contest.play_offs, decisions=contest.decisions)
    context = TiedContext(
        tables=_points_by_table(contest) if HEAD_TO_HEAD in steps else (),
        play_offs=[each.points for each in contest.play_offs],
        decisions=contest.decisions,
        lot_seed=contest.rules.lot_seed if LOT in contest.rules.steps else "",
    )
    results = results_of(contest)
    unranked = contest.withdrawn.keys() if contest.rules.withdrawn == LISTED else ()
    if not unranked:
        return rank(results, steps, context)
    ranked = rank([each for each in results if each.who not in unranked], steps, context)
    listed = rank([each for each in results if each.who in unranked], steps, context)
    return (*ranked, *without_ranks(listed))


def results_of(contest: Contest) -> list[Result]:
    """Return the results of the players who have any, in their order."""
    rounds: dict[str, list[int]] = defaultdict(list)
    carried: dict[str, int] = defaultdict(int, contest.carried)
    credited = credits_of(contest.substitutes, contest.rules)
    for table in contest.tables:
        complete = [score.points for score in table.rounds if score.complete]
        for player in table.record.players if complete else ():
            points = [each[player] for each in complete]
            who = credited.get((table.session, player), player) if credited else player
            if who is None:
                continue
            if table.is_typed:
                carried[who] += sum(points)
            else:
                rounds[who] += points
    results = [
        Result(player, rounds=tuple(rounds[player]), carried=carried.get(player, 0))
        for player in contest.players
        if player in rounds or player in carried
    ]
    return _with_lines(_with_values_of_tie_breaks(results, contest), contest)


def _with_values_of_tie_breaks(results: list[Result], contest: Contest) -> list[Result]:
    """Return the results with the values that only some tie-breaks need."""
    chosen = contest.rules.tie_breaks
    if not NEED_DEALS.isdisjoint(chosen):
        counts = _counts_by_player(contest)
        results = [each._replace(**counts.get(each.who, NONE)._asdict()) for each in results]
    if BEST_SESSION.code in chosen:
        sessions = points_by_session(contest)
        results = [each._replace(sessions=tuple(sessions[each.who].values())) for each in results]
    if not ABOUT_STAGES.isdisjoint(chosen):
        results = [_with_stage_before(each, contest.before.get(each.who)) for each in results]
    return results


def _with_stage_before(result: Result, before: Before | None) -> Result:
    if before is None:
        return result
    return result._replace(place_before=-(before.rank or 0), points_before=before.points)


def _with_lines(results: list[Result], contest: Contest) -> list[Result]:
    """Return the results with missed sessions and adjustments, which are carried."""
    lines: defaultdict[str, tuple[SumLine, ...]] = defaultdict(tuple)
    if contest.rules.missed != NOTHING:
        sessions = points_by_session(contest)
        missed = missed_lines(contest.rules, contest.sessions_over, sessions, contest.withdrawn)
        lines |= {who: own for who, own in missed.items() if who not in contest.reserves}
    for number, player, points in contest.adjustments:
        lines[player] += (SumLine(ADJUSTMENT, points, adjustment=number),)
    if not lines:
        return results
    return [
        _with_own_lines(each, lines[each.who]) if each.who in lines else each for each in results
    ]


def _with_own_lines(result: Result, lines: tuple[SumLine, ...]) -> Result:
    deducted = [each.points for each in lines if each.item == ADJUSTMENT and each.points < 0]
    return result._replace(
        carried=result.carried + sum(each.points for each in lines),
        deducted=sum(deducted),
        lines=lines,
    )


def _counts_by_player(contest: Contest) -> dict[str, DealCounts]:
    """Return what single deals contribute, by the player who is credited with it."""
    counts: dict[str, DealCounts] = {}
    credited = credits_of(contest.substitutes, contest.rules)
    for table in contest.tables:
        if table.is_typed:
            continue
        for player, own in deal_counts(table.record, table.rounds).items():
            who = credited.get((table.session, player), player)
            if who is not None:
                before = counts.get(who, NONE)
                counts[who] = DealCounts(*map(sum, zip(before, own, strict=True)))
    return counts


def points_by_session(contest: Contest) -> defaultdict[str, dict[int, int]]:
    """Return the points of each player by session; 0 for a seat without a complete round."""
    sessions: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for table, points in zip(contest.tables, _points_by_table(contest), strict=True):
        for player, own in points.items():
            of_player = sessions[player]
            of_player[table.session] = of_player.get(table.session, 0) + own
    return sessions


def _points_by_table(contest: Contest) -> list[dict[str, int]]:
    """Return the points of those who are credited with the complete rounds of each table."""
    credited = credits_of(contest.substitutes, contest.rules)
    tables: list[dict[str, int]] = []
    for table in contest.tables:
        complete = [score.points for score in table.rounds if score.complete]
        who = [
            (credited.get((table.session, player), player), player)
            for player in table.record.players
        ]
        tables.append(
            {
                name: sum(each[player] for each in complete)
                for name, player in who
                if name is not None
            }
        )
    return tables
