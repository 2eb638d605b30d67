"""Comparing typed lines with rounds that somebody else recorded in the meantime."""

from __future__ import annotations

from typing import NamedTuple

from tournaments.paper_entry.stored_rounds import matches_stored
from tournaments.paper_entry.typed_sheets import Line, read_sheet
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import with_rounds


class StoredAndTyped(NamedTuple):
    """A stored round and the line that was typed for the same round."""

    stored: PlayedRound
    line: Line

    @property
    def is_same(self) -> bool:
        """Return whether the line agrees with the stored round."""
        facts = self.line.facts
        return facts is not None and matches_stored(self.stored.row.facts, facts)


def compare_with_stored(sheet: Sheet, text: str, first: int) -> list[StoredAndTyped]:
    """Return the stored rounds for which lines were typed; `first` is the number of line 1's round.

    The lines are parsed as following the rounds before `first`.
    """
    if not 1 <= first <= len(sheet.rows):
        return []
    then = with_rounds(sheet, [row.facts for row in sheet.rows[: first - 1]])
    lines = read_sheet(then, text).lines
    return [StoredAndTyped(*each) for each in zip(sheet.rounds[first - 1 :], lines, strict=False)]


def lines_not_recorded(sheet: Sheet, text: str, first: int) -> str:
    """Return the text without the lines of rounds that are complete by now."""
    lines = [line for line in text.splitlines() if line.strip()]
    return "\n".join(lines[max(sheet.next_number - first, 0) :])
