"""A table over HTTP: as it stands, and its rounds put down, gone on with and put right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Field, Header, Router, Schema
from pydantic import ConfigDict, StrictInt

import scoring
from tournaments import access, closing, phones, receipts, recording
from tournaments.api import answers, asking, documents
from tournaments.api.refusals import Invalid, Refused, problems_as_json, refusal, reply
from tournaments.audit import Actor
from tournaments.models import Acceptance, Round, Sitting, TableSession
from tournaments.receipts import Answer
from tournaments.sheets import Sheet, sheet_of

router = Router(tags=["tables"])

HIGHEST = 10**9
Version = Annotated[StrictInt, Field(ge=0, le=HIGHEST)]
Reason = Annotated[str, Field(max_length=500)]
Key = Annotated[str | None, Header(alias="Idempotency-Key")]
IfMatch = Annotated[str | None, Header(alias="If-Match")]


class Strict(Schema):
    """What a request says, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class RoundIn(Strict):
    """A round's facts, as records hold them, and the version its writer saw (0: none yet)."""

    facts: dict[str, Any]
    seen: Version | None = None
    reason: Reason = ""


class DealIn(Strict):
    """One deal's facts. With the first come those of its round: dealer, kankei, trump."""

    deal: dict[str, Any]
    round: dict[str, Any] | None = None
    seen: Version | None = None
    reason: Reason = ""


PUT = {
    frozenset({200, 201}): answers.RoundOut,
    409: answers.ConflictOut,
    428: answers.RefusalOut,
}


class Writing(Schema):
    """One request to put down a round: where, which facts, seen, why, under which key.

    `for_table`: whether somebody else brings what the table itself says.
    """

    number: int
    seen: int
    reason: str
    key: str
    for_table: bool = False


@router.get("/sittings/{int:sitting}", url_name="api-sitting", response=answers.SittingOut)
def sitting(request: HttpRequest, sitting: int) -> HttpResponse:
    """Tell everything about a table: seats, rounds in force, points, what comes next."""
    return reply(documents.sitting_as_json(request, asking.sheet_of(request)))


@router.get("/sittings/{int:sitting}/rounds", url_name="api-rounds", response=answers.RoundsOut)
def rounds(request: HttpRequest, sitting: int) -> HttpResponse:
    """List the rounds in force of a table: facts, version, points and the lines they come from."""
    return reply({"rounds": documents.rounds_as_json(asking.sheet_of(request))})


@router.get(
    "/sittings/{int:sitting}/rounds/{int:number}", url_name="api-round", response=answers.RoundOut
)
def one_round(request: HttpRequest, sitting: int, number: int) -> HttpResponse:
    """Tell one round as it is in force; its version is the ETag, for If-Match."""
    found = documents.rounds_as_json(asking.sheet_of(request))
    if not 1 <= number <= len(found):
        raise Refused(404, "not_found")
    document = found[number - 1]
    return reply(document, headers={"ETag": f'"{document["version"]}"'})


@router.put("/sittings/{int:sitting}/rounds/{int:number}", url_name="api-round", response=PUT)
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
    found = asking.sitting_of(request)
    writing = _writing(number, payload.seen, payload.reason, key, if_match)

    def facts(_stored: Round | None) -> dict[str, Any]:
        return payload.facts

    return _put(request, found, writing, payload.dict(), facts)


