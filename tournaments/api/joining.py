"""A phone at a table over HTTP: joining, taking over, accepting, calling; and the desk's side."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import Field, Router

from tournaments.api import documents
from tournaments.api.answers.refusals import ConflictOut, RefusalOut, ThrottledOut
from tournaments.api.answers.rounds import AcceptedOut
from tournaments.api.answers.seating import LinkOut, PinOut
from tournaments.api.answers.tables import CallOut, JoinedOut, TakenBackOut, YouOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict, Version
from tournaments.api.refusals import Refused
from tournaments.models import Call, Sitting
from tournaments.permissions import door, guessers, rights
from tournaments.permissions.levels import Level
from tournaments.services import acceptances, calls, guesses, phones, table_codes, table_links
from tournaments.web import origins
from tournaments.web.json_responses import naming_key, reply

router = Router(tags=["phones"])


class ByLink(Strict):
    """The token of a table's link."""

    token: Annotated[str, Field(max_length=40)]


class ByPin(Strict):
    """A table and the PIN printed on its card."""

    tournament: Annotated[str, Field(max_length=40)]
    session: int | None = None
    table: int
    pin: Annotated[str, Field(max_length=40)]


class ByCode(Strict):
    """The code of a club table, in capitals or small letters, with or without spaces."""

    code: Annotated[str, Field(max_length=40)]


class AcceptIn(Strict):
    """The version of the round that was looked at."""

    version: Version


class CallIn(Strict):
    """What for, and in words what it is about."""

    kind: Call.Kind = Call.Kind.DIRECTOR
    words: Annotated[str, Field(max_length=300)] = ""


@router.post(
    "/join",
    url_name="api-join",
    auth=Requires(Level.ANYBODY),
    response={201: JoinedOut, 404: RefusalOut, 429: ThrottledOut},
)
def join(request: HttpRequest, payload: ByLink | ByPin | ByCode) -> HttpResponse:
    """Exchange a table's link, its PIN, or a club table's code for a bearer token of this phone.

    A table that is not there is answered as a wrong PIN is.
    """
    try:
        if isinstance(payload, ByLink):
            joined = phones.join(payload.token)
        elif isinstance(payload, ByCode):
            joined = table_codes.join(payload.code, guesser=guessers.guesser_of(request))
        else:
            joined = phones.join_by_number(
                payload.tournament,
                payload.session,
                payload.table,
                payload.pin,
                guesser=guessers.guesser_of(request),
            )
    except phones.NoSuchLink:
        raise Refused(404, "not_found") from None
    except phones.WrongPin as wrong:
        raise Refused(403, wrong.code, at="pin") from None
    except (table_codes.WrongCode, table_codes.CodeEnded) as refused:
        raise Refused(403, refused.code, at="code") from None
    except guesses.TooManyGuesses as throttled:
        raise too_many(throttled) from None
    phone = joined.phone
    document = {"token": joined.secret, "sitting": phone.sitting_id, "is_writer": phone.is_writer}
    return reply(document, 201)


def too_many(throttled: guesses.TooManyGuesses) -> Refused:
    """Return the refusal that says how long to wait."""
    wait = throttled.seconds
    return Refused(429, throttled.code, headers={"Retry-After": str(wait)}, seconds=wait)


@router.post(
    "/sittings/{int:sitting}/take-over",
    url_name="api-take-over",
    auth=Requires(Level.PHONE),
    response=YouOut,
)
def take_over(request: HttpRequest, sitting: int) -> HttpResponse:
    """Become the table's writer. The phone that was is told when it next writes."""
    found = door.sitting_of(request)
    phone = rights.phone_at(request, found)
    if phone is None:
        raise Http404
    with transaction.atomic():  # what is read for the answer too: 503 stores nothing
        try:
            phones.take_over(phone)
        except phones.NoSuchLink:  # closed a moment ago
            raise Http404 from None
        phone.refresh_from_db(fields=["is_writer"])
        document = documents.you_as_json(request, found)
    return reply(document)


