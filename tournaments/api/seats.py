"""The seats of the newest session, and whether everybody may see them."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictBool
from typing_extensions import TypedDict

from tournaments.api.authentication import Requires
from tournaments.api.request_bodies import Reason, StateChangeIn, example
from tournaments.api.responses import Ok, Router, with_state
from tournaments.api.schemas.fields import StateVersion
from tournaments.api.schemas.sessions import SeatedOut, seated_as_json
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries import schedules
from tournaments.queries.round_documents import no_other_keys
from tournaments.services.publications import set_shows_seats
from tournaments.services.schedules import set_shows_schedule

router = Router(tags=["tournaments"])


@no_other_keys
class PlannedSeatsOut(TypedDict):
    """The planned seats of a session: the numbers of each table's players, in seat order.

    `not_playing` are those of them who do not play, by the roll call as it is now.
    """

    session: int
    tables: list[list[int]]
    not_playing: list[int]


@no_other_keys
class SeatsOut(TypedDict):
    """Who sits where in the newest session; no results.

    `sitting_out` are the numbers of the players who were there, but for whom the draw had no seat.
    `planned` are the sessions to come, if the director shows their seats.
    """

    session: Annotated[int | None, Field(description="Null as long as nobody is seated.")]
    sittings: list[SeatedOut]
    sitting_out: list[int]
    planned: NotRequired[list[PlannedSeatsOut]]


@no_other_keys
class SeatsShownOut(TypedDict):
    """Whether everybody may see the seats, even if no results are public.

    `planned`: whether the planned seats of sessions to come are shown, too.
    """

    shown: bool
    planned: NotRequired[bool]
    state_version: NotRequired[StateVersion]


class SeatsShownIn(StateChangeIn):
    """Whether everybody may see the seats, and optionally a reason.

    `planned` shows or hides the planned seats of sessions to come; null changes nothing.
    """

    shown: StrictBool
    planned: StrictBool | None = None
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/seats",
    url_name="api-seats",
    auth=Requires(Level.SEATS),
)
def seats(request: HttpRequest, slug: str) -> Ok[SeatsOut]:
    """Return who sits where in the newest session, even if only the seats are public."""
    tournament = door.tournament_of(request)
    event = rights.event_with_seats(request, tournament)
    tables = event.tables
    newest = max((table.sitting.session.number for table in tables), default=None)
    newest_tables = [each for each in tables if each.sitting.session.number == newest]
    planned: list[PlannedSeatsOut] = [
        {
            "session": each.number,
            "tables": [[int(key) for key in table] for table in each.planned.seats],
            "not_playing": [int(key) for key in each.not_playing],
        }
        for each in schedules.shown_sessions(tournament)
    ]
    sittings = [seated_as_json(each) for each in newest_tables]
    out = event.sitting_out(newest) if newest else set()
    return Ok(
        {"session": newest, "sittings": sittings, "sitting_out": sorted(out), "planned": planned}
    )


@router.put(
    "/tournaments/{slug:slug}/seats",
    url_name="api-seats",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "shown": True}),
)
def show_seats(request: HttpRequest, slug: str, payload: SeatsShownIn) -> Ok[SeatsShownOut]:
    """Show the seats to everybody, or hide them. What is shown of the results does not change."""
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    with transaction.atomic():
        set_shows_seats(tournament, shows=payload.shown, by=by, reason=payload.reason)
        if payload.planned is not None:
            set_shows_schedule(tournament, shows=payload.planned, by=by)
        schedule = schedules.schedule_of(tournament)
    document: SeatsShownOut = {
        "shown": payload.shown,
        "planned": schedule is not None and schedule.is_shown,
    }
    return Ok(with_state(document, by))
