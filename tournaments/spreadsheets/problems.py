"""Why a list of players is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tournaments.spreadsheets.entry_lists import Layout

WHOLE_FILE = 0  # the line number of a problem of the whole file


class LineProblem(NamedTuple):
    """A problem of a line, counted from 1 including the heading, or of `WHOLE_FILE`."""

    line: int
    code: str
    message: str


class BadFile(Exception):
    """A list that is refused, with all its `problems`.

    `layout` is where its players were looked for; None if it could not be opened.
    """

    def __init__(self, problems: Sequence[LineProblem]) -> None:
        self.problems = problems
        self.layout: Layout | None = None

    def __str__(self) -> str:
        return "; ".join(f"{each.line}: {each.message}" for each in self.problems)


class EncodingNeeded(BadFile):
    """The encoding has to be chosen: `previews` has the first lines by possible encoding."""

    def __init__(
        self, problems: Sequence[LineProblem], previews: Mapping[str, Sequence[str]]
    ) -> None:
        super().__init__(problems)
        self.previews = previews


def refusal(code: str, message: str, *, line: int = WHOLE_FILE) -> BadFile:
    return BadFile([LineProblem(line, code, message)])
