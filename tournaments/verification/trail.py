"""The chain of acts, and what is asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from tournaments import audit
from tournaments.models import AuditEntry, Tournament


class Fault(NamedTuple):
    """Something that does not fit: which act or row, and what is wrong with it."""

    what: str
    wrong: str


class Told(NamedTuple):
    """An act, with what stands in it as it is read."""

    number: int
    kind: str
    at: datetime
    who: str
    subject: Any
    old: Any
    new: Any
    reason: str


class Trail:
    """Every act of a tournament, in their order."""

    def __init__(self, key: int) -> None:
        self.tournament = Tournament.every.get(pk=key)  # as it is now
        self.acts = list(
            self.tournament.audit_entries.select_related("tournament").order_by("number")
        )

    def of(self, *kinds: AuditEntry.Kind) -> list[Told]:
        """Return the acts of these kinds."""
        return [
            Told(*(getattr(act, name) for name in Told._fields))
            for act in self.acts
            if act.kind in kinds
        ]

    def tells_of(self, *kinds: AuditEntry.Kind) -> bool:
        """Return whether what these acts tell of has to stand in the trail.

        It does where the trail begins with the tournament, or tells of such things at all.
        """
        return self.is_from_the_start or bool(self.of(*kinds))

    @property
    def is_from_the_start(self) -> bool:
        """Return whether the first act is that the tournament was set up."""
        first = self.acts[0] if self.acts else None
        if first is None or first.kind != AuditEntry.Kind.RULES_SET:
            return False
        return first.old is None and isinstance(first.new, dict)


def broken_links(trail: Trail) -> Iterator[Fault]:
    """Tell where the chain of digests does not hold, or that there is none."""
    if not trail.acts:
        yield Fault("trail", "is empty: nobody set this up")
    previous = audit.FIRST
    for number, act in enumerate(trail.acts, 1):
        what = f"act {act.number}"
        if act.number != number:
            yield Fault(what, f"should be act {number}: one is missing")
        if act.previous != previous:
            yield Fault(what, "does not follow the act before it")
        if act.digest != audit.digest_of(act):
            yield Fault(what, "does not say what it said when it was written")
        previous = act.digest
    if trail.tournament.last_act != (trail.acts[-1].digest if trail.acts else ""):
        yield Fault("trail", "does not end with the act that was written last")
