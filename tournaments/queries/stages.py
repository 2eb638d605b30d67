"""Who may go on to a stage, from the standings of the one before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from scoring.stages.places import places_by_stage
from scoring.stages.selection import AtLine, Candidate, Quota, Selection, TieAtLine, select
from tournaments.models import AuditEntry, Entry, Session, Stage, Tournament
from tournaments.queries import presence
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.standings import Standing, rows_of
from tournaments.queries.substitutions import substitutions_of

KINDS = (
    *(AuditEntry.Kind.STAGE_SET, AuditEntry.Kind.STAGE_REMOVED, AuditEntry.Kind.STAGE_CONFIRMED),
    *(AuditEntry.Kind.STAGE_TAKEN_BACK, AuditEntry.Kind.MEMBER_REPLACED),
)


class GoingOn(NamedTuple):
    """Who goes on to a stage by its quotas.

    `next_in_line` are the others who may, in the order of their places, `withdrawn` those who do
    not any more. With a `tie` at the line it is not settled yet.
    """

    groups: list[tuple[str, list[Standing]]]
    tie: TieAtLine | None
    tied: list[Standing]
    next_in_line: list[Standing]
    withdrawn: list[Entry]

    @property
    def members(self) -> list[dict[str, Any]]:
        """Return the groups as `Stage.members` holds them."""
        return [
            {"group": group, "players": [row.entry.number for row in rows]}
            for group, rows in self.groups
        ]


def going_on(stage: Stage, decided: Collection[str] = ()) -> GoingOn:
    """Return who goes on to a stage as things stand, read from the database.

    `decided` are the keys of the players whom the director lets go on of those tied at a line.
    """
    withdrawn = _withdrawn(stage.tournament)
    placed = [row for row in candidates(stage) if row.entry not in withdrawn]
    chosen = _select(stage, placed, decided)
    by_key = {row.entry.key: row for row in placed}
    groups = [(group, [by_key[key] for key in players]) for group, players in chosen.groups.items()]
    taken = {key for players in chosen.groups.values() for key in players}
    tied = chosen.tie.tied if chosen.tie else ()
    return GoingOn(
        groups,
        chosen.tie,
        tied=[by_key[key] for key in tied],
        next_in_line=[row for key, row in by_key.items() if key not in taken.union(tied)],
        withdrawn=withdrawn,
    )


def candidates(stage: Stage) -> list[Standing]:
    """Return the players of the stage before who have a rank in it, group by group, in order."""
    facts = ranking_facts(stage.tournament)
    until = facts._replace(stages=[each for each in facts.stages if each.number <= stage.number])
    groups = places_by_stage(until.contest, until.played_stages)[stage.number - 2 :][:1]
    places = [place for group in groups for each in group for place in each.everybody]
    rows = rows_of(places, facts.entries, facts.withdrawn)
    return [row for row in rows if row.place is not None and row.place.rank is not None]


class StageStandings(NamedTuple):
    """The standings of a group of a stage, with the points that each player brought along.

    `code` names it in addresses: the stage's number, and after a point the group's if there are
    several. `name` is empty for the first stage.
    """

    code: str
    name: str
    group: str
    rows: list[Standing]
    carried: dict[str, int]


def stage_standings(facts: RankingFacts) -> list[StageStandings]:
    """Return the standings of each group of each stage, in order; empty without stages."""
    confirmed = [stage for stage in facts.stages if stage.is_confirmed]
    if not confirmed:
        return []
    first, *later = places_by_stage(facts.contest, facts.played_stages)
    found = [
        StageStandings(
            "1", "", "", rows_of(first[0].places, facts.entries, facts.withdrawn), carried={}
        )
    ]
    for stage, groups in zip(confirmed, later, strict=True):
        by_group = {each.group: set(each.players) for each in stage.read_members()}
        for number, group in enumerate(groups, 1):
            members = [each for each in facts.entries if each.key in by_group[group.group]]
            code = f"{stage.number}.{number}" if len(groups) > 1 else str(stage.number)
            rows = [
                row._replace(carried=group.carried.get(row.entry.key))
                for row in rows_of(group.places, members, facts.withdrawn)
            ]
            found.append(StageStandings(code, stage.name, group.group, rows, group.carried))
    return found


def rows_of_stage(facts: RankingFacts, code: str) -> list[Standing] | None:
    """Return the standings of a group of a stage, by its code; None if there is none such."""
    return next((each.rows for each in stage_standings(facts) if each.code == code), None)


def _select(stage: Stage, placed: Sequence[Standing], decided: Collection[str]) -> Selection:
    return select(
        [
            Candidate(row.entry.key, row.place.rank, row.place.points, row.entry.division)
            for row in placed
            if row.place is not None and row.place.rank is not None
        ],
        stage.read_quotas(),
        AtLine(stage.at_line),
        stage.seed,
        decided,
    )


def _withdrawn(tournament: Tournament) -> list[Entry]:
    """Return the players who have withdrawn for the sessions to come."""
    last = tournament.sessions.order_by("number").last()
    roll = presence.roll_call(tournament, last.number + 1 if last else 1)
    return roll.having({Status.WITHDRAWN})


def next_in_line(stage: Stage) -> list[Standing]:
    """Return who may replace a member of a confirmed stage, in the order of their places."""
    members = {key for group in stage.read_members() for key in group.players}
    withdrawn = _withdrawn(stage.tournament)
    return [
        row
        for row in candidates(stage)
        if row.entry.key not in members and row.entry not in withdrawn
    ]


def stage_of_session(tournament: Tournament, session: int) -> Stage | None:
    """Return the stage that a session belongs to, by its number; None for the first stage."""
    confirmed = tournament.stages.filter(first_session__lte=session)
    return confirmed.order_by("number").last()


def players_of_session(tournament: Tournament, session: int) -> list[Entry]:
    """Return who plays in a session, seated or the next one: everybody, or a stage's members.

    With these, their substitutes in this session.
    """
    entries = list(tournament.entries.all())
    stage = stage_of_session(tournament, session)
    if stage is None:
        return entries
    group_of = _groups_of(stage, session)
    return [entry for entry in entries if entry.key in group_of]


def roll_call_of(tournament: Tournament, session: int) -> RollCall:
    """Return the roll call of those who play in a session, by its number: in a final, of these."""
    players = players_of_session(tournament, session)
    return presence.roll_call(tournament, session, players)


def without_seat(session: Session, seated: Collection[Entry]) -> list[Entry]:
    """Return who is to play in a session but has no seat in it now; nobody in a play-off.

    One query while everybody has a seat.
    """
    if session.is_play_off or session.tournament.kind == Tournament.Kind.TABLE:
        return []
    if not session.tournament.entries.exclude(pk__in=[each.pk for each in seated]).exists():
        return []
    return presence.without_seat(roll_call_of(session.tournament, session.number), seated)


def sitting_out(tournament: Tournament, session: int, seated: Collection[int]) -> set[int]:
    """Return the numbers of those who are there for a session, or expected, without a seat.

    `session` is a number, `seated` are the numbers of the players with a seat. Nobody sits out a
    play-off.
    """
    if session in tournament.play_off_numbers:
        return set()
    roll = roll_call_of(tournament, session)
    return {each.number for each in roll.to_be_seated()} - set(seated)


def groups_of_session(tournament: Tournament, session: int) -> dict[str, str]:
    """Return the group of each player of a session, by key; empty unless there are several.

    The groups are in order. A substitute is of the group of whom he plays for.
    """
    stage = stage_of_session(tournament, session)
    if stage is None or len(stage.members or ()) < 2:
        return {}
    return _groups_of(stage, session)


def _groups_of(stage: Stage, session: int) -> dict[str, str]:
    """Return the group of each member and substitute, by key, in the order of the groups."""
    found = {key: group.group for group in stage.read_members() for key in group.players}
    rows = [each for each in substitutions_of(stage.tournament) if each.session_number == session]
    substitutes = {
        each.substitute.key: found[each.entry.key] for each in rows if each.entry.key in found
    }
    return found | {key: group for key, group in substitutes.items() if key not in found}


def mixed_tables(
    tournament: Tournament, session: int, tables: Sequence[Sequence[Entry]]
) -> list[int]:
    """Return the numbers, from 1, of the tables at which players of several groups would sit."""
    group_of = groups_of_session(tournament, session)
    return [
        number
        for number, table in enumerate(tables, 1)
        if len({group_of[each.key] for each in table if each.key in group_of}) > 1
    ]


def has_begun(stage: Stage) -> bool:
    """Return whether a session of a confirmed stage was opened, other than a play-off."""
    sessions = stage.tournament.sessions.filter(tied__isnull=True)
    first = stage.first_session
    return first is not None and sessions.filter(number__gte=first).exists()


def version_of(tournament: Tournament, number: int) -> int:
    """Return the version of a stage: the number of the last audit entry about it, 0 if none."""
    entries = tournament.audit_entries.filter(kind__in=KINDS, subject__stage=number)
    return entries.order_by("-number").values_list("number", flat=True).first() or 0


def quota_facts(quotas: Sequence[Quota]) -> list[dict[str, Any]]:
    """Return quotas as `Stage.quotas` holds them."""
    return [quota._asdict() for quota in quotas]
