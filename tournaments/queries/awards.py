"""The first ranks: of all players, of each group of the last stage, of each class, and of teams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import scoring
from tournaments.models import Entry, Publication
from tournaments.queries.events import Event
from tournaments.queries.progress import (
    plan_with,
    unfinished_sessions,
)
from tournaments.queries.sections import Section
from tournaments.queries.stages import StageStandings, stage_standings
from tournaments.queries.standings import Standing, classes_of, standings_of_class
from tournaments.queries.team_standings import TeamStanding

USUAL_PLACES, MOST_PLACES = 3, 100


class Award(NamedTuple):
    """A player's rank in one list; `is_tied` if other players share the rank.

    `is_withdrawn`: the player no longer takes part. `steps` are the codes of the tie-breaks, except
    points, that put the player above or below a neighbour. `section`, `carried` and `won` are those
    of `Standing`.
    """

    rank: int
    entry: Entry
    points: int
    is_tied: bool
    is_withdrawn: bool = False
    steps: tuple[str, ...] = ()
    section: Section | None = None
    carried: int | None = None
    won: int | None = None


class AwardList(NamedTuple):
    """The awards of one class (`division`) or one group of a stage, or else of all players."""

    division: str
    awards: list[Award]
    stage: StageStandings | None = None

    @property
    def winners(self) -> list[tuple[int, Entry]]:
        return [(award.rank, award.entry) for award in self.awards]

    @property
    def has_sections(self) -> bool:
        return any(award.section and not award.section.is_first for award in self.awards)


class TeamAward(NamedTuple):
    """A team's rank and points, and its members with a result; `is_tied` if the rank is shared."""

    rank: int
    name: str
    members: tuple[Entry, ...]
    points: int
    is_tied: bool


class Interim(NamedTuple):
    """Why ranks can still change: these `sessions` are not over, or sessions are to come.

    A publication has only a part of `sessions`, or no results after session number `up_to`, None if
    it has no results. This stays true, whatever is played after it. Sessions are named by number.
    """

    sessions: Sequence[int]
    sessions_left: int
    up_to: int | None = None


def interim_of(event: Event) -> Interim | None:
    """Return why ranks can still change by play; None if everything is played.

    In a closed tournament no sessions are to come.
    """
    if event.publication is not None:
        return _interim_of_publication(event, event.publication)
    sessions = event.sessions
    if unfinished := unfinished_sessions(sessions):
        return Interim([each.number for each in unfinished], 0)
    if not sessions and event.plan.current.planned is None:
        return Interim((), 0)
    to_come = event.plan.sessions_left
    return Interim((), to_come) if to_come > 0 and not event.tournament.closed_at else None


def _interim_of_publication(event: Event, publication: Publication) -> Interim | None:
    """Return what a publication lacks, from its own results: later ones are not public.

    It need not be final because the tournament is closed: see `PublicationQuerySet.with_final`.
    """
    if publication.is_final:
        return None
    with_results = [each for each in event.sessions if each.progress.has_begun]
    last = with_results[-1].session.number if with_results else 0
    if parts := partly_published(event):
        return Interim(parts, 0)
    plan = plan_with(event.tournament, event.ranking_facts.stages, with_results)
    if plan.sessions_left > 0 or event.has_later_sessions:
        return Interim((), plan.sessions_left, up_to=last or None)
    return None


def partly_published(event: Event) -> list[int]:
    """Return the numbers of the sessions that a publication includes only in part, in order.

    They were on when it was published, and it is not final: play went on after it.
    """
    if event.publication is None or event.publication.is_final:
        return []
    last = max(
        (each.session.number for each in event.sessions if each.progress.has_begun), default=0
    )
    return [
        session.number
        for session, progress in event.sessions
        if session.number <= last and progress.planned is not None
        if session.ended_at is None and not progress.is_complete
    ]


def award_lists(event: Event, last_rank: int) -> list[AwardList]:
    """Return the lists of all players, of groups and of classes, with ranks up to `last_rank`.

    There are lists of groups or classes only if there are several of them. Empty lists are left
    out, and the list of all players if the first group has the same awards.
    """
    standings = event.standings
    by_class = first_by_class(standings, last_rank, event.ranking_facts.steps)
    everybody = AwardList("", first_of_all(standings, last_rank))
    groups = [
        AwardList("", first_of_all(each.rows, last_rank), each)
        for each in _groups_of_last_stage(stage_standings(event.ranking_facts))
    ]
    is_repeated = bool(groups) and groups[0].winners == everybody.winners
    lists = groups if is_repeated else [everybody, *groups]
    if len(by_class) > 1:
        lists += [AwardList(division, awards) for division, awards in by_class.items()]
    return [each for each in lists if each.awards]


def _groups_of_last_stage(stages: Sequence[StageStandings]) -> list[StageStandings]:
    groups = [each for each in stages if each.code.split(".")[0] == stages[-1].code.split(".")[0]]
    return groups if len(groups) > 1 else []


def first_of_all(rows: Iterable[Standing], last_rank: int) -> list[Award]:
    """Shared ranks may make the list longer than `last_rank`."""
    return [
        Award(
            place.rank,
            row.entry,
            place.points,
            is_tied=place.tied,
            is_withdrawn=row.is_withdrawn,
            steps=row.deciding_steps,
            section=row.section,
            carried=row.carried,
            won=row.won,
        )
        for row in rows
        if (place := row.place) and place.rank is not None and place.rank <= last_rank
    ]


def first_by_class(
    rows: Sequence[Standing], last_rank: int, steps: Sequence[scoring.TieBreak]
) -> dict[str, list[Award]]:
    """Return by class the awards of ranks in the class up to `last_rank`.

    `steps` are the tie-breaks that ranked the rows.
    """
    return {
        division: first_of_all(standings_of_class(rows, division, steps), last_rank)
        for division in classes_of(rows)
    }


def first_teams(rows: Iterable[TeamStanding], last_rank: int) -> list[TeamAward]:
    """Shared ranks may make the list longer than `last_rank`."""
    return [
        TeamAward(
            row.place.rank,
            row.name,
            tuple(member.entry for member in row.members if member.points is not None),
            row.place.points,
            is_tied=row.place.tied,
        )
        for row in rows
        if row.place and row.place.rank <= last_rank
    ]
