"""Ending a session before every planned round is in, taking that back, and removing a session.

Ending changes no record, and stops no table: a round that a phone still sends counts as any other.
It says that nobody waits for more: the next step, closing and backups go by it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Session
from tournaments.queries.sheets import Sheet, sheets_of
from tournaments.services import automatic_backups, closing, seating


class Unfinished(OperationRefused):
    """Raised when a session would end with tables at play that its writer did not name."""

    code = "unfinished"
    sentence = _("Some tables are still playing. Name every table that stops as it is.")

    def __init__(self, tables: Collection[int]) -> None:
        """Keep the numbers of all unfinished tables."""
        super().__init__(self.code)
        self.tables = sorted(tables)


class NotLast(OperationRefused):
    """Raised when a session would be removed that another one follows."""

    code = "not_the_last"
    sentence = _("Only the last session can be removed.")


def unfinished(session: Session) -> list[Sheet]:
    """Return the tables that have not played to their end.

    Without a planned number of rounds, those are tables with no round yet or one under way.
    """
    return [each for each in sheets_of(session.sittings.all()) if not _is_finished(each)]


def _is_finished(sheet: Sheet) -> bool:
    if sheet.planned is None and not sheet.is_totals_only:
        return bool(sheet.rows) and not sheet.goes_on
    return sheet.is_finished


@transaction.atomic
def end_session(
    session: Session, *, stopping: Collection[int], by: Actor, reason: str = ""
) -> Session:
    """End a session; `stopping` names its unfinished tables. Ending it twice ends it once.

    A backup is taken once it is committed. Raises `Unfinished` when tables are still playing that
    are not named, `Session.DoesNotExist` when it has been removed, and `closing.EventClosed`.
    """
    current = _in_turn(session)
    if current.ended_at is not None:
        return current
    playing = [each.sitting.number for each in unfinished(current)]
    if not set(playing) <= set(stopping):
        raise Unfinished(playing)
    now = timezone.now()
    _set(current, now)
    subject, told = {"session": current.number}, {"tables": playing}
    kind = AuditEntry.Kind.SESSION_ENDED
    audit.append(current.tournament, kind, by, subject=subject, new=told, reason=reason, at=now)
    automatic_backups.after_session()
    return current


@transaction.atomic
def resume_session(session: Session, *, by: Actor) -> Session:
    """Take back that a session was ended. Raises `closing.EventClosed`."""
    current = _in_turn(session)
    if current.ended_at is not None:
        _set(current, None)
        subject = {"session": current.number}
        audit.append(current.tournament, AuditEntry.Kind.SESSION_RESUMED, by, subject=subject)
    return current


@transaction.atomic
def remove_session(session: Session, *, by: Actor, reason: str = "") -> None:
    """Remove the last session, at whose tables nothing has happened; its act keeps the seats.

    Its links, PINs and phones go with it. Raises `seating.HasBegun`, `NotLast`,
    `Session.DoesNotExist` when it has been removed already, and `closing.EventClosed`.
    """
    current = _in_turn(session)
    if seating.has_begun(current):
        raise seating.HasBegun
    if current.tournament.sessions.filter(number__gt=current.number).exists():
        raise NotLast
    tournament, subject = current.tournament, {"session": current.number}
    old = [[entry.key for entry in table] for table in seating.seated(current)]
    current.delete()
    audit.append(
        tournament, AuditEntry.Kind.SESSION_REMOVED, by, subject=subject, old=old, reason=reason
    )


def _in_turn(session: Session) -> Session:
    """Take the tournament's turn and return the session as it is now."""
    lock_tournament(session.tournament)
    closing.check_not_closed(session.tournament)
    return Session.objects.select_related("tournament").get(pk=session.pk)


def _set(session: Session, ended_at: datetime | None) -> None:
    session.ended_at = ended_at
    session.save(update_fields=["ended_at"])
