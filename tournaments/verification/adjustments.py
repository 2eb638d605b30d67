"""Points given or deducted, and decisions on ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scoring
from tournaments.models import Adjustment, AuditEntry
from tournaments.models.adjustments import Ruling
from tournaments.verification.trail import Fault, Trail

Kind = AuditEntry.Kind
Rows = dict[int, dict[str, Any]]  # by number


def check_adjustments(trail: Trail) -> Iterator[Fault]:
    """Compare every adjustment of a player or a team with the audit entries."""
    expected = _expected_rows(trail, Kind.POINTS_ADJUSTED, Kind.ADJUSTMENT_ENDED)
    rows = trail.tournament.adjustments.select_related("entry")
    stored: Rows = {
        row.number: {"ruling": {**_whose(row, trail), "points": row.points}, **_common_fields(row)}
        for row in rows
    }
    yield from _differences("adjustment", expected, stored)


def check_decisions(trail: Trail) -> Iterator[Fault]:
    """Compare every decision on a tie with the audit entries, and an order by lot with its seed."""
    expected = _expected_rows(trail, Kind.TIE_DECIDED, Kind.DECISION_ENDED)
    rows = trail.tournament.tie_decisions.all()
    stored: Rows = {row.number: {"ruling": row.as_json(), **_common_fields(row)} for row in rows}
    yield from _differences("decision", expected, stored)
    for row in rows:
        order = [str(each) for each in row.order]
        is_as_expected = stored[row.number] == expected.get(row.number)  # else a fault already
        if is_as_expected and row.seed and order != scoring.order_by_lot(order, row.seed):
            yield Fault(f"decision {row.number}", "is not the order that its seed gives")


def _whose(row: Adjustment, trail: Trail) -> dict[str, Any]:
    """Return the team, or the number of the player, as the audit entry has it.

    The number is None for a player of another tournament.
    """
    if row.team:
        return {"team": row.team}
    is_own = row.entry is not None and row.entry.tournament_id == trail.tournament.pk
    return {"number": row.entry.number if row.entry and is_own else None}


def _common_fields(row: Ruling) -> dict[str, Any]:
    """Return the fields that adjustments and decisions share, except the number."""
    return {name: getattr(row, name) for name in ("reason", "who", "at", "taken_back_at")}


def _expected_rows(
    trail: Trail, creating_kind: AuditEntry.Kind, ending_kind: AuditEntry.Kind
) -> Rows:
    """Return the adjustments or decisions as the audit entries of these two kinds say."""
    rows: Rows = {}
    for entry in trail.of_kind(creating_kind, ending_kind):
        number = entry.subject["number"]
        if entry.kind == ending_kind:
            rows[number]["taken_back_at"] = entry.at
        else:
            stored = {"ruling": entry.new, "reason": entry.reason, "who": entry.who, "at": entry.at}
            rows[number] = {**stored, "taken_back_at": None}
    return rows


def _differences(what: str, expected: Rows, stored: Rows) -> Iterator[Fault]:
    """Yield a fault for each number with different, missing or additional values; in order."""
    for number in sorted(expected.keys() | stored.keys()):
        if expected.get(number) != stored.get(number):
            yield Fault(f"{what} {number}", "differs from the audit trail")
