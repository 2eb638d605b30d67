"""Sessions: list, seat, end, resume and remove them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments.api.authentication import Requires, tournament_with_sessions
from tournaments.api.drawing import DrawIn, SeatsToStore, draw_for, named_tables
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import (
    Reason,
    SeenVersion,
    StateChangeIn,
    StateChangeWithReasonIn,
    example,
)
from tournaments.api.responses import Created, Ok, Router, with_state
from tournaments.api.schemas.sessions import (
    DrawOut,
    EndedOut,
    RemovedOut,
    SessionOut,
    SessionsOut,
    draw_as_json,
    end_as_json,
    link_as_json,
    seated_as_json,
    session_as_json,
)
from tournaments.models import Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries import schedules, stages
from tournaments.queries.draw_records import draw_record
from tournaments.queries.seated_tables import assigned_seats, tables_of
from tournaments.services import pins, plans, seating, table_links
from tournaments.services import sessions as sessions_service
from tournaments.services.schedules import NotPlanned
from tournaments.services.seating import SeatingConflict, open_session

router = Router(tags=["tournaments"])


class SessionIn(DrawIn, StateChangeIn):
    """How the next session is seated: by `tables`, by `planned` seats, or else by a draw.

    `tables` are the numbers of each table's players, in seat order. `planned` takes the seats that
    were planned for this session. A draw seats all players who are not away.

    With the `number` of the session a repeated request cannot seat another session. Beyond the
    planned number of sessions only an `extra` one of the current stage is seated, which is then
    planned, too.
    """

    tables: list[list[StrictInt]] | None = None
    planned: StrictBool = False
    number: Annotated[StrictInt, Field(ge=1)] | None = None
    extra: StrictBool = False
    pins: StrictBool = True


class EndIn(StateChangeIn):
    """The numbers of all unfinished tables, which stop as they are, and optionally a reason."""

    stopping: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    auth=Requires(Level.SEE),
)
def sessions(request: HttpRequest, slug: str) -> Ok[SessionsOut]:
    """List the sessions and their seats. The staff of a live event also get the tables' links."""
    event = door.event_of(request)
    with_links = event.publication is None and rights.role_in(request, event.tournament) is not None
    by_session = groupby(event.tables, lambda table: table.sitting.session)
    listed = [
        session_as_json(
            session,
            [
                seated_as_json(
                    table, link=link_as_json(request, table.sitting) if with_links else None
                )
                for table in tables
            ],
        )
        for session, tables in by_session
    ]
    return Ok({"sessions": listed})


@router.post(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "tables": [[1, 2, 3, 4, 5, 6]], "number": 1}),
)
def seat_session(request: HttpRequest, slug: str, payload: SessionIn) -> Created[SessionOut]:
    """Seat the next session. Only this response contains the tables' PINs.

    409 if session `number` is already seated, or all sessions planned for this stage are and this
    is not an `extra` one, 422 if it is not the next session.
    """
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    seats = _seats_of(tournament, payload)
    # PINs are hashed before the tournament is locked, since hashing takes time.
    new_pins = [pins.generate_pin() for _ in seats.tables] if payload.pins else []
    try:
        with transaction.atomic():
            if payload.extra:
                plans.add_session(tournament, by=by)
            session = open_session(
                tournament, seats.tables, by=by, number=payload.number, draw=seats.draw
            )
            pins_by_sitting = {
                sitting.pk: table_links.make_pin(sitting, by=by, pin=pin)
                for sitting, pin in zip(session.sittings.all(), new_pins, strict=False)
            }
            document = _opened_as_json(request, session, seats, pins_by_sitting)
    except SeatingConflict:  # a player was removed, or table sizes changed: try again
        tournament.refresh_from_db()
        return seat_session(request, slug, payload)
    return Created(with_state(document, by))


