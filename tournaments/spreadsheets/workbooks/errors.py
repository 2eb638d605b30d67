"""Why a workbook is refused."""

from __future__ import annotations


class Unreadable(Exception):
    """The file is not a workbook, or exceeds a limit."""


class WithMacros(Unreadable):
    """The workbook has macros."""


class TooWide(Exception):
    """A line has a cell beyond the last column that is read."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Misplaced(Exception):
    """A row or cell is out of order, repeated, or refers to a missing shared string.

    `cell` is its reference, such as B2, or "" for a row.
    """

    def __init__(self, line: int, cell: str = "") -> None:
        super().__init__(line, cell)
        self.line, self.cell = line, cell


class TooManyRows(Exception):
    """A sheet has more rows than are read."""
