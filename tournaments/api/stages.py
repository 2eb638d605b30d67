"""The stages after the first: defined, confirmed, taken back, and their members replaced."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictInt

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Name, RequestBody, Version
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.refusals import ConflictOut
from tournaments.api.schemas.stages import (
    GoingOnOut,
    RemovedStageOut,
    StageOut,
    StagesOut,
    current_stage,
    stage_as_json,
)
from tournaments.exceptions import OperationRefused
from tournaments.forms.stages import LONGEST_GROUP, MOST_PLACES, MOST_POINTS, MOST_QUOTAS
from tournaments.models import Stage
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.seat_draws import NEW_SEEDS, new_seed
from tournaments.services import stages as stages_service

router = Router(tags=["tournaments"])

Reason = Annotated[str, Field(max_length=500)]
Group = Annotated[str, Field(max_length=LONGEST_GROUP)]


class QuotaIn(RequestBody):
    """The first `places`, those with `at_least` so many points, or both; of a class or of all."""

    group: Group = ""
    division: Annotated[str, Field(max_length=MAX_LENGTHS["division"])] = ""
    places: Annotated[StrictInt, Field(ge=1, le=MOST_PLACES)] | None = None
    at_least: Annotated[StrictInt, Field(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None


class StageIn(RequestBody):
    """What is chosen of a stage beforehand; `seen` is its version, 0 before there is any."""

    name: Annotated[Name, Field(max_length=60)]
    quotas: Annotated[list[QuotaIn], Field(min_length=1, max_length=MOST_QUOTAS)]
    carry: Carry = Carry.NONE
    at_line: AtLine = AtLine.OPEN
    seed: Annotated[StrictInt, Field(ge=1, lt=NEW_SEEDS)] | None = None
    seen: Version


class MembersIn(RequestBody):
    """The players of one group, in order."""

    group: Group
    players: Annotated[list[StrictInt], Field(max_length=MOST_PLACES)]


class ConfirmIn(RequestBody):
    """Who goes on as it was seen, and who was chosen of those tied at the line, with the reason."""

    members: Annotated[list[MembersIn], Field(max_length=MOST_QUOTAS)]
    decided: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    reason: Reason = ""


class TakeBackIn(RequestBody):
    """Why it is taken back, if there is more to say."""

    reason: Reason = ""


class ReplaceIn(RequestBody):
    """Who does not go on, who does instead if anybody, and why."""

    leaving: StrictInt
    following: StrictInt | None = None
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/stages",
    url_name="api-stages",
    auth=Requires(Level.SEE),
)
def stages(request: HttpRequest, slug: str) -> Ok[StagesOut]:
    """List the stages after the first."""
    facts = door.event_of(request).ranking_facts
    return Ok({"stages": [stage_as_json(stage) for stage in facts.stages]})


@router.get(
    "/tournaments/{slug:slug}/stages/{int:stage}",
    url_name="api-stage",
    auth=Requires(Level.DIRECT),
)
def stage_selection(
    request: HttpRequest,
    slug: str,
    stage: int,
    decided: Annotated[str, Field(max_length=1000, pattern=r"^[0-9,]*$")] = "",
) -> Ok[GoingOnOut]:
    """Tell who goes on to a stage as things stand, with those chosen at the line."""
    chosen = [number for number in decided.split(",") if number]
    found = current_stage(door.tournament_of(request), stage, chosen)
    if found is None:
        raise Refused(404, "not_found")
    return Ok(found)


@router.put(
    "/tournaments/{slug:slug}/stages/{int:stage}",
    url_name="api-stage",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def set_stage(request: HttpRequest, slug: str, stage: int, payload: StageIn) -> Ok[StageOut]:
    """Define the next stage, or change one that is not confirmed."""
    tournament = door.tournament_of(request)
    for index, quota in enumerate(payload.quotas):
        if quota.places is None and quota.at_least is None:
            raise Refused(422, "missing", at=f"quotas[{index}].places")
    quotas = [Quota(**quota.model_dump()) for quota in payload.quotas]
    plan = stages_service.Plan(
        payload.name, quotas, payload.carry, payload.at_line, payload.seed or new_seed()
    )
    try:
        found = stages_service.set_stage(
            tournament, stage, plan, seen_version=payload.seen, by=rights.actor(request)
        )
    except OperationRefused as refused:
        raise _refusal(refused) from None
    return Ok(stage_as_json(found))


@router.delete(
    "/tournaments/{slug:slug}/stages/{int:stage}",
    url_name="api-stage",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def remove_stage(request: HttpRequest, slug: str, stage: int) -> Ok[RemovedStageOut]:
    """Remove the last stage, unless it is confirmed."""
    found = _find_stage(request, stage)
    try:
        stages_service.remove_stage(found, by=rights.actor(request))
    except OperationRefused as refused:
        raise _refusal(refused) from None
    return Ok({"removed": stage})


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/confirm",
    url_name="api-confirm-members",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def confirm_members(
    request: HttpRequest, slug: str, stage: int, payload: ConfirmIn
) -> Ok[StageOut]:
    """Settle who goes on. The sessions opened from now on belong to this stage."""
    return _settle(
        _find_stage(request, stage),
        stages_service.confirm_members,
        [each.model_dump() for each in payload.members],
        decided=[str(each) for each in payload.decided],
        by=rights.actor(request),
        reason=payload.reason,
    )


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/take-back",
    url_name="api-take-back-members",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def take_back_members(
    request: HttpRequest, slug: str, stage: int, payload: TakeBackIn | None = None
) -> Ok[StageOut]:
    """Open again who goes on, before a session of the stage is opened."""
    reason = payload.reason if payload else ""
    found = _find_stage(request, stage)
    return _settle(found, stages_service.take_back_members, by=rights.actor(request), reason=reason)


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/replace",
    url_name="api-replace-member",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def replace_member(request: HttpRequest, slug: str, stage: int, payload: ReplaceIn) -> Ok[StageOut]:
    """Let another player go on instead of one who does not, or nobody."""
    found = _find_stage(request, stage)
    entries = found.tournament.entries
    leaving = entries.filter(number=payload.leaving).first()
    following = None
    if payload.following is not None:
        following = entries.filter(number=payload.following).first()
        if following is None:
            raise Refused(422, "no_entry", at="following")
    if leaving is None:
        raise Refused(422, "no_entry", at="leaving")
    return _settle(
        found,
        stages_service.replace_member,
        leaving,
        following,
        by=rights.actor(request),
        reason=payload.reason,
    )


def _settle(found: Stage, write: Any, *arguments: Any, **named: Any) -> Ok[StageOut]:
    """Carry out a write of `services.stages` on a stage, and return what it returns."""
    try:
        with transaction.atomic():
            return Ok(stage_as_json(write(found, *arguments, **named)))
    except OperationRefused as refused:
        raise _refusal(refused) from None


def _refusal(refused: OperationRefused) -> Refused:
    return Refused(409, refused.code)


def _find_stage(request: HttpRequest, number: int) -> Stage:
    """Return a stage of the tournament in the URL. Raises `Http404`."""
    tournament = door.tournament_of(request)
    return get_object_or_404(tournament.stages.select_related("tournament"), number=number)
