"""Standings of teams."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.ranking import Teams
from tournaments.api.schemas.standings import SumLineOut
from tournaments.api.schemas.tournaments import PublicationOut, publication_as_json
from tournaments.queries.events import Event
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.team_standings import TeamMember, TeamStanding


@no_other_keys
class TeamMemberOut(TypedDict):
    """A member of a team; `points` are null until a round of this player counts."""

    number: int
    name: str
    points: int | None
    counted: Annotated[
        int | None,
        Field(description="Which of these points count for the team; null if none count."),
    ]


@no_other_keys
class TeamOut(TypedDict):
    """A team; `place` and `points` are null until a round of a member counts."""

    place: int | None
    team: str
    points: int | None
    tied: bool
    lines: Annotated[list[SumLineOut], Field(description="Points of the team itself.")]
    members: list[TeamMemberOut]


@no_other_keys
class TeamsOut(TypedDict):
    """All teams, sorted by place."""

    tournament: str
    publication: Annotated[
        PublicationOut | None,
        Field(description="The publication that is shown; null for live standings."),
    ]
    counting: Annotated[Teams, Field(description="Whose points count.")]
    team_members: Annotated[int, Field(description="How many members count; 0 if all do.")]
    teams: list[TeamOut]


def teams_as_json(request: HttpRequest, event: Event) -> TeamsOut:
    """The event is live or published."""
    publication, rules = event.publication, event.tournament.ranking_rules
    return {
        "tournament": event.tournament.slug,
        "publication": publication_as_json(request, publication) if publication else None,
        "counting": rules.teams,
        "team_members": rules.team_members,
        "teams": [_team_as_json(each) for each in event.team_standings],
    }


def _team_as_json(team: TeamStanding) -> TeamOut:
    place = team.place
    return {
        "place": place.rank if place else None,
        "team": team.name,
        "points": place.points if place else None,
        "tied": bool(place and place.tied),
        "lines": [
            {
                "item": "adjustment",
                "points": each.points,
                "session": None,
                "adjustment": each.number,
                "reason": None,
            }
            for each in team.adjustments
        ],
        "members": [_member_as_json(each) for each in team.members],
    }


def _member_as_json(member: TeamMember) -> TeamMemberOut:
    return {
        "number": member.entry.number,
        "name": member.entry.name,
        "points": member.points,
        "counted": member.counted,
    }
