"""Who may go on to a stage, derived from the standings of the stage before."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from scoring.stages.places import GroupPlaces, merged_places, places_by_stage
from scoring.stages.selection import AtLine, Candidate, Quota, Selection, TieAtLine, select
from tournaments import audit, draws
from tournaments.models import AuditEntry, Entry, Session, Stage, Tournament
from tournaments.queries import presence
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.sections import Section, sections_of
from tournaments.queries.standings import Standing, standings_of_places
from tournaments.queries.substitutions import substitutions_of

KINDS = (
    *(AuditEntry.Kind.STAGE_SET, AuditEntry.Kind.STAGE_REMOVED, AuditEntry.Kind.STAGE_CONFIRMED),
    *(AuditEntry.Kind.STAGE_TAKEN_BACK, AuditEntry.Kind.MEMBER_REPLACED),
)


class InLine(NamedTuple):
    """The players who may replace a member of a confirmed stage, in order of place.

    `gave_up` are those who were members until they were replaced. They come after the `reserves`,
    as they go on only if they have changed their mind.
    """

    reserves: list[Standing]
    gave_up: list[Standing]

    @property
    def rows(self) -> list[Standing]:
        return [*self.reserves, *self.gave_up]


class Confirmation(NamedTuple):
    """What the director has settled about who goes on to a stage, by keys of players.

    - `groups`: the group of each player as it was confirmed
    - `replaced`: who left since, and who followed, None if nobody did, in order of time
    - `tied`: the players of each tie at a line that was settled then; None if earlier versions
      confirmed it, which did not note them
    """

    groups: dict[str, str]
    replaced: list[tuple[str, str | None]]
    tied: list[set[str]] | None = None

    @property
    def gave_up(self) -> set[str]:
        """Return who was replaced, except those who made room for a player who came back."""
        found, held_by = set[str](), dict[str | None, set[str]]()
        for leaving, following in self.replaced:
            before = held_by.pop(leaving, set[str]())  # who had the place of `leaving`
            found -= {following}
            if following not in before:
                found.add(leaving)
            held_by[following] = before | {leaving}
        return found


class GoingOn(NamedTuple):
    """The players who go on to a stage by its quotas.

    - `groups`: the name of each group and its players, in order
    - `ties`: the ties at a line that the director must decide
    - `tied`: the players of the first of them
    - `settled`: the ties at a line that the director's decision or the lot has settled
    - `next_in_line`: the players who have a place but do not go on, however the ties are decided,
      in order of place; for a confirmed stage those who may replace a member, see `InLine`
    - `withdrawn`: the candidates who have withdrawn, who are passed over
    """

    groups: list[tuple[str, list[Standing]]]
    ties: tuple[TieAtLine, ...]
    tied: list[Standing]
    settled: tuple[TieAtLine, ...]
    next_in_line: list[Standing]
    withdrawn: list[Entry]

    @property
    def tie(self) -> TieAtLine | None:
        """Return the first of the ties."""
        return self.ties[0] if self.ties else None

    @property
    def members(self) -> list[dict[str, Any]]:
        """As `Stage.members` holds them."""
        return [
            {"group": group, "players": [row.entry.number for row in rows]}
            for group, rows in self.groups
        ]


def going_on(
    stage: Stage, decided: Collection[str] = (), facts: RankingFacts | None = None
) -> GoingOn:
    """Return who goes on to a stage by the current standings.

    `decided` are the keys of players tied at a line who go on by decision of the director. `facts`
    are read from the database if they are None.
    """
    withdrawn = _withdrawn_from_next_session(stage.tournament)
    everybody = candidates(stage, facts)
    ranked = [row for row in everybody if row.entry not in withdrawn]
    selection = selection_of(stage, ranked, decided)
    by_key = {row.entry.key: row for row in ranked}
    groups = [
        (group, [by_key[key] for key in players]) for group, players in selection.groups.items()
    ]
    tied = selection.tie.tied if selection.tie else ()
    may_go_on = {key for players in selection.groups.values() for key in players}
    may_go_on |= selection.undecided
    in_line = [row for key, row in by_key.items() if key not in may_go_on]
    return GoingOn(
        groups,
        selection.ties,
        tied=[by_key[key] for key in tied],
        settled=selection.settled,
        next_in_line=_in_line(stage, ranked).rows if stage.is_confirmed else in_line,
        withdrawn=[row.entry for row in everybody if row.entry in withdrawn],
    )


def candidates(stage: Stage, facts: RankingFacts | None = None) -> list[Standing]:
    """Return the players with a rank in the stage before, group by group, in order of place.

    Empty if the stage before is not confirmed. `facts` as in `going_on`.
    """
    facts = facts or ranking_facts(stage.tournament)
    # If this stage is confirmed, its first session ends the stage before.
    played = [each.as_played() for each in facts.confirmed_stages if each.number <= stage.number]
    stages = places_by_stage(facts.contest, played)
    stage_before = stages[stage.number - 2] if len(stages) >= stage.number - 1 else ()
    places = [place for group in stage_before for place in group.candidates]
    rows = standings_of_places(places, facts.entries, facts.withdrawn)
    return [row for row in rows if row.place is not None and row.place.rank is not None]


class StageStandings(NamedTuple):
    """The standings of one group of a stage, or of all its groups as one list.

    `sessions` has the numbers of the sessions of the stage, also of those to come. Unless it
    `has_begun`, the points are those carried over.
    """

    section: Section
    rows: list[Standing]
    sessions: range
    has_begun: bool = True

    @property
    def code(self) -> str:
        """Return the name in addresses; see `Section`."""
        return self.section.code


def stage_standings(facts: RankingFacts) -> list[StageStandings]:
    """Return the standings of every group of all stages, in order.

    Empty before a stage after the first is confirmed.
    """
    confirmed = facts.confirmed_stages
    if not confirmed:
        return []
    by_stage = places_by_stage(facts.contest, facts.played_stages)
    sections = sections_of(confirmed, by_stage)
    everybody = {entry.key for entry in facts.entries}
    members = [
        [everybody],
        *([set(each.players) for each in stage.read_members()] for stage in confirmed),
    ]
    return [
        _standings_of_group(facts, *group, own_sessions)
        for groups, own_sessions in zip(
            zip(sections, by_stage, members, strict=True),
            sessions_by_stage(facts),
            strict=True,
        )
        for group in zip(*groups, strict=True)
    ]


def sessions_by_stage(facts: RankingFacts) -> list[range]:
    """Return the numbers that sessions of each stage may have, the first stage first."""
    play_offs = {each.session for each in facts.play_offs}
    openings = (each.opening_session(play_offs) for each in facts.confirmed_stages)
    starts = [1, *openings, sys.maxsize]
    return [range(*each) for each in pairwise(starts)]


def _standings_of_group(
    facts: RankingFacts,
    section: Section,
    group: GroupPlaces,
    members: Collection[str],
    sessions: range,
) -> StageStandings:
    """Return the standings of one group; `members` are the keys of its players.

    Before the first result its points are those carried over.
    """
    section = section._replace(has_begun=True)
    entries = [each for each in facts.entries if each.key in members]
    rows = standings_of_places(group.places, entries, facts.withdrawn)
    return StageStandings(
        section,
        [row._replace(section=section, carried=group.carried.get(row.entry.key)) for row in rows],
        sessions,
        has_begun=not group.waiting,
    )


def standings_of_stage(facts: RankingFacts, code: str) -> StageStandings | None:
    """Return the standings with this `StageStandings.code`; None if there are none.

    The number of a stage with several groups stands for all of them, one after the other, with
    ranks counted over all as in the standings of all stages.
    """
    groups = [each for each in stage_standings(facts) if each.section.is_of(code)]
    if len(groups) < 2:
        return groups[0] if groups else None
    own = {row.entry.key: row for each in groups for row in each.rows}
    by_group = [[row.place for row in each.rows if row.place] for each in groups]
    places = merged_places(by_group, facts.steps)
    rows = standings_of_places(places, [row.entry for row in own.values()], facts.withdrawn)
    return StageStandings(
        groups[0].section._replace(code=code, group=""),
        [_with_section_of(own[row.entry.key], row) for row in rows],
        groups[0].sessions,
        has_begun=any(each.has_begun for each in groups),
    )


def _with_section_of(row: Standing, merged: Standing) -> Standing:
    """Return a row of several groups with the section and carried points of its own group."""
    return merged._replace(section=row.section, carried=row.carried)


def selection_of(stage: Stage, ranked: Sequence[Standing], decided: Collection[str]) -> Selection:
    """Return the selection that `scoring` makes of players with a rank, in order of place."""
    return select(
        [
            Candidate(row.entry.key, row.place.rank, row.place.points, row.entry.division)
            for row in ranked
            if row.place is not None and row.place.rank is not None
        ],
        stage.read_quotas(),
        AtLine(stage.at_line),
        stage.seed,
        decided,
    )


def _withdrawn_from_next_session(tournament: Tournament) -> list[Entry]:
    last = tournament.sessions.order_by("number").last()
    roll = presence.marked_roll_call(tournament, last.number + 1 if last else 1)
    return roll.with_status({Status.WITHDRAWN})


def next_in_line(
    stage: Stage, in_place_of: Entry | None = None, facts: RankingFacts | None = None
) -> InLine:
    """Return the players who may replace a member of a confirmed stage.

    If the member `in_place_of` is given, only those of a class that goes on to the member's group.
    `facts` as in `going_on`.
    """
    withdrawn = _withdrawn_from_next_session(stage.tournament)
    ranked = [row for row in candidates(stage, facts) if row.entry not in withdrawn]
    return _in_line(stage, ranked, in_place_of)


def _in_line(stage: Stage, ranked: Iterable[Standing], in_place_of: Entry | None = None) -> InLine:
    """See `next_in_line`; `ranked` are the candidates who have not withdrawn."""
    groups = [each.group for each in stage.read_members()]
    if in_place_of is not None:
        groups = [each.group for each in stage.read_members() if in_place_of.key in each.players]
    classes = {each.division for each in stage.read_quotas() if each.group in groups}
    members = {key for group in stage.read_members() for key in group.players}
    rows = [
        row
        for row in ranked
        if row.entry.key not in members and not classes.isdisjoint({"", row.entry.division})
    ]
    gave_up = confirmation_of(stage).gave_up
    return InLine(
        reserves=[row for row in rows if row.entry.key not in gave_up],
        gave_up=[row for row in rows if row.entry.key in gave_up],
    )


def is_one_line(stage: Stage) -> bool:
    """Return whether the same players may replace members of every group of a confirmed stage."""
    classes: dict[str, set[str]] = {each.group: set() for each in stage.read_members()}
    for quota in stage.read_quotas():
        classes.setdefault(quota.group, set()).add(quota.division)
    return len({frozenset(each) for each in classes.values()}) == 1


def confirmation_of(stage: Stage) -> Confirmation:
    """Read from the audit trail what was settled when a confirmed stage was, and since."""
    entries = stage.tournament.audit_entries.filter(
        kind__in=(AuditEntry.Kind.STAGE_CONFIRMED, AuditEntry.Kind.MEMBER_REPLACED),
        subject__stage=stage.number,
    ).order_by("number")
    found = Confirmation(groups_of_members(stage.members or ()), [])
    old: Any
    new: Any
    for kind, old, new in entries.values_list("kind", "old", "new"):
        if kind == AuditEntry.Kind.STAGE_CONFIRMED:
            ties = new.get("tied")
            tied = ties and [{str(number) for number in tie} for tie in ties]
            found = Confirmation(groups_of_members(new["members"]), [], tied)
        else:
            following = new["player"]
            pair = str(old["player"]), None if following is None else str(following)
            found.replaced.append(pair)
    return found


def groups_of_members(members: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the group of each of the members, which are as in `Stage.members`, by key."""
    return {str(number): each["group"] for each in members for number in each["players"]}


