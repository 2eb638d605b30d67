"""A table and its rounds: read a table, and record, continue and correct its rounds."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Field, Header
from pydantic import AfterValidator, StrictBool

import scoring
from scoring.record import MOST_AT_A_TABLE
from tournaments.api import authentication, request_bodies
from tournaments.api.authentication import ApiRequest, Requires
from tournaments.api.refusals import Refused, invalid_record, refusal
from tournaments.api.request_bodies import RequestBody, Version, check_storable, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.rounds import RoundsOut, rounds_as_json
from tournaments.api.schemas.tables import SittingOut, sitting_as_json
from tournaments.permissions.levels import Level
from tournaments.queries.round_documents import RoundOut
from tournaments.queries.round_validation import NotNext
from tournaments.queries.sheets import sheet_of
from tournaments.services import idempotency, submissions
from tournaments.services.rounds import AfterChange
from tournaments.services.submissions import DealNotNext, Submission
from tournaments.web.json_responses import idempotency_header, reply
from tournaments.web.numbers import parse_number

router = Router(tags=["tables"])

Reason = Annotated[request_bodies.Reason, AfterValidator(check_storable)]
Key = Annotated[str | None, Header(alias="Idempotency-Key")]
IfMatch = Annotated[str | None, Header(alias="If-Match")]
SentAgain = Annotated[bool, Header(alias="Makiyaku-Sent-Again")]


SetAside = Annotated[
    StrictBool,
    Field(
        description="Whether to set aside the rounds after the one in which these facts end the"
        " game: they stay on record but no longer count. Without it such facts are refused with"
        " 422 `game_over`."
    ),
]


Players = Annotated[
    list[Annotated[str, Field(max_length=16)]],
    Field(
        max_length=MOST_AT_A_TABLE,
        description="Whom the sender knew at the table, in seat order. If others sit there now, a"
        " new round is not stored but becomes a dispute (409 `after_change`).",
    ),
]


# Any JSON: `scoring` reports what is wrong with it.
Facts = Annotated[Any, Field(json_schema_extra={"type": "object"})]


class RoundIn(RequestBody):
    """A round's facts, written as in a record. `seen` is the version that was read, 0 without."""

    facts: Facts
    seen: Version | None = None
    reason: Reason = ""
    set_aside: SetAside = False
    players: Players = []


class DealIn(RequestBody):
    """The facts of one deal. With the first deal send those of its `round`: dealer, kankei, trump.

    `seen` is the version of the round that was read, 0 for a new round.
    """

    deal: Facts
    round: dict[str, Any] | None = None
    seen: Version | None = None
    reason: Reason = ""


@router.get("/sittings/{int:sitting}", url_name="api-sitting", auth=Requires(Level.SEE))
def sitting(request: HttpRequest, sitting: int) -> Ok[SittingOut]:
    """Return the state of a table: seats, rounds in force, points, and the next deal."""
    return Ok(sitting_as_json(request, authentication.sheet_of(request)))


@router.get(
    "/sittings/{int:sitting}/rounds",
    url_name="api-rounds",
    auth=Requires(Level.SEE),
)
def rounds(request: HttpRequest, sitting: int) -> Ok[RoundsOut]:
    """List the rounds in force of a table: facts, version, points and the lines they come from."""
    return Ok({"rounds": rounds_as_json(authentication.sheet_of(request))})


@router.get(
    "/sittings/{int:sitting}/rounds/{int:number}",
    url_name="api-round",
    auth=Requires(Level.SEE),
)
def read_round(request: HttpRequest, sitting: int, number: int) -> Ok[RoundOut]:
    """Return one round in force. The ETag is its version, for If-Match."""
    documents = rounds_as_json(authentication.sheet_of(request))
    if not 1 <= number <= len(documents):
        raise Refused("not_found")
    document = documents[number - 1]
    return Ok(document, headers={"ETag": f'"{document["version"]}"'})


