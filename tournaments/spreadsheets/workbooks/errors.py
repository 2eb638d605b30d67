"""What a workbook can be refused for."""

from __future__ import annotations


class Unreadable(Exception):
    """Raised for what is no workbook, or none that anybody would have made of a list."""


class WithMacros(Unreadable):
    """Raised for a workbook that brings programs along."""


class TooWide(Exception):
    """Raised for a line with a cell in a column far away."""

    def __init__(self, line: int) -> None:
        """Keep its number."""
        super().__init__(line)
        self.line = line


class Misplaced(Exception):
    """Raised for a row or a cell out of order or there twice, or one whose text is not there."""

    def __init__(self, line: int, cell: str = "") -> None:
        """Keep the line, and the cell where it is one: as Excel calls it."""
        super().__init__(line, cell)
        self.line, self.cell = line, cell


class TooManyRows(Exception):
    """Raised for a sheet of more rows than are read."""
