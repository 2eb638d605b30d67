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
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import AuditEntry, Clock, Session
from tournaments.queries import clocks
from tournaments.queries.clocks import ClockSettings
from tournaments.services import closing


class ClockAction(StrEnum):
    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    RESET = "reset"


KINDS = {
    ClockAction.START: AuditEntry.Kind.CLOCK_STARTED,
    ClockAction.PAUSE: AuditEntry.Kind.CLOCK_PAUSED,
    ClockAction.RESUME: AuditEntry.Kind.CLOCK_RESUMED,
    ClockAction.RESET: AuditEntry.Kind.CLOCK_RESET,
}
# The states of a clock in which an action has no effect, because it has been done already.
STATES_WHEN_DONE = {
    ClockAction.START: {"running", "paused"},
    ClockAction.PAUSE: {"paused"},
    ClockAction.RESUME: {"running"},
    ClockAction.RESET: {"ready"},
}


class ClockChanged(ChangedSince):
    code = "clock_changed"
    at = "seen"
    sentence = _(
        "Somebody has changed the clock since you opened this page. Check it, then try again."
    )


class ClockNotStarted(OperationRefused):
    code = "clock_not_started"
    sentence = _("The clock is not running yet. Start it first.")


class ClockNotSet(OperationRefused):
    code = "clock_not_set"
    sentence = _("The clock has no playing time yet. Set it first.")


@transaction.atomic
def set_clock(
    session: Session, settings: ClockSettings, *, seen_version: int, by: Actor, reason: str = ""
) -> Clock:
    """Set the playing time of a session and the extra time of single tables. Idempotent.

    A running clock continues with the new end. `seen_version` is the version of the clock that was
    shown. Raises `ClockChanged`, `closing.EventClosed` and `Session.DoesNotExist`.
    """
    current = _lock_session(session)
    extra = {table: seconds for table, seconds in settings.extra.items() if seconds}
    settings = settings._replace(extra=extra)
    clock = clocks.clock_of(current)
    old = clocks.settings_of(clock) if clock else None
    if clock is not None and old == settings:
        return clock
    _check_version(current, seen_version)
    clock = clock or Clock(session=current)
    clock.seconds, clock.last_round, clock.extra = settings
    clock.save()
    audit.append_entry(
        current.tournament,
        AuditEntry.Kind.CLOCK_SET,
        by,
        subject={"session": current.number},
        old=old.as_json() if old else None,
        new=settings.as_json(),
        reason=reason,
        is_locked=True,
    )
    return clock


@transaction.atomic
def run_clock(
    session: Session, action: ClockAction, *, seen_version: int, by: Actor, reason: str = ""
) -> Clock:
    """Start, pause, resume or reset a clock. Idempotent.

    `seen_version` is the version of the clock that was shown. Raises `ClockNotSet`,
    `ClockNotStarted`, `ClockChanged`, `closing.EventClosed` and `Session.DoesNotExist`.
    """
    current = _lock_session(session)
    clock = clocks.clock_of(current)
    if clock is None:
        raise ClockNotSet
    state = clocks.state_of(clock)
    if state in STATES_WHEN_DONE[action]:
        return clock
    if state == "ready" and action != ClockAction.START:
        raise ClockNotStarted
    _check_version(current, seen_version)
    now = timezone.now()
    apply_action(clock, action, now)
    clock.save()
    subject, kind = {"session": current.number}, KINDS[action]
    audit.append_entry(
        current.tournament, kind, by, subject=subject, reason=reason, at=now, is_locked=True
    )
    return clock


def apply_action(clock: Clock, action: ClockAction, now: datetime) -> None:
    """Set the fields of a clock for an action at the time `now`; the caller saves the clock."""
    match action:
        case ClockAction.START:
            clock.started_at = now
        case ClockAction.PAUSE:
            clock.paused_at = now
        case ClockAction.RESUME:
            clock.paused_seconds += clocks.pause_seconds(clock.paused_at, now)
            clock.paused_at = None
        case _:  # RESET
            clock.started_at = clock.paused_at = None
            clock.paused_seconds = 0


def _lock_session(session: Session) -> Session:
    """Raises `closing.EventClosed` and `Session.DoesNotExist`."""
    tournament = lock_tournament(session.tournament)
    closing.check_not_closed(tournament)
    current = tournament.sessions.get(pk=session.pk)
    current.tournament = tournament
    return current


def _check_version(session: Session, seen_version: int) -> None:
    if clocks.clock_version(session) != seen_version:
        raise ClockChanged
