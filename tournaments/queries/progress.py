"""The progress of tournaments and sessions, counted in the database without scoring.

Only whether the last round of a table is complete is asked of the game.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from scoring.kankei import Deal, KankeiGame
from tournaments.models import Round, Session, Tournament
from tournaments.queries.sheets import Sheet

logger = logging.getLogger(__name__)


class Progress(NamedTuple):
    """Numbers of tables and rounds: complete (`recorded`), unfinished (`under_way`) and planned.

    `planned` is None if no number of rounds is planned.
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
        """Return whether all planned rounds are complete."""
        return self.planned is not None and 0 < self.planned <= self.recorded


class SessionProgress(NamedTuple):
    """A session and its progress."""

    session: Session
    progress: Progress

    @property
    def is_over(self) -> bool:
        """Return whether all planned rounds are complete or the desk has ended the session."""
        return self.session.ended_at is not None or self.progress.is_complete


class TournamentProgress(NamedTuple):
    """A tournament and the progress of its sessions.

    `is_more_to_come` tells that a session beside these is planned or seated.
    """

    tournament: Tournament
    progress: Progress
    is_more_to_come: bool = False

    @property
    def state(self) -> str:
        """Return `waiting` (nothing recorded), `playing` or `done`."""
        is_past = self.tournament.held_on < timezone.localdate()
        if not self.progress.has_begun:
            return "waiting"
        if self.is_more_to_come:  # until the tournament is closed or fewer are planned
            return "playing"
        unplanned = self.progress.planned is None
        return "done" if self.progress.is_complete or (unplanned and is_past) else "playing"


def progress_of(tournaments: Iterable[Tournament]) -> list[TournamentProgress]:
    """Return tournaments with their progress; the number of queries is constant."""
    found = list(tournaments)
    sessions: dict[int, list[SessionProgress]] = defaultdict(list)
    for each in _sessions_of(found):
        sessions[each.session.tournament_id].append(each)
    return [
        TournamentProgress(
            each,
            total_progress(sessions[each.pk]),
            is_more_to_come=sessions_left(each, sessions[each.pk]) > 0,
        )
        for each in found
    ]


def sessions_left(tournament: Tournament, sessions: Sequence[SessionProgress]) -> int:
    """Return how many of the planned sessions are not seated; play-offs are none of them."""
    seated = sum(not each.session.is_play_off for each in sessions)
    return max(0, (tournament.sessions_planned or 0) - seated)


def sessions_of(tournament: Tournament) -> list[SessionProgress]:
    """Return a tournament's sessions with their progress; the number of queries is constant."""
    return _sessions_of([tournament])


def _sessions_of(tournaments: Sequence[Tournament]) -> list[SessionProgress]:
    """Return the sessions of these tournaments, by tournament and number."""
    known = {each.pk: each for each in tournaments}
    under_way = Counter(session for _tournament, session in _rounds_under_way(tournaments))
    sessions = Session.objects.filter(tournament__in=known).annotate(
        tables=Count("sittings", distinct=True),
        recorded=_count_first_versions("sittings__rounds"),
        typed=_count_first_versions("sittings__typed_totals"),
        totals_tables=Count("sittings", Q(totals_only=True), distinct=True),
        continuing=Count("sittings__continues", distinct=True),
    )
    set_aside = Counter(session for _tournament, session in _rounds_set_aside(tournaments))
    found = []
    for each in sessions.order_by("tournament", "number"):
        each.tournament = known[each.tournament_id]
        counted = _session_progress(
            each, under_way=under_way[each.pk], set_aside=set_aside[each.pk]
        )
        found.append(SessionProgress(each, counted))
    return found


def total_progress(sessions: Sequence[SessionProgress]) -> Progress:
    """Return the sum of the sessions' progress. In ended sessions, recorded rounds are planned."""
    planned = [
        progress.recorded if session.ended_at else progress.planned
        for session, progress in sessions
    ]
    known = [each for each in planned if each is not None]
    return Progress(
        tables=sum(each.progress.tables for each in sessions),
        recorded=sum(each.progress.recorded for each in sessions),
        planned=sum(known) if len(known) == len(planned) else None,
        under_way=sum(each.progress.under_way for each in sessions),
    )


def progress_of_sheets(sheets: Sequence[Sheet]) -> Progress:
    """Return the progress of these sheets' tables."""
    planned = [1 if sheet.is_totals_only else sheet.planned for sheet in sheets]
    known = [each for each in planned if each is not None]
    return Progress(
        tables=len(sheets),
        recorded=sum(sheet.complete_rounds for sheet in sheets),
        planned=sum(known) if len(known) == len(planned) else None,
        under_way=sum(not played.score.complete for sheet in sheets for played in sheet.rounds),
    )