def stage_of_session(tournament: Tournament, session: int) -> Stage | None:
    """Return None for the first stage. A play-off belongs to the stage of the session before it."""
    play_offs = tournament.play_off_numbers
    begun = tournament.stages.filter(first_session__lte=session).order_by("-number")
    return next((each for each in begun if each.opening_session(play_offs) <= session), None)


def players_of_session(
    tournament: Tournament, session: int, entries: Sequence[Entry] | None = None
) -> list[Entry]:
    """Return the players of session number `session`, which need not be seated yet.

    In the first stage these are all players; in a later stage its members and their substitutes in
    this session. With `entries`, all of the tournament's, these are not read.
    """
    entries = list(tournament.entries.all() if entries is None else entries)
    stage = stage_of_session(tournament, session)
    if stage is None:
        return entries
    group_of = _groups_of(stage, session)
    return [entry for entry in entries if entry.key in group_of]


def others_of(tournament: Tournament, keys: Collection[str]) -> list[Entry]:
    """Return the players with these keys, ordered by number, without those who were removed."""
    return list(tournament.entries.filter(number__in=map(int, keys))) if keys else []


def missing_members(stage: Stage, roll: RollCall) -> list[Entry]:
    """Return who cannot play in a session of a stage, if the others are too few for full tables.

    They are the members who are away and have no substitute, and substitutes who are away. A group
    whose tables are not full with all of its members has none.
    """

    def is_seatable(players: int) -> bool:
        sizes = stage.tournament.table_sizes
        return players > 0 and draws.divide_into_tables(players, sizes) is not None

    by_number = {each.number: each for each in roll.statuses} | dict(roll.substitutes)
    missing = list[Entry]()
    for group in stage.read_members():
        players = {by_number[int(key)] for key in group.players}
        there = roll.not_away(players)
        if is_seatable(len(players)) and not is_seatable(len(there)):
            missing += players.difference(there)
    return sorted(missing, key=lambda each: each.number)


