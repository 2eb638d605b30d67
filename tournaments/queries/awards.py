"""Who is among the first: of all, of each group of the last stage, of each class, and of teams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.models import Entry
from tournaments.queries.events import Event
from tournaments.queries.progress import (
    current_progress,
    current_session,
    sessions_left,
    unfinished_sessions,
)
from tournaments.queries.stages import StageStandings, stage_standings
from tournaments.queries.standings import Standing, classes_of
from tournaments.queries.team_standings import TeamStanding

USUAL_PLACES, MOST_PLACES = 3, 100


class Award(NamedTuple):
    """A player's rank in one list, which others may share.

    `is_withdrawn` tells that the player takes part no more. `steps` are the codes of the steps
    other than points that put the player above or below another one.
    """

    rank: int
    entry: Entry
    points: int
    is_tied: bool
    is_withdrawn: bool = False
    steps: tuple[str, ...] = ()


class AwardList(NamedTuple):
    """The first places of a group of a stage or of a class; of all players without either."""

    division: str
    awards: list[Award]
    stage: StageStandings | None = None


class TeamAward(NamedTuple):
    """A team's rank, which others may share."""

    rank: int
    name: str
    members: tuple[Entry, ...]
    points: int
    is_tied: bool


class Interim(NamedTuple):
    """Why the places can still change: a session is on (its number), or some are to come."""

    session: int | None
    sessions_left: int


def interim_of(event: Event) -> Interim | None:
    """Return why the places of an event can still change by play; None if all is played."""
    sessions = event.sessions
    current = current_session(sessions)
    unfinished = unfinished_sessions(sessions)
    if unfinished and current is not None:
        return Interim(current.number, 0)
    on_now = current_progress(sessions)
    if event.publication and on_now is not None and not on_now.progress.has_begun:
        return Interim(on_now.session.number, 0)  # only its seats are public
    left = sessions_left(event.tournament, sessions)
    return Interim(None, left) if left > 0 and not event.tournament.closed_at else None


def award_lists(event: Event, places: int) -> list[AwardList]:
    """Return the first places of all, then of groups and of classes, if several; none empty.

    The list of all is left out where the first group has the same.
    """
    known = event.standings
    by_class = first_by_class(known, places)
    everybody = AwardList("", first_of_all(known, places))
    groups = [
        AwardList("", first_of_all(each.rows, places), each)
        for each in _groups_of_last_stage(stage_standings(event.ranking_facts))
    ]
    is_repeated = any(each.awards == everybody.awards for each in groups[:1])
    lists = groups if is_repeated else [everybody, *groups]
    lists += [AwardList(*each) for each in by_class.items()] if len(by_class) > 1 else []
    return [each for each in lists if each.awards]


def _groups_of_last_stage(stages: Sequence[StageStandings]) -> list[StageStandings]:
    """Return the groups of the last stage; empty if it has only one, which is first of all."""
    groups = [each for each in stages if each.code.split(".")[0] == stages[-1].code.split(".")[0]]
    return groups if len(groups) > 1 else []


def first_of_all(rows: Iterable[Standing], places: int) -> list[Award]:
    """Return who has one of the first places; more players if the last of these is shared."""
    ranked = [(row.place.rank, row) for row in rows if row.place and row.place.rank is not None]
    return _awards(ranked, places)


def first_by_class(rows: Iterable[Standing], places: int) -> dict[str, list[Award]]:
    """Return who has one of the first places in each class, by class; empty without classes."""
    known = list(rows)
    return {
        division: _awards(
            [
                (row.rank_in_class, row)
                for row in known
                if row.entry.division == division and row.rank_in_class is not None
            ],
            places,
        )
        for division in classes_of(known)
    }


def first_teams(rows: Iterable[TeamStanding], places: int) -> list[TeamAward]:
    """Return the teams with one of the first places; more if the last of these is shared."""
    return [
        TeamAward(
            row.place.rank,
            row.name,
            tuple(member.entry for member in row.members if member.points is not None),
            row.place.points,
            is_tied=row.place.tied,
        )
        for row in rows
        if row.place and row.place.rank <= places
    ]


def _awards(ranked: list[tuple[int, Standing]], places: int) -> list[Award]:
    shared = Counter(rank for rank, _row in ranked)
    return [
        Award(
            rank,
            row.entry,
            row.place.points if row.place else 0,
            is_tied=shared[rank] > 1,
            is_withdrawn=row.is_withdrawn,
            steps=row.deciding_steps,
        )
        for rank, row in ranked
        if rank <= places
    ]
