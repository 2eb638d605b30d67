"""A round in force as JSON: as the API tells it, and as a receipt keeps what was answered."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from scoring.score import line_as_json
from tournaments.audit import is_the_table
from tournaments.models import Acceptance
from tournaments.queries.sheets import PlayedRound, Sheet


def round_in_force(sheet: Sheet, number: int) -> dict[str, Any]:
    """Return the round of this number as it stands, and whether it is accepted."""
    played = sheet.rounds[number - 1]
    accepted = Acceptance.objects.filter(round=played.row).exists()
    return round_as_json(played, is_accepted=accepted)


def round_as_json(played: PlayedRound, *, is_accepted: bool) -> dict[str, Any]:
    """Return a round in force: facts, version, points and the lines they come from."""
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
