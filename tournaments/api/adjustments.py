"""Adjustments of points, and decisions on ties: list, make and take them back."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictInt
from typing_extensions import TypedDict

from tournaments import audit
from tournaments.api.authentication import Requires
from tournaments.api.refusals import placed
from tournaments.api.request_bodies import NeededReason, ReasonInQuery, RequestBody, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.forms.adjustments import MOST_POINTS
from tournaments.models import Entry
from tournaments.models.adjustments import AdjustmentFacts, AdjustmentRecord, DecisionRecord
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.round_documents import no_other_keys
from tournaments.services import adjustments as service
from tournaments.web.numbers import MAX_NUMBER

router = Router(tags=["tournaments"])

NextNumber = Annotated[StrictInt, Field(ge=1, le=MAX_NUMBER)]


@no_other_keys
class AdjustmentsOut(TypedDict):
    """All adjustments, and the `number` of the next adjustment."""

    adjustments: list[AdjustmentRecord]
    next_number: int


@no_other_keys
class DecisionsOut(TypedDict):
    """All decisions on ties, and the `number` of the next decision."""

    decisions: list[DecisionRecord]
    next_number: int


class AdjustmentIn(RequestBody, AdjustmentFacts):
    """Points given to a `player` or a `team`, or deducted if they are below 0, and the reason.

    `number` is the next number of an adjustment, so that a repeated request is recognised.
    """

    player: StrictInt | None = None
    points: Annotated[StrictInt, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
    reason: NeededReason


class DecisionIn(RequestBody):
    """The numbers of tied players in their new order, and the reason.

    `number` is the next number of a decision, so that a repeated request is recognised.
    """

    number: NextNumber
    order: Annotated[list[StrictInt], Field(max_length=MOST_ENTRIES)]
    reason: NeededReason


class LotIn(RequestBody):
    """The numbers of tied players. `number` is the next number of a decision."""

    number: NextNumber
    tied: Annotated[list[StrictInt], Field(max_length=MOST_ENTRIES)]


@router.get(
    "/tournaments/{slug:slug}/adjustments",
    url_name="api-adjustments",
    auth=Requires(Level.STAFF),
)
def adjustments(request: HttpRequest, slug: str) -> Ok[AdjustmentsOut]:
    """List the adjustments, including those taken back."""
    tournament = door.tournament_of(request)
    rows = tournament.adjustments.select_related("entry")
    number = service.next_number(tournament.adjustments.all())
    return Ok(
        {"adjustments": [AdjustmentRecord.json_of(row) for row in rows], "next_number": number}
    )


@router.post(
    "/tournaments/{slug:slug}/adjustments",
    url_name="api-adjustments",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"number": 1, "player": 3, "points": -5, "reason": "遅刻"}),
)
def adjust_points(
    request: HttpRequest, slug: str, payload: AdjustmentIn
) -> Created[AdjustmentRecord]:
    """Give points to a player or a team, or deduct them. Idempotent."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    if payload.player is None:
        player_or_team: Entry | str = payload.team
    elif payload.team:
        raise service.NoSuchTeam
    else:
        player_or_team = get_object_or_404(tournament.entries, number=payload.player)
    with transaction.atomic():
        adjustment = service.adjust_points(
            tournament,
            payload.number,
            player_or_team,
            payload.points,
            by=by,
            reason=payload.reason,
        )
        document = AdjustmentRecord.json_of(adjustment)
    return Created(document)


@router.delete(
    "/tournaments/{slug:slug}/adjustments/{int:adjustment}",
    url_name="api-adjustment",
    auth=Requires(Level.DIRECT),
)
def take_back_adjustment(
    request: HttpRequest, slug: str, adjustment: int, reason: ReasonInQuery = ""
) -> Ok[AdjustmentRecord]:
    """Take back an adjustment: its points no longer count. Idempotent."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    get_object_or_404(tournament.adjustments, number=adjustment)
    with transaction.atomic():
        service.take_back_adjustment(tournament, adjustment, by=by, reason=reason)
        document = AdjustmentRecord.json_of(
            tournament.adjustments.select_related("entry").get(number=adjustment)
        )
    return Ok(document)


@router.get(
    "/tournaments/{slug:slug}/decisions",
    url_name="api-decisions",
    auth=Requires(Level.STAFF),
)
def decisions(request: HttpRequest, slug: str) -> Ok[DecisionsOut]:
    """List the director's decisions on ties, including those taken back."""
    tournament = door.tournament_of(request)
    rows = [DecisionRecord.json_of(row) for row in tournament.tie_decisions.all()]
    number = service.next_number(tournament.tie_decisions.all())
    return Ok({"decisions": rows, "next_number": number})


@router.post(
    "/tournaments/{slug:slug}/decisions",
    url_name="api-decisions",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"number": 1, "order": [2, 1], "reason": "じゃんけん"}),
)
def decide_tie(request: HttpRequest, slug: str, payload: DecisionIn) -> Created[DecisionRecord]:
    """Decide the order of players who are tied after all tie-breaks. Idempotent."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    with transaction.atomic():
        decision = service.decide_tie(
            tournament, payload.number, payload.order, by=by, reason=payload.reason
        )
        document = DecisionRecord.json_of(decision)
    return Created(document)


@router.post(
    "/tournaments/{slug:slug}/decisions/lot",
    url_name="api-lot",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"number": 1, "tied": [2, 1]}),
)
def draw_lot(request: HttpRequest, slug: str, payload: LotIn) -> Created[DecisionRecord]:
    """Decide by lot the order of players who are tied after all tie-breaks. Idempotent."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    with (
        placed("tied", service.NotTied, service.PlayOffIsOn, service.AlreadyDecided),
        transaction.atomic(),
    ):
        reason = audit.DECIDED_BY_LOT
        decision = service.draw_lot(tournament, payload.number, payload.tied, by=by, reason=reason)
        document = DecisionRecord.json_of(decision)
    return Created(document)


@router.delete(
    "/tournaments/{slug:slug}/decisions/{int:decision}",
    url_name="api-decision",
    auth=Requires(Level.DIRECT),
)
def take_back_decision(
    request: HttpRequest, slug: str, decision: int, reason: ReasonInQuery = ""
) -> Ok[DecisionRecord]:
    """Take back a decision on a tie: it no longer counts. Idempotent."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    get_object_or_404(tournament.tie_decisions, number=decision)
    with transaction.atomic():
        service.take_back_decision(tournament, decision, by=by, reason=reason)
        document = DecisionRecord.json_of(tournament.tie_decisions.get(number=decision))
    return Ok(document)
