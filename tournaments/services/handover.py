"""Handover (本部に渡す): rounds that a phone could not send, brought to the desk as a code or text.

The text contains the phone's own request with its idempotency key. If the phone sends the request
after all, `services.idempotency` stores the round once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import Resolver404, resolve

from scoring.record import MOST_AT_A_TABLE
from tournaments.models import Sitting
from tournaments.models.field_types import LONGEST_REASON
from tournaments.services import json_texts
from tournaments.services.idempotency import LONGEST_KEY
from tournaments.web.numbers import MAX_NUMBER

CODE = re.compile(r"(?:#|^)([A-Za-z0-9_-]{40,})\s*$")


class NotReadable(Exception):
    """The text contains no round, or one that is incomplete or invalid."""


class HandedRound(NamedTuple):
    """The request with which a phone would have sent one round."""

    event_digest: str
    sitting_pk: int
    number: int  # of the round
    key: str  # the idempotency key
    seen_version: int
    facts: dict[str, Any]
    reason: str
    players: tuple[str, ...] = ()  # whom the phone knew at the table; none from an older phone

    @property
    def body(self) -> dict[str, Any]:
        players = {"players": list(self.players)} if self.players else {}
        return {"facts": self.facts, "seen": self.seen_version, "reason": self.reason, **players}


def event_key(sitting: Sitting) -> str:
    """Return what identifies an event: a new database may use the same slug and primary keys."""
    tournament = sitting.session.tournament
    return f"{tournament.slug} {tournament.created_at.isoformat()}"


def event_digest(sitting: Sitting) -> str:
    """Return 8 hexadecimal digits of the event's key, by which the desk recognises its events."""
    return hashlib.sha256(event_key(sitting).encode()).hexdigest()[:8]


def read_handover(text: str) -> list[HandedRound]:
    """Return all rounds in a text, in order, without duplicates.

    A round is a line of JSON, a base64 code, or an address that ends with a code. Other lines are
    ignored. Raises `NotReadable` if the text has no round or an incomplete one.
    """
    rounds = [_read_round(document) for document in _documents(text)]
    if not rounds:
        raise NotReadable
    by_key: dict[str, HandedRound] = {}  # a text may contain a round both as code and as JSON
    for each in rounds:
        by_key.setdefault(each.key, each)
    return list(by_key.values())


def _documents(text: str) -> Iterator[bytes]:
    """Yield the JSON documents in a text, not parsed. Raises `NotReadable` for broken base64."""
    for line in text.splitlines():
        code = CODE.search(line.strip())
        if line.strip().startswith("{"):
            yield line.strip().encode(errors="replace")
        elif code:
            yield _decode_base64(code.group(1))


def _decode_base64(code: str) -> bytes:
    """Decode URL-safe base64 without padding. Raises `NotReadable`."""
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    except binascii.Error:
        raise NotReadable from None


def _read_round(document: bytes) -> HandedRound:
    """Parse the JSON of one round. Its facts are not validated. Raises `NotReadable`."""
    try:
        fields = json_texts.parse(document)
    except ValueError:
        raise NotReadable from None
    if not isinstance(fields, dict) or not _has_all_fields(fields):
        raise NotReadable
    sitting_pk, number = _read_address(fields["to"])
    return HandedRound(
        event_digest=fields["of"],
        sitting_pk=sitting_pk,
        number=number,
        key=fields["key"],
        seen_version=fields["seen"],
        facts=fields["facts"],
        reason=fields["reason"],
        players=tuple(fields.get("players", ())),
    )


def _read_address(address: str) -> tuple[int, int]:
    """Return the sitting's primary key and the round number in the address of a PUT request.

    Raises `NotReadable` for other addresses and for numbers too large for the database.
    """
    try:
        match = resolve(address)
    except Resolver404:
        raise NotReadable from None
    # A number that is missing is refused like one that is too large.
    numbers = match.kwargs.get("sitting", MAX_NUMBER), match.kwargs.get("number", MAX_NUMBER)
    if match.url_name != "api-round" or max(numbers) >= MAX_NUMBER:
        raise NotReadable
    return numbers


def _has_all_fields(fields: dict[str, Any]) -> bool:
    """Return whether all fields of a handed round are present, of the right type and length.

    `of` is the event's digest, `to` the address to which the phone would send the request, `seen`
    the version that the phone was shown.
    """
    texts = all(isinstance(fields.get(name), str) for name in ("of", "to", "key", "reason"))
    return (
        texts
        and 0 < len(fields["key"]) <= LONGEST_KEY
        and len(fields["reason"]) <= LONGEST_REASON
        and type(fields.get("seen")) is int
        and 0 <= fields["seen"] <= MAX_NUMBER
        and isinstance(fields.get("facts"), dict)
        and _is_list_of_players(fields.get("players", []))
    )


def _is_list_of_players(players: Any) -> bool:
    return (
        isinstance(players, list)
        and len(players) <= MOST_AT_A_TABLE
        and all(isinstance(player, str) for player in players)
    )
