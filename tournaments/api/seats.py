"""The seats of the newest session, and whether everybody may see them."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Field
from pydantic import StrictBool
from typing_extensions import TypedDict

from tournaments.api.authentication import Requires
from tournaments.api.request_bodies import Reason, RequestBody
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.sessions import SeatedOut, seated_as_json
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.round_documents import no_other_keys
from tournaments.services.publications import set_shows_seats

router = Router(tags=["tournaments"])


@no_other_keys
class SeatsOut(TypedDict):
    """Who sits where in the newest session; no results."""

    session: Annotated[int | None, Field(description="Null as long as nobody is seated.")]
    sittings: list[SeatedOut]


@no_other_keys
class SeatsShownOut(TypedDict):
    """Whether everybody may see the seats, whatever is shown of the results."""

    shown: bool


class SeatsShownIn(RequestBody):
    """Whether everybody may see the seats, and why not, if there is anything to say."""

    shown: StrictBool
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/seats",
    url_name="api-seats",
    auth=Requires(Level.SEATS),
)
def seats(request: HttpRequest, slug: str) -> Ok[SeatsOut]:
    """Tell who sits where in the newest session, also where only the seats are public."""
    tables = rights.event_with_seats(request, door.tournament_of(request)).tables
    newest = max((table.sitting.session.number for table in tables), default=None)
    of_newest = [each for each in tables if each.sitting.session.number == newest]
    return Ok({"session": newest, "sittings": [seated_as_json(each) for each in of_newest]})


@router.put(
    "/tournaments/{slug:slug}/seats",
    url_name="api-seats",
    auth=Requires(Level.DIRECT),
)
def show_seats(request: HttpRequest, slug: str, payload: SeatsShownIn) -> Ok[SeatsShownOut]:
    """Show the seats to everybody, or no longer. Results stay shown, or hidden, as they are."""
    found, by = door.tournament_of(request), rights.actor(request)
    set_shows_seats(found, shows=payload.shown, by=by, reason=payload.reason)
    return Ok({"shown": payload.shown})
