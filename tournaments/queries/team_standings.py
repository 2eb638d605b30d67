"""Standings of teams (チーム順位): points of members, of which those count that the rules say.

The ranking rules choose whose points count. A member's points are those of the standings of
players: rounds, missed sessions and adjustments. Over stages they are the sum of what was won in
each, so that no round counts twice: without what was carried over. Points given to the team itself,
or deducted, are a line of its own sum.
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
    """A member with all their points, and those that count for the team.

    Both are None until a round of theirs counts; `counted` also if none of their points count.
    """

    entry: Entry
    points: int | None
    counted: int | None


class TeamStanding(NamedTuple):
    """A team's place, None until a round of a member counts; members with the most points first.

    `adjustments` are those of the team itself that are in force.
    """

    name: str
    place: TeamPlace | None
    members: list[TeamMember]
    adjustments: Sequence[Adjustment] = ()

    @property
    def adjusted(self) -> int:
        """Return the points given to the team itself and deducted, together."""
        return sum(each.points for each in self.adjustments)


def has_teams(entries: Iterable[Entry]) -> bool:
    """Return whether anybody is in a team."""
    return any(entry.team for entry in entries)


def team_standings_of(facts: RankingFacts) -> list[TeamStanding]:
    """Return all teams in the order of their places; those without a place come last, by name."""
    teams: dict[str, list[Entry]] = defaultdict(list)
    for entry in facts.entries:
        if entry.team:
            teams[entry.team].append(entry)
    if not teams:
        return []
    found, adjustments = _members(facts), _adjustments(facts)
    played = {
        name: [found[entry.key] for entry in entries if entry.key in found]
        for name, entries in teams.items()
    }
    places = rank_teams(
        {name: members for name, members in played.items() if members},
        Counting(facts.rules.teams),
        facts.rules.team_members,
        {name: sum(each.points for each in own) for name, own in adjustments.items()},
    )
    ranked = [
        TeamStanding(each.name, each, _rows(each, teams, found), adjustments[each.name])
        for each in places
    ]
    waiting = [
        TeamStanding(name, None, _waiting(teams[name], found), adjustments[name])
        for name in sorted(teams)
        if not played[name]
    ]
    return ranked + waiting


def _adjustments(facts: RankingFacts) -> defaultdict[str, list[Adjustment]]:
    """Return the adjustments of teams that are in force, by the name of the team."""
    found: defaultdict[str, list[Adjustment]] = defaultdict(list)
    for each in facts.adjustments:
        if each.team:
            found[each.team].append(each)
    return found


def _members(facts: RankingFacts) -> dict[str, Member]:
    """Return who has a result, with the points by session, by the number as text.

    What a missed session counts as is of that session.
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


def _rows(
    place: TeamPlace, teams: Mapping[str, list[Entry]], found: Mapping[str, Member]
) -> list[TeamMember]:
    """Return the members of a team that has a place, those without a result last."""
    entries = {entry.key: entry for entry in teams[place.name]}
    counted = [TeamMember(entries[who], found[who].points, own) for who, own in place.members]
    return counted + _waiting(teams[place.name], found)


def _waiting(entries: Iterable[Entry], found: Mapping[str, Member]) -> list[TeamMember]:
    """Return the members without a result, but for substitutes."""
    return [
        TeamMember(entry, None, None)
        for entry in entries
        if entry.key not in found and not entry.is_substitute
    ]
