"""Final totals of a table whose session records no rounds: read, typed and corrected."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Invalid, Refused, problem, refusal
from tournaments.api.request_bodies import RequestBody, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.rounds import IfMatch, Key, Reason, seen_version_of
from tournaments.api.schemas.totals import TotalsInForceOut
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.round_documents import TotalsOut, totals_as_json
from tournaments.queries.sheets import Sheet, sheet_of
from tournaments.services import totals
from tournaments.web.json_responses import idempotency_header, reply

router = Router(tags=["tables"])

MOST_POINTS = 999_999
Points = Annotated[StrictInt, Field(ge=-MOST_POINTS, le=MOST_POINTS)]


class TotalsIn(RequestBody):
    """The total of each player of the table. `seen` is the version that was read, 0 without."""

    points: Annotated[dict[str, Points], Field(description="By player.")]
    seen: Version | None = None
    reason: Reason = ""
    despite_sum: Annotated[
        StrictBool, Field(description="The table says so, although they do not sum to 0.")
    ] = False


@router.get("/sittings/{int:sitting}/totals", url_name="api-totals", auth=Requires(Level.STAFF))
def read_totals(request: HttpRequest, sitting: int) -> Ok[TotalsInForceOut]:
    """Return the typed totals of a table, with their version; null if there are none."""
    stored = sheet_of(door.sitting_of(request)).typed_totals
    return Ok({"totals": totals_as_json(stored) if stored else None})


@router.put(
    "/sittings/{int:sitting}/totals",
    url_name="api-totals",
    auth=Requires(Level.STAFF),
    response={frozenset({200, 201}): TotalsOut},
    openapi_extra=example(
        {"points": {"1": 13, "2": 13, "3": -13, "4": 13, "5": -13, "6": -13}, "seen": 0}
    ),
)
def put_totals(
    request: HttpRequest,
    sitting: int,
    payload: TotalsIn,
    key: Key = None,
    if_match: IfMatch = None,
) -> HttpResponse:
    """Record or correct the typed totals of a table, in a session that records only totals.

    Totals equal to those in force are answered with 200, whatever version was `seen`.
    """
    seen = seen_version_of(payload.seen, key, if_match)
    _check_points(sheet_of(door.sitting_of(request)), payload)
    submission = totals.TotalsSubmission(
        payload.points,
        seen,
        reason=payload.reason.strip(),
        key=key or "",
        body={"path": request.path, "body": payload.model_dump()},
    )
    answer = totals.submit_totals(door.sitting_of(request), submission, by=rights.actor(request))
    document = answer.body
    if answer.status == 409:
        document = {**refusal("totals_changed", at="seen"), **document}
    headers = {"ETag": f'"{document["version"]}"'} if "version" in document else {}
    headers |= idempotency_header(request)
    return reply(document, status=answer.status, headers=headers, sort_keys=True)


def _check_points(sheet: Sheet, payload: TotalsIn) -> None:
    """Raise `Refused` or `Invalid` unless these can be the totals of this table."""
    if not sheet.is_totals_only:
        raise Refused("only_rounds")
    players = set(sheet.players)
    wrong = [
        *(("missing", each) for each in sheet.players if each not in payload.points),
        *(("unknown_key", each) for each in payload.points if each not in players),
    ]
    if wrong:
        raise Invalid([problem(code, f"points.{player}") for code, player in wrong])
    total = sum(payload.points.values())
    if total and sheet.rules.game.sums_to_zero(len(sheet.players)) and not payload.despite_sum:
        raise Refused("sum_not_zero", at="points")
