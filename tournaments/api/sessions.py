"""Who sits where over HTTP: told, and the next session seated."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Field, Router
from pydantic import StrictBool, StrictInt

from tournaments.api import documents
from tournaments.api.answers.refusals import ConflictOut
from tournaments.api.answers.seating import SessionOut, SessionsOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict
from tournaments.api.joining import link_as_json
from tournaments.api.refusals import Refused
from tournaments.models import Entry, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries.sheets import SeatedTable, tables_of
from tournaments.services import draws, pins, table_links
from tournaments.services.seating import (
    AlreadySeated,
    NotSeatedBefore,
    OneTable,
    SeatingConflict,
    open_session,
)
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])


class SessionIn(Strict):
    """Who sits where: the numbers of each table's players, in seat order. Without: a draw.

    `number` is the session meant, so that none is seated twice.
    """

    tables: list[list[StrictInt]] | None = None
    number: Annotated[StrictInt, Field(ge=1)] | None = None
    pins: StrictBool = True


@router.get(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    auth=Requires(Level.SEE),
    response=SessionsOut,
)
def sessions(request: HttpRequest, slug: str) -> HttpResponse:
    """List the sessions and who sits where; to the staff with the tables' links."""
    event = door.event_of(request)
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    by_session = groupby(event.tables, lambda table: table.sitting.session)
    listed = [
        _session(request, each, list(tables), {}, is_staff=is_staff) for each, tables in by_session
    ]
    return reply({"sessions": listed})


@router.post(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    auth=Requires(Level.DIRECT),
    response={201: SessionOut, 409: ConflictOut},
)
def seat_session(request: HttpRequest, slug: str, payload: SessionIn) -> HttpResponse:
    """Seat the next session. The tables' PINs are told this once."""
    found, by = door.tournament_of(request), rights.actor(request)
    tables = _tables(found, payload)
    drawn = (
        [pins.generate_pin() for _ in tables] if payload.pins else []
    )  # before anybody waits for us
    try:
        with transaction.atomic():
            session = open_session(found, tables, by=by, number=payload.number)
            told = {
                each.pk: table_links.make_pin(each, by=by, pin=pin)
                for each, pin in zip(session.sittings.all(), drawn, strict=False)
            }
            seated = tables_of(session.sittings.all())
            document = _session(request, session, seated, told, is_staff=True)
    except SeatingConflict:
        found.refresh_from_db()
        return seat_session(request, slug, payload)
    except OneTable as refused:
        raise Refused(409, refused.code) from None
    except AlreadySeated as seated:
        raise Refused(409, seated.code, at="number") from None
    except NotSeatedBefore as early:
        raise Refused(422, early.code, at="number") from None
    return reply(document, 201)


def _tables(tournament: Tournament, payload: SessionIn) -> list[list[Entry]]:
    """Return who sits where, as asked or drawn, or refuse what cannot be seated."""
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    if payload.tables is None:
        entries = list(by_number.values())
        tables = draws.draw(entries, tournament.table_sizes, random.SystemRandom())
        if not tables:
            raise Refused(422, "table_size", at="tables")
        return tables
    seen: set[int] = set()
    for t, numbers in enumerate(payload.tables):
        if len(numbers) not in tournament.table_sizes:
            raise Refused(422, "table_size", at=f"tables[{t}]")
        for s, number in enumerate(numbers):
            if number not in by_number:
                raise Refused(422, "no_entry", at=f"tables[{t}][{s}]")
            if number in seen:
                raise Refused(422, "seated_twice", at=f"tables[{t}][{s}]")
            seen.add(number)
    if not payload.tables:
        raise Refused(422, "missing", at="tables")
    return [[by_number[number] for number in numbers] for numbers in payload.tables]


def _session(
    request: HttpRequest,
    session: Session,
    tables: Sequence[SeatedTable],
    told: dict[int, str],
    *,
    is_staff: bool,
) -> dict[str, Any]:
    sittings = [_sitting(request, each, told, is_staff) for each in tables]
    ended_at = session.ended_at.isoformat() if session.ended_at else None
    return {"number": session.number, "ended_at": ended_at, "sittings": sittings}


def _sitting(
    request: HttpRequest, table: SeatedTable, told: dict[int, str], is_staff: bool
) -> dict[str, Any]:
    sitting = table.sitting
    document = {
        "id": sitting.pk,
        "table": sitting.number,
        "seats": documents.seats_as_json(table.entries),
    }
    if is_staff:
        document |= link_as_json(request, sitting)
    if sitting.pk in told:
        document["pin"] = told[sitting.pk]
    return document
