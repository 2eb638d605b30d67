"""Comparing typed lines with rounds that somebody else recorded in the meantime."""

from __future__ import annotations

from typing import NamedTuple

from tournaments.game_kinds import kind_of
from tournaments.paper_entry.doubts import matches_stored
from tournaments.paper_entry.typed_sheets import TypedLine, read_sheet
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import with_rounds


class StoredAndTyped(NamedTuple):
    """A stored round, the line typed for the same round, and whether they agree."""

    stored: PlayedRound
    line: TypedLine
    is_same: bool


def compare_with_stored(sheet: Sheet, text: str, first_number: int) -> list[StoredAndTyped]:
    """Return the stored rounds for which lines were typed, each with its line.

    The first line of the text is for round `first_number`. The lines are read as if only the rounds
    before it were stored.
    """
    if not 1 <= first_number <= len(sheet.rows):
        return []
    sheet_before = with_rounds(sheet, [stored.facts for stored in sheet.rows[: first_number - 1]])
    lines, kind = read_sheet(sheet_before, text).lines, kind_of(sheet.rules.game)
    return [
        StoredAndTyped(
            stored,
            line,
            line.facts is not None and matches_stored(kind, stored.row.facts, line.facts),
        )
        for stored, line in zip(sheet.rounds[first_number - 1 :], lines, strict=False)
    ]


def lines_not_recorded(sheet: Sheet, text: str, first_number: int) -> str:
    """Return the text without empty lines and without the lines of rounds that are complete now.

    The first line of the text was typed for round `first_number`.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines[max(sheet.next_number - first_number, 0) :])
