"""Ending a session before all planned rounds are recorded, resuming it, and removing a session.

Ending a session only marks it as over for the next step, for closing and for backups. Rounds that
phones still send are recorded as usual.
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
    """The writer did not name every unfinished table of the session. `tables` has all of them."""

    code = "unfinished"
    at = "stopping"
    sentence = _(
        "Some tables are still playing. Wait for them, or mark each one that stops as it is."
    )

    def __init__(self, tables: Collection[int]) -> None:
        super().__init__(self.code)
        self.tables = sorted(tables)  # their numbers
        self.more = {"unfinished": self.tables}


class NotLastSession(OperationRefused):
    code = "not_the_last"
    sentence = _("Only the last session can be removed. Begin with that.")


def unfinished_sheets(session: Session) -> list[Sheet]:
    """In the order of the numbers that people see."""
    waited_for = (each for each in sheets_of(session.sittings.all()) if each.is_waited_for)
    return sorted(waited_for, key=lambda each: each.sitting.shown_number)


@transaction.atomic
def end_session(
    session: Session, *, stopping: Collection[int], by: Actor, reason: str = ""
) -> Session:
    """End a session. Idempotent. Schedules a backup on commit.

    `stopping` has the numbers of the tables that the writer knows to be unfinished. Raises
    `Unfinished` if others are, `closing.EventClosed`, and `Session.DoesNotExist` if the session was
    removed.
    """
    current = _lock_session(session)
    if current.ended_at is not None:
        return current
    unfinished = [each.sitting.number for each in unfinished_sheets(current)]
    if not set(unfinished) <= set(stopping):
        raise Unfinished(unfinished)
    now = timezone.now()
    _set_ended_at(current, now)
    subject, new = {"session": current.number}, {"tables": unfinished}
    kind = AuditEntry.Kind.SESSION_ENDED
    audit.append_entry(
        current.tournament, kind, by, subject=subject, new=new, reason=reason, at=now
    )
    automatic_backups.schedule_after_session()
    return current


@transaction.atomic
def resume_session(session: Session, *, by: Actor, reason: str = "") -> Session:
    """Undo `end_session`. Idempotent. Raises `closing.EventClosed`."""
    current = _lock_session(session)
    if current.ended_at is not None:
        _set_ended_at(current, ended_at=None)
        subject = {"session": current.number}
        kind = AuditEntry.Kind.SESSION_RESUMED
        audit.append_entry(current.tournament, kind, by, subject=subject, reason=reason)
    return current


@transaction.atomic
def remove_session(session: Session, *, by: Actor, reason: str = "") -> None:
    """Delete the last session with its seats, links, PINs and phones, if it has not begun.

    The audit entry stores the seats. Raises `seating.HasBegun`, `NotLastSession`,
    `closing.EventClosed`, and `Session.DoesNotExist` if the session was removed already.
    """
    current = _lock_session(session)
    if seating.has_begun(current):
        raise seating.HasBegun
    if current.tournament.sessions.filter(number__gt=current.number).exists():
        raise NotLastSession
    tournament, subject = current.tournament, {"session": current.number}
    old = [[entry.key for entry in table] for table in seating.seating_of(current)]
    current.delete()
    if tournament.play_off_numbers:
        seating.store_play_off_numbers(tournament)
    audit.append_entry(
        tournament, AuditEntry.Kind.SESSION_REMOVED, by, subject=subject, old=old, reason=reason
    )


def _lock_session(session: Session) -> Session:
    """Take the tournament's lock and return the session read anew.

    Raises `closing.EventClosed` and `Session.DoesNotExist`.
    """
    closing.check_not_closed(lock_tournament(session.tournament))
    return Session.objects.select_related("tournament").get(pk=session.pk)


def _set_ended_at(session: Session, ended_at: datetime | None) -> None:
    session.ended_at = ended_at
    session.save(update_fields=["ended_at"])
