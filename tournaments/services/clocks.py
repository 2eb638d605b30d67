"""The clock of a session: setting, starting, pausing and resetting it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Clock, Session
from tournaments.queries import clocks
from tournaments.queries.clocks import ClockSettings
from tournaments.services import closing


class Act(StrEnum):
    """What is done with a clock that is set."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    RESET = "reset"


KINDS = {
    Act.START: AuditEntry.Kind.CLOCK_STARTED,
    Act.PAUSE: AuditEntry.Kind.CLOCK_PAUSED,
    Act.RESUME: AuditEntry.Kind.CLOCK_RESUMED,
    Act.RESET: AuditEntry.Kind.CLOCK_RESET,
}
# The states of a clock in which an act has been done already.
DONE = {
    Act.START: {"running", "paused"},
    Act.PAUSE: {"paused"},
    Act.RESUME: {"running"},
    Act.RESET: {"ready"},
}


class ClockChanged(OperationRefused):
    """Somebody has set or run the clock since it was shown."""

    code = "clock_changed"
    sentence = _("Somebody has changed the clock meanwhile. Look at it again.")


class ClockNotStarted(OperationRefused):
    """A clock that is not set, or not started, cannot be paused."""

    code = "clock_not_started"
    sentence = _("The clock is not running yet.")


class ClockNotSet(OperationRefused):
    """The session has no clock."""

    code = "clock_not_set"
    sentence = _("Set the minutes first.")


@transaction.atomic
def set_clock(
    session: Session, wanted: ClockSettings, *, seen_version: int, by: Actor, reason: str = ""
) -> Clock:
    """Set how long a session is played, for all and for single tables. Idempotent.

    A clock that is running goes on with the new end. `seen_version` is the version of the clock
    that was shown. Raises `ClockChanged`, `closing.EventClosed` and `Session.DoesNotExist`.
    """
    current = _lock_session(session)
    wanted = wanted._replace(extra={key: each for key, each in wanted.extra.items() if each})
    clock = clocks.clock_of(current)
    old = clocks.settings_of(clock) if clock else None
    if clock is not None and old == wanted:
        return clock
    _check_version(current, seen_version)
    clock = clock or Clock(session=current)
    clock.seconds, clock.last_round, clock.extra = wanted
    clock.save()
    audit.append_entry(
        current.tournament,
        AuditEntry.Kind.CLOCK_SET,
        by,
        subject={"session": current.number},
        old=old.as_json() if old else None,
        new=wanted.as_json(),
        reason=reason,
        is_locked=True,
    )
    return clock


def move_extra_time(session: Session, table: int, following: int, *, by: Actor) -> None:
    """Give a table's extra time to the table at which it goes on, both by number.

    Call it in a transaction that holds the tournament's lock.
    """
    clock = clocks.clock_of(session)
    if clock is None or str(table) not in clock.extra:
        return
    extra = dict(clock.extra)
    extra[str(following)] = extra.pop(str(table))
    wanted = clocks.settings_of(clock)._replace(extra=extra)
    set_clock(session, wanted, seen_version=clocks.version_of(session), by=by)


@transaction.atomic
def run_clock(
    session: Session, act: Act, *, seen_version: int, by: Actor, reason: str = ""
) -> Clock:
    """Start, pause or resume a clock, or set it back to its beginning. Idempotent.

    `seen_version` is the version of the clock that was shown. Raises `ClockNotSet`,
    `ClockNotStarted`, `ClockChanged`, `closing.EventClosed` and `Session.DoesNotExist`.
    """
    current = _lock_session(session)
    clock = clocks.clock_of(current)
    if clock is None:
        raise ClockNotSet
    state = clocks.state_of(clock)
    if state in DONE[act]:
        return clock
    if state == "ready" and act != Act.START:
        raise ClockNotStarted
    _check_version(current, seen_version)
    now = timezone.now()
    change(clock, act, now)
    clock.save()
    subject, kind = {"session": current.number}, KINDS[act]
    audit.append_entry(
        current.tournament, kind, by, subject=subject, reason=reason, at=now, is_locked=True
    )
    return clock


def change(clock: Clock, act: Act, now: datetime) -> None:
    """Change a clock, not saved, as an act at that time does."""
    match act:
        case Act.START:
            clock.started_at = now
        case Act.PAUSE:
            clock.paused_at = now
        case Act.RESUME:
            clock.paused_seconds += clocks.pause_seconds(clock.paused_at, now)
            clock.paused_at = None
        case Act.RESET:
            clock.started_at = clock.paused_at = None
            clock.paused_seconds = 0


def _lock_session(session: Session) -> Session:
    """Take the tournament's lock and return the session read anew.

    Raises `closing.EventClosed` and `Session.DoesNotExist`.
    """
    tournament = lock_tournament(session.tournament)
    closing.check_not_closed(tournament)
    current = tournament.sessions.get(pk=session.pk)
    current.tournament = tournament
    return current


def _check_version(session: Session, seen_version: int) -> None:
    if clocks.version_of(session) != seen_version:
        raise ClockChanged
