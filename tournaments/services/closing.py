"""When an event is over: its director closes it, or nothing is done in it for a week.

Then its links, PINs and phones open nothing, nobody is entered or seated, and no table writes. The
desk still puts right what was taken down, and announces it again: a director is never stuck.
A club's one table is never over.
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
from tournaments.services import automatic_backups

FORGOTTEN_AFTER = timedelta(days=7)  # after its day, or after the last act if that is later


class EventOver(OperationRefused):
    """Raised when a table would write in an event that is over."""

    code = "event_over"
    sentence = _(
        "Play is over here: nothing more is stored from this phone."
        " What it still keeps can be copied."
    )


class EventClosed(OperationRefused):
    """Raised when the staff would begin something new in an event that has been closed."""

    code = "event_closed"
    sentence = _("The tournament is closed. Reopen it first.")


def is_open(path: str = "", *, now: datetime | None = None) -> Q:
    """Return the condition of rows whose tournament, found along `path`, is not over.

    `path` is empty for tournaments themselves, and ends in two underscores for others.
    """
    is_club = Q(**{f"{path}kind": Tournament.Kind.TABLE})
    is_listed = Q(**{f"{path}removed_at": None})
    return is_listed & (is_club | (Q(**{f"{path}closed_at": None}) & is_recent(path, now=now)))


def is_recent(path: str = "", *, now: datetime | None = None) -> Q:
    """Return the condition of rows whose tournament was held, or had an act, within a week."""
    since = (now or timezone.now()) - FORGOTTEN_AFTER
    # The newest act by its number: found by an index however long the trail is.
    acts = AuditEntry.objects.filter(tournament=OuterRef(f"{path}pk")).order_by("-number")
    is_lively = GreaterThanOrEqual(Subquery(acts.values("at")[:1]), since)
    return Q(**{f"{path}held_on__gte": timezone.localdate(since)}) | Q(is_lively)


def is_over(tournament: Tournament) -> bool:
    """Return whether an event is over, as the database has it at this moment."""
    return not Tournament.objects.filter(is_open(), pk=tournament.pk).exists()


def check_table_may_write(tournament: Tournament, by: Actor) -> None:
    """Raise `EventOver` where a table would write; the staff may. Call it when it is our turn."""
    if by.is_the_table and is_over(tournament):
        raise EventOver


def check_not_closed(tournament: Tournament) -> None:
    """Raise `EventClosed` where something new would begin in a closed event.

    In one that was only forgotten it may: that is an act, and opens all of it again. Call it
    when it is our turn.
    """
    if Tournament.objects.filter(pk=tournament.pk, closed_at__isnull=False).exists():
        raise EventClosed


@transaction.atomic
def close(tournament: Tournament, *, by: Actor) -> None:
    """Close an event, and with it every link, PIN and phone of its tables. Twice is once.

    One act tells of all of them. A backup is taken once it is committed.
    """
    current = lock_tournament(tournament)  # what a table writes is stored before, or refused after
    if current.kind == Tournament.Kind.TABLE or current.closed_at is not None:
        return
    now = timezone.now()
    _set(tournament, now)
    tables = Sitting.objects.filter(session__tournament=tournament)
    tables.update(closed_at=Coalesce("closed_at", now), pin="")  # also one made for a closed table
    phones = Phone.objects.filter(sitting__session__tournament=tournament, ended_at=None)
    phones.update(ended_at=now, is_writer=False)
    audit.append(tournament, AuditEntry.Kind.CLOSED, by, at=now)
    automatic_backups.after_closing()


@transaction.atomic
def reopen(tournament: Tournament, *, by: Actor) -> None:
    """Open a closed event again. The desk makes its tables new links and PINs where it wants."""
    current = lock_tournament(tournament)
    if current.closed_at is None:
        return
    _set(tournament, None)
    audit.append(tournament, AuditEntry.Kind.REOPENED, by)


def _set(tournament: Tournament, closed_at: datetime | None) -> None:
    tournament.closed_at = closed_at
    tournament.save(update_fields=["closed_at"])
