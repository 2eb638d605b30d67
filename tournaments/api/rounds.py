"""A table over HTTP: as it stands, and its rounds put down, gone on with and put right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Header, Router
from pydantic import StrictBool

import scoring
from tournaments.api import asking, documents
from tournaments.api.answers.refusals import ConflictOut, RefusalOut
from tournaments.api.answers.rounds import RoundOut, RoundsOut
from tournaments.api.answers.tables import SittingOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict, Version
from tournaments.api.refusals import Refused, invalid_record, refusal
from tournaments.exceptions import OperationRefused
from tournaments.models import Round, Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.round_validation import Finished, NotNext, OnlyTotals
from tournaments.queries.sheets import sheet_of
from tournaments.services import idempotency, json_texts, phones, submissions
from tournaments.services.rounds import NeedsDesk, ReasonNeeded
from tournaments.services.submissions import Submission
from tournaments.web.json_responses import naming_key, reply
from tournaments.web.numbers import number_named

router = Router(tags=["tables"])

Reason = Annotated[str, Field(max_length=500)]
Key = Annotated[str | None, Header(alias="Idempotency-Key")]
IfMatch = Annotated[str | None, Header(alias="If-Match")]


SetAside = Annotated[
    StrictBool,
    Field(
        description="Whether rounds recorded after the one in which these facts end the game are"
        " set aside in the same act: they stay on record and count no more. Else 422 `game_over`."
    ),
]


# What is not even an object is told what is wrong with it as any record is.
Facts = Annotated[Any, Field(json_schema_extra={"type": "object"})]


class RoundIn(Strict):
    """A round's facts, as records hold them, and the version its writer saw (0: none yet)."""

    facts: Facts
    seen: Version | None = None
    reason: Reason = ""
    set_aside: SetAside = False


class DealIn(Strict):
    """One deal's facts. With the first come those of its round: dealer, kankei, trump."""

    deal: Facts
    round: dict[str, Any] | None = None
    seen: Version | None = None
    reason: Reason = ""


# What a write is refused for, and how that is told: the status, and where in the request.
REFUSED: dict[type[OperationRefused], tuple[int, str]] = {
    Finished: (422, "rounds[{}]"),
    OnlyTotals: (422, "rounds[{}]"),
    NotNext: (422, "rounds[{}]"),
    idempotency.KeyReused: (409, "Idempotency-Key"),
    phones.PhoneEnded: (401, ""),
    phones.NotTheWriter: (403, ""),
    NeedsDesk: (403, ""),
    submissions.OnlyDeskCorrects: (403, ""),
    ReasonNeeded: (422, "reason"),
}
PUT = {
    frozenset({200, 201}): RoundOut,
    409: ConflictOut,
    428: RefusalOut,
}


@router.get(
    "/sittings/{int:sitting}", url_name="api-sitting", auth=Requires(Level.SEE), response=SittingOut
)
def sitting(request: HttpRequest, sitting: int) -> HttpResponse:
    """Tell everything about a table: seats, rounds in force, points, what comes next."""
    return reply(documents.sitting_as_json(request, asking.sheet_of(request)))


@router.get(
    "/sittings/{int:sitting}/rounds",
    url_name="api-rounds",
    auth=Requires(Level.SEE),
    response=RoundsOut,
)
def rounds(request: HttpRequest, sitting: int) -> HttpResponse:
    """List the rounds in force of a table: facts, version, points and the lines they come from."""
    return reply({"rounds": documents.rounds_as_json(asking.sheet_of(request))})


@router.get(
    "/sittings/{int:sitting}/rounds/{int:number}",
    url_name="api-round",
    auth=Requires(Level.SEE),
    response=RoundOut,
)
def one_round(request: HttpRequest, sitting: int, number: int) -> HttpResponse:
    """Tell one round as it is in force; its version is the ETag, for If-Match."""
    found = documents.rounds_as_json(asking.sheet_of(request))
    if not 1 <= number <= len(found):
        raise Refused(404, "not_found")
    document = found[number - 1]
    return reply(document, headers={"ETag": f'"{document["version"]}"'})


