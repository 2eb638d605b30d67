"""The plan of a tournament: read it, and change how many sessions the current stage has."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.request_bodies import RequestBody, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.plans import PlanOut, plan_as_json
from tournaments.models.tournament import MOST_SESSIONS
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import plans

router = Router(tags=["tournaments"])


class PlanIn(RequestBody):
    """How many sessions the current stage has; null for as many as are seated.

    `seen` is the version that was read.
    """

    sessions_planned: Annotated[StrictInt, Field(ge=1, le=MOST_SESSIONS)] | None
    seen: Version


@router.get("/tournaments/{slug:slug}/plan", url_name="api-plan", auth=Requires(Level.STAFF))
def plan(request: HttpRequest, slug: str) -> Ok[PlanOut]:
    """Return the stages in order, each with its planned and its seated sessions."""
    return Ok(plan_as_json(door.tournament_of(request)))


@router.put(
    "/tournaments/{slug:slug}/plan",
    url_name="api-plan",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"sessions_planned": 4, "seen": 41}),
)
def set_plan(request: HttpRequest, slug: str, payload: PlanIn) -> Ok[PlanOut]:
    """Plan this number of sessions in the current stage. Later stages have operations of their own.

    Idempotent, but for the version.
    """
    tournament = door.tournament_of(request)
    with transaction.atomic():
        plans.set_plan(
            tournament,
            payload.sessions_planned,
            seen_version=payload.seen,
            by=rights.actor(request),
        )
        tournament.refresh_from_db()
        document = plan_as_json(tournament)
    return Ok(document)
