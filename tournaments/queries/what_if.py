"""Sheets and standings with other facts, computed in memory for previews and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import scoring
from tournaments.models import Entry, Round
from tournaments.queries.player_names import player_names
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sheets import Sheet, is_same_round, record_document
from tournaments.queries.standings import Standing, standings_of


def with_round(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Sheet:
    """Return the sheet, scored again, with the facts of round `number` replaced or added.

    Raises `scoring.InvalidRecord` with all problems of the facts.
    """
    rounds: list[Mapping[str, Any]] = [row.facts for row in sheet.rows]
    rounds[number - 1 : number] = [facts]
    return with_rounds(sheet, rounds)


def with_rounds(
    sheet: Sheet, rounds: Sequence[Mapping[str, Any]], seated: Sheet | None = None
) -> Sheet:
    """Return the sheet, scored again, with these facts of all rounds.

    With `seated`, the players are those of that sheet, also of those `earlier` at the table. Raises
    `scoring.InvalidRecord`.
    """
    new = seated or sheet
    tournament = sheet.sitting.session.tournament
    record = scoring.read_record(
        record_document(tournament, new.players, rounds), new.rules, new.start
    )
    rows = tuple(_row_for(sheet, number, facts) for number, facts in enumerate(rounds, 1))
    return new._replace(rows=rows, record=record, score=scoring.score(record))


def _row_for(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> Round:
    """Return the stored row if it has the same facts, else an unsaved row of the next version."""
    stored = sheet.rows[number - 1] if number <= len(sheet.rows) else None
    if stored is not None and is_same_round(sheet, number, stored.facts, facts):
        return stored
    version = stored.version + 1 if stored else 1
    return Round(sitting=sheet.sitting, number=number, version=version, facts=dict(facts))


class Move(NamedTuple):
    """A player whose points or rank, or class, differ in two standings, with both rows."""

    before: Standing
    after: Standing
    name: str  # with the number where several in the standings have the name

    @property
    def ranks_gained(self) -> int:
        """Return by how many ranks the player rises, negative for a fall; 0 without a rank."""
        before, after = (row.place.rank if row.place else None for row in (self.before, self.after))
        return before - after if before is not None and after is not None else 0


def moves(facts: RankingFacts, changed: Sequence[Sheet]) -> list[Move]:
    """Return the players whose points or rank change if these sheets replace the current ones.

    They are in the order of the new standings. A sheet of `changed` replaces that of its sitting.
    """
    return moves_between(standings_of(facts), standings_of(facts_with(facts, changed)))


def facts_with(facts: RankingFacts, changed: Sequence[Sheet]) -> RankingFacts:
    """Return the facts with these sheets in place of those of their sittings."""
    by_sitting = {sheet.sitting.pk: sheet for sheet in changed}
    new_sheets = [by_sitting.get(sheet.sitting.pk, sheet) for sheet in facts.sheets]
    return replace(facts, sheets=new_sheets)


def moves_between(
    before: Sequence[Standing], after: Sequence[Standing], *, with_classes: bool = False
) -> list[Move]:
    """Return the players whose points or rank differ, in the order of `after`.

    With `with_classes` also those whose class or rank in it differs. Who is only in `after` had no
    place and no class before; who is only in `before` is left out.
    """
    earlier = {row.entry.number: row for row in before}
    names = player_names(row.entry for row in (*before, *after))
    found = []
    for row in after:
        was = earlier.get(row.entry.number)
        old = was or Standing(Entry(number=row.entry.number), None, None)
        has_other_class = was is not None and _rank_in_class(was) != _rank_in_class(row)
        if _rank_and_points(old) != _rank_and_points(row) or (with_classes and has_other_class):
            found.append(Move(old, row, names[row.entry.key]))
    return found


def _rank_and_points(row: Standing) -> tuple[int | None, int] | None:
    """Return the rank and points that `moves_between` compares; None without a place."""
    return (row.place.rank, row.place.points) if row.place else None


def _rank_in_class(row: Standing) -> tuple[str, int | None]:
    return row.entry.division, row.rank_in_class


def scores_equally(sheet: Sheet, number: int, facts: Mapping[str, Any]) -> bool:
    """Return whether other facts for a round would change nothing but the recorded facts.

    Points, the advice for the next round and the seats after it must be the same. False for an
    unfinished round and for invalid facts.
    """
    if not sheet.score.rounds[number - 1].complete:
        return False
    try:
        replaced = with_round(sheet, number, facts)
    except scoring.InvalidRecord:
        return False
    return _effects(replaced) == _effects(sheet)


def _effects(sheet: Sheet) -> tuple[Any, ...]:
    """Return points, team totals, advice and seats of a sheet, to be compared."""
    rounds = [(score.points, score.complete) for score in sheet.score.rounds]
    return rounds, sheet.score.team_totals, sheet.advice, sheet.next_round
