"""Points given and deducted, and decisions on ties."""

from __future__ import annotations

from typing_extensions import TypedDict

from tournaments.models.shared_schemas import AdjustmentRecord, DecisionRecord
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class AdjustmentsOut(TypedDict):
    """All adjustments, and the `number` of the next adjustment."""

    adjustments: list[AdjustmentRecord]
    next_number: int


@no_other_keys
class DecisionsOut(TypedDict):
    """All decisions on ties, and the `number` of the next decision."""

    decisions: list[DecisionRecord]
    next_number: int
