"""A table's link and PIN, which open it to phones: for the staff."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.api.authentication import Requires
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.refusals import ConflictOut
from tournaments.api.schemas.sessions import LinkOut, PinOut, link_as_json
from tournaments.models import Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import table_links

router = Router(tags=["phones"])


@router.post(
    "/sittings/{int:sitting}/pin",
    url_name="api-pin",
    auth=Requires(Level.HOST),
    response={409: ConflictOut},
)
def make_pin(request: HttpRequest, sitting: int) -> Created[PinOut]:
    """Make a new PIN for a table. It is told this once; the old one opens nothing."""
    found = door.sitting_of(request)
    return Created({"pin": table_links.make_pin(found, by=rights.actor(request, found))})


@router.post(
    "/sittings/{int:sitting}/link",
    url_name="api-link",
    auth=Requires(Level.HOST),
    response={409: ConflictOut},
)
def make_link(request: HttpRequest, sitting: int) -> Created[LinkOut]:
    """Make a new link for a table. The old one, and every phone that came by it, is closed."""
    found = door.sitting_of(request)
    with transaction.atomic():
        table_links.make_link(found, by=rights.actor(request, found))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return Created(document)


@router.get("/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST))
def link(request: HttpRequest, sitting: int) -> Ok[LinkOut]:
    """Tell the link that opens a table to a phone, for its staff to print or show."""
    return Ok(link_as_json(request, door.sitting_of(request)))


@router.delete("/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST))
def revoke_link(request: HttpRequest, sitting: int) -> Ok[LinkOut]:
    """Close a table's link, its PIN and all its phones."""
    found = door.sitting_of(request)
    with transaction.atomic():
        table_links.revoke_link(found, by=rights.actor(request, found))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return Ok(document)
