"""Whether two versions of a round come to the same, so that nobody has to decide between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import scoring
from tournaments.queries.sheets import Sheet
from tournaments.queries.what_if import with_round


def scores_equally(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> bool:
    """Return whether a whole round's other facts leave everybody's points and what follows alike.

    What follows is the advice for the next round, and who sits where then.
    """
    if not sheet.score.rounds[number - 1].complete:
        return False
    try:
        other = with_round(sheet, number, facts)
    except scoring.InvalidRecord:
        return False
    return _told(other) == _told(sheet)


def _told(sheet: Sheet) -> tuple[Any, ...]:
    """Return what a table's record comes to."""
    rounds = [(score.points, score.complete) for score in sheet.score.rounds]
    state_after = getattr(sheet.rules.game, "state_after", None)
    state = state_after(sheet.record.rounds, sheet.players, sheet.planned) if state_after else None
    return rounds, sheet.score.team_totals, sheet.advice, state
