"""The seats of a session: read and change them, as long as nothing is recorded."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest
from pydantic import StrictInt

from tournaments import draws
from tournaments.api.authentication import Requires
from tournaments.api.drawing import DrawIn, SeatsToStore, draw_for, named_tables
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, StateChangeIn, Version, example
from tournaments.api.responses import Ok, Router, with_state
from tournaments.api.schemas.sessions import SessionSeatsOut, seats_of_session
from tournaments.models import Session
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries import play_offs
from tournaments.queries.seat_draws import earlier_seats, new_seed
from tournaments.services import seating
from tournaments.services.seating import SeatingConflict
from tournaments.services.versions import VersionConflict

router = Router(tags=["tournaments"])

DEFAULT_CHOICES = DrawIn().model_dump(exclude={"seed"})  # what a play-off's draw is limited to


class ReseatIn(DrawIn, StateChangeIn):
    """The new seats of a session; `seen` is the version of its seats that was read.

    `tables` are the numbers of each table's players, in seat order. Without `tables` the players
    who are not away are drawn.
    """

    tables: list[list[StrictInt]] | None = None
    seen: Version
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/seats",
    url_name="api-session-seats",
    auth=Requires(Level.STAFF),
)
def session_seats(request: HttpRequest, slug: str, session: int) -> Ok[SessionSeatsOut]:
    """Return the seats of a session, and their version."""
    return Ok(seats_of_session(door.session_in(door.tournament_of(request), session)))


@router.put(
    "/tournaments/{slug:slug}/sessions/{int:session}/seats",
    url_name="api-session-seats",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {"seen_version": 41, "tables": [[6, 5, 4, 3, 2, 1]], "seen": 1, "reason": "遅刻"}
    ),
)
def reseat_session(
    request: HttpRequest, slug: str, session: int, payload: ReseatIn
) -> Ok[SessionSeatsOut]:
    """Replace the seats of a session in which nothing is recorded.

    Tables that remain keep their links and PINs. A draw of a play-off is by lot, with the same
    players.
    """
    found_session = door.session_in(door.tournament_of(request), session)
    by = rights.actor(request, seen_version=payload.seen_version)
    if payload.tables is not None:
        seats = SeatsToStore(named_tables(found_session.tournament, payload.tables))
    elif found_session.is_play_off:
        seats = _draw_play_off(found_session, payload)
    else:
        drawn = draw_for(found_session.tournament, session, payload)
        seats = SeatsToStore(drawn.tables, drawn.facts)
    try:
        with transaction.atomic():
            seating.reseat(
                found_session,
                seats.tables,
                seen_version=payload.seen,
                by=by,
                reason=payload.reason,
                draw=seats.draw,
            )
            document = seats_of_session(found_session)
    except VersionConflict:
        raise Refused("seats_changed", at="seen") from None
    except SeatingConflict:
        raise Refused("seats_changed", at="tables") from None
    return Ok(with_state(document, by))


def _draw_play_off(session: Session, payload: ReseatIn) -> SeatsToStore:
    """Return the players of a play-off drawn by lot to tables of the same sizes as now.

    Raises `Refused` if the payload sets anything of a draw but its seed.
    """
    if payload.model_dump(include=set(DrawIn.model_fields), exclude={"seed"}) != DEFAULT_CHOICES:
        raise Refused("play_off_by_lot", at="method")
    tables = seating.seating_of(session)
    seed = new_seed() if payload.seed is None else payload.seed
    players, sizes = [entry for table in tables for entry in table], [len(each) for each in tables]
    earlier = earlier_seats(session.tournament, session.number)
    drawn_tables, drawn = play_offs.draw_by_lot(players, sizes, seed, earlier)
    return SeatsToStore(
        drawn_tables, {"request": draws.as_document(drawn.request), "answer": drawn.as_json()}
    )
