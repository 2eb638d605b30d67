"""Who may do what: the staff against the acts that gave and took their roles."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry
from tournaments.verification.trail import Fault, Trail

Kind = AuditEntry.Kind


def strange_roles(trail: Trail) -> Iterator[Fault]:
    """Compare everybody's role with what the acts make of it."""
    if not trail.tells_of(Kind.ROLE_GIVEN, Kind.ROLE_TAKEN):
        return
    told: dict[str, str] = {}
    for act in trail.of(Kind.ROLE_GIVEN, Kind.ROLE_TAKEN, Kind.ARCHIVE_READ):
        if act.kind == Kind.ARCHIVE_READ:  # accounts stay behind when an event moves
            told.clear()
        elif act.kind == Kind.ROLE_TAKEN:
            told.pop(act.old["user"], None)
        else:
            told[act.new["user"]] = act.new["role"]
    for membership in trail.tournament.memberships.select_related("user"):
        name = membership.user.username
        role = told.pop(name, None)
        if role is None:
            yield Fault(f"staff {name}", "nobody gave them a role")
        elif role != membership.role:
            yield Fault(f"staff {name}", "has another role than the acts tell")
    for name in told:
        yield Fault(f"staff {name}", "is missing, though an act gave them a role")
