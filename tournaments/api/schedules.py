"""Planned seats of sessions to come: draw them together, and read, change and drop them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from ninja import Field
from pydantic import StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.drawing import DrawIn, draw_for, named_tables
from tournaments.api.refusals import Refused, placed
from tournaments.api.request_bodies import Reason, SeenVersion, StateChangeIn, Version, example
from tournaments.api.responses import Ok, Router, with_state
from tournaments.api.schemas.schedules import ScheduleOut, current_schedule
from tournaments.audit import Actor
from tournaments.forms.draws import MOST_SESSIONS
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import schedules, seating
from tournaments.services.seating import SeatingConflict
from tournaments.services.versions import VersionConflict
from tournaments.web.numbers import parse_number

router = Router(tags=["tournaments"])

SEATED_SINCE = (seating.AlreadySeated, seating.NotSeatedBefore, schedules.NotPlanned)


class ScheduleIn(DrawIn, StateChangeIn):
    """The number of sessions that are drawn together, from the next one on, and how.

    `seen` is the version of the planned seats that was read, 0 without planned seats.
    """

    sessions: Annotated[StrictInt, Field(ge=1, le=MOST_SESSIONS)]
    seen: Version


class PlannedSeatsIn(StateChangeIn):
    """The planned seats of a session: the numbers of each table's players, in seat order."""

    tables: list[list[StrictInt]]
    seen: Version
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/schedule",
    url_name="api-schedule",
    auth=Requires(Level.STAFF),
)
def schedule(request: HttpRequest, slug: str) -> Ok[ScheduleOut]:
    """Return the planned seats, and how they were drawn."""
    return Ok(current_schedule(door.tournament_of(request)))


@router.put(
    "/tournaments/{slug:slug}/schedule",
    url_name="api-schedule",
    auth=Requires(Level.DIRECT),
    openapi_extra=example(
        {"seen_version": 41, "sessions": 3, "method": "fewest_repeats", "seed": 20261122, "seen": 0}
    ),
)
def keep_schedule(request: HttpRequest, slug: str, payload: ScheduleIn) -> Ok[ScheduleOut]:
    """Draw the next sessions together, without the players who are away now, and store the seats.

    Replaces planned seats stored before.
    """
    tournament = door.tournament_of(request)
    number = seating.next_session_number(tournament)
    drawn = draw_for(tournament, number, payload, sessions=payload.sessions)
    write = partial(schedules.store_schedule, tournament, number, drawn.facts)
    by = rights.actor(request, seen_version=payload.seen_version)
    return _write_schedule(tournament, write, payload.seen, by)


@router.delete(
    "/tournaments/{slug:slug}/schedule",
    url_name="api-schedule",
    auth=Requires(Level.DIRECT),
)
def drop_schedule(
    request: HttpRequest, slug: str, seen_version: SeenVersion, seen: str = ""
) -> Ok[ScheduleOut]:
    """Drop the planned seats. Seated sessions do not change."""
    tournament, version = door.tournament_of(request), parse_number(seen)
    if version is None:
        raise Refused("seats_changed", at="seen")
    write = partial(schedules.delete_schedule, tournament)
    by = rights.actor(request, seen_version=seen_version)
    return _write_schedule(tournament, write, version, by)


@router.put(
    "/tournaments/{slug:slug}/schedule/{int:session}",
    url_name="api-planned-seats",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "tables": [[6, 5, 4, 3, 2, 1]], "seen": 1}),
)
def change_planned_seats(
    request: HttpRequest, slug: str, session: int, payload: PlannedSeatsIn
) -> Ok[ScheduleOut]:
    """Change the planned seats of a session that is not seated yet."""
    tournament = door.tournament_of(request)
    tables = named_tables(tournament, payload.tables)
    write = partial(
        schedules.change_planned_seats, tournament, session, tables, reason=payload.reason
    )
    by = rights.actor(request, seen_version=payload.seen_version)
    return _write_schedule(tournament, write, payload.seen, by)


def _write_schedule(
    tournament: Tournament, write: Callable[..., object], seen_version: int, by: Actor
) -> Ok[ScheduleOut]:
    """Call `write`, a function of `services.schedules`, and answer with the planned seats."""
    try:
        with placed("seen", *SEATED_SINCE), transaction.atomic():
            write(seen_version=seen_version, by=by)
            return Ok(with_state(current_schedule(tournament), by))
    except VersionConflict:
        raise Refused("seats_changed", at="seen") from None
    except SeatingConflict:
        raise Refused("seats_changed", at="tables") from None
