"""The clocks of the sessions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tournaments.models import AuditEntry, Clock
from tournaments.queries.clocks import KINDS, pause_seconds
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind


class ExpectedClock(NamedTuple):
    """A clock as the audit entries say. `settings` has the form of `ClockSettings.as_json`."""

    settings: dict[str, Any]
    started_at: datetime | None = None
    paused_at: datetime | None = None
    paused_seconds: int = 0

    def after(self, change: TrailEntry) -> ExpectedClock:
        match change.kind:
            case Kind.CLOCK_SET:
                return self._replace(settings=change.new)
            case Kind.CLOCK_STARTED:
                return self._replace(started_at=change.at)
            case Kind.CLOCK_PAUSED:
                return self._replace(paused_at=change.at)
            case Kind.CLOCK_RESUMED:
                paused = self.paused_seconds + pause_seconds(self.paused_at, change.at)
                return self._replace(paused_at=None, paused_seconds=paused)
        return ExpectedClock(self.settings)  # `CLOCK_RESET`

    def moved(self, by: timedelta) -> ExpectedClock:
        """Return the clock after a jump of the server's clock."""
        return self._replace(
            started_at=self.started_at and self.started_at + by,
            paused_at=self.paused_at and self.paused_at + by,
        )


@check
def check_clocks(trail: Trail) -> Iterator[Fault]:
    expected = _expected_clocks(trail)
    rows = Clock.objects.filter(session__tournament=trail.tournament).select_related("session")
    stored = {clock.session.number: _as_stored(clock) for clock in rows}
    for session in sorted(expected.keys() | stored.keys()):
        if expected.get(session) != stored.get(session):
            yield Fault(f"session {session} clock", "is not set as the audit trail says")


def _expected_clocks(trail: Trail) -> dict[int, ExpectedClock]:
    """Return the clocks by session number."""
    expected: dict[int, ExpectedClock] = {}
    for change in trail.of_kind(*KINDS, Kind.SESSION_REMOVED, Kind.CLOCK_JUMPED):
        if change.kind == Kind.CLOCK_JUMPED:
            by = timedelta(seconds=change.new["seconds"])
            expected = {session: clock.moved(by) for session, clock in expected.items()}
            continue
        session = change.subject["session"]
        if change.kind == Kind.SESSION_REMOVED:
            expected.pop(session, None)
        else:
            expected[session] = expected.get(session, ExpectedClock({})).after(change)
    return expected


def _as_stored(clock: Clock) -> ExpectedClock:
    settings = {"seconds": clock.seconds, "last_round": clock.last_round, "extra": clock.extra}
    return ExpectedClock(settings, clock.started_at, clock.paused_at, clock.paused_seconds)
