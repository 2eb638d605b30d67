"""Exactly once: a request that comes again is answered as it was the first time.

A phone that heard no answer sends again, under the key it made for that write. The receipt is
stored in the transaction of what it tells of: there is never one without the other. Like acts they
are a chain: `verifying` finds one that says something else, or is missing before another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import FIRST, canonical
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Receipt, Tournament

LONGEST_KEY = 200


class Answer(NamedTuple):
    """What a request is answered: the HTTP status and the JSON document.

    `is_kept`: whether something was stored, so that the same request is answered like this for
    good. A refusal is not kept: asked again, it may well succeed.
    """

    status: int
    body: dict[str, Any]
    is_kept: bool = True


class KeyReused(OperationRefused):
    """Raised when a key comes again with another request."""

    code = "key_reused"
    sentence = _("Another request came under this key. Make a new key for each write.")


def once(
    tournament: Tournament,
    key: str,
    request_body: bytes | Mapping[str, Any],
    act: Callable[[], Answer],
) -> Answer:
    """Carry out `act`, or answer what it answered when the same request came before.

    `act` is carried out in the tournament's turn: the same request, sent twice at once, waits here
    and is then known. Raises `KeyReused` when it was another request that came under this key.
    """
    asked = _digest(request_body)
    with transaction.atomic():
        lock_tournament(tournament)
        known = _known(tournament, key, asked)
        if known is not None:
            return known
        answer = act()
        if answer.is_kept:
            keep(tournament, key, asked, {"status": answer.status, "body": answer.body})
    return answer


def keep(tournament: Tournament, key: str, request: str, answer: dict[str, Any]) -> Receipt:
    """Write the next receipt. Whoever calls this has the tournament's turn: `turns`."""
    last = tournament.receipts.order_by("number").last()
    receipt = Receipt(tournament=tournament, key=key, request=request, answer=answer)
    receipt.number = last.number + 1 if last else 1
    receipt.digest = digest_of(receipt, last.digest if last else FIRST)
    receipt.save(force_insert=True)
    audit.end(tournament, last_receipt=receipt.digest)
    return receipt


def digest_of(receipt: Receipt, previous: str) -> str:
    """Return the digest of everything a receipt says, and of the digest before it."""
    said = [
        receipt.tournament.slug,
        receipt.number,
        receipt.key,
        receipt.request,
        receipt.answer,
        receipt.at.astimezone(UTC).isoformat(timespec="microseconds"),
        previous,
    ]
    return hashlib.sha256(canonical(said)).hexdigest()


def has_come(tournament: Tournament, key: str) -> bool:
    """Return whether something was stored under this key."""
    return Receipt.objects.filter(tournament=tournament, key=key).exists()


def answered(
    tournament: Tournament, key: str, request_body: bytes | Mapping[str, Any]
) -> Answer | None:
    """Return what the same request was answered when it came before, None where it never has.

    Raises `KeyReused` when it was another request that came under this key.
    """
    return _known(tournament, key, _digest(request_body))


def _known(tournament: Tournament, key: str, asked: str) -> Answer | None:
    receipt = Receipt.objects.filter(tournament=tournament, key=key).first()
    if receipt is None:
        return None
    if receipt.request != asked:
        raise KeyReused
    return Answer(receipt.answer["status"], receipt.answer["body"])


def _digest(request_body: bytes | Mapping[str, Any]) -> str:
    said = request_body if isinstance(request_body, bytes) else canonical(request_body)
    return hashlib.sha256(said).hexdigest()
