"""The facts that a ranking is derived from, as plain data, and the places derived from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from scoring.game import RoundScore
from scoring.ranking.absence import Absence, absence_of
from scoring.ranking.deals import NO_COUNTS, DealCounts, deal_counts
from scoring.ranking.missed import missed_lines
from scoring.ranking.places import Place, rank, without_ranks
from scoring.ranking.results import ADJUSTMENT, Result, SumLine
from scoring.ranking.rules import LISTED, NOBODY, SUBSTITUTE, USUAL_RANKING, RankingRules
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

CODES_NEEDING_DEALS = frozenset({THREE_DEALS.code, SKUNKS.code, JUROKU.code})
# Tie-breaks whose values are in the rounds of a table, so that typed totals are not enough.
CODES_NEEDING_ROUNDS = CODES_NEEDING_DEALS | {ROUNDS_WON.code, BEST_ROUND.code, WORST_ROUND.code}
CODES_ABOUT_STAGES = frozenset({PLACE_BEFORE.code, POINTS_BEFORE.code})
# By session and player: who gets the points that this player won. None if nobody does. A player who
# gets their own points is left out.
Credits = Mapping[tuple[int, str], str | None]


class PlayedTable(NamedTuple):
    """A table of a session: its players and rounds.

    If it `has_typed_totals`, they are its only round.
    """

    session: int
    record: Record
    rounds: tuple[RoundScore, ...]
    has_typed_totals: bool = False


class Substitution(NamedTuple):
    """A substitute who played a session in the place of an absent player."""

    session: int
    absent: str
    substitute: str


class Adjustment(NamedTuple):
    """Points given to a player, or deducted if below 0, by the adjustment of this number."""

    number: int
    player: str
    points: int


class EarlierPlace(NamedTuple):
    """A player's rank and points in the stage before. `rank` is None without a rank there."""

    rank: int | None
    points: int


class PlayOff(NamedTuple):
    """A session that only decides the order of the `tied` players.

    `points` are the points of these players in its complete rounds; empty before the first one.
    """

    session: int
    tied: frozenset[str]
    points: Mapping[str, int]


class Contest(NamedTuple):
    """The facts that a ranking is derived from. Players are named as in records.

    - `tables`: the tables of all sessions but play-offs
    - `sessions_over`: numbers of the sessions that are over
    - `withdrawn`: by player who withdrew, the number of the first session without them
    - `away`: by session and player, why a player was not there, one of `absence.AWAY`; None if that
      is not known. Players who withdrew for good may be left out.
    - `reserves`: players who only substitute: they miss no session, and are listed without a rank
    - `play_offs`: the play-offs, the newest first
    - `decisions`: the decisions on ties, the newest first
    - `carried`: by player, the points carried over from the stage before. Who has such points, even
      0, has a result without any round.
    - `before`: by player, the place in the stage before
    """

    players: Sequence[str]
    tables: Sequence[PlayedTable]
    rules: RankingRules = USUAL_RANKING
    sessions_over: Collection[int] = frozenset()
    withdrawn: Mapping[str, int] = MappingProxyType({})
    away: Mapping[int, Mapping[str, Absence]] | None = MappingProxyType({})
    reserves: Collection[str] = frozenset()
    substitutes: Sequence[Substitution] = ()
    adjustments: Sequence[Adjustment] = ()
    play_offs: Sequence[PlayOff] = ()
    decisions: Sequence[TieDecision] = ()
    carried: Mapping[str, int] = MappingProxyType({})
    before: Mapping[str, EarlierPlace] = MappingProxyType({})


def steps_of(
    rules: RankingRules, *, play_offs: Sequence[PlayOff], decisions: Sequence[TieDecision]
) -> tuple[TieBreak, ...]:
    """Return the tie-breaks in force: those of the ranking rules, and those that were used.

    Play-offs, decisions and lots among tied players decide even if the rules do not list them:
    after all other steps. If players who remained tied in a play-off played a further one, the
    step `PLAY_OFF` is repeated, once for each play-off of the longest such series.
    """
    steps = rules.steps
    if play_offs:
        at = steps.index(PLAY_OFF) if PLAY_OFF in steps else len(steps)
        repeated = (PLAY_OFF,) * _longest_chain([each.tied for each in play_offs])
        steps = (*steps[:at], *repeated, *steps[at + 1 :])
    used = (
        *([DECISION] if any(not each.seed for each in decisions) else []),
        *([LOT] if any(each.seed for each in decisions) else []),
    )
    return (*steps, *(step for step in used if step not in steps))


