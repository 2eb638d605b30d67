"""A table to publish, and a correction of it."""

from __future__ import annotations

from tests import cast
from tournaments.models import Sitting, Tournament


def play_two_rounds(tournament: Tournament) -> Sitting:
    sitting = cast.make_sitting(tournament)
    for number in (1, 2):
        cast.record(sitting, number=number)
    return sitting


def correct(sitting: Sitting) -> None:
    """Correct the first round: the other side won."""
    row = sitting.rounds.get(number=1, version=1)
    _, other, _, another, *_ = cast.keys(sitting)
    facts = {**row.facts, "kankei": [other, another]}
    cast.record(sitting, facts, seen=1, reason="席の読み違い")
