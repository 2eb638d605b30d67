"""A reader of cells in Excel workbooks (.xlsx), streaming and with limits.

It reads five kinds of parts: content types, relationships, the list of sheets, shared strings and
sheets. Drawings, external links and embedded files are ignored; macros are refused. `book` finds
the parts, `parts` has the base class of their parsers, `cells` those of strings and sheets.
"""

from tournaments.spreadsheets.workbooks.book import Sheet, sheets_of
from tournaments.spreadsheets.workbooks.cells import Cell, Formula, OtherValue, Row
from tournaments.spreadsheets.workbooks.errors import (
    Misplaced,
    TooManyRows,
    TooWide,
    Unreadable,
    WithMacros,
)
from tournaments.spreadsheets.workbooks.parts import LARGEST_UNPACKED

__all__ = [
    "LARGEST_UNPACKED",
    "Cell",
    "Formula",
    "Misplaced",
    "OtherValue",
    "Row",
    "Sheet",
    "TooManyRows",
    "TooWide",
    "Unreadable",
    "WithMacros",
    "sheets_of",
]
