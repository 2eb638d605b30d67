"""Substitutions: the substitute of each absent player in a session."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry
from tournaments.queries.substitutions import KINDS, substitutions_of
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind


@check
def check_substitutions(trail: Trail) -> Iterator[Fault]:
    expected: dict[tuple[int, int], int] = {}  # substitutes by session and player, all numbers
    for change in trail.of_kind(*KINDS):
        is_added = change.kind == Kind.SUBSTITUTE_ADDED
        numbers = change.new if is_added else change.old
        key = (change.subject["session"], numbers["number"])
        if is_added:
            expected[key] = numbers["substitute"]
        else:
            expected.pop(key, None)
    stored = {
        (each.session_number, each.entry.number): each.substitute.number
        for each in substitutions_of(trail.tournament)
    }
    for key in sorted(expected.keys() | stored.keys()):
        if expected.get(key) != stored.get(key):
            what = "session {} substitute of player {}".format(*key)
            yield Fault(what, "is not the one that the audit trail says")
