"""Idempotency: a request repeated with the same key gets the stored answer of the first one.

The answer is stored as a receipt in the transaction of the write. Receipts form a hash chain like
audit entries, so that `verification` finds changed and missing ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import CHAIN_START, canonical_json
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Receipt, Tournament

LONGEST_KEY = 200

# The receipt under a key, if there is one, and the last one. One statement, since other writers
# wait for the lock, and raw, since Django takes longer to compile it than the database to run it.
RECEIPTS = """
    SELECT * FROM tournaments_receipt
    WHERE tournament_id = %s AND (
        key = %s OR number = (
            SELECT MAX(number) FROM tournaments_receipt WHERE tournament_id = %s
        )
    )
    ORDER BY number
"""


class Answer(NamedTuple):
    """The answer to a request: HTTP status and JSON document.

    `is_stored` is false for a refusal, which leaves no receipt: a retry may succeed.
    """

    status: int
    body: Mapping[str, Any]
    is_stored: bool = True


class KeyReused(OperationRefused):
    code = "key_reused"
    at = "Idempotency-Key"
    sentence = _("This key was already used for a different request. Use a new key for each write.")


def run_once(
    tournament: Tournament,
    key: str,
    request_body: bytes | Mapping[str, Any],
    operation: Callable[[Tournament], Answer],
) -> Answer:
    """Run `operation`, or return its stored answer if the same request came before.

    Takes the tournament's lock, so that of two concurrent requests the second finds the receipt of
    the first; `operation` gets the locked row. Raises `KeyReused`.
    """
    request_digest = _request_digest(request_body)
    with transaction.atomic():
        current = lock_tournament(tournament)
        receipts = list(Receipt.objects.raw(RECEIPTS, [tournament.pk, key, tournament.pk]))
        for receipt in receipts:
            if receipt.key == key:
                return _answer_in(receipt, request_digest)
        answer = operation(current)
        if answer.is_stored:
            stored_as = {"status": answer.status, "body": answer.body}
            last = receipts[-1] if receipts else None
            write_receipt(tournament, key, request_digest, stored_as, last=last)
    return answer


def write_receipt(
    tournament: Tournament,
    key: str,
    request_digest: str,
    answer: dict[str, Any],
    *,
    last: Receipt | None,
) -> Receipt:
    """Append a receipt with an answer (`status` and `body`) to the tournament's chain of receipts.

    `last` is the one before, read under the tournament's lock, which is still held.
    """
    receipt = Receipt(tournament=tournament, key=key, request=request_digest, answer=answer)
    receipt.number = last.number + 1 if last else 1
    receipt.digest = digest_of(receipt, last.digest if last else CHAIN_START)
    receipt.save(force_insert=True)
    audit.set_chain_end(tournament, last_receipt=receipt.digest)
    return receipt


def digest_of(receipt: Receipt, previous: str) -> str:
    """Return the SHA-256 of all columns of a receipt and the digest of the one before."""
    columns = [
        receipt.tournament.slug,
        receipt.number,
        receipt.key,
        receipt.request,
        receipt.answer,
        receipt.at.astimezone(UTC).isoformat(timespec="microseconds"),
        previous,
    ]
    return hashlib.sha256(canonical_json(columns)).hexdigest()


def is_key_used(tournament: Tournament, key: str) -> bool:
    return Receipt.objects.filter(tournament=tournament, key=key).exists()


def stored_answer(
    tournament: Tournament, key: str, request_body: bytes | Mapping[str, Any]
) -> Answer | None:
    """Raises `KeyReused`."""
    receipt = Receipt.objects.filter(tournament=tournament, key=key).first()
    return None if receipt is None else _answer_in(receipt, _request_digest(request_body))


def _answer_in(receipt: Receipt, request_digest: str) -> Answer:
    """Return the stored answer. Raises `KeyReused` if the receipt is of another request."""
    if receipt.request != request_digest:
        raise KeyReused
    return Answer(status=receipt.answer["status"], body=receipt.answer["body"])


def _request_digest(request_body: bytes | Mapping[str, Any]) -> str:
    """Return the SHA-256 of a request's body: of its bytes, or of JSON in canonical form."""
    content = request_body if isinstance(request_body, bytes) else canonical_json(request_body)
    return hashlib.sha256(content).hexdigest()
