"""Teams of a tournament: their points from those of their members, and their places.

The game's rules say nothing of teams; a tournament's director chooses how members count. The two
sides of Gouji at one table are another matter: see `scoring.variants.gouji`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class Counting(StrEnum):
    """The members whose points count for a team."""

    ALL = "all"  # every member
    BEST = "best"  # the members with the most points in the end
    BY_SESSION = "by_session"  # in each session, the members with the most points in it


class Member(NamedTuple):
    """A member's points by session number; `other` are points outside of sessions, as penalties."""

    who: str
    sessions: Mapping[int, int]
    other: int = 0

    @property
    def points(self) -> int:
        """Return the sum of all points."""
        return sum(self.sessions.values()) + self.other


class TeamPlace(NamedTuple):
    """A team's place. Teams share a rank if all points compared by `rank_teams` are equal.

    `members` are pairs of a member and the member's points that count, the highest first. With
    `Counting.BEST` a member who does not count has None.
    """

    rank: int
    name: str
    points: int
    members: tuple[tuple[str, int | None], ...]
    tied: bool


def rank_teams(
    teams: Mapping[str, Sequence[Member]],
    counting: Counting,
    count: int = 0,
    adjustments: Mapping[str, int] | None = None,
) -> tuple[TeamPlace, ...]:
    """Return the places of the teams, by name, from first to last.

    Equal totals are decided by the best member's points, then by the second best's, and so on.
    `count` is the number of members whose points count; `Counting.ALL` ignores it. A team with
    fewer members gets nothing for the missing ones, which is compared as 0. `adjustments` are
    points of the team itself.

    >>> teams = {"East": [Member("A", {1: 5}), Member("B", {1: -2})], "West": [Member("C", {1: 4})]}
    >>> [(place.rank, place.name, place.points) for place in rank_teams(teams, Counting.ALL)]
    [(1, 'West', 4), (2, 'East', 3)]
    >>> best = rank_teams(teams, Counting.BEST, 1)
    >>> [(place.rank, place.name, place.points) for place in best]
    [(1, 'East', 5), (2, 'West', 4)]
    """
    own_points = adjustments or {}
    members_by_team = {
        name: _counted_points(members, counting, count) for name, members in teams.items()
    }
    most = max(map(len, members_by_team.values()), default=0)
    values = {}
    for name, members in members_by_team.items():
        counted = [points for _who, points in members if points is not None]
        in_order = sorted(counted + [0] * (most - len(counted)), reverse=True)
        values[name] = (sum(counted) + own_points.get(name, 0), in_order)
    names = sorted(teams, key=lambda name: values[name], reverse=True)
    places: list[TeamPlace] = []
    for i, name in enumerate(names):
        is_shared = i > 0 and values[names[i - 1]] == values[name]
        rank = places[-1].rank if is_shared else i + 1
        is_tied = sum(each == values[name] for each in values.values()) > 1
        counted_members = tuple(members_by_team[name])
        places.append(TeamPlace(rank, name, values[name][0], counted_members, tied=is_tied))
    return tuple(places)


def _counted_points(
    members: Sequence[Member], counting: Counting, count: int
) -> list[tuple[str, int | None]]:
    """Return pairs of a member and the member's points that count, the highest first.

    None for a member who does not count. `count` is the number of members who count.
    """
    if counting == Counting.BY_SESSION:
        points = _best_of_each_session(members, count)
        return [*sorted(points.items(), key=_descending_points)]
    ranked = sorted(members, key=lambda member: -member.points)
    counting_members = len(ranked) if counting == Counting.ALL else count
    return [
        (each.who, each.points if i < counting_members else None) for i, each in enumerate(ranked)
    ]


def _best_of_each_session(members: Sequence[Member], count: int) -> dict[str, int]:
    """Return each member's points, of only the sessions in which they were among the best `count`.

    Points outside of sessions are always added.
    """
    points = {each.who: each.other for each in members}
    sessions = sorted({session for each in members for session in each.sessions})
    for session in sessions:
        scored = {each.who: each.sessions[session] for each in members if session in each.sessions}
        for who, gained in sorted(scored.items(), key=_descending_points)[:count]:
            points[who] += gained
    return points


def _descending_points(member_and_points: tuple[str, int]) -> int:
    """Return the sort key of a pair of a member and points: the most points first."""
    return -member_and_points[1]
