"""What follows when the clock of the server jumps: session clocks go on, and the trail says so."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from tournaments import audit
from tournaments.audit import THE_SERVER, Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Clock, Tournament
from tournaments.server import believed_time
from tournaments.services import closing


def check() -> None:
    """If the clock has jumped since the last call, correct all open events that have sessions."""
    watch = believed_time.watch()
    seconds = round(watch.take_jump()) if watch is not None else 0
    if seconds:
        seated = Tournament.objects.filter(closing.open_condition(), sessions__isnull=False)
        for tournament in seated.distinct():
            tell(tournament, seconds)


@transaction.atomic
def tell(tournament: Tournament, seconds: int) -> None:
    """Move the session clocks of an event with a jump of so many seconds, so that none ends by it.

    Nothing is moved for an event that was removed meanwhile.
    """
    current = lock_tournament(tournament, include_removed=True)
    by = timedelta(seconds=seconds)
    for clock in Clock.objects.filter(session__tournament=current).exclude(started_at=None):
        clock.started_at = clock.started_at and clock.started_at + by
        clock.paused_at = clock.paused_at and clock.paused_at + by
        clock.save(update_fields=["started_at", "paused_at"])
    audit.append_entry(
        current,
        AuditEntry.Kind.CLOCK_JUMPED,
        Actor(None, THE_SERVER),
        new={"seconds": seconds},
        is_locked=True,
    )
