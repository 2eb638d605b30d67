"""The places in each stage, and the places of all players over all stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.ranking.contest import Before, Contest, PlayOff, PointsAdjusted, places_of, steps_of
from scoring.ranking.places import Place, separating_tie_break
from scoring.ranking.tie_breaks import USUAL_TIE_BREAKS, TieBreak
from scoring.translation import gettext_noop as _

# What separates members of a stage from all others, beside the tie-breaks.
STAGE, STAGE_TITLE = "stage", _("Stage")


class Carry(StrEnum):
    """The share of the points of one stage with which a player begins the next."""

    NONE = "none"
    HALF = "half"  # rounded up
    ALL = "all"


class Members(NamedTuple):
    """The players of one group of a stage, in the order of their places in the stage before."""

    group: str
    players: tuple[str, ...]


class Stage(NamedTuple):
    """A stage after the first: its sessions begin with `first_session`, and end with the next's.

    Adjustments of its members count in it from the number `first_adjustment` on, play-offs of its
    members from that session on.
    """

    first_session: int
    first_adjustment: int
    carry: Carry
    groups: tuple[Members, ...]


class GroupPlaces(NamedTuple):
    """The places of a group in its stage, from first to last, of who has a result there.

    `carried` are the points that each player brought along; empty if none are carried over.
    `waiting` are the places in the stage before of those without a result, in their order; until
    the group's first round counts, of all its members.
    """

    group: str
    places: tuple[Place, ...]
    carried: dict[str, int]
    waiting: tuple[Place, ...] = ()

    @property
    def everybody(self) -> tuple[Place, ...]:
        """Return a place of each member: in this stage, else in the one before."""
        waiting = {place.who for place in self.waiting}
        return (*(place for place in self.places if place.who not in waiting), *self.waiting)


def carried_points(points: int, carry: Carry) -> int:
    """Return the points with which a player begins the next stage.

    >>> [carried_points(points, Carry.HALF) for points in (6, 5, -5)]
    [3, 3, -2]
    """
    if carry == Carry.HALF:
        return -(-points // 2)
    return points if carry == Carry.ALL else 0


def places_by_stage(contest: Contest, stages: Sequence[Stage]) -> list[tuple[GroupPlaces, ...]]:
    """Return the places of each group of each stage, beginning with the first stage, of all."""
    firsts = [0, *(stage.first_session for stage in stages)]
    ends = [*firsts[1:], None]
    by_stage = _adjustments_by_stage(contest, stages)
    first = _within(contest, firsts[0], ends[0])._replace(
        adjustments=by_stage[0], play_offs=_play_offs_of(0, contest, stages)
    )
    found: list[tuple[GroupPlaces, ...]] = [(GroupPlaces("", places_of(first), carried={}),)]
    for number, (stage, end) in enumerate(zip(stages, ends[1:], strict=True), 1):
        own = _within(contest, stage.first_session, end)._replace(
            adjustments=by_stage[number], play_offs=_play_offs_of(number, contest, stages)
        )
        before = [place for group in found[-1] for place in group.everybody]
        found.append(tuple(_places_of_group(own, stage, each, before) for each in stage.groups))
    return found


def _within(contest: Contest, first_session: int, end: int | None) -> Contest:
    """Return a contest of the sessions from the first one to the one before `end`, if any."""

    def is_within(session: int) -> bool:
        return first_session <= session and (end is None or session < end)

    return contest._replace(
        tables=[table for table in contest.tables if is_within(table.session)],
        sessions_over={session for session in contest.sessions_over if is_within(session)},
    )


def _adjustments_by_stage(contest: Contest, stages: Sequence[Stage]) -> list[list[PointsAdjusted]]:
    """Return the adjustments that count in each stage, the first one first.

    One counts in the last stage that had begun and has the player as a member.
    """
    members = [{who for group in stage.groups for who in group.players} for stage in stages]
    found: list[list[PointsAdjusted]] = [[] for _ in range(len(stages) + 1)]
    for adjusted in contest.adjustments:
        at = [
            number
            for number, stage in enumerate(stages, 1)
            if stage.first_adjustment <= adjusted.number and adjusted.player in members[number - 1]
        ]
        found[max(at, default=0)].append(adjusted)
    return found


def _play_offs_of(index: int, contest: Contest, stages: Sequence[Stage]) -> list[PlayOff]:
    """Return all play-offs; those that decide nothing in this stage (0: the first) without points.

    One decides in the last stage that had begun and has all who were tied as members.
    """
    members = [{who for group in stage.groups for who in group.players} for stage in stages]
    found = []
    for play_off in contest.play_offs:
        at = [
            number
            for number, stage in enumerate(stages, 1)
            if stage.first_session <= play_off.session and play_off.tied <= members[number - 1]
        ]
        decides = max(at, default=0) == index
        found.append(play_off if decides else play_off._replace(points={}))
    return found


def _places_of_group(
    contest: Contest, stage: Stage, group: Members, before: Sequence[Place]
) -> GroupPlaces:
    """Return the places of a group; `contest` has its stage's tables, `before` earlier places."""
    members = frozenset(group.players)
    of_group = [place for place in before if place.who in members]
    carried = {}
    if stage.carry != Carry.NONE:
        carried = {place.who: carried_points(place.points, stage.carry) for place in of_group}
    players = [player for player in contest.players if player in members]
    own = contest._replace(
        players=players,
        carried=carried,
        before={place.who: Before(place.rank, place.points) for place in of_group},
        adjustments=[each for each in contest.adjustments if each.player in members],
        reserves={*contest.reserves, *(set(contest.players) - members)},
    )
    places = places_of(own)
    has_begun = any(place.rounds_played for place in places) or _has_typed(contest, players)
    ranked = {place.who for place in places} if has_begun else set()
    waiting = tuple(place for place in of_group if place.who not in ranked)
    return GroupPlaces(group.group, places, carried, waiting)


