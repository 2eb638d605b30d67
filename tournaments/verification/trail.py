"""The audit trail of a tournament, and the check of its chain of digests."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from tournaments import audit
from tournaments.models import AuditEntry, Tournament

MOST_SECONDS_BACK = 60  # between the times of entries by several processes


class Fault(NamedTuple):
    """Something wrong: `what` names the audit entry or row, `wrong` says what is wrong with it."""

    what: str
    wrong: str


class TrailEntry(NamedTuple):
    """The fields of an audit entry, with `subject`, `old` and `new` as untyped JSON."""

    number: int
    kind: str
    at: datetime
    who: str
    subject: Any
    old: Any
    new: Any
    reason: str


class Trail:
    """A tournament and all its audit entries, in their order."""

    def __init__(self, tournament_pk: int) -> None:
        self.tournament = Tournament.every.get(pk=tournament_pk)  # removed ones as well
        self.entries = list(self.tournament.audit_entries.order_by("number"))

    def of_kind(self, *kinds: AuditEntry.Kind) -> list[TrailEntry]:
        return [
            TrailEntry(*(getattr(entry, name) for name in TrailEntry._fields))
            for entry in self.entries
            if entry.kind in kinds
        ]

    def can_check(self, *kinds: AuditEntry.Kind) -> bool:
        """Return whether rows can be checked that only audit entries of these kinds describe.

        They can if the trail is complete, or has any entry of these kinds.
        """
        return self.is_complete or bool(self.of_kind(*kinds))

    @property
    def is_complete(self) -> bool:
        """Return whether the first entry is the creation of the tournament."""
        first = self.entries[0] if self.entries else None
        if first is None or first.kind != AuditEntry.Kind.RULES_SET:
            return False
        return first.old is None and isinstance(first.new, dict)


Check = Callable[[Trail], Iterator[Fault]]
CHECKS: list[Check] = []


def check(function: Check) -> Check:
    """Register a check of every tournament. It derives rows from audit entries; see the package."""
    CHECKS.append(function)
    return function


def times_backwards(trail: Trail) -> Iterator[Fault]:
    """Yield each audit entry that is dated more than `MOST_SECONDS_BACK` before the one before it.

    That is no fault of the trail: the server's clock was put back, or had been wrong.
    """
    for before, entry in itertools.pairwise(trail.entries):
        if (before.at - entry.at).total_seconds() > MOST_SECONDS_BACK:
            yield Fault(f"audit entry {entry.number}", "is dated before the entry before it")


@check
def check_chain(trail: Trail) -> Iterator[Fault]:
    """Yield a fault for each break in the chain of digests, and for an empty chain."""
    if not trail.entries:
        yield Fault("trail", "is empty: nobody set this up")
    previous = audit.CHAIN_START
    for number, entry in enumerate(trail.entries, 1):
        what = f"audit entry {entry.number}"
        if entry.number != number:
            yield Fault(what, f"should be number {number}: one is missing")
        if entry.previous != previous:
            yield Fault(what, "does not follow the entry before it")
        if entry.digest != audit.digest_of(entry):
            yield Fault(what, "has changed since it was written")
        previous = entry.digest
    if trail.tournament.last_act != (trail.entries[-1].digest if trail.entries else ""):
        yield Fault("trail", "does not end with the entry written last")
