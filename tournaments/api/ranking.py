"""The ranking rules of a tournament: read and set them."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictInt, StrictStr

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, RequestBody, ShortText, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.ranking import RankingOut, ranking_as_json
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import ranking as ranking_service
from tournaments.services import versions

router = Router(tags=["tournaments"])

MOST_STEPS = 50  # limits the request; `scoring` reports which steps are wrong


class RankingIn(RequestBody):
    """The ranking rules. A rule that is left out has its usual value.

    `seen` is the version that was read.
    """

    tie_breaks: Annotated[list[ShortText], Field(max_length=MOST_STEPS)] | None = None
    withdrawn: StrictStr = "ranked"
    missed: StrictStr = "nothing"
    missed_points: StrictInt = 0
    absences: dict[ShortText, StrictStr | StrictInt] = {}
    substitutes: StrictStr = "substitute"
    lot_seed: StrictStr = ""
    teams: StrictStr = "all"
    team_members: StrictInt = 0
    seen: Version
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/ranking",
    url_name="api-ranking",
    auth=Requires(Level.SEE),
)
def ranking(request: HttpRequest, slug: str) -> Ok[RankingOut]:
    """Return the ranking rules: how places are decided."""
    version = versions.ranking_version(door.tournament_of(request))  # read first: never too new
    return Ok(ranking_as_json(door.event_of(request).tournament, version))


@router.put(
    "/tournaments/{slug:slug}/ranking",
    url_name="api-ranking",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {
            "tie_breaks": ["points", "skunks", "head_to_head", "lot"],
            "withdrawn": "listed",
            "missed": "fixed",
            "missed_points": -5,
            "absences": {"late": -2, "sat_out": "own_average"},
            "lot_seed": "2026-11-21",
            "seen": 0,
        }
    ),
)
def set_ranking(request: HttpRequest, slug: str, payload: RankingIn) -> Ok[RankingOut]:
    """Replace the ranking rules: how places are decided. Idempotent."""
    tournament = door.tournament_of(request)
    document = payload.model_dump(exclude={"seen", "reason"}, exclude_none=True)
    try:
        with transaction.atomic():
            ranking_service.set_ranking(
                tournament,
                document,
                seen_version=payload.seen,
                by=rights.actor(request),
                reason=payload.reason,
            )
            tournament.refresh_from_db()
            answer = ranking_as_json(tournament, versions.ranking_version(tournament))
    except versions.VersionConflict:
        raise Refused("ranking_changed", at="seen") from None
    return Ok(answer)