def _has_typed(contest: Contest, players: Iterable[str]) -> bool:
    """Return whether any of the players has typed totals."""
    among = set(players)
    return any(
        table.is_typed and score.complete and not among.isdisjoint(table.record.players)
        for table in contest.tables
        for score in table.rounds
    )


def places_over_all(contest: Contest, stages: Sequence[Stage]) -> tuple[Place, ...]:
    """Return one list of places: members of the last stage first, group by group, then the others.

    Without stages these are the places of the contest.
    """
    if not stages:
        return places_of(contest)
    by_stage = places_by_stage(contest, stages)
    groups = [group.everybody for groups in reversed(by_stage) for group in groups]
    steps = steps_of(contest.rules, play_offs=contest.play_offs, decisions=contest.decisions)
    return merged_places(groups, steps)


def merged_places(
    groups: Iterable[Sequence[Place]], tie_breaks: Sequence[TieBreak] = USUAL_TIE_BREAKS
) -> tuple[Place, ...]:
    """Return one list of places: of each group, who is in no group before it, in order.

    All are ranked by `tie_breaks`. `separated_by` is "stage" for the first player of each group but
    the first one. Players listed without a rank come last.

    >>> final = [Place(1, "B", 3, 1, (3,), tied=False, separated_by=None)]
    >>> heats = [Place(1, "A", 9, 2, (9,), tied=False, separated_by=None),
    ...          Place(2, "B", 7, 2, (7,), tied=False, separated_by="points")]
    >>> [(place.rank, place.who, place.separated_by) for place in merged_places([final, heats])]
    [(1, 'B', None), (2, 'A', 'stage')]
    """
    everybody: list[Place] = []
    unranked: list[Place] = []
    seen: set[str] = set()
    for group in groups:
        members = [place for place in group if place.who not in seen]
        seen |= {place.who for place in members}
        unranked += [place for place in members if place.rank is None]
        ranked = [place for place in members if place.rank is not None]
        everybody += _below(len(everybody), ranked, tie_breaks)
    separates = [place.separated_by for place in everybody[1:]]
    ordered = [
        place._replace(separates=separated)
        for place, separated in zip(everybody, [*separates, None], strict=False)
    ]
    return (*ordered, *unranked)


def _below(above: int, members: Sequence[Place], tie_breaks: Sequence[TieBreak]) -> list[Place]:
    """Return the places of a group's members, all ranked, that follow `above` other players."""
    sharing = Counter(place.rank for place in members)
    placed: list[Place] = []
    for i, place in enumerate(members):
        if i == 0:
            rank, separated_by = above + 1, STAGE if above else None
        elif members[i - 1].rank == place.rank:
            rank, separated_by = placed[-1].rank or 0, None
        else:
            rank = above + i + 1
            separated_by = separating_tie_break(members[i - 1].values, place.values, tie_breaks)
        tied = sharing[place.rank] > 1
        placed.append(place._replace(rank=rank, tied=tied, separated_by=separated_by))
    return placed
