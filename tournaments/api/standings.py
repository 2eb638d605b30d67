"""How a tournament stands, over HTTP."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from tournaments.api import documents
from tournaments.api.answers.standings import StandingsOut
from tournaments.api.asking import Requires
from tournaments.permissions import door
from tournaments.permissions.levels import Level
from tournaments.queries import standings
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])


@router.get(
    "/tournaments/{slug:slug}/standings",
    url_name="api-standings",
    auth=Requires(Level.SEE),
    response=StandingsOut,
)
def standings_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell everybody's place, from the facts in force at this moment, or as last announced."""
    event = door.event_of(request)
    tally = standings.tally_of(event.sheets)
    announced = event.publication
    return reply(
        {
            "tournament": event.tournament.slug,
            "fingerprint": event.tournament.rules.fingerprint,
            "publication": (
                documents.publication_as_json(request, announced) if announced else None
            ),
            "rounds_counted": tally.counted,
            "rounds_under_way": tally.under_way,
            "standings": [documents.standing_as_json(row) for row in event.standings],
        }
    )