@router.put(
    "/sittings/{int:sitting}/rounds/{int:number}",
    url_name="api-round",
    auth=Requires(Level.RECORD),
    response=PUT,
)
def put_round(
    request: HttpRequest,
    sitting: int,
    number: int,
    payload: RoundIn,
    key: Key = None,
    if_match: IfMatch = None,
) -> HttpResponse:
    """Put down a round, go on with it, or put it right.

    2xx means that it is stored and stays so. Facts that are stored already are answered as stored,
    whatever version was seen.
    """
    found = door.sitting_of(request)
    _check_counts_from_1(number)
    writing = _writing(number, payload.seen, payload.reason, key, if_match)
    writing = writing._replace(set_aside=payload.set_aside)

    def facts(_stored: Round | None) -> Any:
        return payload.facts

    # What does not ask for it is the same request that it was before anybody could.
    body = payload.dict(exclude=None if payload.set_aside else {"set_aside"})
    return _put(request, found, writing, body, facts)


@router.put(
    "/sittings/{int:sitting}/rounds/{int:number}/deals/{int:deal}",
    url_name="api-deal",
    auth=Requires(Level.RECORD),
    response=PUT,
)
def put_deal(
    request: HttpRequest,
    sitting: int,
    number: int,
    deal: int,
    payload: DealIn,
    key: Key = None,
    if_match: IfMatch = None,
) -> HttpResponse:
    """Put down one deal of a round, or put it right; the round's other deals stay as they are."""
    found = door.sitting_of(request)
    _check_counts_from_1(number, deal)
    if found.session.tournament.rules.game.kind != "kankei":
        raise Refused(422, "no_deals")
    writing = _writing(number, payload.seen, payload.reason, key, if_match)

    def facts(stored: Round | None) -> dict[str, Any]:
        return with_deal(stored.facts if stored else {}, deal, payload.deal, payload.round)

    return _put(request, found, writing, {**payload.dict(), "number": deal}, facts)


def with_deal(
    facts: Mapping[str, Any], number: int, deal: Any, more: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a round's facts with this deal in its place, or after the last.

    >>> with_deal({"deals": [1]}, 2, {"kankei": 9}, None)
    {'deals': [1, {'kankei': 9}]}
    """
    deals = list(facts.get("deals", []))
    if number > len(deals) + 1:
        raise Refused(422, "not_next", at=f"deals[{number - 1}]")
    deals[number - 1 : number] = [deal]
    return {**facts, **(more or {}), "deals": deals}


def _check_counts_from_1(*numbers: int) -> None:
    if 0 in numbers:
        raise Refused(404, "not_found")


def _writing(
    number: int, seen: int | None, reason: str, key: str | None, if_match: str | None
) -> Submission:
    """Return what is to be written.

    Refuses what does not say under which key, or what it saw, or says two things of that.
    """
    if not key or len(key) > idempotency.LONGEST_KEY:
        raise Refused(428, "key_missing", at="Idempotency-Key")
    if if_match is not None:
        matched = number_named(if_match.strip().removeprefix("W/").strip('"'))
        if seen not in {None, matched}:
            raise Refused(422, "seen_twice", at="If-Match")
        seen = matched
    if seen is None:
        raise Refused(428, "seen_missing", at="seen")
    if not json_texts.is_storable(reason):
        raise Refused(422, "not_kept", at="reason")
    return Submission(number=number, seen=seen, reason=reason.strip(), key=key)


def _put(
    request: HttpRequest,
    sitting: Sitting,
    writing: Submission,
    body: dict[str, Any],
    facts: submissions.Facts,
) -> HttpResponse:
    """Store facts once, however often they are sent, and answer what stands."""
    try:
        answer = _once(request, sitting, writing, body, facts)
    except tuple(REFUSED) as refused:
        status, at = REFUSED[type(refused)]
        raise Refused(status, refused.code, at=at.format(writing.number - 1)) from None
    except scoring.InvalidRecord as invalid:
        names = sheet_of(sitting).names
        raise invalid_record(invalid, names) from None
    document = answer.body
    if answer.status == 409:
        decided = "settled" if "settled_at" in document else "stale"
        document = {**refusal(decided, at="seen"), **document}
    headers = {"ETag": f'"{document["version"]}"'} if "version" in document else {}
    return reply(document, answer.status, headers | naming_key(request), in_order=True)


def _once(
    request: HttpRequest,
    sitting: Sitting,
    writing: Submission,
    body: dict[str, Any],
    facts: submissions.Facts,
) -> idempotency.Answer:
    """Store facts once, or answer a phone that is the table's no longer as it was before that."""
    ended = asking.comes_again(request)
    if ended is None:
        writer = rights.writer_at(request, sitting)
        return submissions.submit_round(writer, sitting, writing, body, facts, to=request.path)
    answer = submissions.stored_answer(sitting, writing, body, to=request.path)
    if answer is None:
        raise Refused(401, ended)
    return answer
