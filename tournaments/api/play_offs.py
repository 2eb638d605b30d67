"""Open a play-off."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.drawing import named_tables
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import StateChangeIn, example
from tournaments.api.responses import Created, Router, with_state
from tournaments.api.schemas.sessions import (
    SessionOut,
    link_as_json,
    seated_as_json,
    session_as_json,
)
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.models.tournament import MOST_ROUNDS
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.seated_tables import tables_of
from tournaments.services import play_offs as service
from tournaments.services import seating
from tournaments.services.adjustments import AlreadyDecided, PlayOffIsOn
from tournaments.services.seating import PlayOffPlan
from tournaments.web.numbers import MAX_NUMBER

router = Router(tags=["tournaments"])


class PlayOffIn(StateChangeIn):
    """The numbers of the `tied` players, and those of all players of each table, in seat order.

    `number` is that of the next session, which the play-off becomes. `rounds` is the number of its
    rounds; null: as many as in other sessions.
    """

    number: Annotated[StrictInt, Field(ge=1, le=MAX_NUMBER)]
    tied: Annotated[list[StrictInt], Field(max_length=MOST_ENTRIES)]
    tables: list[list[StrictInt]]
    rounds: Annotated[StrictInt, Field(ge=1, le=MOST_ROUNDS)] | None = None


@router.post(
    "/tournaments/{slug:slug}/play-offs",
    url_name="api-play-offs",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {
            "seen_version": 41,
            "number": 2,
            "tied": [2, 1],
            "tables": [[1, 2, 3, 4, 5, 6]],
            "rounds": 1,
        }
    ),
)
def open_play_off(request: HttpRequest, slug: str, payload: PlayOffIn) -> Created[SessionOut]:
    """Seat a play-off as the next session. Idempotent."""
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    tables = named_tables(tournament, payload.tables)
    plan = PlayOffPlan(payload.tied, payload.rounds)
    try:
        with (
            placed("tied", seating.TiedNotSeated, AlreadyDecided, PlayOffIsOn),
            transaction.atomic(),
        ):
            session = service.open_play_off(tournament, plan, tables, number=payload.number, by=by)
            seated = [
                seated_as_json(table, link=link_as_json(request, table.sitting))
                for table in tables_of(session.sittings.all())
            ]
            document = session_as_json(session, seated)
    except seating.SeatingConflict:
        raise Refused("no_entry", at="tables") from None
    return Created(with_state(document, by))
