"""The row of the tournament: its settings, what it shows, whether it is closed or removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tournaments.models import AuditEntry, Tournament
from tournaments.models.tournament import SETTINGS
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
Showing = Tournament.Showing


@check
def check_settings(trail: Trail) -> Iterator[Fault]:
    """Compare settings with the last entry that set them.

    Facts of the creation, which never change, are compared with the entry about it.
    """
    changes = [entry for entry in trail.of_kind(Kind.RULES_SET) if isinstance(entry.new, dict)]
    if not changes:
        return
    tournament, first, last = trail.tournament, changes[0], changes[-1]
    stored = {name: getattr(tournament, name) for name in SETTINGS}
    stored["held_on"] = str(tournament.held_on)
    for name in SETTINGS:
        if name in last.new and stored[name] != last.new[name]:
            yield Fault(f"tournament {name}", f"differs from what audit entry {last.number} set")
    for name, value in first.subject.items() if first.old is None else ():
        if tournament.creation_facts().get(name) != value:
            yield Fault(f"tournament {name}", f"differs from audit entry {first.number}")


@check
def check_ranking(trail: Trail) -> Iterator[Fault]:
    changes = trail.of_kind(Kind.RANKING_SET)
    if trail.tournament.ranking != (changes[-1].new if changes else {}):
        yield Fault("tournament ranking", "differs from the audit trail")


@check
def check_private_end(trail: Trail) -> Iterator[Fault]:
    changes = trail.of_kind(Kind.PRIVATE_END_SET)
    expected = changes[-1].new if changes else None
    stored = trail.tournament.private_until
    if (stored and stored.isoformat()) != expected:
        yield Fault("tournament private_until", "differs from the audit trail")


@check
def check_state(trail: Trail) -> Iterator[Fault]:
    """Compare what the public sees of the event, and whether it is closed or removed."""
    showings = trail.of_kind(Kind.SHOWN_LIVE, Kind.UNPUBLISHED, Kind.PUBLISHED)
    tournament = trail.tournament
    if trail.is_complete or showings:
        expected: Any = _showing_after(showings[-1]) if showings else Showing.STAFF
        if tournament.showing != expected:
            yield Fault("tournament showing", "differs from the audit trail")
    seats = trail.of_kind(Kind.SEATS_SHOWN, Kind.SEATS_HIDDEN)
    if tournament.shows_seats != bool(seats and seats[-1].kind == Kind.SEATS_SHOWN):
        yield Fault("tournament shows_seats", "differs from the audit trail")
    closings = trail.of_kind(Kind.CLOSED, Kind.REOPENED)
    can_check = trail.can_check(Kind.CLOSED, Kind.REOPENED)
    if can_check and tournament.closed_at != _time_if_last(closings, Kind.CLOSED):
        yield Fault("tournament closed_at", "differs from the audit trail")

    removals = trail.of_kind(Kind.EVENT_REMOVED, Kind.EVENT_RESTORED)
    if tournament.removed_at != _time_if_last(removals, Kind.EVENT_REMOVED):
        yield Fault("tournament removed_at", "differs from the audit trail")


@check
def check_session_ends(trail: Trail) -> Iterator[Fault]:
    """Compare the time at which the desk ended each session, None if it did not."""
    entries = trail.of_kind(
        *(Kind.SESSION_OPENED, Kind.SESSION_ENDED, Kind.SESSION_RESUMED, Kind.SESSION_REMOVED)
    )
    for session in trail.tournament.sessions.all():
        of_session = [entry for entry in entries if entry.subject["session"] == session.number]
        if session.ended_at != _time_if_last(of_session, Kind.SESSION_ENDED):
            yield Fault(f"session {session.number} ended_at", "differs from the audit trail")


def _time_if_last(entries: list[TrailEntry], kind: AuditEntry.Kind) -> datetime | None:
    """Return the time of the last entry if it is of this kind, otherwise None."""
    return entries[-1].at if entries and entries[-1].kind == kind else None


def _showing_after(entry: TrailEntry) -> str:
    """Return the value of `Tournament.showing` after an audit entry."""
    if entry.kind == Kind.UNPUBLISHED:
        return Showing.STAFF
    # Before publications had numbers, publishing an event meant showing it live.
    is_numbered = entry.kind == Kind.PUBLISHED and entry.new is not None
    return Showing.PUBLISHED if is_numbered else Showing.LIVE
