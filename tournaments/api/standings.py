"""The standings of a tournament."""

from __future__ import annotations

from django.http import HttpRequest

from tournaments.api.authentication import Requires
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.standings import StandingsOut, standings_as_json
from tournaments.permissions import door
from tournaments.permissions.levels import Level

router = Router(tags=["tournaments"])


@router.get(
    "/tournaments/{slug:slug}/standings",
    url_name="api-standings",
    auth=Requires(Level.SEE),
)
def standings_now(request: HttpRequest, slug: str) -> Ok[StandingsOut]:
    """List everybody's place, from the facts in force now or of the last publication."""
    return Ok(standings_as_json(request, door.event_of(request)))
