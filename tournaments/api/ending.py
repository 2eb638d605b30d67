"""Ending and removing sessions over HTTP: one made by mistake."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Field, Router
from pydantic import StrictInt

from tournaments.api.answers.refusals import ConflictOut
from tournaments.api.answers.seating import EndedOut, RemovedOut
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict
from tournaments.api.refusals import Refused
from tournaments.models import Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import seating, sessions
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])

Reason = Annotated[str, Field(max_length=500)]


class EndIn(Strict):
    """Which unfinished tables stop as they are, all of them, and why if there is more to say."""

    stopping: Annotated[list[StrictInt], Field(max_length=1000)] = Field(default_factory=list)
    reason: Reason = ""


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/end",
    url_name="api-end-session",
    auth=Requires(Level.STAFF),
    response={200: EndedOut, 409: ConflictOut},
)
def end_session(
    request: HttpRequest, slug: str, session: int, payload: EndIn | None = None
) -> HttpResponse:
    """End a session before every planned round is in. Nothing that is recorded changes."""
    found, by = _session(request, session), rights.actor(request)
    payload = payload or EndIn()
    try:
        with transaction.atomic():
            ended = sessions.end_session(
                found, stopping=payload.stopping, by=by, reason=payload.reason
            )
            document = _as_json(ended)
    except sessions.Unfinished as refused:
        raise Refused(409, refused.code, at="stopping", unfinished=refused.tables) from None
    return reply(document)


@router.post(
    "/tournaments/{slug:slug}/sessions/{int:session}/resume",
    url_name="api-resume-session",
    auth=Requires(Level.STAFF),
    response={200: EndedOut, 409: ConflictOut},
)
def resume_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Take back that a session was ended."""
    found = _session(request, session)
    with transaction.atomic():
        document = _as_json(sessions.resume_session(found, by=rights.actor(request)))
    return reply(document)


@router.delete(
    "/tournaments/{slug:slug}/sessions/{int:session}",
    url_name="api-session",
    auth=Requires(Level.DIRECT),
    response={200: RemovedOut, 409: ConflictOut},
)
def remove_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Remove the last session, in which nothing is recorded. The history keeps who sat where."""
    found = _session(request, session)
    try:
        sessions.remove_session(found, by=rights.actor(request))
    except (seating.HasBegun, sessions.NotLastSession) as refused:
        raise Refused(409, refused.code) from None
    return reply({"removed": f"{slug}/{session}"})


def _session(request: HttpRequest, number: int) -> Session:
    tournament = door.tournament_of(request)
    if tournament.kind == Tournament.Kind.TABLE:
        raise Refused(409, seating.OneTable.code)
    found = get_object_or_404(tournament.sessions, number=number)
    found.tournament = tournament
    return found


def _as_json(session: Session) -> dict[str, Any]:
    ended_at = session.ended_at.isoformat() if session.ended_at else None
    return {"number": session.number, "ended_at": ended_at}
