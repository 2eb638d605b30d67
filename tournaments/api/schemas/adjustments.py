"""Points given and deducted, and decisions on ties."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.models import Adjustment, TieDecision
from tournaments.models.adjustments import Ruling
from tournaments.queries.round_documents import Moment, no_other_keys

TakenBack = Annotated[
    Moment | None, Field(description="When it was taken back; null while it counts.")
]


class RulingOut(TypedDict):
    """The keys that adjustments and decisions have in common."""

    number: int
    reason: str
    who: str
    at: Moment
    taken_back_at: TakenBack


def _ruling_as_json(row: Ruling) -> RulingOut:
    return {
        "number": row.number,
        "reason": row.reason,
        "who": row.who,
        "at": row.at.isoformat(),
        "taken_back_at": row.taken_back_at.isoformat() if row.taken_back_at else None,
    }


@no_other_keys
class AdjustmentOut(RulingOut):
    """Points given to a player or to a team; below 0 they are deducted."""

    player: int | None
    team: str
    points: int


def adjustment_as_json(row: Adjustment) -> AdjustmentOut:
    return {
        **_ruling_as_json(row),
        "player": row.entry.number if row.entry else None,
        "team": row.team,
        "points": row.points,
    }


@no_other_keys
class AdjustmentsOut(TypedDict):
    """All adjustments, and the `number` of the next adjustment."""

    adjustments: list[AdjustmentOut]
    next_number: int


@no_other_keys
class DecisionOut(RulingOut):
    """The numbers of tied players in the order that the director or a lot has decided."""

    order: list[int]
    seed: Annotated[str, Field(description="What the lot was derived from; empty without a lot.")]


def decision_as_json(row: TieDecision) -> DecisionOut:
    return {**_ruling_as_json(row), "order": row.order, "seed": row.seed}


@no_other_keys
class DecisionsOut(TypedDict):
    """All decisions on ties, and the `number` of the next decision."""

    decisions: list[DecisionOut]
    next_number: int
