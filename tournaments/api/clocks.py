"""The clock of a session: read, set and run."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field
from pydantic import StrictInt

from tournaments.api.authentication import Requires, tournament_with_sessions
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, RequestBody, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.clocks import ClockOut, clock_as_json
from tournaments.models import Session
from tournaments.models.clocks import MAX_SECONDS
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.queries import clocks
from tournaments.queries.clocks import ClockSettings
from tournaments.services import clocks as clocks_service
from tournaments.services.clocks import ClockAction

router = Router(tags=["tournaments"])

Seconds = Annotated[StrictInt, Field(ge=1, le=MAX_SECONDS)]
Table = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,4}$")]


class ClockIn(RequestBody):
    """The playing time of a session, and the version of the clock that was seen, 0 for a new clock.

    All times are seconds: `last_round` before the end the last round is called; `extra` is added
    to single tables, by number, or taken from them if it is below 0.
    """

    seconds: Seconds
    last_round: Seconds | None = None
    extra: dict[Table, Annotated[StrictInt, Field(ge=-MAX_SECONDS, le=MAX_SECONDS)]] = Field(
        default_factory=dict, max_length=1000
    )
    seen: Version
    reason: Reason = ""


class ActIn(RequestBody):
    """The version of the clock that was seen, and optionally a reason."""

    seen: Version
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/clock",
    url_name="api-clock",
    auth=Requires(Level.SEATS),
)
def clock(request: HttpRequest, slug: str, session: int) -> Ok[ClockOut]:
    """Return the clock of a session and the time that is left."""
    return Ok(_current_clock(door.session_in(tournament_with_sessions(request), session)))


@router.put(
    "/tournaments/{slug:slug}/sessions/{int:session}/clock",
    url_name="api-clock",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"seconds": 5400, "last_round": 600, "extra": {}, "seen": 0}),
)
def set_clock(request: HttpRequest, slug: str, session: int, payload: ClockIn) -> Ok[ClockOut]:
    """Set the playing time of a session and of single tables. A running clock keeps running."""
    found_session = door.session_in(tournament_with_sessions(request), session)
    by = rights.actor(request)
    settings = ClockSettings(payload.seconds, payload.last_round, payload.extra)
    with transaction.atomic():
        clocks_service.set_clock(
            found_session, settings, seen_version=payload.seen, by=by, reason=payload.reason
        )
        document = _current_clock(found_session)
    return Ok(document)


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/clock/{slug:act}",
    url_name="api-run-clock",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"seen": 0}),
)
def run_clock(
    request: HttpRequest, slug: str, session: int, act: ClockAction, payload: ActIn | None = None
) -> Ok[ClockOut]:
    """Start, pause or resume a clock, or set it back to its beginning (`reset`)."""
    found_session = door.session_in(tournament_with_sessions(request), session)
    by = rights.actor(request)
    if payload is None:  # a missing body is reported at its required key
        raise Refused("missing", at="seen")
    with transaction.atomic():
        clocks_service.run_clock(
            found_session, act, seen_version=payload.seen, by=by, reason=payload.reason
        )
        document = _current_clock(found_session)
    return Ok(document)


def _current_clock(session: Session) -> ClockOut:
    version = clocks.clock_version(session)  # read before the clock, so that it is never too new
    return clock_as_json(session, clocks.clock_of(session), timezone.now(), version)