def _opened_as_json(
    request: HttpRequest, session: Session, seats: SeatsToStore, pins_by_sitting: Mapping[int, str]
) -> SessionOut:
    """Return a session that was just opened, with each table's link and PIN.

    `pins_by_sitting` is by primary key, and empty for a session without PINs.
    """
    listed = [
        seated_as_json(
            table,
            link=link_as_json(request, table.sitting),
            pin=pins_by_sitting.get(table.sitting.pk, ""),
        )
        for table in tables_of(session.sittings.all())
    ]
    mixed = stages.mixed_tables(session.tournament, session.number, seats.tables)
    return session_as_json(session, listed, mixed=mixed)


def _seats_of(tournament: Tournament, payload: SessionIn) -> SeatsToStore:
    """Return the seats that a request names, the planned seats, or a new draw.

    Raises `Refused`, and for a draw also `Invalid`.
    """
    if payload.tables is not None:
        return SeatsToStore(named_tables(tournament, payload.tables))
    number = seating.next_session_number(tournament)
    if not payload.planned:
        drawn = draw_for(tournament, number, payload)
        return SeatsToStore(drawn.tables, drawn.facts)
    schedule = schedules.schedule_of(tournament)
    planned = schedules.planned_session(schedule, number)
    if schedule is None or planned is None:
        raise NotPlanned
    roll = stages.roll_call_of(tournament, number)
    seats = schedules.seats_for(schedule, planned, roll, roll.to_be_seated())
    if seats.line_up.is_stale:
        raise Refused("planned_stale", at="planned")
    return SeatsToStore(seats.tables, seats.facts)


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/draw",
    url_name="api-draw",
    auth=Requires(Level.SEE),
)
def session_draw(request: HttpRequest, slug: str, session: int) -> Ok[DrawOut]:
    """Return how a session's seats were drawn: the request and the answer of `manage.py draw`.

    404 for seats that were not drawn, and for readers who may not see all of this request.
    """
    event = door.event_of(request)
    tables = assigned_seats(event.session(session)[1])
    record = draw_record(event.tournament, session, tables)
    if record is None or not rights.may_repeat_draw(request, event.tournament, record):
        raise Refused("not_found")
    return Ok(draw_as_json(record))


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/end",
    url_name="api-end-session",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"seen_version": 41, "stopping": [1], "reason": "時間切れ"}),
)
def end_session(request: HttpRequest, slug: str, session: int, payload: EndIn) -> Ok[EndedOut]:
    """End a session before every planned round is recorded. Recorded facts do not change.

    409 with the `unfinished` tables unless `stopping` names them all.
    """
    found_session = door.session_in(tournament_with_sessions(request), session)
    by = rights.actor(request, seen_version=payload.seen_version)
    with transaction.atomic():
        ended_session = sessions_service.end_session(
            found_session, stopping=payload.stopping, by=by, reason=payload.reason
        )
        document = end_as_json(ended_session)
    return Ok(with_state(document, by))


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/resume",
    url_name="api-resume-session",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"seen_version": 41, "reason": "一卓まだ打っている"}),
)
def resume_session(
    request: HttpRequest, slug: str, session: int, payload: StateChangeWithReasonIn
) -> Ok[EndedOut]:
    """Resume a session that was ended."""
    found_session = door.session_in(tournament_with_sessions(request), session)
    by = rights.actor(request, seen_version=payload.seen_version)
    with transaction.atomic():
        resumed = sessions_service.resume_session(found_session, by=by, reason=payload.reason)
        document = end_as_json(resumed)
    return Ok(with_state(document, by))


@router.delete(
    "/tournaments/{slug:slug}/sessions/{int:session}",
    url_name="api-session",
    auth=Requires(Level.DIRECT),
)
def remove_session(
    request: HttpRequest, slug: str, session: int, seen_version: SeenVersion
) -> Ok[RemovedOut]:
    """Remove the last session if nothing is recorded in it. The audit trail keeps its seats."""
    found_session = door.session_in(tournament_with_sessions(request), session)
    by = rights.actor(request, seen_version=seen_version)
    sessions_service.remove_session(found_session, by=by)
    document: RemovedOut = {"removed": f"{slug}/{session}"}
    return Ok(with_state(document, by))
