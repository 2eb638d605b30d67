"""The standings of a tournament, of players and of teams, and its award list."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query

from tournaments.api.authentication import Requires
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.awards import AwardsOut, awards_as_json
from tournaments.api.schemas.standings import StandingsOut, standings_as_json
from tournaments.api.schemas.teams import TeamsOut, teams_as_json
from tournaments.permissions import door
from tournaments.permissions.levels import Level
from tournaments.queries.awards import MOST_PLACES, USUAL_PLACES
from tournaments.queries.events import NotThere
from tournaments.queries.stages import standings_of_stage
from tournaments.web import json_responses

router = Router(tags=["tournaments"])


@router.get(
    "/tournaments/{slug:slug}/standings",
    url_name="api-standings",
    auth=Requires(Level.SEE),
    response={304: None},
)
def read_standings(
    request: HttpRequest, slug: str, stage: Annotated[str, Query(max_length=20)] = ""
) -> Ok[StandingsOut]:
    """List the players in the order of their places, live or as last published.

    `stage` limits the list to a stage by its number, `2`, or to a group of a stage, `2.1`, and
    counts its sessions only. By default all players are listed. The answer has an ETag, and is 304
    to a request that names it in If-None-Match.
    """
    event = door.event_of(request)
    own = standings_of_stage(event.ranking_facts, stage) if stage else None
    if stage and own is None:
        raise NotThere
    return json_responses.unless_known(request, Ok(standings_as_json(request, event, own)))


@router.get(
    "/tournaments/{slug:slug}/awards",
    url_name="api-awards",
    auth=Requires(Level.SEE),
)
def awards(
    request: HttpRequest,
    slug: str,
    places: Annotated[int, Query(ge=1, le=MOST_PLACES)] = USUAL_PLACES,
) -> Ok[AwardsOut]:
    """List who has one of the first places among all players, in each class, and among teams."""
    return Ok(awards_as_json(request, door.event_of(request), places))


@router.get(
    "/tournaments/{slug:slug}/teams",
    url_name="api-teams",
    auth=Requires(Level.SEE),
)
def read_team_standings(request: HttpRequest, slug: str) -> Ok[TeamsOut]:
    """List the teams in the order of their places, with their members; live or as published."""
    return Ok(teams_as_json(request, door.event_of(request)))
