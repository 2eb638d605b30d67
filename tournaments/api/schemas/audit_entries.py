"""The audit trail."""

from __future__ import annotations

from typing import Annotated, Any

from typing_extensions import TypedDict

from tournaments.api.schemas.fields import Next, one_of
from tournaments.models import AuditEntry
from tournaments.queries.round_documents import Moment, no_other_keys


@no_other_keys
class AuditEntryOut(TypedDict):
    """An audit entry. Its digest covers all its other keys, `previous` among them.

    `previous` is the digest of the entry before.
    """

    number: int
    at: Moment
    who: str
    kind: Annotated[str, one_of(AuditEntry.Kind)]
    subject: dict[str, Any]
    old: Any
    new: Any
    reason: str
    previous: str
    digest: str


def audit_entry_as_json(entry: AuditEntry) -> AuditEntryOut:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "who": entry.who,
        "kind": entry.kind,
        "subject": entry.subject,
        "old": entry.old,
        "new": entry.new,
        "reason": entry.reason,
        "previous": entry.previous,
        "digest": entry.digest,
    }


@no_other_keys
class TrailOut(TypedDict):
    """The audit entries of a tournament, sorted by number."""

    acts: list[AuditEntryOut]
    next: Next
