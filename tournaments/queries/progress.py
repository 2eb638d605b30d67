"""The progress of tournaments and sessions, counted in the database with little scoring.

The game is only called to see whether the last round of each table is complete, and whether a table
that is short of rounds has reached the limit of points in Gong Zhu.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.db.models import Count, Exists, F, Max, OuterRef, Q
from django.db.models.functions import Coalesce

from scoring.game import Game
from tournaments.models import Round, Session, Sitting, Stage, Tournament
from tournaments.queries.plan import Plan, plan_of
from tournaments.queries.seated_tables import tables_in_play
from tournaments.queries.sheets import Sheet, sheets_of
from tournaments.server import believed_time

if TYPE_CHECKING:  # pragma: no cover (only type checkers read it)
    from django_stubs_ext import WithAnnotations

logger = logging.getLogger(__name__)


class Progress(NamedTuple):
    """Numbers of tables and rounds: complete (`recorded`), unfinished (`under_way`) and planned.

    `planned` is None if no number of rounds is planned. A game that ended before its planned rounds
    is planned with the rounds played.
    """

    tables: int
    recorded: int
    planned: int | None
    under_way: int = 0

    @property
    def has_begun(self) -> bool:
        """Return whether any round or total is recorded."""
        return self.recorded + self.under_way > 0

    @property
    def is_complete(self) -> bool:
        return self.planned is not None and 0 < self.planned <= self.recorded


class SessionProgress(NamedTuple):
    session: Session
    progress: Progress

    @property
    def is_over(self) -> bool:
        """Return whether all planned rounds are complete or play was ended before."""
        return self.session.is_ended or self.progress.is_complete

    @property
    def may_be_reopened(self) -> bool:
        """Return whether the desk ended it, and it would go on if that were undone."""
        return self.session.ended_at is not None and not self.progress.is_complete


class TournamentProgress(NamedTuple):
    """A tournament and the progress of its sessions.

    `is_more_to_come`: sessions are planned or seated that `progress` does not include.
    """

    tournament: Tournament
    progress: Progress
    is_more_to_come: bool = False

    @property
    def state(self) -> str:
        """Return `waiting` (nothing recorded), `playing` or `done`; a closed one is done.

        Without a planned number of rounds, a tournament is done once its day is over.
        """
        is_past = self.tournament.held_on < believed_time.today()
        if self.tournament.closed_at is not None:
            return "done"
        if not self.progress.has_begun:
            return "waiting"
        if self.is_more_to_come:
            return "playing"
        unplanned = self.progress.planned is None
        return "done" if self.progress.is_complete or (unplanned and is_past) else "playing"


def progress_of(tournaments: Iterable[Tournament]) -> list[TournamentProgress]:
    """The number of queries is constant."""
    rows = list(tournaments)
    sessions: dict[int, list[SessionProgress]] = defaultdict(list)
    for each in _sessions_of(rows):
        sessions[each.session.tournament_id].append(each)
    stages: dict[int, list[Stage]] = defaultdict(list)
    for stage in Stage.objects.filter(tournament__in=rows).order_by("number"):
        stages[stage.tournament_id].append(stage)
    return [
        TournamentProgress(
            each,
            total_progress(sessions[each.pk]),
            is_more_to_come=plan_with(each, stages[each.pk], sessions[each.pk]).sessions_left > 0,
        )
        for each in rows
    ]


def counts_for_plan(session: Session, *, has_begun: bool) -> bool:
    """Return whether a session counts for the plan.

    Play-offs do not, nor do sessions that ended before anything was recorded.
    """
    return not session.is_play_off and (session.ended_at is None or has_begun)


def plan_with(
    tournament: Tournament, stages: Iterable[Stage], sessions: Iterable[SessionProgress]
) -> Plan:
    """Return the plan of a tournament with these stages, after the first, and these sessions."""
    counted = [
        each.session.number
        for each in sessions
        if counts_for_plan(each.session, has_begun=each.progress.has_begun)
    ]
    return plan_of(tournament, stages, counted)


def current_plan(tournament: Tournament) -> Plan:
    """Reads the database in a constant number of queries.

    What is recorded is read only if a session has ended: for the others it makes no difference.
    """
    sessions, stages = list(tournament.sessions.order_by("number")), tournament.stages.all()
    if any(each.ended_at is not None for each in sessions):
        return plan_with(tournament, stages, sessions_of(tournament))
    counted = [each.number for each in sessions if counts_for_plan(each, has_begun=False)]
    return plan_of(tournament, stages, counted)


def sessions_of(tournament: Tournament) -> list[SessionProgress]:
    """The number of queries is constant."""
    return _sessions_of([tournament])


class SessionCounts(TypedDict):
    """What `_sessions_of` counts of each session.

    `sittings_with_totals` are those that record only totals; `continued_sittings` are those whose
    players left or joined, so that another sitting continues them. `last_round` is the highest
    number of a round.
    """

    sittings_count: int
    recorded_rounds: int
    recorded_totals: int
    sittings_with_totals: int
    continued_sittings: int
    last_round: int | None


def _sessions_of(tournaments: Sequence[Tournament]) -> list[SessionProgress]:
    """Ordered by tournament and number."""
    by_pk = {each.pk: each for each in tournaments}
    under_way = Counter(session for _tournament, session in _rounds_under_way(tournaments))
    sessions = Session.objects.filter(tournament__in=by_pk).annotate(
        sittings_count=Count("sittings", distinct=True),
        recorded_rounds=_count_first_versions("sittings__rounds"),
        recorded_totals=_count_first_versions("sittings__typed_totals"),
        sittings_with_totals=Count("sittings", Q(totals_only=True), distinct=True),
        continued_sittings=Count("sittings__continues", distinct=True),
        last_round=Max("sittings__rounds__number"),
    )
    set_aside = Counter(session for _tournament, session in _rounds_set_aside(tournaments))
    needless = _needless_rounds(tournaments)
    found = list(sessions.order_by("tournament", "number"))
    for each in found:
        each.tournament = by_pk[each.tournament_id]
    surplus = _surplus_rounds(found)
    with_progress = []
    for each in found:
        progress = _session_progress(
            each,
            under_way=under_way[each.pk],
            set_aside=set_aside[each.pk],
            needless=needless[each.pk] - surplus[each.pk],
        )
        with_progress.append(SessionProgress(each, progress))
    return with_progress


def total_progress(sessions: Sequence[SessionProgress]) -> Progress:
    """Return the sum of the sessions' progress.

    Of a session that the desk has ended, the recorded rounds count as the planned ones. `planned`
    is None if any other session has no planned number of rounds.
    """
    planned = [
        progress.recorded if session.ended_at else progress.planned
        for session, progress in sessions
    ]
    fixed = [each for each in planned if each is not None]
    return Progress(
        tables=sum(each.progress.tables for each in sessions),
        recorded=sum(each.progress.recorded for each in sessions),
        planned=sum(fixed) if len(fixed) == len(planned) else None,
        under_way=sum(each.progress.under_way for each in sessions),
    )


def progress_of_sheets(sheets: Sequence[Sheet]) -> Progress:
    """Return the progress of these sheets' tables; a table with only totals counts as one round.

    `planned` is None if any table has no planned number of rounds.
    """
    planned = [1 if sheet.is_totals_only else sheet.rounds_to_play for sheet in sheets]
    fixed = [each for each in planned if each is not None]
    return Progress(
        tables=len(tables_in_play(sheets)),
        recorded=sum(sheet.complete_rounds for sheet in sheets),
        planned=sum(fixed) if len(fixed) == len(planned) else None,
        under_way=sum(not played.score.complete for sheet in sheets for played in sheet.rounds),
    )


def unfinished_sessions(sessions: Sequence[SessionProgress]) -> list[Session]:
    """Return the sessions that are not over, without those that have no planned rounds."""
    return [
        each.session for each in sessions if each.progress.planned is not None and not each.is_over
    ]


def has_totals(tournament: Tournament, sessions: Iterable[SessionProgress]) -> bool:
    """Return whether one of these sessions records only totals, or the next one will."""
    return tournament.totals_only or any(each.session.totals_only for each in sessions)


def current_progress(sessions: Sequence[SessionProgress]) -> SessionProgress | None:
    """Return the session being played; None if there is none.

    It is the latest that has begun and is not over: the desk may still wait for a sheet of an
    earlier one. If none has begun, it is the first that is not over. A play-off may be played
    beside another session, which comes first.
    """
    in_order = unfinished_progress(sessions)
    begun = [each for each in in_order if each.progress.has_begun]
    others = [each for each in in_order if not each.session.is_play_off]
    return begun[-1] if begun else next(iter(others or in_order), None)


def unfinished_progress(sessions: Sequence[SessionProgress]) -> list[SessionProgress]:
    """Return the sessions that are not over: play-offs, then the others in order.

    A session without planned rounds ends when the next session is seated.
    """
    unfinished = [
        each
        for each in sessions
        if not each.is_over and (each.progress.planned is not None or each is sessions[-1])
    ]
    return sorted(unfinished, key=lambda each: not each.session.is_play_off)


def current_session(sessions: Sequence[SessionProgress]) -> Session | None:
    """Return the session being played; the last one if all are over; None if there is none."""
    playing = current_progress(sessions) or (sessions[-1] if sessions else None)
    return playing.session if playing else None


def _count_first_versions(relation: str) -> Count:
    return Count(relation, filter=Q(**{f"{relation}__version": 1}))


def _rounds_under_way(tournaments: Iterable[Tournament]) -> Iterator[tuple[int, int]]:
    """Yield (tournament, session), as primary keys, for each unfinished round.

    Only the last round of a table can be unfinished, and none that is one deal. Rounds of three
    deals are complete, and are not read.
    """
    games = {each.pk: each.rules.game for each in tournaments}
    games = {pk: game for pk, game in games.items() if not game.rounds_are_deals}
    if not games:
        return
    later = Round.objects.filter(
        Q(number__gt=OuterRef("number"))
        | Q(number=OuterRef("number"), version__gt=OuterRef("version")),
        sitting=OuterRef("sitting"),
    )
    last_rounds = Round.objects.filter(
        ~Exists(later), sitting__session__tournament__in=games, facts__deals__2__isnull=True
    )
    columns = ("sitting__session__tournament", "sitting__session", "facts")
    for tournament, session, facts in last_rounds.order_by().values_list(*columns):
        if _is_unfinished(games[tournament], facts):
            yield tournament, session


def _rounds_set_aside(tournaments: Iterable[Tournament]) -> Iterator[tuple[int, int]]:
    """Yield (tournament, session), as primary keys, for each round set aside: with empty facts.

    Rounds are set aside only in games that may end early.
    """
    with_limit = [each.pk for each in tournaments if each.rules.game.may_end_early]
    if not with_limit:
        return
    later = Round.objects.filter(
        sitting=OuterRef("sitting"), number=OuterRef("number"), version__gt=OuterRef("version")
    )
    rows_set_aside = Round.objects.filter(
        ~Exists(later), sitting__session__tournament__in=with_limit, facts={}
    ).order_by()
    yield from rows_set_aside.values_list("sitting__session__tournament", "sitting__session")


def _needless_rounds(tournaments: Iterable[Tournament]) -> Counter[int]:
    """Return, by session as primary key, how many planned rounds need not be played any more.

    These are rounds after the end of a game that may end early. Only tables with fewer rounds than
    planned are scored, and none of a session that the desk has ended.
    """
    needless: Counter[int] = Counter()
    with_limit = [each.pk for each in tournaments if each.rules.game.may_end_early]
    if not with_limit:
        return needless
    sittings = Sitting.objects.filter(
        session__tournament__in=with_limit, session__ended_at=None, session__totals_only=False
    ).annotate(
        recorded=_count_first_versions("rounds"),
        planned=Coalesce(
            "rounds_planned", "session__rounds_planned", "session__tournament__rounds_per_session"
        ),
    )
    any_set_aside = Exists(Round.objects.filter(sitting=OuterRef("pk"), facts={}))
    short = sittings.filter(Q(recorded__lt=F("planned")) | any_set_aside, recorded__gt=0)
    for sheet in sheets_of(short):
        fewer = (sheet.planned or 0) - (sheet.rounds_to_play or 0)
        needless[sheet.sitting.session_id] += max(0, fewer)
    return needless


def _surplus_rounds(sessions: Sequence[WithAnnotations[Session, SessionCounts]]) -> Counter[int]:
    """Return, by session as primary key, how many rounds its tables began beyond their number.

    They began them before the number was lowered; one under way is played to its end. Only tables
    that may have such rounds are scored.
    """
    planned = {each: each.rounds_per_table for each in sessions if each.rounds_per_table}
    lowered = [each.pk for each, rounds in planned.items() if (each.last_round or 0) > rounds]
    continued = [each.pk for each in planned if each.continued_sittings]
    surplus: Counter[int] = Counter()
    if not lowered and not continued:
        return surplus
    tables = Q(session__in=lowered) | Q(session__in=continued, continues__isnull=False)
    for sheet in sheets_of(Sitting.objects.filter(tables, rounds_planned=None)):
        session = sheet.sitting.session
        begun = sheet.rounds_before + sheet.begun_rounds
        more = begun - (session.rounds_per_table or 0)
        surplus[session.pk] += max(0, more)
    return surplus


def _is_unfinished(game: Game, facts: dict[str, Any]) -> bool:
    """Return whether a round is unfinished. Unreadable facts are logged and count as finished."""
    try:
        return game.is_unfinished(facts)
    except (AttributeError, LookupError, TypeError):
        logger.exception("A round cannot be read")
        return False


def _session_progress(
    session: WithAnnotations[Session, SessionCounts],
    *,
    under_way: int,
    set_aside: int,
    needless: int,
) -> Progress:
    """Return the progress of a session; a table that records only totals counts as one round.

    `under_way` and `set_aside` are the numbers of rounds that are unfinished and set aside,
    `needless` is how many of the planned ones need not be played.
    """
    rounds_per_table = session.rounds_per_table
    tables_with_totals = session.sittings_with_totals
    # A sitting that continues another shares the planned rounds of the first one, so only the first
    # is counted here.
    tables_with_rounds = session.sittings_count - tables_with_totals - session.continued_sittings
    is_planned = rounds_per_table is not None or not tables_with_rounds
    rounds_planned = tables_with_rounds * (rounds_per_table or 0) - needless
    return Progress(
        tables=session.sittings_count - session.continued_sittings,
        recorded=session.recorded_rounds - under_way - set_aside + session.recorded_totals,
        planned=rounds_planned + tables_with_totals if is_planned else None,
        under_way=under_way,
    )
