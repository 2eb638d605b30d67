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
    """A player with one of the first places of a list; `tied` if several players share it."""

    place: int
    tied: bool
    points: int
    withdrawn: bool
    decided_by: Annotated[
        list[str], Field(description="The tie-breaks that decided between equal points.")
    ]


@no_other_keys
class AwardListOut(TypedDict):
    """The first places of all players, of a class, or of a group of the last stage."""

    division: Annotated[str | None, Field(description="Null unless it is the list of a class.")]
    stage: Annotated[
        str | None,
        Field(description="As in `?stage=` of the standings; null unless it is for a group."),
    ]
    group: Annotated[str | None, Field(description="Null unless it is the list of a group.")]
    awards: list[AwardOut]


@no_other_keys
class TeamAwardOut(TypedDict):
    """A team with one of the first places; `tied` if several teams share the place."""

    place: int
    team: str
    tied: bool
    points: int


@no_other_keys
class AwardsOut(TypedDict):
    """Award lists: of all players, then of groups and of classes if there are several.

    Empty lists are left out, and so is the list of all players if that of the first group is the
    same. `interim` is true while a session is played or planned sessions are still to come; of a
    publication, while it does not contain all of them.
    """

    tournament: str
    fingerprint: str
    publication: Annotated[
        PublicationOut | None,
        Field(description="The publication that is shown; null for live standings."),
    ]
    interim: bool
    lists: list[AwardListOut]
    teams: list[TeamAwardOut]


def _list_as_json(award_list: AwardList) -> AwardListOut:
    return {
        "division": award_list.division or None,
        "stage": award_list.stage.code if award_list.stage else None,
        "group": award_list.stage.section.group if award_list.stage else None,
        "awards": [
            {
                **entry_as_json(award.entry),
                "place": award.rank,
                "tied": award.is_tied,
                "points": award.points,
                "withdrawn": award.is_withdrawn,
                "decided_by": list(award.steps),
            }
            for award in award_list.awards
        ],
    }


def awards_as_json(request: HttpRequest, event: Event, places: int) -> AwardsOut:
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
