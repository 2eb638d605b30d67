"""How far tournaments have come, counted in the database without scoring anything."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from tournaments.models import Session, Tournament


class Progress(NamedTuple):
    """Tables seated and rounds taken down; `planned` is None where no number was agreed."""

    tables: int
    recorded: int
    planned: int | None

    @property
    def has_begun(self) -> bool:
        """Return whether something has been taken down."""
        return self.recorded > 0

    @property
    def is_complete(self) -> bool:
        """Return whether every round planned for these tables has been taken down."""
        return self.planned is not None and 0 < self.planned <= self.recorded


class SessionProgress(NamedTuple):
    """A session and how far it has come."""

    session: Session
    progress: Progress


class TournamentProgress(NamedTuple):
    """A tournament and how far it has come."""

    tournament: Tournament
    progress: Progress

    @property
    def state(self) -> str:
        """Return `waiting`, `playing` or `done`."""
        is_past = self.tournament.held_on < timezone.localdate()
        if not self.progress.has_begun:
            return "waiting"
        unplanned = self.progress.planned is None
        return "done" if self.progress.is_complete or (unplanned and is_past) else "playing"


def progress_of(tournaments: QuerySet[Tournament]) -> list[TournamentProgress]:
    """Return these tournaments with how far each has come, in two queries."""
    # Counted by primary key: the reader's own tournaments are found by joins that would multiply.
    found = list(tournaments)
    counted = Tournament.objects.filter(pk__in=[each.pk for each in found]).annotate(
        tables=Count("sessions__sittings", distinct=True),
        recorded=_first_versions("sessions__sittings__rounds"),
    )
    counts = {row.pk: _progress(row, row.tables, row.recorded) for row in counted}
    return [TournamentProgress(each, counts[each.pk]) for each in found]


def sessions_of(tournament: Tournament) -> list[SessionProgress]:
    """Return a tournament's sessions with how far each has come, in one query."""
    sessions = tournament.sessions.annotate(
        tables=Count("sittings", distinct=True), recorded=_first_versions("sittings__rounds")
    )
    return [
        SessionProgress(session, _progress(tournament, session.tables, session.recorded))
        for session in sessions
    ]


def next_step(entries: int, sessions: list[SessionProgress], is_published: bool) -> str:
    """Return what the director does next, as a code.

    >>> next_step(0, [], False), next_step(12, [], False)
    ('add_entries', 'seat')
    """
    if not entries:
        return "add_entries"
    if not sessions:
        return "seat"
    if not is_published:
        return "publish"
    return "read_standings" if sessions[-1].progress.is_complete else "play"


def _first_versions(rounds: str) -> Count:
    """Return how many rounds there are: each has exactly one first version."""
    return Count(rounds, filter=Q(**{f"{rounds}__version": 1}))


def _progress(tournament: Tournament, tables: int, recorded: int) -> Progress:
    rounds = tournament.rounds_per_session
    return Progress(tables, recorded, None if rounds is None else tables * rounds)
