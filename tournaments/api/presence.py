"""The roll call of a session: read it, mark players, and start it again."""

from __future__ import annotations

from typing import Annotated

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.api.authentication import Requires, tournament_with_sessions
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, RequestBody, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.presence import MarkOut, PresenceOut, presence_as_json
from tournaments.models import Tournament
from tournaments.models.field_types import AS_TEXT
from tournaments.permissions import rights
from tournaments.permissions.levels import Level
from tournaments.queries import presence as presence_queries
from tournaments.queries import stages as stage_queries
from tournaments.queries.presence import Status
from tournaments.services import presence as presence_service
from tournaments.services import seating

router = Router(tags=["tournaments"])


class MarkIn(RequestBody):
    """A player's new status, the status that was `seen`, and optionally a reason."""

    status: Annotated[Status, AS_TEXT]
    seen: Annotated[Status, AS_TEXT]
    reason: Reason = ""


class RestartIn(RequestBody):
    """The `version` of the roll call that was `seen`, and optionally a reason."""

    seen: Version
    reason: Reason = ""


@router.get(
    "/tournaments/{slug:slug}/sessions/{int:session}/presence",
    url_name="api-presence",
    auth=Requires(Level.STAFF),
)
def presence(request: HttpRequest, slug: str, session: int) -> Ok[PresenceOut]:
    """Return the status of every player in a seated session or in the next session."""
    tournament = tournament_with_roll_call(request, session)
    return Ok(_current_roll_call(tournament, session))


@router.put(
    "/tournaments/{slug:slug}/sessions/{int:session}/presence/{int:entry}",
    url_name="api-mark-presence",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"status": "late", "seen": "expected"}),
)
def mark_presence(
    request: HttpRequest, slug: str, session: int, entry: int, payload: MarkIn
) -> Ok[MarkOut]:
    """Mark a player in the roll call. Idempotent."""
    tournament = tournament_with_roll_call(request, session)
    player, status = get_object_or_404(tournament.entries, number=entry), payload.status
    presence_service.mark_presence(
        player,
        session,
        status,
        seen_status=payload.seen,
        by=rights.actor(request),
        reason=payload.reason,
    )
    return Ok({"number": entry, "status": str(status)})


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/presence/restart",
    url_name="api-restart-roll-call",
    auth=Requires(Level.STAFF),
    openapi_extra=example({"seen": 0, "reason": "昼休みのあと"}),
)
def restart_roll_call(
    request: HttpRequest, slug: str, session: int, payload: RestartIn | None = None
) -> Ok[PresenceOut]:
    """Start the roll call of a session again: all players but those withdrawn are expected."""
    tournament = tournament_with_roll_call(request, session)
    if payload is None:  # a missing body is reported at its required key
        raise Refused("missing", at="seen")
    with transaction.atomic():
        presence_service.restart_roll_call(
            tournament,
            session,
            seen_version=payload.seen,
            by=rights.actor(request),
            reason=payload.reason,
        )
        document = _current_roll_call(tournament, session)
    return Ok(document)


def tournament_with_roll_call(request: HttpRequest, session: int) -> Tournament:
    """Return the tournament in the URL.

    Raises `Refused`: 409 for a club table, 404 if the session has no roll call.
    """
    tournament = tournament_with_sessions(request)
    if not seating.can_be_called(tournament, session):
        raise Refused("not_found")
    return tournament


def _current_roll_call(tournament: Tournament, session: int) -> PresenceOut:
    """Return the roll call as stored. Its version is read first, so that it is never too new."""
    version = presence_queries.marks_version(tournament)
    return presence_as_json(stage_queries.roll_call_of(tournament, session), version)
