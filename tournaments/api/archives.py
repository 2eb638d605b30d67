"""Export a tournament as an archive, and import one."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import File
from ninja.files import UploadedFile

from tournaments import archives
from tournaments.api import authentication
from tournaments.api.authentication import Requires
from tournaments.api.responses import Created, Router
from tournaments.api.schemas.tournaments import OwnTournamentOut, tournament_as_json
from tournaments.models import Membership
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.web.downloads import ZIP, download

router = Router(tags=["tournaments"])


@router.post(
    "/tournaments/archive",
    url_name="api-read-archive",
    auth=Requires(Level.CREATE),
)
def read_archive(
    request: HttpRequest, file: Annotated[UploadedFile, File()]
) -> Created[OwnTournamentOut]:
    """Import an archived event, all of it or nothing; the client becomes its director."""
    authentication.user_of(request)  # an archive is imported by an account only
    event = archives.import_archive(archives.read_limited(file), by=rights.actor(request))
    # The role is not read: a 503 at this point would say that nothing was stored.
    return Created(tournament_as_json(event, role=Membership.Role.DIRECTOR))


@router.get(
    "/tournaments/{slug:slug}/archive",
    url_name="api-archive",
    auth=Requires(Level.DIRECT),
    response={200: None},
)
def archive(request: HttpRequest, slug: str, private: str = "") -> HttpResponse:
    """Return the event as one file, with the players' private fields only if `private` is 1."""
    tournament = door.tournament_of(request)
    content = archives.export_archive(tournament, with_private=private == "1")
    response = download(content, archives.file_name(tournament), ZIP)
    response.headers["Cache-Control"] = "no-store"
    return response
