"""Preview of a correction, and the versions of a round with the points that each changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import scoring
from tournaments.models import Round, Sitting, Tournament
from tournaments.queries.exchanges import versions_as_named_now
from tournaments.queries.player_names import player_names
from tournaments.queries.ranking_facts import ranking_facts
from tournaments.queries.round_validation import sheets_after_end, without_rounds_after_end
from tournaments.queries.selection_changes import SelectionChange, selection_changes
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import Move, facts_with, moves, with_round


class PointsChange(NamedTuple):
    name: str
    old: int
    new: int


class Correction(NamedTuple):
    """The effects of a correction.

    - `points`: the points of each player of the table for the round
    - `moves`: the players whose points or rank in the standings change
    - `seated_since`: the numbers of later sessions, whose seats may depend on the old standings
    - `selections`: the confirmed stages to which, with the correction, others would go on
    """

    points: tuple[PointsChange, ...]
    moves: tuple[Move, ...] = ()
    seated_since: tuple[int, ...] = ()
    selections: tuple[SelectionChange, ...] = ()

    @property
    def changes_points(self) -> bool:
        return any(each.old != each.new for each in self.points)


def correction_of(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Correction | None:
    """Return the effects of replacing the facts of round `number`; None if they are invalid.

    All but `points` is empty at a club table, and if no points change.
    """
    try:
        after = with_round(without_rounds_after_end(sheet, number, facts), number, facts)
    except scoring.InvalidRecord:
        return None
    tournament = sheet.sitting.session.tournament
    old = sheet.score.rounds[number - 1].points
    new = after.score.rounds[number - 1].points
    later = [each.sheet for each in sheets_after_end(sheet, after.record)]
    points = tuple(
        PointsChange(name, old=old[key], new=new[key]) for key, name in sheet.names.items()
    )
    if tournament.kind == Tournament.Kind.TABLE or old == new:
        return Correction(points)
    session = sheet.sitting.session.number
    sessions = tournament.sessions.filter(number__gt=session)
    stored = ranking_facts(tournament)
    before = selection_changes(stored, since_session=session)
    changes = selection_changes(facts_with(stored, [after, *later]), since_session=session)
    return Correction(
        points,
        moves=tuple(moves(stored, [after, *later])),
        seated_since=tuple(sessions.values_list("number", flat=True)),
        selections=tuple(each for each in changes if each not in before),
    )


class Version(NamedTuple):
    """One version of a round; `played` is None if it is set aside or cannot be scored now.

    `points` compares this version with the one before; before the first, everybody has 0. `renamed`
    has the names of players named when it was recorded who are not those at their seats now, each
    with the name of the one at the seat, who is named in `played`.
    """

    row: Round
    played: PlayedRound | None
    points: tuple[PointsChange, ...]
    is_in_force: bool
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def changed_points(self) -> tuple[PointsChange, ...]:
        return tuple(each for each in self.points if each.old != each.new)


def versions_of(sheet: Sheet, number: int) -> list[Version]:
    """Return all versions of a round, the newest first, each compared with the one before.

    Facts name the table's current players, also facts recorded before an exchange of players.
    """
    versions: list[Version] = []
    before: Mapping[str, int] = dict.fromkeys(sheet.players, 0)
    in_force = sheet.rows[number - 1].version if number <= len(sheet.rows) else None
    named = versions_as_named_now(sheet.sitting, number)
    is_renamed = any(each.renamed for each in named)
    names = player_names(sheet.sitting.session.tournament.entries.all()) if is_renamed else {}
    for row, renamed in named:
        played = _score_version(sheet, row)
        points = played.score.points if played else before
        changes = tuple(
            PointsChange(name, old=before[key], new=points[key])
            for key, name in sheet.names.items()
        )
        is_in_force = row.version == in_force
        others = [
            (names[was], names[now])
            for was, now in renamed.items()
            if was in names and now in names
        ]
        versions.append(Version(row, played, changes, is_in_force, tuple(others)))
        before = points
    return versions[::-1]


def _score_version(sheet: Sheet, row: Round) -> PlayedRound | None:
    """Return a version scored after the current earlier rounds.

    None if it is set aside, if earlier rounds are missing, or if it is invalid after them.
    """
    if row.is_set_aside or row.number > len(sheet.rows) + 1:
        return None
    try:
        rescored = with_round(sheet._replace(rows=sheet.rows[: row.number]), row.number, row.facts)
    except scoring.InvalidRecord:
        return None
    return rescored.rounds[row.number - 1]._replace(row=row)


def rounds_set_aside(sheet: Sheet) -> list[int]:
    rows = Round.objects.filter(sitting=sheet.sitting, number__gt=len(sheet.rows))
    return sorted(set(rows.values_list("number", flat=True)))


def facts_of_version(sitting: Sitting, number: int, version: int) -> dict[str, Any] | None:
    """Return the facts of a version, naming the current players; None if missing or set aside."""
    named = versions_as_named_now(sitting, number)
    matching = (
        row.facts for row, _renamed in named if row.version == version and not row.is_set_aside
    )
    return next(matching, None)
