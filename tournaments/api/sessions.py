"""Sessions: listed, seated, ended, resumed and removed."""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Literal

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments import draws
from tournaments.api.authentication import Requires
from tournaments.api.refusals import Invalid, Refused
from tournaments.api.request_bodies import Reason, ReasonIn, RequestBody
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.refusals import ConflictOut
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
from tournaments.i18n.draws import problems_in_words
from tournaments.models import Entry, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries import presence, stages
from tournaments.queries.draw_records import draw_record
from tournaments.queries.seat_draws import NEW_SEEDS, Choices, SeatDraw, draw_seats, new_seed
from tournaments.queries.sheets import tables_of
from tournaments.services import pins, seating, table_links
from tournaments.services import sessions as sessions_service
from tournaments.services.seating import (
    AlreadySeated,
    NotSeatedBefore,
    OneTable,
    SeatingConflict,
    open_session,
)

router = Router(tags=["tournaments"])


class FixedIn(RequestBody):
    """A player who is to sit at a table, by their numbers."""

    number: StrictInt
    table: Annotated[StrictInt, Field(ge=1, le=1000)]


class SessionIn(RequestBody):
    """Who sits where: the numbers of each table's players, in seat order. Without: a draw of those
    who are not away, by `method` and `seed`. `apart` lists groups of players who do not share a
    table, `sizes` the sizes of the tables, where not the usual ones.

    `number` is the session meant, so that none is seated twice.
    """

    tables: list[list[StrictInt]] | None = None
    method: Literal["lot", "fewest_repeats", "level", "mixed"] = "lot"
    separate_clubs: StrictBool = False
    seed: Annotated[StrictInt, Field(ge=0, lt=NEW_SEEDS)] | None = None
    apart: Annotated[list[list[StrictInt]], Field(max_length=5000)] = Field(default_factory=list)
    fixed: Annotated[list[FixedIn], Field(max_length=3000)] = Field(default_factory=list)
    sizes: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    number: Annotated[StrictInt, Field(ge=1)] | None = None
    pins: StrictBool = True


