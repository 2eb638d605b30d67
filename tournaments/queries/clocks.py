"""The time of a session, derived from its clock. A session does not end when its time is up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from tournaments import audit
from tournaments.models import AuditEntry, Clock, Session, Tournament
from tournaments.queries.progress import (
    SessionProgress,
    current_session,
    unfinished_progress,
)

Kind = AuditEntry.Kind
KINDS = (
    *(Kind.CLOCK_SET, Kind.CLOCK_STARTED, Kind.CLOCK_PAUSED),
    *(Kind.CLOCK_RESUMED, Kind.CLOCK_RESET),
)


class ClockSettings(NamedTuple):
    """The settings of a clock, in seconds.

    - `seconds`: the playing time of the session
    - `last_round`: how long before the end the last round is announced; None for never
    - `extra`: the extra time of single tables, by table number as text
    """

    seconds: int
    last_round: int | None = None
    extra: Mapping[str, int] = {}

    def as_json(self) -> dict[str, Any]:
        """As stored in audit entries."""
        return self._asdict() | {"extra": dict(self.extra)}


def settings_of(clock: Clock) -> ClockSettings:
    return ClockSettings(clock.seconds, clock.last_round, dict(clock.extra))


def clock_of(session: Session) -> Clock | None:
    """Makes one query."""
    clock = Clock.objects.filter(session=session).first()
    if clock is not None:
        clock.session = session
    return clock


def session_on_wall(tournament: Tournament, sessions: Sequence[SessionProgress]) -> Session | None:
    """Return the session whose clock walls show; None if no session is seated.

    It is the latest that is not over and whose clock was started, or else the one being played.
    Makes a query if several are not over.
    """
    in_order = unfinished_progress(sessions)
    if len(in_order) > 1:
        started = Clock.objects.filter(session__tournament=tournament, started_at__isnull=False)
        numbers = set(started.values_list("session__number", flat=True))
        with_clock = [each for each in in_order if each.session.number in numbers]
        if with_clock:
            return with_clock[-1].session
    return current_session(sessions)


def state_of(clock: Clock) -> str:
    """Return `ready` (not started), `running` or `paused`."""
    if clock.started_at is None:
        return "ready"
    return "running" if clock.paused_at is None else "paused"


def ends_at(clock: Clock) -> datetime | None:
    """Return when time is up, without extra time of tables; None unless the clock is running."""
    if clock.started_at is None or clock.paused_at is not None:
        return None
    return clock.started_at + timedelta(seconds=clock.seconds + clock.paused_seconds)


def seconds_left(clock: Clock, now: datetime) -> float:
    """Return the seconds until time is up, without extra time of tables; negative afterwards.

    While the clock is not running they do not decrease.

    >>> clock = Clock(seconds=60, paused_seconds=0)
    >>> seconds_left(clock, datetime(2026, 11, 21))
    60.0
    >>> clock.started_at = datetime(2026, 11, 21, 12, 0)
    >>> seconds_left(clock, datetime(2026, 11, 21, 12, 0, 50))
    10.0
    >>> clock.paused_at = datetime(2026, 11, 21, 12, 0, 20)
    >>> seconds_left(clock, datetime(2026, 11, 21, 12, 0, 50))
    40.0
    """
    total = clock.seconds + clock.paused_seconds
    if clock.started_at is None:
        return float(total)
    until = clock.paused_at or now
    return total - (until - clock.started_at).total_seconds()


def pause_seconds(paused_at: datetime | None, resumed_at: datetime) -> int:
    """Return the length of a pause in whole seconds, rounded; 0 if `paused_at` is None.

    >>> pause_seconds(datetime(2026, 11, 21, 12, 0), datetime(2026, 11, 21, 12, 1, 0, 700_000))
    61
    """
    return round((resumed_at - paused_at).total_seconds()) if paused_at else 0


def is_time_up(clock: Clock | None, now: datetime) -> bool:
    """Return whether time is up for all tables, also those with extra time."""
    if clock is None or clock.started_at is None:
        return False
    return seconds_left(clock, now) + max(clock.extra.values(), default=0) <= 0


def clock_version(session: Session) -> int:
    return audit.last_number(session.tournament, KINDS, session=session.number)
