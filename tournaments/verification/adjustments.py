"""Points given or deducted, and decisions on ties."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import scoring
from tournaments.models import Adjustment, AuditEntry
from tournaments.verification.trail import Fault, Trail

Kind = AuditEntry.Kind
Rows = dict[int, dict[str, Any]]  # by number


def check_adjustments(trail: Trail) -> Iterator[Fault]:
    """Compare every adjustment of a player or a team with the audit entries."""
    expected = _expected(trail, Kind.POINTS_ADJUSTED, Kind.ADJUSTMENT_ENDED)
    rows = trail.tournament.adjustments.select_related("entry")
    stored: Rows = {
        row.number: {"ruling": {**_whose(row, trail), "points": row.points}, **_further(row)}
        for row in rows
    }
    yield from _differences("adjustment", expected, stored)


def check_decisions(trail: Trail) -> Iterator[Fault]:
    """Compare every decision on a tie with the audit entries, and that of a lot with its seed."""
    expected = _expected(trail, Kind.TIE_DECIDED, Kind.DECISION_ENDED)
    rows = trail.tournament.tie_decisions.all()
    stored: Rows = {row.number: {"ruling": row.as_json(), **_further(row)} for row in rows}
    yield from _differences("decision", expected, stored)
    for row in rows:
        order = [str(each) for each in row.order]
        is_told = stored[row.number] == expected.get(row.number)  # else it is a fault already
        if is_told and row.seed and order != scoring.order_by_lot(order, row.seed):
            yield Fault(f"decision {row.number}", "is not the order that its seed gives")


def _whose(row: Adjustment, trail: Trail) -> dict[str, Any]:
    """Return the team, or the number of the player; None if it is none of this tournament."""
    if row.team:
        return {"team": row.team}
    is_own = row.entry is not None and row.entry.tournament_id == trail.tournament.pk
    return {"number": row.entry.number if row.entry and is_own else None}


def _further(row: Any) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("reason", "who", "at", "taken_back_at")}


def _expected(trail: Trail, made: AuditEntry.Kind, ended: AuditEntry.Kind) -> Rows:
    """Return what the audit entries say, in the form of the stored rows."""
    rows: Rows = {}
    for entry in trail.of_kind(made, ended):
        number = entry.subject["number"]
        if entry.kind == ended:
            rows[number]["taken_back_at"] = entry.at
        else:
            stored = {"ruling": entry.new, "reason": entry.reason, "who": entry.who, "at": entry.at}
            rows[number] = {**stored, "taken_back_at": None}
    return rows


def _differences(what: str, expected: Rows, stored: Rows) -> Iterator[Fault]:
    for number in sorted(expected.keys() | stored.keys()):
        if expected.get(number) != stored.get(number):
            yield Fault(f"{what} {number}", "differs from the audit trail")
