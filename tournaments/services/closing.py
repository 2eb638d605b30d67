"""When an event is over: its director has closed it, or nothing was done in it for a week.

In an event that is over, links, PINs and phones are invalid and tables cannot write. In a closed
event, players cannot be added and sessions cannot be seated. The staff can still correct rounds and
publish again. A club table is never over.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Phone, Sitting, Tournament
from tournaments.server import believed_time
from tournaments.services import automatic_backups, contacts

OVER_AFTER = timedelta(days=7)  # after its day or its last audit entry, whichever is later


class EventOver(OperationRefused):
    """A table tried to write in an event that is over."""

    code = "event_over"
    status = 401
    sentence = _(
        "Play is over here: nothing more can be saved from this phone. Copy what is still on it."
    )


class EventClosed(OperationRefused):
    code = "event_closed"
    sentence = _("The tournament is closed. Reopen it first.")


def open_condition(path: str = "") -> Q:
    """Return a filter for rows whose tournament is not over.

    `path` is the lookup from a row to its tournament, such as `session__tournament__`; empty for
    tournaments.
    """
    is_club_table = Q(**{f"{path}kind": Tournament.Kind.TABLE})
    is_not_removed = Q(**{f"{path}removed_at": None})
    is_not_closed = Q(**{f"{path}closed_at": None})
    return is_not_removed & (is_club_table | (is_not_closed & recent_condition(path)))


def recent_condition(path: str) -> Q:
    """Return a filter for rows whose tournament was held, or has an audit entry, within a week.

    `path` as in `open_condition`.
    """
    since = believed_time.now() - OVER_AFTER
    # By number instead of `at`, because there is an index on it.
    entries = AuditEntry.objects.filter(tournament=OuterRef(f"{path}pk")).order_by("-number")
    has_recent_entry = GreaterThanOrEqual(Subquery(entries.values("at")[:1]), since)
    return Q(**{f"{path}held_on__gte": timezone.localdate(since)}) | Q(has_recent_entry)


def is_over(tournament: Tournament) -> bool:
    """Return whether an event is over or removed, read from the database."""
    return not Tournament.objects.filter(open_condition(), pk=tournament.pk).exists()


def was_over(tournament: Tournament) -> bool:
    """Return whether an event was over or removed when its row was read.

    Uses the same conditions as `open_condition`. The database is queried only if the event was held
    more than a week ago, for its last audit entry.
    """
    if tournament.removed_at is not None:
        return True
    if tournament.kind == Tournament.Kind.TABLE:
        return False
    if tournament.closed_at is not None:
        return True
    is_recent = tournament.held_on >= timezone.localdate(believed_time.now() - OVER_AFTER)
    return not is_recent and is_over(tournament)


def check_table_may_write(tournament: Tournament, by: Actor) -> None:
    """Raise `EventOver` if `by` is a table and the event is over. Call it under the lock."""
    if by.is_the_table and is_over(tournament):
        raise EventOver


def check_not_closed(current: Tournament) -> None:
    """Raise `EventClosed` if the event is closed; `current` was read under the lock.

    An event that is over only because a week has passed does not raise: the write's own audit entry
    makes it open again.
    """
    if current.closed_at is not None:
        raise EventClosed


@transaction.atomic
def close(tournament: Tournament, *, by: Actor) -> None:
    """Close an event, revoke the links and PINs of its tables and end their phones. Idempotent.

    Does nothing for a club table. Appends one audit entry for the closing and, if contacts of
    applicants that are no longer needed are erased, one for these. Schedules a backup on commit.
    """
    current = lock_tournament(tournament)
    if current.kind == Tournament.Kind.TABLE or current.closed_at is not None:
        return
    contacts.erase_contacts(current, by=by, at_closing=True)
    now = timezone.now()
    _set_closed_at(tournament, now)
    tables = Sitting.objects.filter(session__tournament=tournament)
    tables.update(closed_at=Coalesce("closed_at", now), pin="")  # a revoked table may have a PIN
    phones = Phone.objects.filter(sitting__session__tournament=tournament, ended_at=None)
    phones.update(ended_at=now, is_writer=False)
    audit.append_entry(tournament, AuditEntry.Kind.CLOSED, by, at=now)
    automatic_backups.schedule_after_closing()


@transaction.atomic
def reopen(tournament: Tournament, *, by: Actor, reason: str = "") -> None:
    """Reopen a closed event. Idempotent.

    Links and PINs stay revoked until the desk makes new ones.
    """
    current = lock_tournament(tournament)
    if current.closed_at is None:
        return
    _set_closed_at(tournament, closed_at=None)
    audit.append_entry(tournament, AuditEntry.Kind.REOPENED, by, reason=reason)


def _set_closed_at(tournament: Tournament, closed_at: datetime | None) -> None:
    """Save when an event was closed, None if it is open; the caller's instance is updated, too."""
    tournament.closed_at = closed_at
    tournament.save(update_fields=["closed_at"])