class EndIn(RequestBody):
    """Which unfinished tables stop as they are, all of them, and why if there is more to say."""

    stopping: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    auth=Requires(Level.SEE),
)
def sessions(request: HttpRequest, slug: str) -> Ok[SessionsOut]:
    """List the sessions and their seats, for the staff with the tables' links."""
    event = door.event_of(request)
    # A publication contains no links, for the staff either.
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    by_session = groupby(event.tables, lambda table: table.sitting.session)
    listed = [
        session_as_json(
            session,
            [
                seated_as_json(
                    table, link=link_as_json(request, table.sitting) if is_staff else None
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
    response={409: ConflictOut},
)
def seat_session(request: HttpRequest, slug: str, payload: SessionIn) -> Created[SessionOut]:
    """Seat the next session. Only this response contains the tables' PINs."""
    found, by = door.tournament_of(request), rights.actor(request)
    drawn = _drawn(found, payload) if payload.tables is None else None
    tables = drawn.tables if drawn else requested_tables(found, payload.tables or [])
    # Before the lock is taken: hashing takes time.
    new_pins = [pins.generate_pin() for _ in tables] if payload.pins else []
    try:
        with transaction.atomic():
            session = open_session(
                found,
                tables,
                by=by,
                number=payload.number,
                draw=drawn.facts if drawn else None,
            )
            pins_by_sitting = {
                sitting.pk: table_links.make_pin(sitting, by=by, pin=pin)
                for sitting, pin in zip(session.sittings.all(), new_pins, strict=False)
            }
            seated = tables_of(session.sittings.all())
            document = session_as_json(
                session,
                [
                    seated_as_json(
                        table,
                        link=link_as_json(request, table.sitting),
                        pin=pins_by_sitting.get(table.sitting.pk, ""),
                    )
                    for table in seated
                ],
            )
    except SeatingConflict:  # a player was removed, or table sizes changed: check anew
        found.refresh_from_db()
        return seat_session(request, slug, payload)
    except OneTable as refused:
        raise Refused(409, refused.code) from None
    except AlreadySeated as seated:
        raise Refused(409, seated.code, at="number") from None
    except NotSeatedBefore as early:
        raise Refused(422, early.code, at="number") from None
    return Created(document)


def _drawn(tournament: Tournament, payload: SessionIn) -> SeatDraw:
    """Return a draw of those who are not away. Raises `Refused` and `Invalid`."""
    number = seating.next_session_number(tournament)
    members = stages.players_of_session(tournament, number)
    entries = presence.roll_call(tournament, number, members).to_be_seated()
    if not set(payload.sizes) <= set(tournament.table_sizes) or sum(payload.sizes) > len(entries):
        raise Refused(422, "table_size", at="sizes")
    choices = Choices(
        payload.method,
        payload.separate_clubs,
        new_seed() if payload.seed is None else payload.seed,
        apart=tuple(tuple(map(str, group)) for group in payload.apart),
        fixed=tuple((str(each.number), each.table) for each in payload.fixed),
        mix=tuple(sorted(payload.sizes, reverse=True)),
    )
    try:
        drawn = draw_seats(tournament, number, entries, choices)
    except draws.InvalidRequest as invalid:
        entries_by_key = {entry.key: entry for entry in entries}
        words = problems_in_words(invalid.problems, entries_by_key)
        errors = [
            {**problem.as_json(), "message": message}
            for problem, message in zip(invalid.problems, words, strict=True)
        ]
        raise Invalid(errors, invalid.unlisted) from None
    if drawn is None:
        raise Refused(422, "table_size", at="tables")
    return drawn


def requested_tables(tournament: Tournament, tables: list[list[int]]) -> list[list[Entry]]:
    """Return the players of each table that was named. Raises `Refused`."""
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    seated_numbers: set[int] = set()
    for table_index, numbers in enumerate(tables):
        if len(numbers) not in tournament.table_sizes:
            raise Refused(422, "table_size", at=f"tables[{table_index}]")
        for seat_index, number in enumerate(numbers):
            place = f"tables[{table_index}][{seat_index}]"
            if number not in by_number:
                raise Refused(422, "no_entry", at=place)
            if number in seated_numbers:
                raise Refused(422, "seated_twice", at=place)
            seated_numbers.add(number)
    if not tables:
        raise Refused(422, "missing", at="tables")
    return [[by_number[number] for number in numbers] for numbers in tables]


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/draw",
    url_name="api-draw",
    auth=Requires(Level.SEE),
)
def session_draw(request: HttpRequest, slug: str, session: int) -> Ok[DrawOut]:
    """Return how a session's seats were drawn: the request and the answer of `manage.py draw`."""
    event = door.event_of(request)
    _session, sheets = event.session(session)
    record = draw_record(event.tournament, session, [sheet.players for sheet in sheets])
    if record is None or not rights.may_repeat_draw(request, event.tournament, record):
        raise Refused(404, "not_found")
    return Ok(draw_as_json(record))


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/end",
    url_name="api-end-session",
    auth=Requires(Level.STAFF),
    response={409: ConflictOut},
)
def end_session(
    request: HttpRequest, slug: str, session: int, payload: EndIn | None = None
) -> Ok[EndedOut]:
    """End a session before every planned round is in. Nothing that is recorded changes."""
    found, by = _find_session(request, session), rights.actor(request)
    payload = payload or EndIn()
    try:
        with transaction.atomic():
            ended = sessions_service.end_session(
                found, stopping=payload.stopping, by=by, reason=payload.reason
            )
            document = end_as_json(ended)
    except sessions_service.Unfinished as refused:
        raise Refused(409, refused.code, at="stopping", unfinished=refused.tables) from None
    return Ok(document)


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/resume",
    url_name="api-resume-session",
    auth=Requires(Level.STAFF),
    response={409: ConflictOut},
)
def resume_session(
    request: HttpRequest, slug: str, session: int, payload: ReasonIn | None = None
) -> Ok[EndedOut]:
    """Resume a session that was ended."""
    found, by = _find_session(request, session), rights.actor(request)
    reason = payload.reason if payload else ""
    with transaction.atomic():
        document = end_as_json(sessions_service.resume_session(found, by=by, reason=reason))
    return Ok(document)


@router.delete(
    "/tournaments/{slug:slug}/sessions/{int:session}",
    url_name="api-session",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def remove_session(request: HttpRequest, slug: str, session: int) -> Ok[RemovedOut]:
    """Remove the last session, in which nothing is recorded. The history keeps who sat where."""
    found = _find_session(request, session)
    try:
        sessions_service.remove_session(found, by=rights.actor(request))
    except (seating.HasBegun, sessions_service.NotLastSession) as refused:
        raise Refused(409, refused.code) from None
    return Ok({"removed": f"{slug}/{session}"})


def _find_session(request: HttpRequest, number: int) -> Session:
    """Return a session of an event. Raises `Http404`, and `Refused` for a club table."""
    tournament = door.tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise Refused(409, OneTable.code)
    found = get_object_or_404(tournament.sessions, number=number)
    found.tournament = tournament
    return found
