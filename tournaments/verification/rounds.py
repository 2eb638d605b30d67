"""Rounds, typed totals and acceptances: each version against its audit entry."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from tournaments.models import Acceptance, AuditEntry, Round, SittingTotals
from tournaments.services import phones
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
KEY_FIELDS = ("session", "table", "round", "version")
ROUND_KINDS = (Kind.ROUND_RECORDED, Kind.ROUND_CONTINUED, Kind.ROUND_CORRECTED)
TOTALS_KINDS = (Kind.TOTALS_ENTERED, Kind.TOTALS_CORRECTED)

Key = tuple[int, ...]  # the values of `KEY_FIELDS`


@check
def check_rounds(trail: Trail) -> Iterator[Fault]:
    expected = _by_version(trail.of_kind(*ROUND_KINDS))
    rows = Round.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session"):
        key, what = _version_key(row), _version_name(_version_key(row))
        entry = expected.pop(key, None)
        if entry is None:
            yield Fault(what, "nobody recorded it")
        elif (row.facts, *_stored_metadata(row)) != (entry.new, *_expected_metadata(entry)):
            yield Fault(what, f"differs from what audit entry {entry.number} recorded")
    for key, entry in expected.items():
        yield Fault(
            _version_name(key), f"is missing, though audit entry {entry.number} recorded it"
        )


@check
def check_totals(trail: Trail) -> Iterator[Fault]:
    expected = {
        (entry.subject["session"], entry.subject["table"], entry.subject["version"]): entry
        for entry in trail.of_kind(*TOTALS_KINDS)
    }
    rows = SittingTotals.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session"):
        key = (row.sitting.session.number, row.sitting.number, row.version)
        what = "session {} table {} totals version {}".format(*key)
        entry = expected.pop(key, None)
        if entry is None:
            yield Fault(what, "nobody entered them")
        elif (row.points, *_stored_metadata(row)) != (entry.new, *_expected_metadata(entry)):
            yield Fault(what, f"differs from what audit entry {entry.number} entered")
    for key, entry in expected.items():
        what = "session {} table {} totals version {}".format(*key)
        yield Fault(what, f"is missing, though audit entry {entry.number} entered it")


@check
def check_acceptances(trail: Trail) -> Iterator[Fault]:
    """Compare every acceptance, its time and its phone with the audit entry."""
    if not trail.can_check(Kind.ROUND_ACCEPTED):
        return
    expected = _by_version(trail.of_kind(Kind.ROUND_ACCEPTED))
    rows = Acceptance.objects.filter(round__sitting__session__tournament=trail.tournament)
    for row in rows.select_related("round__sitting__session", "phone"):
        key, what = _version_key(row.round), f"{_version_name(_version_key(row.round))} acceptance"
        entry = expected.pop(key, None)
        # Phones are not archived; after an import only the entry names the phone.
        who = phones.actor_of(row.phone).who if row.phone else entry and entry.who
        if entry is None:
            yield Fault(what, "nobody accepted it")
        elif (row.at, who, row.round.facts) != (entry.at, entry.who, entry.new):
            yield Fault(what, f"differs from audit entry {entry.number}")
    for key, entry in expected.items():
        what = f"{_version_name(key)} acceptance"
        yield Fault(what, f"is missing, though audit entry {entry.number} describes it")


def _by_version(entries: list[TrailEntry]) -> dict[Key, TrailEntry]:
    return {tuple(entry.subject[field] for field in KEY_FIELDS): entry for entry in entries}


def _version_key(row: Round) -> Key:
    return (row.sitting.session.number, row.sitting.number, row.number, row.version)


def _version_name(key: Key) -> str:
    """Return the name of a version of a round, as faults give it."""
    return "session {} table {} round {} version {}".format(*key)


def _stored_metadata(row: Round | SittingTotals) -> tuple[str, str, datetime]:
    """Return the reason, the actor and the time of a version, as stored."""
    return row.reason, row.who, row.recorded_at


def _expected_metadata(entry: TrailEntry) -> tuple[str, str, datetime]:
    return entry.reason, entry.who, entry.at
