"""Planned seats: stored, changed, shown and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournaments.models import AuditEntry, Schedule
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind
FIELDS = ("first_session", "seats", "request", "answer", "is_shown")


@check
def check_schedule(trail: Trail) -> Iterator[Fault]:
    """Compare the planned seats, their draw and whether they are shown with the audit entries."""
    stored = Schedule.objects.filter(tournament=trail.tournament).values(*FIELDS).first()
    if stored != _expected_schedule(trail):
        yield Fault("planned seats", "are not as the audit trail says")


def _expected_schedule(trail: Trail) -> dict[str, Any] | None:
    expected: dict[str, Any] | None = None
    seat_kinds = (Kind.SCHEDULE_KEPT, Kind.SCHEDULE_CHANGED, Kind.SCHEDULE_DROPPED)
    showing_kinds = (Kind.SCHEDULE_SHOWN, Kind.SCHEDULE_HIDDEN)
    for change in trail.of_kind(*seat_kinds, *showing_kinds):
        if change.kind == Kind.SCHEDULE_KEPT:
            is_shown = expected is not None and expected["is_shown"]
            expected = {**change.new, **change.subject["draw"], "is_shown": is_shown}
        elif change.kind == Kind.SCHEDULE_DROPPED:
            expected = None
        elif expected is not None and change.kind in showing_kinds:
            expected["is_shown"] = change.kind == Kind.SCHEDULE_SHOWN
        elif expected is not None:  # `SCHEDULE_CHANGED`
            seats = list(expected["seats"])
            seats[change.subject["nth"] - 1] = change.new
            expected["seats"] = seats
    return expected
