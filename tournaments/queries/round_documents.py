"""A round in force as JSON, for the API and for receipts."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from scoring.score import line_as_json
from tournaments.audit import is_the_table
from tournaments.models import Acceptance
from tournaments.queries.sheets import PlayedRound, Sheet


def round_in_force(sheet: Sheet, number: int) -> dict[str, Any]:
    """Return the round with this number as JSON, with its acceptance read from the database."""
    played = sheet.rounds[number - 1]
    accepted = Acceptance.objects.filter(round=played.row).exists()
    return round_as_json(played, is_accepted=accepted)


def round_as_json(played: PlayedRound, *, is_accepted: bool) -> dict[str, Any]:
    """Return a round as JSON: version, facts, points by entry number, and lines."""
    row, score = played.row, played.score
    return {
        "number": row.number,
        "version": row.version,
        "facts": row.facts,
        "reason": row.reason,
        "recorded_at": timezone.localtime(row.recorded_at).isoformat(),
        "complete": score.complete,
        "points": score.points,
        "lines": [line_as_json(line) for line in score.lines],
        "accepted": is_accepted,
        "by_desk": bool(row.who) and not is_the_table(row.who),
    }
