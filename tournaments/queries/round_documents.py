"""A round in force as a JSON object, for the API and for receipts."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, cast

from django.utils import timezone
from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

from scoring.score import line_as_json
from tournaments.models import SittingTotals
from tournaments.queries import round_validation
from tournaments.queries.sheets import PlayedRound, Sheet

no_other_keys = with_config(ConfigDict(extra="forbid"))
Facts = Annotated[dict[str, Any], Field(description="A round's facts, as records hold them.")]
Player = Annotated[str, Field(description="How records name a player: the number, as text.")]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


@no_other_keys
class LineOut(TypedDict):
    """One item of a score: its points, and whose: a player's, a team's, or the kankei's."""

    deal: NotRequired[Annotated[int, Field(json_schema_extra={"default": 0})]]
    player: NotRequired[Annotated[Player, Field(json_schema_extra={"default": ""})]]
    team: NotRequired[Annotated[int, Field(json_schema_extra={"default": 0})]]
    item: str
    points: int


@no_other_keys
class RoundOut(TypedDict):
    """A round in force. `lines` explain the points."""

    number: int
    version: int
    facts: Facts
    reason: str
    recorded_at: Moment
    complete: Annotated[bool, Field(description="Whether it is over, and counts.")]
    points: Annotated[dict[str, int], Field(description="By player.")]
    lines: list[LineOut]
    accepted: Annotated[bool, Field(description="Whether the other side has agreed to it.")]
    by_desk: NotRequired[  # older receipts do not have it
        Annotated[
            bool,
            Field(
                description="Whether the staff recorded it as it stands:"
                " nobody is asked to accept.",
                json_schema_extra={"default": False},
            ),
        ]
    ]


@no_other_keys
class TotalsOut(TypedDict):
    version: int
    points: Annotated[dict[str, int], Field(description="By player.")]
    reason: str
    recorded_at: Moment


def totals_as_json(row: SittingTotals) -> TotalsOut:
    """As the API shows them and receipts store them."""
    return {
        "version": row.version,
        "points": dict(row.points),
        "reason": row.reason,
        "recorded_at": timezone.localtime(row.recorded_at).isoformat(),
    }


def round_in_force(sheet: Sheet, number: int) -> RoundOut:
    """Return the round with this number, which the sheet must have.

    Whether it is accepted is read from the database.
    """
    played = sheet.rounds[number - 1]
    return round_as_json(played, is_accepted=round_validation.is_accepted(played.row))


def round_as_json(played: PlayedRound, *, is_accepted: bool) -> RoundOut:
    row, score = played.row, played.score
    return {
        "number": row.number,
        "version": row.version,
        "facts": row.facts,
        "reason": row.reason,
        "recorded_at": timezone.localtime(row.recorded_at).isoformat(),
        "complete": score.complete,
        "points": dict(score.points),
        "lines": [cast("LineOut", line_as_json(line)) for line in score.lines],
        "accepted": is_accepted,
        "by_desk": round_validation.is_by_desk(row),
    }