@router.put(
    "/sittings/{int:sitting}/rounds/{int:number}/deals/{int:deal}",
    url_name="api-deal",
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
    found = asking.sitting_of(request)
    if found.session.tournament.rules.game.kind != "kankei":
        raise Refused(422, "no_deals")
    writing = _writing(number, payload.seen, payload.reason, key, if_match)

    def facts(stored: Round | None) -> dict[str, Any]:
        return with_deal(stored.facts if stored else {}, deal, payload.deal, payload.round)

    return _put(request, found, writing, {**payload.dict(), "number": deal}, facts)


def with_deal(
    facts: Mapping[str, Any], number: int, deal: Mapping[str, Any], more: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a round's facts with this deal in its place, or after the last.

    >>> with_deal({"deals": [1]}, 2, {"kankei": 9}, None)
    {'deals': [1, {'kankei': 9}]}
    """
    deals = list(facts.get("deals", []))
    if not 1 <= number <= len(deals) + 1:
        raise Refused(422, "not_next", at=f"deals[{number - 1}]")
    deals[number - 1 : number] = [dict(deal)]
    return {**facts, **(more or {}), "deals": deals}


def _writing(
    number: int, seen: int | None, reason: str, key: str | None, if_match: str | None
) -> Writing:
    """Return what is to be written, or refuse what does not say under which key, or what it saw."""
    if not key or len(key) > receipts.LONGEST_KEY:
        raise Refused(428, "key_missing", at="Idempotency-Key")
    if seen is None and if_match is not None:
        version = if_match.strip().removeprefix("W/").strip('"')
        seen = int(version) if version.isascii() and version.isdigit() else None
    if seen is None or seen > HIGHEST:
        raise Refused(428, "seen_missing", at="seen")
    return Writing(number=number, seen=seen, reason=reason.strip(), key=key)


def _put(
    request: HttpRequest,
    sitting: Sitting,
    writing: Writing,
    body: dict[str, Any],
    facts: Callable[[Round | None], dict[str, Any]],
) -> HttpResponse:
    """Store facts once, however often they are sent, and answer what stands."""
    answer = put(request, sitting, writing, body, facts, to=request.path)
    headers = {}
    if "version" in answer.body:
        headers["ETag"] = f'"{answer.body["version"]}"'
    return reply(answer.body, answer.status, headers, in_order=True)


def put(
    request: HttpRequest,
    sitting: Sitting,
    writing: Writing,
    body: dict[str, Any],
    facts: Callable[[Round | None], dict[str, Any]],
    *,
    to: str,
) -> Answer:
    """Store facts once, however often this body is sent to this address, whoever brings it."""
    # Named by numbers that people see: it stays the same request when the event has moved.
    place = f"{sitting.session.number}/{sitting.number}/{to.partition('/rounds/')[2]}"
    asked = {"to": place, "seen": writing.seen, "body": body}

    def act() -> Answer:
        return _record(request, sitting, writing, facts)

    try:
        return receipts.once(sitting.session.tournament, writing.key, asked, act)
    except receipts.KeyReused:
        raise Refused(409, "key_reused", at="Idempotency-Key") from None


def _record(
    request: HttpRequest,
    sitting: Sitting,
    writing: Writing,
    facts: Callable[[Round | None], dict[str, Any]],
) -> Answer:
    """Record facts within the transaction of their receipt."""
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    sheet, number = sheet_of(locked), writing.number
    stored = sheet.rows[number - 1] if 1 <= number <= len(sheet.rows) else None
    phone = access.writing_phone(request, sitting)
    wanted = facts(stored)
    if stored is not None and _is_stored(stored, writing, wanted):
        return Answer(200, _round(sheet, number))
    if phone is not None:
        _check_phone(request, sheet, writing, phone)
    by = access.actor(request, sitting)
    try:
        with transaction.atomic():
            row = recording.record_round(
                sitting, number, wanted, seen=writing.seen, by=by, reason=writing.reason
            )
    except recording.StaleRound as stale:
        return _conflict(sitting, writing, wanted, stale.stored, by, phone)
    except recording.NotNext:
        raise Refused(422, "not_next", at=f"rounds[{number - 1}]") from None
    except recording.NeedsDesk:
        raise Refused(403, "needs_desk") from None
    except recording.ReasonNeeded:
        raise Refused(422, "reason_missing", at="reason") from None
    except scoring.InvalidRecord as invalid:
        raise Invalid(problems_as_json(invalid.problems, sheet.names)) from None
    return Answer(201 if row.version == 1 else 200, _round(sheet_of(sitting), number))


def _is_stored(stored: Round, writing: Writing, wanted: dict[str, Any]) -> bool:
    """Return whether these very facts are in force, or were stored as what follows the one seen."""
    if stored.facts == wanted:
        return stored.version != writing.seen or not writing.reason
    row = Round.objects.filter(
        sitting=stored.sitting_id, number=stored.number, version=writing.seen + 1
    ).first()
    return row is not None and row.facts == wanted


def _check_phone(request: HttpRequest, sheet: Sheet, writing: Writing, phone: TableSession) -> None:
    """Refuse a phone that another has taken over from, and corrections that are the desk's."""
    closing.check_table_may_write(sheet.sitting.session.tournament, phones.actor(phone))
    try:
        phones.check_writer(phone)
    except phones.PhoneEnded:
        raise Refused(401, "phone_ended") from None
    except phones.NotTheWriter:
        raise Refused(403, "taken_over") from None
    if not 1 <= writing.number <= len(sheet.rows):
        return
    row = sheet.rows[writing.number - 1]
    counts = row.version == writing.seen and sheet.score.rounds[writing.number - 1].complete
    if counts and not access.may_correct_round(request, sheet.sitting, row):
        raise Refused(403, "needs_desk" if recording.is_accepted(row) else "not_yours")


def _conflict(
    sitting: Sitting,
    writing: Writing,
    wanted: dict[str, Any],
    stored: Round | None,
    by: Actor,
    phone: TableSession | None,
) -> Answer:
    """Answer both versions. What a phone of the table says otherwise is kept for the desk."""
    is_the_tables = phone is not None or writing.for_table
    is_kept = is_the_tables and stored is not None and writing.seen < stored.version
    if is_kept and stored is not None:
        phones.dispute(sitting, writing.number, wanted, stored, by=by, phone=phone)
    document = refusal(
        "stale",
        at="seen",
        stored=_round(sheet_of(sitting), writing.number) if stored else None,
        yours={"number": writing.number, "seen": writing.seen, "facts": wanted},
    )
    return Answer(409, document, is_kept=is_kept)


def _round(sheet: Sheet, number: int) -> dict[str, Any]:
    played = sheet.rounds[number - 1]
    accepted = Acceptance.objects.filter(round=played.row).exists()
    return documents.round_as_json(played, is_accepted=accepted)