def roll_call_of(
    tournament: Tournament, session: int, entries: Sequence[Entry] | None = None
) -> RollCall:
    """See `players_of_session`."""
    return roll_calls_of(tournament, [session], entries)[0]


def roll_calls_of(
    tournament: Tournament, sessions: Iterable[int], entries: Sequence[Entry] | None = None
) -> list[RollCall]:
    """See `players_of_session`."""
    players = {each: players_of_session(tournament, each, entries) for each in sessions}
    return presence.roll_calls(tournament, players)


def groups_of_session(tournament: Tournament, session: int) -> dict[str, str]:
    """Return the group of each player of a session, by key, ordered by group.

    Empty unless the session's stage has several groups. A substitute belongs to the group of the
    replaced player.
    """
    return groups_in(stage_of_session(tournament, session), session)


def groups_in(stage: Stage | None, session: int) -> dict[str, str]:
    """See `groups_of_session`; `stage` is that of the session, None for the first stage."""
    if stage is None or len(stage.members or ()) < 2:
        return {}
    return _groups_of(stage, session)


def _groups_of(stage: Stage, session: int) -> dict[str, str]:
    """Return the group of each member and of the members' substitutes, by key, ordered by group.

    A member who is also a substitute keeps the group of the member.
    """
    members = {key: group.group for group in stage.read_members() for key in group.players}
    rows = [each for each in substitutions_of(stage.tournament) if each.session_number == session]
    substitutes = {
        each.substitute.key: members[each.entry.key] for each in rows if each.entry.key in members
    }
    return members | {key: group for key, group in substitutes.items() if key not in members}


def mixed_tables(
    tournament: Tournament, session: int, tables: Sequence[Sequence[Entry]]
) -> list[int]:
    """Return the numbers, from 1, of the tables that mix players of several groups."""
    group_of = groups_of_session(tournament, session)
    return [
        number
        for number, table in enumerate(tables, 1)
        if len({group_of[each.key] for each in table if each.key in group_of}) > 1
    ]


def last_session(stage: Stage) -> Session | None:
    """Return the last session, other than a play-off, seated since a confirmed stage began."""
    sessions = stage.tournament.sessions.filter(tied__isnull=True)
    return sessions.filter(number__gte=stage.first_session).order_by("number").last()


def classes_of_players(tournament: Tournament) -> list[str]:
    """Sorted."""
    with_class = tournament.entries.exclude(division="").order_by("division")
    return list(with_class.values_list("division", flat=True).distinct())


def stage_version(tournament: Tournament, number: int) -> int:
    return audit.last_number(tournament, KINDS, stage=number)


def quota_facts(quotas: Sequence[Quota]) -> list[dict[str, Any]]:
    return [quota._asdict() for quota in quotas]
