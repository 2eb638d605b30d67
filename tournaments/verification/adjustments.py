"""Points given or deducted, and decisions on ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scoring
from tournaments.models import AuditEntry
from tournaments.models.adjustments import AdjustmentRecord, DecisionRecord
from tournaments.verification.trail import Fault, Trail, TrailEntry, check

Kind = AuditEntry.Kind
Rows = dict[int, dict[str, Any]]  # by number


@check
def check_adjustments(trail: Trail) -> Iterator[Fault]:
    expected = _expected_rows(trail, Kind.POINTS_ADJUSTED, Kind.ADJUSTMENT_ENDED)
    rows = trail.tournament.adjustments.select_related("entry")
    stored = {row.number: AdjustmentRecord.json_of(row) for row in rows}
    yield from _differences("adjustment", expected, stored)


@check
def check_decisions(trail: Trail) -> Iterator[Fault]:
    """Compare every decision on a tie with the audit entries, and an order by lot with its seed."""
    expected = _expected_rows(trail, Kind.TIE_DECIDED, Kind.DECISION_ENDED)
    rows = trail.tournament.tie_decisions.all()
    stored = {row.number: DecisionRecord.json_of(row) for row in rows}
    yield from _differences("decision", expected, stored)
    for row in rows:
        order = [str(each) for each in row.order]
        is_as_expected = stored[row.number] == expected.get(row.number)  # else a fault already
        if is_as_expected and row.seed and order != scoring.order_by_lot(order, row.seed):
            yield Fault(f"decision {row.number}", "is not the order that its seed gives")


def _expected_rows(
    trail: Trail, creating_kind: AuditEntry.Kind, ending_kind: AuditEntry.Kind
) -> Rows:
    rows: Rows = {}
    for entry in trail.of_kind(creating_kind, ending_kind):
        number, at = entry.subject["number"], entry.at.isoformat()
        if entry.kind == ending_kind:
            rows[number]["taken_back_at"] = at
        else:
            stored = {"number": number, "reason": entry.reason, "who": entry.who, "at": at}
            rows[number] = {**_ruling(entry), **stored, "taken_back_at": None}
    return rows


def _ruling(entry: TrailEntry) -> dict[str, Any]:
    """Return the ruling; the audit entry has a player as `number`.

    Of a decision without a stage, as earlier versions made them, it has the order alone, or with
    the seed of a lot.
    """
    if entry.kind == Kind.POINTS_ADJUSTED:
        return {"player": entry.new.get("number"), "team": "", **entry.new}
    decision = entry.new if isinstance(entry.new, dict) else {"order": entry.new}
    return {"seed": "", "stage": None, **decision}


def _differences(what: str, expected: Rows, stored: Rows) -> Iterator[Fault]:
    """Yield a fault for each number with different, missing or additional values; in order."""
    for number in sorted(expected.keys() | stored.keys()):
        if expected.get(number) != stored.get(number):
            yield Fault(f"{what} {number}", "differs from the audit trail")
