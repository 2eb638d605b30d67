"""What was answered for good: the chain of receipts, and the rounds of which they tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tournaments import audit
from tournaments.models import Round
from tournaments.services import idempotency
from tournaments.verification.trail import Fault, Trail

OF_A_ROUND = ("number", "version", "facts")


def strange_receipts(trail: Trail) -> Iterator[Fault]:
    """Tell where the chain of receipts does not hold, or tells of a round that is not there."""
    rounds = Round.objects.filter(sitting__session__tournament=trail.tournament)
    told = {_spelled(row) for row in rounds.values_list(*OF_A_ROUND)}
    previous = audit.FIRST
    kept = trail.tournament.receipts.select_related("tournament").order_by("number")
    for number, receipt in enumerate(kept.iterator(), 1):
        what = f"receipt {receipt.number}"
        if receipt.number != number:
            yield Fault(what, f"should be receipt {number}: one is missing")
        if receipt.digest != idempotency.digest_of(receipt, previous):
            yield Fault(what, "does not say what it said when it was written")
        if not _rounds_of(receipt.answer.get("body") or {}) <= told:
            yield Fault(what, "tells of a round that is not there")
        previous = receipt.digest
    if (trail.tournament.last_receipt or audit.FIRST) != previous:
        yield Fault("receipts", "do not end with the one that was written last")


def _rounds_of(body: dict[str, Any]) -> set[bytes]:
    """Return the rounds that an answer tells of: the one stored now, or before another came."""
    answered = [each for each in (body, body.get("stored")) if isinstance(each, dict)]
    rounds = [each for each in answered if each.keys() >= set(OF_A_ROUND)]
    return {_spelled(each[name] for name in OF_A_ROUND) for each in rounds}


def _spelled(said: Any) -> bytes:
    return audit.canonical_json(list(said))
