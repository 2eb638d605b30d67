"""Removing an event in which nothing is recorded, and restoring it.

A removed event is hidden, not deleted: nobody finds it but its directors, its links open nothing,
and its address stays taken. Its row and its audit trail stay, because acts are never deleted.

A club's one table in which nothing was recorded within a day is removed when others are started:
anybody starts tables.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import THE_TABLE, Actor
from tournaments.audit.turns import take_turn
from tournaments.facts.not_done import NotDone
from tournaments.models import Act, Sitting, TableSession, Tournament

UNPLAYED_AFTER = timedelta(days=1)
AT_ONCE = 2  # with every table that is started, more go than come


class HasRecords(NotDone):
    """Raised when an event would be removed in which something is recorded."""

    code = "has_records"
    sentence = _("Something is recorded in this tournament. It can be closed, but not removed.")


@transaction.atomic
def remove(tournament: Tournament, *, by: Actor, reason: str = "") -> None:
    """Hide an event and end its links, PINs and phones. Raises `HasRecords`."""
    current = take_turn(tournament)
    if current.is_frozen:
        raise HasRecords
    now = timezone.now()
    Tournament.every.filter(pk=current.pk).update(removed_at=now)
    tables = Sitting.objects.filter(session__tournament=current)
    tables.update(closed_at=Coalesce("closed_at", now), pin="")
    phones = TableSession.objects.filter(sitting__session__tournament=current, ended_at=None)
    phones.update(ended_at=now, is_writer=False)
    audit.append(current, Act.Kind.EVENT_REMOVED, by, reason=reason, at=now)


@transaction.atomic
def restore(tournament: Tournament, *, by: Actor) -> None:
    """Show a removed event again to those who saw it. The desk makes its tables new links."""
    current = take_turn(tournament, removed=True)
    if current.removed_at is not None:
        Tournament.every.filter(pk=current.pk).update(removed_at=None)
        audit.append(current, Act.Kind.EVENT_RESTORED, by)


def remove_unplayed_tables() -> None:
    """Remove a few club tables that were started a day ago, each in its own transaction."""
    since = timezone.now() - UNPLAYED_AFTER
    old = Tournament.objects.filter(kind=Tournament.Kind.TABLE, created_at__lt=since)
    unplayed = old.filter(
        sessions__sittings__rounds__isnull=True, sessions__sittings__typed_totals__isnull=True
    )
    for table in unplayed.order_by("created_at")[:AT_ONCE]:
        with suppress(HasRecords, Tournament.DoesNotExist):  # played or removed meanwhile
            remove(table, by=Actor(None, THE_TABLE))
