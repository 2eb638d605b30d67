"""Standings of teams (チーム順位): sums of points of members.

The ranking rules choose which members' points count. A member's points are those of the standings
of players: rounds, missed sessions and adjustments. With stages they are the sum of the points of
all stages without the points carried over, so that no round counts twice. Adjustments of the team
itself are added to the sum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.ranking.contest import points_by_session
from scoring.stages.places import places_by_stage
from scoring.teams import Counting, Member, TeamPlace, rank_teams
from tournaments.models import Adjustment, Entry
from tournaments.queries.ranking_facts import RankingFacts


class TeamMember(NamedTuple):
    """A member: all points, and the points that count for the team (`counted`).

    Both are None until one of the member's rounds counts; `counted` also if the member's points do
    not count for the team.
    """

    entry: Entry
    points: int | None
    counted: int | None


class TeamStanding(NamedTuple):
    """A team: its place, None until a round of a member counts, and its members.

    `members` are ordered by points, those without a result last. `adjustments` are those of the
    team itself that are in force.
    """

    name: str
    place: TeamPlace | None
    members: list[TeamMember]
    adjustments: Sequence[Adjustment] = ()

    @property
    def adjusted(self) -> int:
        return sum(each.points for each in self.adjustments)


def has_teams(entries: Iterable[Entry]) -> bool:
    return any(entry.team for entry in entries)


def team_standings_of(facts: RankingFacts) -> list[TeamStanding]:
    """Teams without a place come last, ordered by name."""
    teams: dict[str, list[Entry]] = defaultdict(list)
    for entry in facts.entries:
        if entry.team:
            teams[entry.team].append(entry)
    if not teams:
        return []
    members, adjustments = _members_by_key(facts), _adjustments_by_team(facts)
    with_result = {
        name: [members[entry.key] for entry in entries if entry.key in members]
        for name, entries in teams.items()
    }
    places = rank_teams(
        {name: of_team for name, of_team in with_result.items() if of_team},
        Counting(facts.rules.teams),
        facts.rules.team_members,
        {name: sum(each.points for each in rows) for name, rows in adjustments.items()},
    )
    ranked = [
        TeamStanding(
            each.name,
            each,
            _members_of_ranked_team(each, teams[each.name], members),
            adjustments[each.name],
        )
        for each in places
    ]
    waiting = [
        TeamStanding(name, None, _members_without_result(teams[name], members), adjustments[name])
        for name in sorted(teams)
        if not with_result[name]
    ]
    return ranked + waiting


def _adjustments_by_team(facts: RankingFacts) -> defaultdict[str, list[Adjustment]]:
    by_team: defaultdict[str, list[Adjustment]] = defaultdict(list)
    for each in facts.adjustments:
        if each.team:
            by_team[each.team].append(each)
    return by_team


def _members_by_key(facts: RankingFacts) -> dict[str, Member]:
    """Return the players with a result and their points by session, by key.

    Points of all stages are added, without the points carried over, so that no round counts twice.
    Points credited for a missed session belong to that session; `other` are points of no session,
    such as adjustments.
    """
    contest = facts.contest
    sessions = points_by_session(contest)
    points: dict[str, int] = defaultdict(int)
    for group in (
        each for stage in places_by_stage(contest, facts.played_stages) for each in stage
    ):
        for place in group.places:
            points[place.who] += place.points - group.carried.get(place.who, 0)
            for line in place.lines:
                if line.session is not None:
                    sessions[place.who][line.session] = line.points
    return {
        who: Member(who, sessions[who], other=total - sum(sessions[who].values()))
        for who, total in points.items()
    }


def _members_of_ranked_team(
    place: TeamPlace, entries: Sequence[Entry], members: Mapping[str, Member]
) -> list[TeamMember]:
    """Return the members in the order of the team's place, then those without a result."""
    by_key = {entry.key: entry for entry in entries}
    with_result = [
        TeamMember(by_key[key], members[key].points, counted) for key, counted in place.members
    ]
    return with_result + _members_without_result(entries, members)


def _members_without_result(
    entries: Iterable[Entry], members: Mapping[str, Member]
) -> list[TeamMember]:
    """Substitutes are left out."""
    return [
        TeamMember(entry, None, None)
        for entry in entries
        if entry.key not in members and not entry.is_substitute
    ]