@router.put(
    "/sittings/{int:sitting}/rounds/{int:number}",
    url_name="api-round",
    auth=Requires(Level.RECORD),
    response={frozenset({200, 201}): RoundOut},
    openapi_extra=example(
        {
            "facts": {"dealer": "6", "kankei": ["1", "3"], "deals": [{"kankei": 4, "mukankei": 9}]},
            "seen": 1,
            "reason": "数え違い",
        }
    ),
)
def put_round(
    request: ApiRequest,
    sitting: int,
    number: int,
    payload: RoundIn,
    key: Key = None,
    if_match: IfMatch = None,
    sent_again: SentAgain = False,
) -> HttpResponse:
    """Record, continue or correct a round.

    With 2xx the round is stored, and 2xx is answered only then. Facts equal to those in force are
    answered with 2xx, whatever version was `seen`.
    """
    _check_not_zero(number)
    submission = Submission(
        number=number,
        facts=payload.facts,
        seen_version=seen_version_of(payload.seen, key, if_match),
        reason=payload.reason.strip(),
        set_aside=payload.set_aside,
        players=payload.players,
        sent_again=sent_again,
        key=key or "",
        # Receipts of older versions have no such keys: equal requests must stay equal.
        body=payload.model_dump(
            exclude={name for name in ("set_aside", "players") if not getattr(payload, name)}
        ),
    )
    return _submit(request, submission)


@router.put(
    "/sittings/{int:sitting}/rounds/{int:number}/deals/{int:deal}",
    url_name="api-deal",
    auth=Requires(Level.RECORD),
    response={frozenset({200, 201}): RoundOut},
    openapi_extra=example(
        {
            "deal": {"kankei": 5, "mukankei": 9},
            "round": {"dealer": "6", "kankei": ["1", "3"]},
            "seen": 0,
        }
    ),
)
def put_deal(
    request: ApiRequest,
    sitting: int,
    number: int,
    deal: int,
    payload: DealIn,
    key: Key = None,
    if_match: IfMatch = None,
) -> HttpResponse:
    """Record or correct one deal of a round; its other deals are unchanged."""
    _check_not_zero(number, deal)
    if request.found_sitting.session.tournament.rules.game.rounds_are_deals:
        raise Refused("no_deals")
    submission = Submission(
        number=number,
        facts=payload.deal,
        seen_version=seen_version_of(payload.seen, key, if_match),
        reason=payload.reason.strip(),
        deal=deal,
        round_facts=payload.round,
        key=key or "",
        body={**payload.model_dump(), "number": deal},  # as in the digests of stored receipts
    )
    return _submit(request, submission)


def _check_not_zero(*numbers: int) -> None:
    """Raise `Refused` (404) if a number is 0: rounds and deals are counted from 1."""
    if 0 in numbers:
        raise Refused("not_found")


def seen_version_of(seen: int | None, key: str | None, if_match: str | None) -> int:
    """Return the seen version: `seen` of the body, or the header If-Match.

    Also checks the idempotency key. Raises `Refused` for a missing or too long key, for a missing
    version, and if body and header name different versions.
    """
    if not key or len(key) > idempotency.LONGEST_KEY:
        raise Refused("key_missing", at="Idempotency-Key")
    if if_match is not None:
        matched = parse_number(if_match.strip().removeprefix("W/").strip('"'))
        if seen not in {None, matched}:
            raise Refused("seen_twice", at="If-Match")
        seen = matched
    if seen is None:
        raise Refused("seen_missing", at="seen")
    return seen


def _submit(request: ApiRequest, submission: Submission) -> HttpResponse:
    """Store a round once per idempotency key, and answer with the round in force.

    A conflict is answered 409 with both versions, the stored and the submitted. Raises `Refused`,
    and `Invalid` for facts that are no legal round.
    """
    sitting = request.found_sitting
    try:
        answer = submissions.submit_round(request.found_writer, sitting, submission)
    except NotNext as refused:
        if isinstance(refused, DealNotNext):
            refused.at = f"deals[{submission.deal - 1}]"
        elif not isinstance(refused, AfterChange):  # whose place is `seen`
            refused.at = f"rounds[{submission.number - 1}]"
        raise
    except scoring.InvalidRecord as invalid:
        sheet = sheet_of(sitting)
        raise invalid_record(invalid, sheet.names, sheet.rules) from None
    document = answer.body
    if answer.status == 409:
        is_first = document["stored"] is None and not document["yours"]["seen"]
        code = AfterChange.code if is_first else "stale"
        code = "settled" if "settled_at" in document else code
        document = {**refusal(code, at="seen"), **document}
    headers = {"ETag": f'"{document["version"]}"'} if "version" in document else {}
    headers |= idempotency_header(request)
    return reply(document, status=answer.status, headers=headers, sort_keys=True)
