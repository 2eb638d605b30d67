"""The chain of receipts of idempotency keys, and the rounds in their answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tournaments import audit
from tournaments.models import Round
from tournaments.services import idempotency
from tournaments.verification.trail import Fault, Trail, check

ROUND_FIELDS = ("number", "version", "facts")


@check
def check_receipts(trail: Trail) -> Iterator[Fault]:
    """Check the chain of receipts, and that the rounds in their answers are stored."""
    rounds = Round.objects.filter(sitting__session__tournament=trail.tournament)
    stored = {_canonical(row) for row in rounds.values_list(*ROUND_FIELDS)}
    previous = audit.CHAIN_START
    receipts = trail.tournament.receipts.order_by("number")
    for number, receipt in enumerate(receipts.iterator(), 1):
        what = f"receipt {receipt.number}"
        if receipt.number != number:
            yield Fault(what, f"should be number {number}: one is missing")
        if receipt.digest != idempotency.digest_of(receipt, previous):
            yield Fault(what, "has changed since it was written")
        if not _rounds_of(receipt.answer.get("body") or {}) <= stored:
            yield Fault(what, "has a round that is not stored")
        previous = receipt.digest
    if (trail.tournament.last_receipt or audit.CHAIN_START) != previous:
        yield Fault("receipts", "do not end with the one that was written last")


def _rounds_of(body: dict[str, Any]) -> set[bytes]:
    """Return the rounds in an answer's body, in canonical form.

    A round may be the body itself or, if the answer is a conflict, its value `stored`.
    """
    objects = [each for each in (body, body.get("stored")) if isinstance(each, dict)]
    rounds = [each for each in objects if each.keys() >= set(ROUND_FIELDS)]
    return {_canonical(each[name] for name in ROUND_FIELDS) for each in rounds}


def _canonical(values: Iterable[Any]) -> bytes:
    """Return the values of `ROUND_FIELDS` as canonical JSON."""
    return audit.canonical_json(list(values))
