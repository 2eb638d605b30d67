"""Publications of a tournament: made, withdrawn, listed and read."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from pydantic import StrictBool

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, RequestBody
from tournaments.api.responses import Ok, Router
from tournaments.api.schemas.tournaments import (
    PublicationsOut,
    PublicationWithContentOut,
    PublishedOut,
    publication_as_json,
    tournament_as_json,
)
from tournaments.models import Publication
from tournaments.permissions import door, rights
from tournaments.permissions.levels import Level
from tournaments.services.publications import publish_or_show_live, show_live, withdraw

router = Router(tags=["tournaments"])


class PublishIn(RequestBody):
    """What everybody sees: the event announced as it stands, or nothing; or as it is played.

    Exactly one of the two is to be said, and of `live` that it is so. The `reason` is
    stored where it is withdrawn.
    """

    published: StrictBool = False
    live: StrictBool = False
    reason: Reason = ""

    @property
    def is_one_choice(self) -> bool:
        """Whether exactly one of the two is given; leaving out `published` withdraws nothing."""
        return self.live != ("published" in self.model_fields_set)


@router.post(
    "/tournaments/{slug:slug}/publish",
    url_name="api-publish",
    auth=Requires(Level.DIRECT),
)
def publish(request: HttpRequest, slug: str, payload: PublishIn) -> Ok[PublishedOut]:
    """Publish the event's current state under the next number, or show it live to all or none.

    Before anything has been recorded there is nothing to announce: it is shown live.
    """
    if not payload.is_one_choice:
        raise Refused(422, "not_one_choice", at="published")
    tournament, by = door.tournament_of(request), rights.actor(request)
    announced = None
    if payload.published:
        announced = publish_or_show_live(tournament, by=by)
    elif payload.live:
        show_live(tournament, by=by)
    else:
        withdraw(tournament, by=by, reason=payload.reason)
    document = cast("PublishedOut", tournament_as_json(tournament))
    if announced is not None:
        document["publication"] = publication_as_json(request, announced)
    return Ok(document)


@router.get(
    "/tournaments/{slug:slug}/publications",
    url_name="api-publications",
    auth=Requires(Level.SEE),
)
def list_publications(request: HttpRequest, slug: str) -> Ok[PublicationsOut]:
    """List the publications: number, time and digest, for the staff also the author."""
    tournament = door.tournament_of(request)
    announced = tournament.publications.select_related("tournament").defer("content")
    listed = [publication_as_json(request, each) for each in announced]
    return Ok({"publications": listed})


@router.get(
    "/tournaments/{slug:slug}/publications/{int:publication}",
    url_name="api-publication",
    auth=Requires(Level.SEE),
)
def one_publication(
    request: HttpRequest, slug: str, publication: int
) -> Ok[PublicationWithContentOut]:
    """Return the whole content of a publication, so that anybody can check its digest.

    Earlier announcements stay readable as long as the event is: everybody could read them once.
    """
    tournament = door.tournament_of(request)
    announced = Publication.objects.filter(tournament=tournament, number=publication).first()
    if announced is None:
        raise Refused(404, "not_found")
    return Ok({**publication_as_json(request, announced), "content": announced.content})
