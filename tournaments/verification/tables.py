"""Disputes, calls for the desk, and revoked links of tables.

Disputes and calls have no number: they are matched with audit entries by their time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from tournaments.models import AuditEntry, Call, Disagreement, Sitting
from tournaments.services import phones
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
EVENT_ENDED = (Kind.CLOSED, Kind.EVENT_REMOVED)  # these end every link, PIN and phone, too
# Key in `Values`: when a call was answered or taken back, or a dispute settled.
ENDED_AT = "ended_at"

Values = dict[str, Any]  # the compared values of a call or dispute
Table = tuple[int, int]  # session and table


@check
def check_disputes(trail: Trail) -> Iterator[Fault]:
    if not trail.can_check(Kind.ROUND_DISPUTED):
        return
    expected: dict[datetime, Values] = {}
    for audit_entry in trail.of_kind(Kind.ROUND_DISPUTED, Kind.DISPUTE_SETTLED):
        is_beginning = audit_entry.kind == Kind.ROUND_DISPUTED
        facts = audit_entry.new if is_beginning else audit_entry.old["other"]
        values = _subject_of(audit_entry, "round") | {"facts": facts}
        _begin_or_end(expected, audit_entry, values, is_beginning=is_beginning)
    rows = Disagreement.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session", "phone"):
        dispute = {**_table_values(row.sitting), "round": row.number, "facts": row.facts}
        # Phones are not archived; after an import only the entry names the phone.
        who = phones.actor_of(row.phone).who if row.phone else expected.get(row.at, {}).get("who")
        stored = dispute | {"who": who, ENDED_AT: row.settled_at}
        yield from _differences(f"disagreement {row.pk}", stored, expected.pop(row.at, None))
    yield from _faults_of_missing("disagreement", expected)


@check
def check_calls(trail: Trail) -> Iterator[Fault]:
    if not trail.can_check(Kind.DESK_CALLED):
        return
    expected: dict[datetime, Values] = {}
    for audit_entry in trail.of_kind(Kind.DESK_CALLED, Kind.CALL_ANSWERED, Kind.CALL_TAKEN_BACK):
        is_beginning = audit_entry.kind == Kind.DESK_CALLED
        values = _subject_of(audit_entry) | audit_entry.new
        _begin_or_end(expected, audit_entry, values, is_beginning=is_beginning)
    rows = Call.objects.filter(sitting__session__tournament=trail.tournament)
    for row in rows.select_related("sitting__session"):
        call = expected.pop(row.at, None)
        who = call and call["who"]  # the row does not store who called
        stored = {"kind": row.kind, "words": row.words, "who": who, ENDED_AT: row.answered_at}
        yield from _differences(f"call {row.pk}", _table_values(row.sitting) | stored, call)
    yield from _faults_of_missing("call", expected)


@check
def check_revoked_links(trail: Trail) -> Iterator[Fault]:
    """Compare the time when each table's link was revoked, None if it is valid."""
    link_kinds = (Kind.LINK_MADE, Kind.LINK_REVOKED, *EVENT_ENDED)
    if not trail.can_check(*link_kinds):
        return
    expected: dict[Table, datetime | None] = {}
    seating_kinds = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED, Kind.PLAYERS_CHANGED)
    for audit_entry in trail.of_kind(*seating_kinds, *link_kinds):
        if audit_entry.kind in EVENT_ENDED:
            expected |= {table: audit_entry.at for table, at in expected.items() if at is None}
            continue
        at = audit_entry.at if audit_entry.kind == Kind.LINK_REVOKED else None
        expected |= dict.fromkeys(tables_named_by(audit_entry), at)
    sittings = Sitting.objects.filter(session__tournament=trail.tournament)
    for sitting in sittings.select_related("session"):
        table = (sitting.session.number, sitting.number)
        if expected.get(table) != sitting.closed_at:
            what = "session {} table {} link".format(*table)
            yield Fault(what, "is not open or closed as the audit trail says")


def _begin_or_end(
    expected: dict[datetime, Values], audit_entry: TrailEntry, values: Values, *, is_beginning: bool
) -> None:
    """Add the call or dispute that an audit entry begins, or end the first open one like it.

    `expected` has the calls or disputes by the time of the audit entry that began them. `values`
    are those of the call or dispute, except times and who began it.
    """
    if is_beginning:
        expected[audit_entry.at] = values | {"who": audit_entry.who, ENDED_AT: None}
        return
    for begun in expected.values():
        if begun[ENDED_AT] is None and values.items() <= begun.items():
            begun[ENDED_AT] = audit_entry.at
            return


def _differences(what: str, stored: Values, expected: Values | None) -> Iterator[Fault]:
    """Yield a fault if a row differs from the audit entries, or if none describes it (None)."""
    if expected is None:
        yield Fault(what, "has no audit entry")
    elif stored != expected:
        yield Fault(what, "differs from the audit trail")


def _faults_of_missing(what: str, expected: dict[datetime, Values]) -> Iterator[Fault]:
    """Yield a fault for each dispute or call, by its time, that has no row."""
    for at in expected:
        yield Fault(f"{what} of {at.isoformat()}", "is missing, though an audit entry describes it")


def _subject_of(audit_entry: TrailEntry, *further_keys: str) -> Values:
    """Return session, table and further keys of the subject of an audit entry."""
    return {name: audit_entry.subject[name] for name in ("session", "table", *further_keys)}


def _table_values(sitting: Sitting) -> Values:
    return {"session": sitting.session.number, "table": sitting.number}


def tables_named_by(audit_entry: TrailEntry) -> list[Table]:
    """Return the tables that an audit entry is about; if it seats tables, only the new ones.

    An entry that seats a session has all its tables in `old` (None for a new session) and `new`.
    Other entries name one table in `subject` or several in `new`.
    """
    session = audit_entry.subject["session"]
    if audit_entry.kind in {Kind.SESSION_OPENED, Kind.SESSION_RESEATED}:
        old_count, new_count = len(audit_entry.old or ()), len(audit_entry.new)
        return [(session, number) for number in range(old_count + 1, new_count + 1)]
    if audit_entry.kind == Kind.PLAYERS_CHANGED:
        new_table = audit_entry.subject.get("goes_on_at")
        return [] if new_table is None else [(session, new_table)]
    if "table" in audit_entry.subject:
        return [(session, audit_entry.subject["table"])]
    return [(session, number) for number in audit_entry.new["tables"]]


def tables_removed_by(audit_entry: TrailEntry) -> list[Table]:
    """Return the tables that an audit entry removed; empty for most kinds.

    Removing a session (`new` is None) removes all its tables; reseating it with fewer tables
    removes the last ones.
    """
    if audit_entry.kind not in {Kind.SESSION_RESEATED, Kind.SESSION_REMOVED}:
        return []
    session = audit_entry.subject["session"]
    old_count, new_count = len(audit_entry.old), len(audit_entry.new or ())
    return [(session, number) for number in range(new_count + 1, old_count + 1)]
