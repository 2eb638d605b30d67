"""The acts of a tournament."""

from __future__ import annotations

from typing import Annotated, Any

from tournaments.api.answers.parts import Answer, Moment, Next, one_of
from tournaments.models import AuditEntry


class ActOut(Answer):
    """An act of the audit trail; its digest covers all of it and the digest before."""

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


class TrailOut(Answer):
    """The acts of a tournament in order."""

    acts: list[ActOut]
    next: Next
