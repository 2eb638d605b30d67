"""The two ways in which an event is over: its director closes it, or a week passes."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from tests import cast
from tournaments import audit
from tournaments.models import AuditEntry, Tournament
from tournaments.services import closing

EIGHT_DAYS = timedelta(days=8)


def forget(tournament: Tournament, *, ago: timedelta = EIGHT_DAYS) -> None:
    """Move the event's day and its last activity into the past."""
    then = timezone.now() - ago
    Tournament.objects.filter(pk=tournament.pk).update(held_on=timezone.localdate(then))
    tournament.refresh_from_db()
    audit.append_entry(tournament, AuditEntry.Kind.UNPUBLISHED, cast.SOMEBODY, at=then)


def end(tournament: Tournament) -> None:
    closing.close(tournament, by=cast.SOMEBODY)
