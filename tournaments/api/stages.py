"""The stages after the first: define them, and settle which players go on to them."""

from __future__ import annotations

from collections.abc import Callable
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
from tournaments.api.request_bodies import (
    Name,
    Reason,
    RequestBody,
    SeenVersion,
    StateChangeIn,
    StateChangeWithReasonIn,
    Version,
    example,
)
from tournaments.api.responses import Ok, Router, with_state
from tournaments.api.schemas.stages import (
    GoingOnOut,
    RemovedStageOut,
    StageOut,
    StagesOut,
    current_stage,
)
from tournaments.audit import Actor
from tournaments.forms.stages import LONGEST_GROUP, MOST_PLACES, MOST_POINTS, MOST_QUOTAS
from tournaments.models import Stage
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.field_types import AS_TEXT
from tournaments.models.tournament import MOST_SESSIONS
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.seat_draws import NEW_SEEDS, new_seed
from tournaments.services import stages as stages_service
from tournaments.services.stages import StagePlan

router = Router(tags=["tournaments"])

Group = Annotated[str, Field(max_length=LONGEST_GROUP)]


class QuotaIn(RequestBody):
    """A rule for who goes on: the first `places`, all with `at_least` that many points, or both.

    Without `division` it counts players of all classes. They play in the named `group`, if any.
    """

    group: Group = ""
    division: Annotated[str, Field(max_length=MAX_LENGTHS["division"])] = ""
    places: Annotated[StrictInt, Field(ge=1, le=MOST_PLACES)] | None = None
    at_least: Annotated[StrictInt, Field(ge=-MOST_POINTS, le=MOST_POINTS)] | None = None


class StagePlanIn(RequestBody):
    """The definition of a stage."""

    name: Annotated[Name, Field(max_length=60)]
    sessions_planned: Annotated[StrictInt, Field(ge=1, le=MOST_SESSIONS)] | None = None
    quotas: Annotated[list[QuotaIn], Field(min_length=1, max_length=MOST_QUOTAS)]
    carry: Annotated[Carry, AS_TEXT] = Carry.NONE
    at_line: Annotated[AtLine, AS_TEXT] = AtLine.OPEN
    seed: Annotated[StrictInt, Field(ge=1, lt=NEW_SEEDS)] | None = None

    def as_plan(self, at: str = "") -> StagePlan:
        """Return the definition. Raises `Refused` for a quota without a limit.

        `at` is the path of the stage in the request, with a dot at the end.
        """
        for index, quota in enumerate(self.quotas):
            if quota.places is None and quota.at_least is None:
                raise Refused("missing", at=f"{at}quotas[{index}].places")
        return StagePlan(
            self.name,
            [Quota(**quota.model_dump()) for quota in self.quotas],
            self.carry,
            self.at_line,
            self.seed or new_seed(),
            self.sessions_planned,
        )


class StageIn(StagePlanIn, StateChangeIn):
    """The definition of a stage; `seen` is the version that was read, 0 for a new stage."""

    seen: Version


class MembersIn(RequestBody):
    """The players of one group, in order."""

    group: Group
    players: Annotated[list[StrictInt], Field(max_length=MOST_PLACES)]


class ConfirmIn(StateChangeIn):
    """The `members` as they were read: if other players go on by now, 409.

    `decided` are the players chosen among those tied for the last place that goes on.
    """

    members: Annotated[list[MembersIn], Field(max_length=MOST_QUOTAS)]
    decided: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    reason: Reason = ""


class ReplaceIn(StateChangeIn):
    """The number of the player `leaving`, and of the player `following` instead, if any."""

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
    return Ok({"stages": [StageOut.of(stage) for stage in facts.stages]})


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
    """Return a stage and who goes on to it by the present standings; nothing is stored.

    `decided` are the numbers of players chosen among those tied for the last place that goes on.
    """
    chosen_keys = [number for number in decided.split(",") if number]
    document = current_stage(door.tournament_of(request), stage, chosen_keys)
    if document is None:
        raise Refused("not_found")
    return Ok(document)


