"""Closing an event over HTTP, and opening it again."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Router

from tournaments.api import documents
from tournaments.api.answers.tournaments import OwnTournamentOut
from tournaments.api.asking import Requires
from tournaments.models import Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import closing
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])


@router.post(
    "/tournaments/{slug:slug}/close",
    url_name="api-close",
    auth=Requires(Level.DIRECT),
    response=OwnTournamentOut,
)
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the event: its links, PINs and phones end. The desk may still put rounds right."""
    found = door.tournament_of(request)
    with transaction.atomic():  # what is read for the answer too: 503 stores nothing
        closing.close(found, by=rights.actor(request))
        document = _as_it_is(request, found)
    return reply(document)


@router.post(
    "/tournaments/{slug:slug}/reopen",
    url_name="api-reopen",
    auth=Requires(Level.DIRECT),
    response=OwnTournamentOut,
)
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a closed event again. Links and PINs that were closed stay so: make new ones."""
    found = door.tournament_of(request)
    with transaction.atomic():
        closing.reopen(found, by=rights.actor(request))
        document = _as_it_is(request, found)
    return reply(document)


def _as_it_is(request: HttpRequest, found: Tournament) -> dict[str, Any]:
    found.refresh_from_db()  # somebody else may have closed it a moment before
    role = rights.role_in(request, found)
    return {**documents.tournament_as_json(found), "role": role}
