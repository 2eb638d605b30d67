"""Rounds that somebody recorded while they were being typed from paper: stored and own.

Reads; writes nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from tournaments.paper_entry.stored_rounds import matches_stored
from tournaments.paper_entry.typed_sheets import Line, read_sheet
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import with_rounds


class StoredAndTyped(NamedTuple):
    """A stored round beside the line that was typed for it."""

    stored: PlayedRound
    line: Line

    @property
    def is_same(self) -> bool:
        """Return whether the line says nothing otherwise."""
        facts = self.line.facts
        return facts is not None and matches_stored(self.stored.row.facts, facts)


def compare_with_stored(sheet: Sheet, text: str, first: int) -> list[StoredAndTyped]:
    """Return every stored round for which a line was typed, when `first` was that of the first.

    The lines are read as they were typed: after the rounds that were stored then.
    """
    if not 1 <= first <= len(sheet.rows):
        return []
    then = with_rounds(sheet, [row.facts for row in sheet.rows[: first - 1]])
    lines = read_sheet(then, text).lines
    return [StoredAndTyped(*each) for each in zip(sheet.rounds[first - 1 :], lines, strict=False)]


def lines_not_recorded(sheet: Sheet, text: str, first: int) -> str:
    """Return the lines without those that were typed for rounds now recorded to their end."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines[max(sheet.next_number - first, 0) :])
