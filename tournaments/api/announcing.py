"""What everybody sees of a tournament, over HTTP: announcing it, and what was announced."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router
from pydantic import StrictBool

from tournaments.api import documents
from tournaments.api.answers.tournaments import (
    PublicationsOut,
    PublicationWithContentOut,
    PublishedOut,
)
from tournaments.api.asking import Requires
from tournaments.api.bodies import Strict
from tournaments.api.refusals import Refused
from tournaments.models import Publication
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services.publications import announce, show_live, withdraw
from tournaments.web.json_responses import reply

router = Router(tags=["tournaments"])


class PublishIn(Strict):
    """What everybody sees: the event announced as it stands, or nothing; or as it is played.

    Exactly one of the two is to be said, and of `live` that it is so.
    """

    published: StrictBool = False
    live: StrictBool = False

    @property
    def is_one_choice(self) -> bool:
        """Whether it says one thing: what is left out is no wish to withdraw the event."""
        return self.live != ("published" in self.model_fields_set)


@router.post(
    "/tournaments/{slug:slug}/publish",
    url_name="api-publish",
    auth=Requires(Level.DIRECT),
    response=PublishedOut,
)
def publish(request: HttpRequest, slug: str, payload: PublishIn) -> HttpResponse:
    """Announce the event as it stands, under the next number; or let all or none see it live.

    Before anything has been recorded there is nothing to announce: it is shown live.
    """
    if not payload.is_one_choice:
        raise Refused(422, "not_one_choice", at="published")
    found, by = door.tournament_of(request), rights.actor(request)
    document: dict[str, Any] = {}
    if payload.published:
        announced = announce(found, by=by)
        if announced is not None:
            document["publication"] = documents.publication_as_json(request, announced)
    elif payload.live:
        show_live(found, by=by)
    else:
        withdraw(found, by=by)
    return reply(documents.tournament_as_json(found) | document)


@router.get(
    "/tournaments/{slug:slug}/publications",
    url_name="api-publications",
    auth=Requires(Level.SEE),
    response=PublicationsOut,
)
def list_publications(request: HttpRequest, slug: str) -> HttpResponse:
    """List what has been announced: number, time and digest; to the staff also by whom."""
    found = door.tournament_of(request)
    announced = found.publications.select_related("tournament").defer("content")
    listed = [documents.publication_as_json(request, each) for each in announced]
    return reply({"publications": listed})


@router.get(
    "/tournaments/{slug:slug}/publications/{int:publication}",
    url_name="api-publication",
    auth=Requires(Level.SEE),
    response=PublicationWithContentOut,
)
def one_publication(request: HttpRequest, slug: str, publication: int) -> HttpResponse:
    """Tell all that was announced, so that anybody can check the digest.

    Earlier announcements stay readable as long as the event is: everybody could read them once.
    """
    found = door.tournament_of(request)
    told = Publication.objects.filter(tournament=found, number=publication).first()
    if told is None:
        raise Refused(404, "not_found")
    return reply({**documents.publication_as_json(request, told), "content": told.content})
