"""The award list."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.entries import EntryOut, entry_as_json
from tournaments.api.schemas.tournaments import PublicationOut, publication_as_json
from tournaments.queries.awards import AwardList, award_lists, first_teams, interim_of
from tournaments.queries.events import Event
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class AwardOut(EntryOut):
    """A player with one of the first places of a list; `tied` if others share it."""

    place: int
    tied: bool
    points: int
    withdrawn: bool
    decided_by: Annotated[
        list[str], Field(description="The steps that decided between players of equal points.")
    ]


@no_other_keys
class AwardListOut(TypedDict):
    """The first places of a group of the last stage, of a class, or of all players."""

    division: Annotated[str | None, Field(description="Null unless it is the list of a class.")]
    stage: Annotated[str | None, Field(description="As in `?stage=`: null unless of a group.")]
    group: Annotated[str | None, Field(description="Null unless it is the list of a group.")]
    awards: list[AwardOut]


@no_other_keys
class TeamAwardOut(TypedDict):
    """A team with one of the first places; `tied` if others share it."""

    place: int
    team: str
    tied: bool
    points: int


@no_other_keys
class AwardsOut(TypedDict):
    """The list of all players, then those of groups and of classes if there are several.

    None is empty; that of all is left out where the first group has the same. `interim` tells that
    a session is on, or that planned ones are still to come.
    """

    tournament: str
    fingerprint: str
    publication: Annotated[
        PublicationOut | None, Field(description="The announcement shown; null where it is live.")
    ]
    interim: bool
    lists: list[AwardListOut]
    teams: list[TeamAwardOut]


def _list_as_json(found: AwardList) -> AwardListOut:
    return {
        "division": found.division or None,
        "stage": found.stage.code if found.stage else None,
        "group": found.stage.group if found.stage else None,
        "awards": [
            {
                **entry_as_json(award.entry),
                "place": award.rank,
                "tied": award.is_tied,
                "points": award.points,
                "withdrawn": award.is_withdrawn,
                "decided_by": list(award.steps),
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
        "interim": interim_of(event) is not None,
        "lists": [_list_as_json(each) for each in award_lists(event, places)],
        "teams": [
            {"place": each.rank, "team": each.name, "tied": each.is_tied, "points": each.points}
            for each in first_teams(event.team_standings, places)
        ],
    }
