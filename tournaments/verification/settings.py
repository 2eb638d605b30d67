"""The tournament's own row: what was settled, what everybody sees, and whether it is closed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tournaments.models import AuditEntry, Tournament
from tournaments.models.tournament import ANNOUNCED
from tournaments.verification.trail import Fault, Told, Trail

Kind = AuditEntry.Kind
Showing = Tournament.Showing


def strange_settings(trail: Trail) -> Iterator[Fault]:
    """Compare what is settled with the last act that settled it, and what never changes."""
    told = [act for act in trail.of(Kind.RULES_SET) if isinstance(act.new, dict)]
    if not told:
        return
    tournament, last = trail.tournament, told[-1]
    stored = {name: getattr(tournament, name) for name in ANNOUNCED}
    stored["held_on"] = str(tournament.held_on)
    for name in ANNOUNCED:
        if name in last.new and stored[name] != last.new[name]:
            yield Fault(f"tournament {name}", f"differs from what act {last.number} set")
    for name, value in told[0].subject.items():
        if tournament.begun().get(name) != value:
            yield Fault(f"tournament {name}", f"differs from what act {told[0].number} tells")


def strange_state(trail: Trail) -> Iterator[Fault]:
    """Compare what everybody sees, and whether the event is closed, with the acts."""
    shown = trail.of(Kind.SHOWN_LIVE, Kind.WITHDRAWN, Kind.PUBLISHED)
    tournament = trail.tournament
    if trail.is_from_the_start or shown:
        expected: Any = _showing(shown[-1]) if shown else Showing.STAFF
        if tournament.showing != expected:
            yield Fault("tournament showing", "differs from what the acts tell")
    closings = trail.of(Kind.CLOSED, Kind.REOPENED)
    is_told = trail.is_from_the_start or bool(closings)
    if is_told and tournament.closed_at != _since(closings, Kind.CLOSED):
        yield Fault("tournament closed_at", "differs from what the acts tell")

    removals = trail.of(Kind.EVENT_REMOVED, Kind.EVENT_RESTORED)
    if tournament.removed_at != _since(removals, Kind.EVENT_REMOVED):
        yield Fault("tournament removed_at", "differs from what the acts tell")


def strange_ends(trail: Trail) -> Iterator[Fault]:
    """Compare which sessions the desk has ended, and when, with the acts."""
    acts = trail.of(
        *(Kind.SESSION_OPENED, Kind.SESSION_ENDED, Kind.SESSION_RESUMED, Kind.SESSION_REMOVED)
    )
    for session in trail.tournament.sessions.all():
        of_session = [act for act in acts if act.subject["session"] == session.number]
        if session.ended_at != _since(of_session, Kind.SESSION_ENDED):
            yield Fault(f"session {session.number} ended_at", "differs from what the acts tell")


def _since(acts: list[Told], kind: AuditEntry.Kind) -> datetime | None:
    """Return since when it is so, if the last of these acts made it so."""
    return acts[-1].at if acts and acts[-1].kind == kind else None


def _showing(act: Told) -> str:
    """Return what everybody sees since an act."""
    if act.kind == Kind.WITHDRAWN:
        return Showing.STAFF
    # Before publications had numbers, publishing was showing live.
    is_numbered = act.kind == Kind.PUBLISHED and act.new is not None
    return Showing.PUBLISHED if is_numbered else Showing.LIVE
