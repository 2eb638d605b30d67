"""The end of private data: what is stored and where, the day that ends them, erasing them now."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import RequestBody, Version, example
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.private_data import PrivateDataOut, private_data_as_json
from tournaments.models.field_types import Day
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services import private_data as service
from tournaments.services.versions import VersionConflict

router = Router(tags=["tournaments"])
ADDRESS, NAME = "/tournaments/{slug:slug}/private-data", "api-private-data"


class PrivateEndIn(RequestBody):
    """The last day of private data, null: half a year after the tournament; `seen`: the version."""

    until: Day | None
    seen: Version


@router.get(ADDRESS, url_name=NAME, auth=Requires(Level.DIRECT))
def private_data(request: HttpRequest, slug: str) -> Ok[PrivateDataOut]:
    """Return when private data end, how much is stored, and which backups still hold some."""
    return Ok(private_data_as_json(door.tournament_of(request)))


@router.put(
    ADDRESS,
    url_name=NAME,
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"until": "2031-12-31", "seen": 0}),
)
def set_private_end(request: HttpRequest, slug: str, payload: PrivateEndIn) -> Ok[PrivateDataOut]:
    """Set the last day. 409 if it was set since `seen`; 422 for a day before the tournament."""
    tournament, by = door.tournament_of(request), rights.actor(request)
    try:
        with transaction.atomic():
            service.set_end(tournament, payload.until, seen_version=payload.seen, by=by)
            return Ok(private_data_as_json(tournament))
    except VersionConflict:
        raise Refused("private_end_set_since", at="seen") from None


@router.delete(ADDRESS, url_name=NAME, auth=Requires(Level.DIRECT))
def erase_private_data(request: HttpRequest, slug: str) -> Ok[PrivateDataOut]:
    """Erase the private data now: they cannot be brought back. Idempotent."""
    tournament = door.tournament_of(request)
    with transaction.atomic():
        service.erase(tournament, by=rights.actor(request))
        return Ok(private_data_as_json(tournament))