def _longest_chain(sets: Iterable[frozenset[str]]) -> int:
    """Return the length of the longest chain of sets, each a proper subset of the one before.

    `sets` must not be empty.

    >>> _longest_chain([frozenset("AB"), frozenset("CD"), frozenset("ABE")])
    2
    """
    depths: dict[frozenset[str], int] = {}
    for each in sorted(set(sets), key=len, reverse=True):
        depths[each] = 1 + max(
            (depths[other] for other in depths if other.issuperset(each)), default=0
        )
    return max(depths.values())


def credits_of(substitutes: Iterable[Substitution], rules: RankingRules) -> Credits:
    """Return who gets the points that substitutes won, by the ranking rules.

    >>> played = [Substitution(2, absent="12", substitute="61")]
    >>> credits_of(played, RankingRules()), credits_of(played, RankingRules(substitutes="place"))
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

    Reserves come last, without a rank; so do players who withdrew if the rules only list them.
    """
    steps = steps_of(contest.rules, play_offs=contest.play_offs, decisions=contest.decisions)
    context = TiedContext(
        tables=_points_by_table(contest) if HEAD_TO_HEAD in steps else (),
        play_offs=[each.points for each in contest.play_offs],
        decisions=contest.decisions,
        lot_seed=contest.rules.lot_seed if LOT in contest.rules.steps else "",
    )
    results = results_of(contest)
    unranked = {*contest.reserves}
    if contest.rules.withdrawn == LISTED:
        unranked |= contest.withdrawn.keys()
    ranked = rank([each for each in results if each.who not in unranked], steps, context)
    listed = rank([each for each in results if each.who in unranked], steps, context)
    return (*ranked, *without_ranks(listed))


def results_of(contest: Contest) -> list[Result]:
    """Return the results of all players with a complete round, typed totals or carried points.

    They are in the order of `contest.players`.
    """
    rounds: dict[str, list[int]] = defaultdict(list)
    beside_rounds: dict[str, int] = defaultdict(int, contest.carried)
    credited = credits_of(contest.substitutes, contest.rules)
    for table in contest.tables:
        complete = [score.points for score in table.rounds if score.complete]
        for player in table.record.players if complete else ():
            points = [each[player] for each in complete]
            who = credited.get((table.session, player), player) if credited else player
            if who is None:
                continue
            if table.has_typed_totals:
                beside_rounds[who] += sum(points)
            else:
                rounds[who] += points
    results = [
        Result(player, rounds=tuple(rounds[player]), beside_rounds=beside_rounds.get(player, 0))
        for player in contest.players
        if player in rounds or player in beside_rounds
    ]
    return _with_missed_and_adjusted(_with_values_of_tie_breaks(results, contest), contest)


def _with_values_of_tie_breaks(results: list[Result], contest: Contest) -> list[Result]:
    """Return the results with the values that the chosen tie-breaks need beside points by round."""
    chosen = contest.rules.tie_breaks
    if not CODES_NEEDING_DEALS.isdisjoint(chosen):
        counts = _counts_by_player(contest)
        results = [each._replace(**counts.get(each.who, NO_COUNTS)._asdict()) for each in results]
    if BEST_SESSION.code in chosen:
        sessions = points_by_session(contest)
        results = [each._replace(sessions=tuple(sessions[each.who].values())) for each in results]
    if not CODES_ABOUT_STAGES.isdisjoint(chosen):
        results = [_with_stage_before(each, contest.before.get(each.who)) for each in results]
    return results


def _with_stage_before(result: Result, before: EarlierPlace | None) -> Result:
    """Return a result with the place in the stage before; unchanged if there is none.

    The rank is stored negated, so that the best rank is the highest value.
    """
    if before is None:
        return result
    place = None if before.rank is None else -before.rank
    return result._replace(place_before=place, points_before=before.points)


