"""The roles of the staff."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind


@check
def check_roles(trail: Trail) -> Iterator[Fault]:
    if not trail.can_check(Kind.ROLE_GIVEN, Kind.ROLE_TAKEN):
        return
    expected: dict[str, str] = {}
    for entry in trail.of_kind(Kind.ROLE_GIVEN, Kind.ROLE_TAKEN, Kind.ARCHIVE_READ):
        if entry.kind == Kind.ARCHIVE_READ:  # accounts are not archived
            expected.clear()
        elif entry.kind == Kind.ROLE_TAKEN:
            expected.pop(entry.old["user"], None)
        else:
            expected[entry.new["user"]] = entry.new["role"]
    for membership in trail.tournament.memberships.select_related("user"):
        name = membership.user.username
        role = expected.pop(name, None)
        if role is None:
            yield Fault(f"staff {name}", "nobody gave them a role")
        elif role != membership.role:
            yield Fault(f"staff {name}", "has another role than the audit trail says")
    for name in expected:
        yield Fault(f"staff {name}", "is missing, though an audit entry gave them a role")
