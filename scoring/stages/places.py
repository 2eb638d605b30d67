"""The places in each stage, and the places of all players over all stages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.ranking.absence import Absence
from scoring.ranking.contest import (
    Adjustment,
    Contest,
    Credits,
    EarlierPlace,
    PlayOff,
    absences_of,
    places_of,
    steps_of,
)
from scoring.ranking.places import Place, separating_tie_break
from scoring.ranking.rules import NOBODY, SUBSTITUTE, RankingRules
from scoring.ranking.tie_breaks import USUAL_TIE_BREAKS, TieBreak
from scoring.translation import gettext_noop as _

# The code (see `Place.separated_by`) and title of the step that puts members of later stages first.
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
    """A stage after the first one: the sessions from `first_session` up to the next stage.

    `first_adjustment` is the number of the first adjustment that counts in it, for its members.
    """

    first_session: int
    first_adjustment: int
    carry: Carry
    groups: tuple[Members, ...]

    @property
    def members(self) -> frozenset[str]:
        return frozenset(who for group in self.groups for who in group.players)


class GroupPlaces(NamedTuple):
    """The places of a group in its stage, from first to last.

    Once a round of the group counts, every member has a place, those who have not played too.

    - `carried`: by player, the points carried over from the stage before; empty if none are
    - `waiting`: until then, all members with their places in the stage before
    """

    group: str
    places: tuple[Place, ...]
    carried: dict[str, int]
    waiting: tuple[Place, ...] = ()

    @property
    def everybody(self) -> tuple[Place, ...]:
        """Return the places of all members: in this stage or, while waiting, in the one before."""
        return self.waiting or self.places

    @property
    def candidates(self) -> tuple[Place, ...]:
        """Return the places of all members, with the points that count for the next stage.

        While the members wait, these are the points that they brought to this stage; `everybody`
        has all their points of the stage before.
        """
        if not self.waiting:
            return self.places
        return tuple(
            place._replace(points=self.carried.get(place.who, 0)) for place in self.waiting
        )


def carried_points(points: int, carry: Carry) -> int:
    """Return the points with which a player begins the next stage.

    >>> [carried_points(points, Carry.HALF) for points in (6, 5, -5)]
    [3, 3, -2]
    """
    if carry == Carry.HALF:
        return -(-points // 2)
    return points if carry == Carry.ALL else 0


def places_by_stage(contest: Contest, stages: Sequence[Stage]) -> list[tuple[GroupPlaces, ...]]:
    """Return the places of each group of each stage, the first stage first.

    The first stage, which is not in `stages`, has one group of all players.
    """
    first_sessions = [1, *(stage.first_session for stage in stages)]
    ends = [*first_sessions[1:], None]
    adjustments = _adjustments_by_stage(contest, stages)
    contests = [
        _within(contest, first_session, end)._replace(
            adjustments=adjustments[index],
            play_offs=_play_offs_with_points_in(index, contest, stages),
            decisions=[
                each if each.stage in {None, index + 1} else each._replace(order=())
                for each in contest.decisions
            ],
        )
        for index, (first_session, end) in enumerate(zip(first_sessions, ends, strict=True))
    ]
    first_stage = GroupPlaces("", places_of(contests[0]), carried={})
    by_stage: list[tuple[GroupPlaces, ...]] = [(first_stage,)]
    for stage, own_contest in zip(stages, contests[1:], strict=True):
        before = [place for group in by_stage[-1] for place in group.everybody]
        by_stage.append(
            tuple(_places_of_group(own_contest, stage, group, before) for group in stage.groups)
        )
    return by_stage


def stage_decided(players: Collection[str], by_stage: Sequence[Sequence[GroupPlaces]]) -> int:
    """Return the number of the last stage in which all these players have results; 1 is the first.

    Once a round of a group counts, all its members have places. `by_stage` is what
    `places_by_stage` returns.
    """
    decided = 1
    for number, groups in enumerate(by_stage[1:], 2):
        begun = [group for group in groups if not group.waiting]
        if {*players} <= {place.who for group in begun for place in group.places}:
            decided = number
    return decided


def _within(contest: Contest, first_session: int, end: int | None) -> Contest:
    """Return the contest with the tables from `first_session` to before `end`, if any."""
    tables = [
        table
        for table in contest.tables
        if first_session <= table.session and (end is None or table.session < end)
    ]
    return contest._replace(tables=tables)


def _adjustments_by_stage(contest: Contest, stages: Sequence[Stage]) -> list[list[Adjustment]]:
    """Return the adjustments that count in each stage, the first stage first."""
    by_stage: list[list[Adjustment]] = [[], *([] for _stage in stages)]
    for each in contest.adjustments:
        by_stage[stage_adjusted(each.number, each.player, stages) - 1].append(each)
    return by_stage


def stage_adjusted(adjustment: int, player: str, stages: Sequence[Stage]) -> int:
    """Return the number of the stage in which a player's adjustment counts; 1 is the first.

    This is the last stage that had begun when it was made, by its number, and has the player as a
    member; otherwise the first stage.
    """
    begun = [stage.members if stage.first_adjustment <= adjustment else () for stage in stages]
    return _last_with_all(frozenset({player}), begun) + 1


def _play_offs_with_points_in(
    index: int, contest: Contest, stages: Sequence[Stage]
) -> list[PlayOff]:
    """Return all play-offs, without points those that decide in another stage (0: the first)."""
    return [
        each if stage_of_play_off(each, contest, stages) == index + 1 else each._replace(points={})
        for each in contest.play_offs
    ]


def stage_of_play_off(play_off: PlayOff, contest: Contest, stages: Sequence[Stage]) -> int:
    """Return the number of the stage in which a play-off decides; 1 is the first.

    This is the last stage that had begun in the sessions before it, for the groups of all tied
    players; otherwise the first stage.
    """
    begun = [
        _members_begun(_within(contest, stage.first_session, play_off.session), stage)
        for stage in stages
    ]
    return _last_with_all(play_off.tied, begun) + 1


def _last_with_all(players: frozenset[str], members: Sequence[Collection[str]]) -> int:
    """Return the number of the last stage whose `members` have all these players; 0: the first."""
    return max((i for i, each in enumerate(members, 1) if players.issubset(each)), default=0)


def _places_of_group(
    contest: Contest, stage: Stage, group: Members, before: Sequence[Place]
) -> GroupPlaces:
    """Return the places of a group.

    `contest` has the sessions of its stage only, `before` are all places in the stage before.
    """
    members = frozenset(group.players)
    members_before = [place for place in before if place.who in members]
    carried = {}
    if stage.carry != Carry.NONE:
        carried = {place.who: carried_points(place.points, stage.carry) for place in members_before}
    players = [player for player in contest.players if player in members]
    has_begun = _has_begun(contest, members)
    own = contest._replace(
        players=players,
        carried=dict.fromkeys(players, 0) | carried if has_begun else carried,
        before={place.who: EarlierPlace(place.rank, place.points) for place in members_before},
        reserves=(),  # whoever is a member competes
    )
    waiting = () if has_begun else tuple(members_before)
    return GroupPlaces(group.group, places_of(own), carried, waiting)


def _has_begun(contest: Contest, members: Collection[str]) -> bool:
    """Return whether a round, or typed totals, of any member or substitute of a member counts."""
    substitutes = {each.substitute for each in contest.substitutes if each.absent in members}
    playing = substitutes.union(members)
    return any(
        score.complete and not playing.isdisjoint(table.record.players)
        for table in contest.tables
        for score in table.rounds
    )


def _members_begun(contest: Contest, stage: Stage) -> set[str]:
    """Return the members of the groups of which a round counts."""
    groups = [group.players for group in stage.groups if _has_begun(contest, group.players)]
    return {who for players in groups for who in players}


def absences_by_session(contest: Contest, stages: Sequence[Stage]) -> dict[str, dict[int, Absence]]:
    """Return why players did not play in each session of any stage; see `absences_of`."""
    absences = absences_of(contest)
    members = {stage.first_session: stage.members for stage in stages}
    for player, reasons in absences.items():
        for session in reasons:
            began = max((first for first in members if first <= session), default=None)
            if began is not None and player not in members[began]:
                reasons[session] = Absence.NOT_IN_STAGE
    return absences


def credit_of_substitutes(session: int, stages: Sequence[Stage], rules: RankingRules) -> str:
    """Return to whom a substitute's points of a session count: a value of `rules.substitutes`.

    A substitute is no member of a later stage, where only those of members count.
    """
    is_first_stage = all(session < stage.first_session for stage in stages)
    if rules.substitutes == SUBSTITUTE and not is_first_stage:
        return NOBODY
    return rules.substitutes


def credited_with(
    player: str, session: int, stages: Sequence[Stage], credited: Credits
) -> str | None:
    """Return the player for whom a player's points of a session count; None: for nobody.

    `credited` is what `credits_of` returns. In a later stage only points of its members count. The
    session is no play-off.

    >>> final = Stage(4, 1, Carry.NONE, (Members("", ("1", "2")),))
    >>> [credited_with(player, 4, [final], {(4, "9"): "2"}) for player in ("1", "3", "9")]
    ['1', None, '2']
    >>> credited_with("3", 3, [final], {})
    '3'
    """
    who = credited.get((session, player), player)
    begun = [stage for stage in stages if stage.first_session <= session]
    return None if begun and who not in begun[-1].members else who


def places_over_all(
    by_stage: Sequence[Sequence[GroupPlaces]], contest: Contest
) -> tuple[Place, ...]:
    """Return one list of places: of the last stage, group by group, then of the stage before it.

    Each player is listed once, in the last stage that the player reached. `by_stage` is what
    `places_by_stage` returns; without stages after the first these are the places of that.
    """
    if len(by_stage) == 1:
        return by_stage[0][0].places
    groups = [group.everybody for groups in reversed(by_stage) for group in groups]
    steps = steps_of(contest.rules, play_offs=contest.play_offs, decisions=contest.decisions)
    return merged_places(groups, steps)


def merged_places(
    groups: Iterable[Sequence[Place]], tie_breaks: Sequence[TieBreak] = USUAL_TIE_BREAKS
) -> tuple[Place, ...]:
    """Return the places of all groups as one list, with ranks counted over all groups.

    A player who was in an earlier group is left out. `tie_breaks` are those by which the groups
    were ranked. `separated_by` is "stage" for the first player of each group but the first one.
    Players without a rank come last.

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
        everybody += _ranked_below(len(everybody), ranked, tie_breaks)
    separates = [place.separated_by for place in everybody[1:]]
    ordered = [
        place._replace(separates=separated)
        for place, separated in zip(everybody, [*separates, None], strict=False)
    ]
    return (*ordered, *unranked)


def _ranked_below(
    above: int, members: Sequence[Place], tie_breaks: Sequence[TieBreak]
) -> list[Place]:
    """Return the places of a group's members, with ranks that follow those of `above` players.

    All members must have a rank in their group.
    """
    members_by_rank = Counter(place.rank for place in members)
    rank, separated_by = above, STAGE if above else None
    placed: list[Place] = []
    for i, place in enumerate(members):
        if i == 0 or members[i - 1].rank != place.rank:
            rank = above + i + 1
        if i > 0:
            separated_by = separating_tie_break(members[i - 1].values, place.values, tie_breaks)
        tied = members_by_rank[place.rank] > 1
        placed.append(place._replace(rank=rank, tied=tied, separated_by=separated_by))
    return placed
