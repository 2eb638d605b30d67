"""Rounds that only another database holds, after this one went on from an earlier state.

The computer that was there before may have stored rounds that neither the copy nor a phone has.
They become disputes (食い違い), since people may have recorded something else meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction

from tournaments.audit import Actor
from tournaments.backups.rounds import HeldRound
from tournaments.models import Round, Sitting
from tournaments.queries.sheets import is_same_round, sheet_of
from tournaments.services import disputes


class LeftBehind(NamedTuple):
    """What became of the rounds: the number of disputes, and the tables that are not on record."""

    disputes: int
    unknown: tuple[str, ...]


@transaction.atomic
def take_over(held: Iterable[HeldRound], *, by: Actor) -> LeftBehind:
    """Open a dispute for each round of which no version here has the same facts. Idempotent."""
    sittings = {each.key: each for each in Sitting.objects.select_related("session__tournament")}
    opened, unknown = 0, dict[str, None]()
    for each in held:
        sitting = sittings.get(each.sitting_key)
        if sitting is None:
            unknown[each.place] = None
        elif not _is_held(sitting, each):
            latest = sitting.rounds.filter(number=each.number).order_by("version").last()
            disputes.open_dispute(sitting, each.number, each.facts, latest, by=by)
            opened += 1
    return LeftBehind(opened, tuple(unknown))


def _is_held(sitting: Sitting, held: HeldRound) -> bool:
    """Return whether a version of the round here has the same facts."""
    sheet = sheet_of(sitting)
    versions = Round.objects.filter(sitting=sitting, number=held.number)
    return any(is_same_round(sheet, held.number, each.facts, held.facts) for each in versions)