def unfinished_sessions(sessions: Sequence[SessionProgress]) -> list[Session]:
    """Return the sessions with planned rounds that are not over."""
    return [
        each.session for each in sessions if each.progress.planned is not None and not each.is_over
    ]


def current_progress(sessions: Sequence[SessionProgress]) -> SessionProgress | None:
    """Return the session being played: the first planned one not over, else the last if not over.

    A session without a planned number of rounds is over when it is ended or the next is seated.
    """
    unfinished = [each for each in sessions if not each.is_over]
    planned = [each for each in unfinished if each.progress.planned is not None]
    return next(iter(planned), sessions[-1] if sessions and not sessions[-1].is_over else None)


def current_session(sessions: Sequence[SessionProgress]) -> Session | None:
    """Return the session being played; the last one if all are over; None if there is none."""
    playing = current_progress(sessions) or (sessions[-1] if sessions else None)
    return playing.session if playing else None


def _count_first_versions(relation: str) -> Count:
    """Return an aggregate that counts rounds or totals, once each, along a relation."""
    return Count(relation, filter=Q(**{f"{relation}__version": 1}))


def _rounds_under_way(tournaments: Iterable[Tournament]) -> Iterator[tuple[int, int]]:
    """Yield tournament and session, as primary keys, of each unfinished round.

    Only the last round of a table can be unfinished.
    """
    games = {each.pk: each.rules.game for each in tournaments}
    kankei = {pk: game for pk, game in games.items() if isinstance(game, KankeiGame)}
    if not kankei:  # the rounds of other games are one deal
        return
    later = Round.objects.filter(
        Q(number__gt=OuterRef("number"))
        | Q(number=OuterRef("number"), version__gt=OuterRef("version")),
        sitting=OuterRef("sitting"),
    )
    last = Round.objects.filter(  # those of three deals are complete
        ~Exists(later), sitting__session__tournament__in=kankei, facts__deals__2__isnull=True
    )
    columns = ("sitting__session__tournament", "sitting__session", "facts")
    for tournament, session, facts in last.order_by().values_list(*columns):
        if _is_unfinished(kankei[tournament], facts):
            yield tournament, session


def _rounds_set_aside(tournaments: Iterable[Tournament]) -> Iterator[tuple[int, int]]:
    """Yield tournament and session, as primary keys, of each round set aside: with empty facts.

    Only in Gong Zhu, which ends at a limit of points, are rounds set aside.
    """
    with_limit = [each.pk for each in tournaments if each.rules.game.kind == "captures"]
    if not with_limit:
        return
    later = Round.objects.filter(
        sitting=OuterRef("sitting"), number=OuterRef("number"), version__gt=OuterRef("version")
    )
    rows_set_aside = Round.objects.filter(
        ~Exists(later), sitting__session__tournament__in=with_limit, facts={}
    ).order_by()
    yield from rows_set_aside.values_list("sitting__session__tournament", "sitting__session")


def _is_unfinished(game: KankeiGame, facts: dict[str, Any]) -> bool:
    """Return whether a round is unfinished. Unreadable facts are logged and count as finished."""
    try:
        deals = [
            Deal(deal["kankei"], deal["mukankei"], deal.get("declaration"))
            for deal in facts["deals"]
        ]
        return not facts.get("cut_off") and not game.is_over(deals)
    except (AttributeError, LookupError, TypeError):
        logger.exception("A round cannot be read")
        return False


def _session_progress(session: Any, *, under_way: int, set_aside: int) -> Progress:
    """Return the progress of a session, annotated with the counts of `_sessions_of`.

    `under_way` and `set_aside` are numbers of rounds: unfinished, and set aside. A table that
    records only totals counts as one round.
    """
    rounds_per_table = session.rounds_per_table
    # A table at which another goes on has only the rounds that are left.
    tables_with_rounds = session.tables - session.totals_tables - session.continuing
    is_planned = rounds_per_table is not None or not tables_with_rounds
    rounds_planned = tables_with_rounds * (rounds_per_table or 0)
    planned = rounds_planned + session.totals_tables if is_planned else None
    recorded = session.recorded - under_way - set_aside + session.typed
    return Progress(tables=session.tables, recorded=recorded, planned=planned, under_way=under_way)
