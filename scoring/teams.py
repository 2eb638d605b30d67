"""Teams of a tournament: their points from those of their members, and their places.

The game's rules say nothing of teams; a tournament's director chooses how members count. The two
sides of Gouji at one table are another matter: see `scoring.variants.gouji`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class Counting(StrEnum):
    """Whose points count for a team."""

    ALL = "all"  # every member's
    BEST = "best"  # those of the members with the most points in the end
    BY_SESSION = "by_session"  # in each session, those of the members with the most points in it


class Member(NamedTuple):
    """A member's points by session number, and points outside of sessions, such as penalties."""

    who: str
    sessions: Mapping[int, int]
    other: int = 0

    @property
    def points(self) -> int:
        """Return the sum of all points."""
        return sum(self.sessions.values()) + self.other


class TeamPlace(NamedTuple):
    """A team's place. Teams with equal points and equal best members, one by one, share a rank.

    `members` has each member and the points that count, the most first. With `Counting.BEST` those
    who do not count have None.
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

    `count` is the number of members that count, unless all do; a team with fewer gets nothing for
    those it lacks. `adjustments` are points of the team itself.

    >>> teams = {"East": [Member("A", {1: 5}), Member("B", {1: -2})], "West": [Member("C", {1: 4})]}
    >>> [(place.rank, place.name, place.points) for place in rank_teams(teams, Counting.ALL)]
    [(1, 'West', 4), (2, 'East', 3)]
    >>> best = rank_teams(teams, Counting.BEST, 1)
    >>> [(place.rank, place.name, place.points) for place in best]
    [(1, 'East', 5), (2, 'West', 4)]
    """
    extra = adjustments or {}
    counted = {name: _counted_points(members, counting, count) for name, members in teams.items()}
    values = {
        name: (
            sum(points for _who, points in members if points is not None) + extra.get(name, 0),
            [points for _who, points in members if points is not None],
        )
        for name, members in counted.items()
    }
    names = sorted(teams, key=lambda name: values[name], reverse=True)
    places: list[TeamPlace] = []
    for i, name in enumerate(names):
        is_shared = i > 0 and values[names[i - 1]] == values[name]
        rank = places[-1].rank if is_shared else i + 1
        is_tied = sum(each == values[name] for each in values.values()) > 1
        place = TeamPlace(rank, name, values[name][0], tuple(counted[name]), tied=is_tied)
        places.append(place)
    return tuple(places)


def _counted_points(
    members: Sequence[Member], counting: Counting, count: int
) -> list[tuple[str, int | None]]:
    """Return each member with the points that count, the most first."""
    if counting == Counting.BY_SESSION:
        counted = sorted(_best_of_each_session(members, count).items(), key=_points_first)
        return [*counted]
    ranked = sorted(members, key=lambda member: -member.points)
    counting_members = len(ranked) if counting == Counting.ALL else count
    return [
        (each.who, each.points if i < counting_members else None) for i, each in enumerate(ranked)
    ]


def _best_of_each_session(members: Sequence[Member], count: int) -> dict[str, int]:
    """Return each member's points in the sessions in which they are among the best of the team.

    Points outside of sessions count in full.
    """
    points = {each.who: each.other for each in members}
    sessions = sorted({session for each in members for session in each.sessions})
    for session in sessions:
        own = {each.who: each.sessions[session] for each in members if session in each.sessions}
        for who, gained in sorted(own.items(), key=_points_first)[:count]:
            points[who] += gained
    return points


def _points_first(member: tuple[str, int]) -> int:
    return -member[1]
