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
    sentence = _("Another request was sent under this key. Use a new key for each write.")


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
        stored = _answer_by_digest(tournament, key, request_digest)
        if stored is not None:
            return stored
        answer = operation(current)
        if answer.is_stored:
            stored_as = {"status": answer.status, "body": answer.body}
            write_receipt(tournament, key, request_digest, stored_as)
    return answer


def write_receipt(
    tournament: Tournament, key: str, request_digest: str, answer: dict[str, Any]
) -> Receipt:
    """Append a receipt with an answer (`status` and `body`) to the tournament's chain of receipts.

    Call it under the tournament's lock.
    """
    last = tournament.receipts.order_by("-number").values_list("number", "digest").first()
    last_number, last_digest = last or (0, CHAIN_START)
    receipt = Receipt(tournament=tournament, key=key, request=request_digest, answer=answer)
    receipt.number = last_number + 1
    receipt.digest = digest_of(receipt, last_digest)
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
    return _answer_by_digest(tournament, key, _request_digest(request_body))


def _answer_by_digest(tournament: Tournament, key: str, request_digest: str) -> Answer | None:
    """Return the stored answer to the request with this key and digest, or None.

    Raises `KeyReused` if the receipt under this key has another digest.
    """
    receipts = Receipt.objects.filter(tournament=tournament, key=key)
    for request, answer in receipts.values_list("request", "answer"):  # one at most
        if request != request_digest:
            raise KeyReused
        return Answer(status=answer["status"], body=answer["body"])
    return None


def _request_digest(request_body: bytes | Mapping[str, Any]) -> str:
    """Return the SHA-256 of a request's body: of its bytes, or of JSON in canonical form."""
    content = request_body if isinstance(request_body, bytes) else canonical_json(request_body)
    return hashlib.sha256(content).hexdigest()
