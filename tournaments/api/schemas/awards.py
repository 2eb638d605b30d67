"""The award list."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.entries import EntryOut, entry_as_json
from tournaments.api.schemas.tournaments import PublicationOut, publication_as_json
from tournaments.queries.awards import AwardList, award_lists
from tournaments.queries.events import Event
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class AwardOut(EntryOut):
    """A player with one of the first places of a list; `tied` if others share it."""

    place: int
    tied: bool
    points: int


@no_other_keys
class AwardListOut(TypedDict):
    """The first places of a class, or of all players."""

    division: Annotated[str | None, Field(description="Null for the list of all players.")]
    awards: list[AwardOut]


@no_other_keys
class AwardsOut(TypedDict):
    """The list of all players, then that of each class if there are several; none is empty."""

    tournament: str
    fingerprint: str
    publication: Annotated[
        PublicationOut | None, Field(description="The announcement shown; null where it is live.")
    ]
    lists: list[AwardListOut]


def _list_as_json(found: AwardList) -> AwardListOut:
    return {
        "division": found.division or None,
        "awards": [
            {
                **entry_as_json(award.entry),
                "place": award.rank,
                "tied": award.is_tied,
                "points": award.points,
            }
            for award in found.awards
        ],
    }


def awards_as_json(request: HttpRequest, event: Event, places: int) -> AwardsOut:
    """Return the first places of a tournament as the reader sees it."""
    publication = event.publication
    return {
        "tournament": event.tournament.slug,
        "fingerprint": event.tournament.rules.fingerprint,
        "publication": publication_as_json(request, publication) if publication else None,
        "lists": [_list_as_json(each) for each in award_lists(event.standings, places)],
    }
