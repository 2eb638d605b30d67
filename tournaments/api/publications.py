"""Publications of a tournament: publish, withdraw, list and read."""

from __future__ import annotations

from django.http import HttpRequest
from pydantic import StrictBool

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Reason, StateChangeIn, example
from tournaments.api.responses import Ok, Router, with_state
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
from tournaments.services.publications import publish_or_show_live, show_live, unpublish

router = Router(tags=["tournaments"])


class PublishIn(StateChangeIn):
    """What everybody sees of the event. Send either `published` or `live`, not both.

    `published` true publishes the event as it stands; `published` false withdraws it, and stores
    the `reason`. `live` true shows the event as it is played.
    """

    published: StrictBool = False
    live: StrictBool = False
    reason: Reason = ""

    @property
    def is_one_choice(self) -> bool:
        """Whether either `published` was sent (true or false) or `live` is true, but not both."""
        return self.live != ("published" in self.model_fields_set)


@router.post(
    "/tournaments/{slug:slug}/publish",
    url_name="api-publish",
    auth=Requires(Level.DIRECT),
    openapi_extra=example({"seen_version": 41, "published": True}),
)
def publish(request: HttpRequest, slug: str, payload: PublishIn) -> Ok[PublishedOut]:
    """Publish the event's current state under the next number, show it live, or withdraw it.

    If nothing is recorded yet, no publication is made: the event is shown live.
    """
    if not payload.is_one_choice:
        raise Refused("not_one_choice", at="published")
    tournament = door.tournament_of(request)
    by = rights.actor(request, seen_version=payload.seen_version)
    publication = None
    if payload.published:
        publication = publish_or_show_live(tournament, by=by)
    elif payload.live:
        show_live(tournament, by=by)
    else:
        unpublish(tournament, by=by, reason=payload.reason)
    document = tournament_as_json(tournament)
    if publication is not None:
        document["publication"] = publication_as_json(request, publication)
    return Ok(with_state(document, by))


@router.get(
    "/tournaments/{slug:slug}/publications",
    url_name="api-publications",
    auth=Requires(Level.SEE),
)
def list_publications(request: HttpRequest, slug: str) -> Ok[PublicationsOut]:
    """List the publications: number, time and digest, for the staff also the author."""
    tournament = door.tournament_of(request)
    publications = tournament.publications.select_related("tournament").defer("content")
    return Ok({"publications": [publication_as_json(request, each) for each in publications]})


@router.get(
    "/tournaments/{slug:slug}/publications/{int:publication}",
    url_name="api-publication",
    auth=Requires(Level.SEE),
)
def read_publication(
    request: HttpRequest, slug: str, publication: int
) -> Ok[PublicationWithContentOut]:
    """Return a publication with its whole content, so that its digest can be checked.

    Superseded publications are included. Whoever may see the tournament may read them; after it is
    withdrawn, only the staff.
    """
    tournament = door.tournament_of(request)
    row = Publication.objects.filter(tournament=tournament, number=publication).first()
    if row is None:
        raise Refused("not_found")
    return Ok({**publication_as_json(request, row), "content": row.content})
