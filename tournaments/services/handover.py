"""Rounds that a phone could not send, brought to the desk as a code or as text.

What is brought is the phone's own request: its facts, the version it saw, its key. Should the phone
find the network after all, the same request comes twice, and `receipts` does it once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import Resolver404, resolve

from tournaments.models import Sitting
from tournaments.services import json_texts
from tournaments.services.idempotency import LONGEST_KEY
from tournaments.web.numbers import HIGHEST

CODE = re.compile(r"(?:#|^)([A-Za-z0-9_-]{40,})\s*$")
LONGEST_REASON = 500


class NotReadable(Exception):
    """Raised for text in which there is no round, or one that is cut off or changed."""


class HandedRound(NamedTuple):
    """A round as a phone would have sent it. `mark` tells of which event; see `mark_of`."""

    mark: str
    sitting: int
    number: int
    key: str
    seen: int
    facts: dict[str, Any]
    reason: str

    @property
    def body(self) -> dict[str, Any]:
        """Return the body of the phone's own request."""
        return {"facts": self.facts, "seen": self.seen, "reason": self.reason}


def event_of(sitting: Sitting) -> str:
    """Return how phones name an event: a data set started anew counts its tables from 1 again."""
    tournament = sitting.session.tournament
    return f"{tournament.slug} {tournament.created_at.isoformat()}"


def mark_of(sitting: Sitting) -> str:
    """Return what tells a table from that of the same number in a data set started anew."""
    return hashlib.sha256(event_of(sitting).encode()).hexdigest()[:8]


def read(text: str) -> list[HandedRound]:
    """Return every round in a text, in its order: lines of JSON, codes, addresses with one.

    What stands between them is for people. Raises `NotReadable` where there is none, or one of
    them is not whole.
    """
    found = [_round(document) for document in _documents(text)]
    if not found:
        raise NotReadable
    return list(_each_once(found))


def _each_once(rounds: list[HandedRound]) -> Iterator[HandedRound]:
    """Return the rounds, each once: a text may hold a round as a code and as a line."""
    known = set()
    for each in rounds:
        if each.key not in known:
            known.add(each.key)
            yield each


def _documents(text: str) -> Iterator[bytes]:
    for line in text.splitlines():
        code = CODE.search(line.strip())
        if line.strip().startswith("{"):
            yield line.strip().encode(errors="replace")
        elif code:
            yield _decoded(code.group(1))


def _decoded(code: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except binascii.Error:
        raise NotReadable from None


def _round(document: bytes) -> HandedRound:
    try:
        told = json_texts.read(document)
    except ValueError:
        raise NotReadable from None
    if not isinstance(told, dict) or not _is_whole(told):
        raise NotReadable
    sitting, number = _place(told["to"])
    return HandedRound(
        told["of"], sitting, number, told["key"], told["seen"], told["facts"], told["reason"]
    )


def _place(address: str) -> tuple[int, int]:
    """Return the table and the round at whose address the phone would have put it."""
    try:
        match = resolve(address)
    except Resolver404:
        raise NotReadable from None
    place = match.kwargs.get("sitting", HIGHEST), match.kwargs.get("number", HIGHEST)
    if match.url_name != "api-round" or max(place) >= HIGHEST:
        raise NotReadable
    return place


def _is_whole(told: dict[str, Any]) -> bool:
    texts = all(isinstance(told.get(name), str) for name in ("of", "to", "key", "reason"))
    return (
        texts
        and 0 < len(told["key"]) <= LONGEST_KEY
        and len(told["reason"]) <= LONGEST_REASON
        and type(told.get("seen")) is int
        and 0 <= told["seen"] <= HIGHEST
        and isinstance(told.get("facts"), dict)
    )
