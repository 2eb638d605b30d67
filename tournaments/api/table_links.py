"""A table's link and PIN, by which phones join it: for the staff and the host of a club table."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from tournaments.api.authentication import Requires
from tournaments.api.responses import Created, Ok, Router
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
)
def make_pin(request: HttpRequest, sitting: int) -> Created[PinOut]:
    """Make a new PIN for a table. Only this response contains it. The old PIN is void."""
    found_sitting = door.sitting_of(request)
    return Created(
        {"pin": table_links.make_pin(found_sitting, by=rights.actor(request, found_sitting))}
    )


@router.post(
    "/sittings/{int:sitting}/link",
    url_name="api-link",
    auth=Requires(Level.HOST),
)
def make_link(request: HttpRequest, sitting: int) -> Created[LinkOut]:
    """Make a new link for a table. The old link and PIN are revoked, and phones end."""
    found_sitting = door.sitting_of(request)
    with transaction.atomic():
        table_links.make_link(found_sitting, by=rights.actor(request, found_sitting))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return Created(document)


@router.get("/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST))
def link(request: HttpRequest, sitting: int) -> Ok[LinkOut]:
    """Return the link by which phones join a table."""
    return Ok(link_as_json(request, door.sitting_of(request)))


@router.delete("/sittings/{int:sitting}/link", url_name="api-link", auth=Requires(Level.HOST))
def revoke_link(request: HttpRequest, sitting: int) -> Ok[LinkOut]:
    """Revoke a table's link and PIN and end all its phones."""
    found_sitting = door.sitting_of(request)
    with transaction.atomic():
        table_links.revoke_link(found_sitting, by=rights.actor(request, found_sitting))
        document = link_as_json(request, get_object_or_404(Sitting, pk=sitting))
    return Ok(document)
