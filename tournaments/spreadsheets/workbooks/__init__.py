"""The cells of an Excel workbook (.xlsx), read piece by piece and within limits.

Five kinds of part are opened, by the names that the workbook itself gives them: what it consists
of, the relations of its parts, the list of its sheets, its texts, its cells. Drawings, links to
other files, what is embedded and whatever else there may be is never looked at; macros are refused.
`book` finds the way, `parts` goes through one of them, `cells` are what is looked for.
"""

from tournaments.spreadsheets.workbooks.book import sheets_of
from tournaments.spreadsheets.workbooks.cells import Cell, Formula, Other, Row
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
    "Other",
    "Row",
    "TooManyRows",
    "TooWide",
    "Unreadable",
    "WithMacros",
    "sheets_of",
]
