"""Closing a tournament, and reopening it."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest

from tournaments.api.authentication import Requires
from tournaments.api.request_bodies import StateChangeIn, StateChangeWithReasonIn, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.tournaments import (
    CurrentTournamentOut,
    current_tournament_as_json,
)
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import closing, registrations

router = Router(tags=["tournaments"])


@router.post(
    "/tournaments/{slug:slug}/close",
    url_name="api-close",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41}),
)
def close(request: HttpRequest, slug: str, payload: StateChangeIn) -> Ok[CurrentTournamentOut]:
    """Close the event: its links, PINs and phones end. The desk can still correct rounds."""
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    with transaction.atomic():  # includes reading the answer, so that a 503 stores nothing
        closing.close(tournament, by=by)
        document = _current_json(request, tournament)
    return Ok(document)


@router.post(
    "/tournaments/{slug:slug}/reopen",
    url_name="api-reopen",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "reason": "決勝を追加"}),
)
def reopen(
    request: HttpRequest, slug: str, payload: StateChangeWithReasonIn
) -> Ok[CurrentTournamentOut]:
    """Reopen a closed event. Its links and PINs stay revoked: make new ones."""
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    with transaction.atomic():
        closing.reopen(tournament, by=by, reason=payload.reason)
        # Approves applicants for the places that became free while the event was closed.
        registrations.approve_waiting(tournament, by=by)
        document = _current_json(request, tournament)
    return Ok(document)


def _current_json(request: HttpRequest, tournament: Tournament) -> CurrentTournamentOut:
    tournament.refresh_from_db()  # another request may have closed or reopened it
    return current_tournament_as_json(request, tournament)