@router.put(
    "/tournaments/{slug:slug}/stages/{int:stage}",
    url_name="api-stage",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {
            "seen_version": 41,
            "name": "決勝",
            "quotas": [{"division": "有段者", "places": 2}, {"at_least": 1}],
            "carry": "half",
            "at_line": "lot",
            "seed": 20261121,
            "seen": 0,
        }
    ),
)
def set_stage(request: HttpRequest, slug: str, stage: int, payload: StageIn) -> Ok[StageOut]:
    """Define the next stage, or change a stage that is not confirmed. 409 for other stages."""
    tournament = door.tournament_of(request)
    plan = payload.as_plan()
    by = rights.actor(request, seen_version=payload.seen_version)
    changed = stages_service.set_stage(tournament, stage, plan, seen_version=payload.seen, by=by)
    return Ok(with_state(StageOut.of(changed), by))


@router.delete(
    "/tournaments/{slug:slug}/stages/{int:stage}",
    url_name="api-stage",
    auth=Requires(Level.DIRECT),
)
def remove_stage(
    request: HttpRequest, slug: str, stage: int, seen_version: SeenVersion
) -> Ok[RemovedStageOut]:
    """Remove the last stage. 409 if it is confirmed or not the last stage."""
    by = rights.actor(request, seen_version=seen_version)
    stages_service.remove_stage(_find_stage(request, stage), by=by)
    document: RemovedStageOut = {"removed": stage}
    return Ok(with_state(document, by))


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/confirm",
    url_name="api-confirm-members",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {"seen_version": 41, "members": [{"group": "", "players": [2, 4, 5]}], "decided": []}
    ),
)
def confirm_members(
    request: HttpRequest, slug: str, stage: int, payload: ConfirmIn
) -> Ok[StageOut]:
    """Confirm who goes on. The sessions opened from now on belong to this stage."""
    return _write_to_stage(
        _find_stage(request, stage),
        stages_service.confirm_members,
        [each.model_dump() for each in payload.members],
        decided=[str(each) for each in payload.decided],
        by=rights.actor(request, seen_version=payload.seen_version),
        reason=payload.reason,
    )


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/take-back",
    url_name="api-take-back-members",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "reason": "記入漏れ"}),
)
def take_back_members(
    request: HttpRequest, slug: str, stage: int, payload: StateChangeWithReasonIn
) -> Ok[StageOut]:
    """Take back the confirmation of who goes on. 409 once a session of the stage is opened."""
    return _write_to_stage(
        _find_stage(request, stage),
        stages_service.take_back_members,
        by=rights.actor(request, seen_version=payload.seen_version),
        reason=payload.reason,
    )


@router.post(
    "/tournaments/{slug:slug}/stages/{int:stage}/replace",
    url_name="api-replace-member",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "leaving": 2, "following": 1, "reason": "辞退"}),
)
def replace_member(request: HttpRequest, slug: str, stage: int, payload: ReplaceIn) -> Ok[StageOut]:
    """Replace a confirmed member who does not go on by another player, or by nobody."""
    found_stage = _find_stage(request, stage)
    entries = found_stage.tournament.entries
    leaving = entries.filter(number=payload.leaving).first()
    following = None
    if payload.following is not None:
        following = entries.filter(number=payload.following).first()
        if following is None:
            raise Refused("no_entry", at="following")
    if leaving is None:
        raise Refused("no_entry", at="leaving")
    return _write_to_stage(
        found_stage,
        stages_service.replace_member,
        leaving,
        following,
        by=rights.actor(request, seen_version=payload.seen_version),
        reason=payload.reason,
    )


def _write_to_stage(
    stage: Stage, write: Callable[..., Stage], *arguments: Any, by: Actor, **named: Any
) -> Ok[StageOut]:
    """Call `write`, a function of `services.stages`, and answer with the stage that it returns.

    `stage` is its first argument.
    """
    with transaction.atomic():
        changed = write(stage, *arguments, by=by, **named)
        return Ok(with_state(StageOut.of(changed), by))


def _find_stage(request: HttpRequest, number: int) -> Stage:
    """Raises `Http404`."""
    tournament = door.tournament_of(request)
    return get_object_or_404(tournament.stages.select_related("tournament"), number=number)
