"""A phone at a table: it joins, becomes the writer, accepts a round, and calls the desk."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import Http404, HttpRequest
from ninja import Field

from tournaments.api.authentication import ApiRequest, Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import RequestBody, Version, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.rounds import AcceptedOut
from tournaments.api.schemas.tables import (
    CallOut,
    JoinedOut,
    TakenBackOut,
    YouOut,
    call_as_json,
    you_as_json,
)
from tournaments.models import Call
from tournaments.models.field_types import AS_TEXT
from tournaments.permissions import door, guessers, rights
from tournaments.permissions.levels import Level
from tournaments.services import acceptances, calls, phones, table_codes
from tournaments.web.json_responses import idempotency_header

router = Router(tags=["phones"])


class ByLink(RequestBody):
    """The token of a table's link."""

    token: Annotated[str, Field(max_length=40)]


class ByPin(RequestBody):
    """A table and the PIN printed on its card."""

    tournament: Annotated[str, Field(max_length=40)]
    session: int | None = None
    table: int
    pin: Annotated[str, Field(max_length=40)]


class ByCode(RequestBody):
    """The code of a club table, in capitals or small letters, with or without spaces."""

    code: Annotated[str, Field(max_length=40)]


class AcceptIn(RequestBody):
    """The version of the round that was seen."""

    version: Version


class CallIn(RequestBody):
    """What the desk is called for, and a message."""

    kind: Annotated[Call.Kind, AS_TEXT] = Call.Kind.DIRECTOR
    words: Annotated[str, Field(max_length=300)] = ""


@router.post(
    "/join",
    url_name="api-join",
    auth=Requires(Level.ANYBODY),
    openapi_extra=example({"tournament": "7q2m-x4kd", "session": 1, "table": 1, "pin": "123456"}),
)
def join(request: HttpRequest, payload: ByLink | ByPin | ByCode) -> Created[JoinedOut]:
    """Exchange a table's link, its PIN, or a club table's code for a bearer token of this phone.

    An unknown tournament or table gets the same answer as a wrong PIN.
    """
    try:
        if isinstance(payload, ByLink):
            joined = phones.join(payload.token)
        elif isinstance(payload, ByCode):
            joined = table_codes.join(payload.code, guesser=guessers.guesser_of(request))
        else:
            joined = phones.join_by_number(
                slug=payload.tournament,
                session_number=payload.session,
                table_number=payload.table,
                pin=payload.pin,
                guesser=guessers.guesser_of(request),
            )
    except phones.NoSuchLink:
        raise Refused("not_found") from None
    phone = joined.phone
    return Created(
        {"token": joined.secret, "sitting": phone.sitting_id, "is_writer": phone.is_writer}
    )


@router.post(
    "/sittings/{int:sitting}/take-over",
    url_name="api-take-over",
    auth=Requires(Level.PHONE),
)
def take_over(request: HttpRequest, sitting: int) -> Ok[YouOut]:
    """Become the table's writer. The previous writer's next write is refused as `taken_over`.

    404 unless the client is a phone at this table.
    """
    found_sitting = door.sitting_of(request)
    phone = rights.phone_at(request, found_sitting)
    if phone is None:
        raise Http404
    with transaction.atomic():  # includes reading the answer, so that a 503 stores nothing
        try:
            phones.take_over(phone)
        except phones.NoSuchLink:  # the link was just revoked
            raise Http404 from None
        phone.refresh_from_db(fields=["is_writer"])
        document = you_as_json(request, found_sitting)
    return Ok(document)


@router.post(
    "/sittings/{int:sitting}/rounds/{int:number}/accept",
    url_name="api-accept",
    auth=Requires(Level.RECORD),
    openapi_extra=example({"version": 1}),
)
def accept(request: ApiRequest, sitting: int, number: int, payload: AcceptIn) -> Ok[AcceptedOut]:
    """Accept this version of a round. After that only the desk can correct it."""
    found_sitting = door.sitting_of(request)
    by, phone = request.found_writer.actor, request.found_writer.phone
    acceptances.accept_round(found_sitting, number, payload.version, by=by, phone=phone)
    return Ok(
        {"number": number, "version": payload.version, "accepted": True},
        idempotency_header(request),
    )


@router.post(
    "/sittings/{int:sitting}/calls",
    url_name="api-call",
    auth=Requires(Level.RECORD),
    openapi_extra=example({"kind": "director", "words": "札が足りない"}),
)
def call(request: ApiRequest, sitting: int, payload: CallIn) -> Created[CallOut]:
    """Call the desk to the table, or to correct a round.

    Idempotent while an equal call is open. 409 (`calls_waiting`) with too many open calls.
    """
    found_sitting = door.sitting_of(request)
    by, phone = request.found_writer.actor, request.found_writer.phone
    stored_call = calls.call_desk(
        found_sitting, payload.kind, payload.words.strip(), by=by, phone=phone
    )
    return Created(call_as_json(stored_call), idempotency_header(request))


@router.delete(
    "/sittings/{int:sitting}/calls/{int:call}",
    url_name="api-one-call",
    auth=Requires(Level.RECORD),
)
def take_call_back(request: ApiRequest, sitting: int, call: int) -> Ok[TakenBackOut]:
    """Take back a call. A call that the desk has already answered stays answered."""
    found_sitting = door.sitting_of(request)
    by, phone = request.found_writer.actor, request.found_writer.phone
    try:
        calls.take_back_call(found_sitting, call, by=by, phone=phone)
    except calls.NoSuchCall:
        raise Http404 from None
    return Ok({"id": call, "open": False}, idempotency_header(request))
