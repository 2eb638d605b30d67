"""Why a workbook is refused."""

from __future__ import annotations


class Unreadable(Exception):
    """The file is not a workbook, or exceeds a limit."""


class WithMacros(Unreadable):
    """The workbook has macros."""


class TooWide(Exception):
    """A row has a cell beyond the last column that is read."""

    def __init__(self, row_number: int) -> None:
        super().__init__(row_number)
        self.row_number = row_number


class Misplaced(Exception):
    """A row or cell is out of order, repeated, or refers to a missing shared string.

    `cell` is its reference, such as B2, or "" for a row.
    """

    def __init__(self, row_number: int, cell: str = "") -> None:
        super().__init__(row_number, cell)
        self.row_number, self.cell = row_number, cell


class TooManyRows(Exception):
    """A sheet has more rows than are read."""