def _with_missed_and_adjusted(results: list[Result], contest: Contest) -> list[Result]:
    lines: defaultdict[str, tuple[SumLine, ...]] = defaultdict(tuple)
    if contest.rules.counts_absences:
        sessions, absences = points_by_session(contest), absences_of(contest)
        lines |= missed_lines(contest.rules, contest.sessions_over, sessions, absences)
    for number, player, points in contest.adjustments:
        lines[player] += (SumLine(ADJUSTMENT, points, adjustment=number),)
    if not lines:
        return results
    return [
        _with_added_lines(each, lines[each.who]) if each.who in lines else each for each in results
    ]


def _with_added_lines(result: Result, lines: tuple[SumLine, ...]) -> Result:
    """Return a result with these lines, their points added to `carried`."""
    return result._replace(
        beside_rounds=result.beside_rounds + sum(each.points for each in lines),
        deducted=sum(min(each.points, 0) for each in lines if each.item == ADJUSTMENT),
        lines=lines,
    )


def _counts_by_player(contest: Contest) -> dict[str, DealCounts]:
    """Return the counts of single deals, by the player who is credited with them."""
    counts: dict[str, DealCounts] = {}
    credited = credits_of(contest.substitutes, contest.rules)
    for table in contest.tables:
        if table.has_typed_totals:
            continue
        for player, own in deal_counts(table.record, table.rounds).items():
            who = credited.get((table.session, player), player)
            if who is not None:
                before = counts.get(who, NO_COUNTS)
                counts[who] = DealCounts(*map(sum, zip(before, own, strict=True)))
    return counts


def absences_of(contest: Contest) -> dict[str, dict[int, Absence]]:
    """Return why players did not play, by player and session; reserves are left out.

    In a session that is not over, whoever has a seat is not absent. A player with a substitute who
    has not played is absent for the reason of the substitute: no seat, or no round at that table.
    """
    seated: defaultdict[int, set[str]] = defaultdict(set)
    played: defaultdict[int, set[str]] = defaultdict(set)
    for table in contest.tables:
        seated[table.session].update(table.record.players)
        if any(score.complete for score in table.rounds):
            played[table.session].update(table.record.players)
    substitutes = {(each.session, each.absent): each.substitute for each in contest.substitutes}
    players = [player for player in contest.players if player not in contest.reserves]
    absences: defaultdict[str, dict[int, Absence]] = defaultdict(dict)
    for session in sorted(seated):
        present = played[session] if session in contest.sessions_over else seated[session]
        for player in players:
            substitute = substitutes.get((session, player))
            reason = absence_of(
                None if substitute else _away(contest, session, player),
                has_played=player in present,
                has_seat=(substitute or player) in seated[session],
                is_replaced=substitute in present,
            )
            if reason is not None:
                absences[player][session] = reason
    return dict(absences)


def _away(contest: Contest, session: int, player: str) -> Absence | None:
    """Return why a player was not there in a session; None for one who was there."""
    first_without = contest.withdrawn.get(player)
    if first_without is not None and first_without <= session:
        return Absence.WITHDRAWN
    if contest.away is None:
        return Absence.UNKNOWN
    return contest.away.get(session, {}).get(player)


def points_by_session(contest: Contest) -> defaultdict[str, dict[int, int]]:
    """Return points by player and session, of tables with a complete round."""
    sessions: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for table, table_points in zip(contest.tables, _points_by_table(contest), strict=True):
        for player, points in table_points.items():
            by_session = sessions[player]
            by_session[table.session] = by_session.get(table.session, 0) + points
    return sessions


def _points_by_table(contest: Contest) -> list[dict[str, int]]:
    """Return the points of each table's complete rounds, by the player credited with them.

    Empty for a table without a complete round.
    """
    credited = credits_of(contest.substitutes, contest.rules)
    tables: list[dict[str, int]] = []
    for table in contest.tables:
        complete = [score.points for score in table.rounds if score.complete]
        credited_and_player = [
            (credited.get((table.session, player), player), player)
            for player in table.record.players
        ]
        tables.append(
            {
                who: sum(each[player] for each in complete)
                for who, player in credited_and_player
                if complete and who is not None
            }
        )
    return tables