@router.post(
    "/sittings/{int:sitting}/rounds/{int:number}/accept",
    url_name="api-accept",
    auth=Requires(Level.RECORD),
    response={200: AcceptedOut, 409: ConflictOut},
)
def accept(request: HttpRequest, sitting: int, number: int, payload: AcceptIn) -> HttpResponse:
    """Agree to a round as it stands in this version. After that only the desk changes it."""
    found = door.sitting_of(request)
    by, phone = rights.actor(request, found), rights.writing_phone(request, found)
    try:
        acceptances.accept_round(found, number, payload.version, by=by, phone=phone)
    except acceptances.NothingToAccept as refused:
        raise Refused(409, refused.code, at="version") from None
    except phones.PhoneEnded as ended:
        raise Refused(401, ended.code) from None
    except (acceptances.SecondPhoneNeeded, phones.NotTheWriter) as refused:
        raise Refused(403, refused.code) from None
    document = {"number": number, "version": payload.version, "accepted": True}
    return reply(document, headers=naming_key(request))


@router.post(
    "/sittings/{int:sitting}/calls",
    url_name="api-call",
    auth=Requires(Level.RECORD),
    response={201: CallOut, 409: ConflictOut},
)
def call(request: HttpRequest, sitting: int, payload: CallIn) -> HttpResponse:
    """Ask the desk to come, or to put something right. The same call waits once."""
    found = door.sitting_of(request)
    by, phone = rights.actor(request, found), rights.writing_phone(request, found)
    try:
        made = calls.call_desk(found, payload.kind, payload.words.strip(), by=by, phone=phone)
    except phones.PhoneEnded as ended:
        raise Refused(401, ended.code) from None
    except calls.CallsWaiting as waiting:
        raise Refused(409, waiting.code) from None
    return reply(documents.call_as_json(made), 201, naming_key(request))


@router.delete(
    "/sittings/{int:sitting}/calls/{int:call}",
    url_name="api-one-call",
    auth=Requires(Level.RECORD),
    response=TakenBackOut,
)
def take_call_back(request: HttpRequest, sitting: int, call: int) -> HttpResponse:
    """Take a call back. One that the desk has answered already stays answered."""
    found = door.sitting_of(request)
    by, phone = rights.actor(request, found), rights.writing_phone(request, found)
    try:
        calls.take_back_call(found, call, by=by, phone=phone)
    except calls.NoSuchCall:
        raise Http404 from None
    except phones.PhoneEnded as ended:
        raise Refused(401, ended.code) from None
    return reply({"id": call, "open": False}, headers=naming_key(request))


@router.post(
    "/sittings/{int:sitting}/pin",
    url_name="api-pin",
    auth=Requires(Level.HOST),
    response={201: PinOut, 409: ConflictOut},
)
def make_pin(request: HttpRequest, sitting: int) -> HttpResponse:
    """Make a new PIN for a table. It is told this once; the old one opens nothing."""
    found = door.sitting_of(request)
    return reply({"pin": table_links.make_pin(found, by=rights.actor(request, found))}, 201)


@router.post(
    "/sittings/{int:sitting}/link",
    url_name="api-link",
    auth=Requires(Level.HOST),
    response={201: LinkOut, 409: ConflictOut},
)
def make_link(request: HttpRequest, sitting: int) -> HttpResponse:
    """Make a new link for a table. The old one, and every phone that came by it, is closed."""
    found = door.sitting_of(request)
    with transaction.atomic():
        table_links.make_link(found, by=rights.actor(request, found))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return reply(document, 201)


@router.get(
    "/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST), response=LinkOut
)
def link(request: HttpRequest, sitting: int) -> HttpResponse:
    """Tell the link that opens a table to a phone, for its staff to print or show."""
    return reply(link_as_json(request, door.sitting_of(request)))


@router.delete(
    "/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST), response=LinkOut
)
def revoke_link(request: HttpRequest, sitting: int) -> HttpResponse:
    """Close a table's link, its PIN and all its phones."""
    found = door.sitting_of(request)
    with transaction.atomic():
        table_links.revoke_link(found, by=rights.actor(request, found))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return reply(document)


def link_as_json(request: HttpRequest, sitting: Sitting) -> dict[str, Any]:
    """Return a table's link, which its staff may see, and whether it still opens."""
    link = f"{origins.origin(request)}{reverse('join-table', args=[sitting.token])}"
    return {"token": sitting.token, "link": link, "closed": sitting.closed_at is not None}
