"""Points given and deducted, and decisions on ties."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.models import Adjustment, TieDecision
from tournaments.queries.round_documents import Moment, no_other_keys

TakenBack = Annotated[Moment | None, Field(description="When it was taken back; null in force.")]


@no_other_keys
class AdjustmentOut(TypedDict):
    """Points given to a player, or deducted."""

    number: int
    player: int
    points: int
    reason: str
    who: str
    at: Moment
    taken_back_at: TakenBack


def adjustment_as_json(row: Adjustment) -> AdjustmentOut:
    return {
        "number": row.number,
        "player": row.entry.number if row.entry else 0,
        "points": row.points,
        "reason": row.reason,
        "who": row.who,
        "at": row.at.isoformat(),
        "taken_back_at": row.taken_back_at.isoformat() if row.taken_back_at else None,
    }


@no_other_keys
class AdjustmentsOut(TypedDict):
    """Every adjustment, and the `number` of the next."""

    adjustments: list[AdjustmentOut]
    next_number: int


@no_other_keys
class DecisionOut(TypedDict):
    """Tied players in the order that the director gave them."""

    number: int
    order: list[int]
    reason: str
    who: str
    at: Moment
    taken_back_at: TakenBack


def decision_as_json(row: TieDecision) -> DecisionOut:
    return {
        "number": row.number,
        "order": row.order,
        "reason": row.reason,
        "who": row.who,
        "at": row.at.isoformat(),
        "taken_back_at": row.taken_back_at.isoformat() if row.taken_back_at else None,
    }


@no_other_keys
class DecisionsOut(TypedDict):
    """Every decision on a tie, and the `number` of the next."""

    decisions: list[DecisionOut]
    next_number: int
