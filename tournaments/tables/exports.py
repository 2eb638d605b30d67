"""Tables as an Excel workbook: numbers as numbers, names as text. No queries, no arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO
from itertools import accumulate
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import east_asian_width
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.writer.excel import ExcelWriter

from tournaments.tables.sheet_rows import UNWRITABLE, Styles, sheet_data, writable

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
A4 = "9"  # Excel's number for the size of paper
# Longer texts are wrapped. The second is that of a column that makes a portrait page too wide.
WIDEST_COLUMN, WIDEST_IN_NEED, WIDEST_UNPRINTED, WIDEST_LABEL = 26, 20, 48, 13
LABEL_PADDING, PADDING = 1, 3  # widths that a cell needs beside its text
MAX_LINES = 21  # of a row: Excel allows no rows higher than 409 points
NO_ROWS = re.compile("<sheetData ?/>|<sheetData></sheetData>")

FONT = "BIZ UDPGothic"
UNIT = Font(name="Arial", size=10)  # widths are in its digits, which are alike on all systems
LINE = Border(bottom=Side("thin", color="D9CFBA"))
FORMATS = {
    "text": "@",
    "quoted": "@",
    "number": "0",
    "points": '+0;"−"0;0',
    "decimal": "General",
    "date": "yyyy-mm-dd",
    "time": "yyyy-mm-dd hh:mm",
}

FORBIDDEN_IN_TITLES = re.compile(r"[\x00-\x1f\\/:*?\[\]\ud800-\udfff]|^'|'$")
LONGEST_TITLE = 29  # of 31 characters: openpyxl adds a number to the second of two equal ones
FORBIDDEN_IN_FILE_NAMES = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|\ud800-\udfff]')


class Paper(NamedTuple):
    """How a sheet is printed on A4.

    `width` is that of columns for which a page has room, in digits of `UNIT`; `line_height` that
    of a line of text in points.
    """

    orientation: str
    width: int
    line_height: int


# Letters have 10 points or more on the first two, and 6 or more on the last.
PORTRAIT, LANDSCAPE = Paper("portrait", 104, 19), Paper("landscape", 150, 19)
DENSE = Paper("landscape", 240, 16)


class Page(NamedTuple):
    """One sheet of a workbook: portrait if it fits, else dense on one page or several.

    - `is_wide`: dense in any case
    - `printed_up_to`: printed in large letters up to this column, then as far as the page has room
    """

    title: str
    table: Any
    is_wide: bool = False
    printed_up_to: str = ""


def workbook(
    name: str, pages: Sequence[Page], *, at: datetime, occasion: str = "", footer: str = ""
) -> bytes:
    """Return an Excel workbook of these pages. `name`, `occasion`, `footer` are printed on each.

    `at` is stored as the time of creation. The same tables and time give the same bytes.
    """
    book: Any = Workbook(write_only=True)
    book.properties.created = at.astimezone(UTC).replace(tzinfo=None)
    book.properties.modified = book.properties.created
    book.properties.title = writable(name)
    book.properties.creator = "Makiyaku"
    book._fonts[0] = book._named_styles["Normal"].font = UNIT  # noqa: SLF001  there is no other way
    data: list[str] = []
    for page in pages:
        sheet = book.create_sheet(sheet_title(page.title))
        rows = list(page.table.as_values())
        columns = {bound.name: bound.column for bound in page.table.columns.iterall()}
        printed = [*columns].index(page.printed_up_to) + 1 if page.printed_up_to else 0
        widths = _column_widths(rows, printed)
        needed = sum(widths[:printed] or widths)
        larger = LANDSCAPE if printed else DENSE
        paper = larger if page.is_wide or needed > PORTRAIT.width else PORTRAIT
        _set_up_cells(sheet, widths, len(rows), paper.line_height)
        _set_up_print(sheet, paper.orientation)
        _set_header(sheet, name, occasion, paper.width)
        sheet.oddFooter.left.text = _header_text(footer)
        if needed > paper.width and "name" in columns:
            sheet.page_setup.fitToWidth = -(-needed // paper.width)
            sheet.print_title_cols = f"A:{get_column_letter([*columns].index('name') + 1)}"
        if printed:
            fitting = sum(width <= paper.width for width in accumulate(widths))
            sheet.print_area = f"A1:{get_column_letter(max(printed, fitting))}{len(rows)}"
        heights = _heights(rows, widths, paper.line_height)
        data.append(sheet_data(rows, columns, _styles(sheet), heights))
    stream = BytesIO()
    ExcelWriter(book, WorkbookZip(stream, data)).save()
    return stream.getvalue()


class WorkbookZip(ZipFile):
    """A zip file of a workbook, without times of its members: equal workbooks have equal bytes."""

    def __init__(self, stream: BytesIO, rows: Iterable[str]) -> None:
        """`rows` has the rows of each sheet, in the order of the sheets."""
        super().__init__(stream, "w", ZIP_DEFLATED)
        self.rows = iter(rows)

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        """Add a sheet, which openpyxl has written without rows into a temporary file."""
        before, after = NO_ROWS.split(Path(filename).read_text("utf-8"))
        self.writestr(arcname, f"{before}<sheetData>{next(self.rows)}</sheetData>{after}")

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        super().writestr(ZipInfo(zinfo_or_arcname), data, ZIP_DEFLATED)


def file_name(name: str, content: str) -> str:
    """Return a file name for a workbook of an event, valid on every file system.

    >>> file_name("第1回 A/B大会", "成績")
    '第1回 A_B大会 成績.xlsx'
    """
    return FORBIDDEN_IN_FILE_NAMES.sub("_", f"{name[:60]} {content}") + ".xlsx"


def sheet_title(text: str) -> str:
    """Return a title that Excel accepts for a sheet; it keeps "History" for itself.

    >>> sheet_title("A/B決勝"), len(sheet_title("決" * 40)), sheet_title("History")
    ('A_B決勝', 29, 'History_')
    """
    title = FORBIDDEN_IN_TITLES.sub("_", text[:LONGEST_TITLE]) or "_"
    return f"{title}_" if title.casefold() == "history" else title


def _column_widths(rows: Sequence[Sequence[Any]], printed: int) -> list[int]:
    """Return the widths of the columns, of which the first `printed` are printed in large letters.

    If a portrait page has no room for these, long texts in them are wrapped earlier.
    """
    widths = [
        _column_width(column, WIDEST_UNPRINTED if 0 < printed <= number else WIDEST_COLUMN)
        for number, column in enumerate(zip(*rows, strict=True))
    ]
    if sum(widths[:printed]) > PORTRAIT.width:
        widths[:printed] = [min(width, WIDEST_IN_NEED) for width in widths[:printed]]
    return widths


def _column_width(column: Sequence[Any], most: int) -> int:
    """Return the width of a column, whose first value is its label; at most `most`."""
    longest_word = max(_text_width(word) for word in str(column[0]).split(" "))
    label = min(longest_word, WIDEST_LABEL) + LABEL_PADDING
    widest = max(map(_text_width, {*column[1:]}), default=0)  # most values repeat
    return min(max(label, widest + PADDING), most)


def _set_up_cells(sheet: Any, widths: Sequence[int], row_count: int, line_height: int) -> None:
    """Freeze the labels, add filters and a line below each row, set the sizes of cells.

    The line is a conditional format, because empty cells, a quarter of all, are not written.
    """
    last_column = get_column_letter(len(widths))
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{last_column}{row_count}"
    line = Rule("expression", formula=["TRUE"], dxf=DifferentialStyle(border=LINE))
    sheet.conditional_formatting.add(f"A2:{last_column}{max(2, row_count)}", line)
    sheet.sheet_format.defaultRowHeight, sheet.sheet_format.customHeight = line_height, True
    for number, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(number)].width = width


def _heights(
    rows: Sequence[Sequence[Any]], widths: Sequence[int], line_height: int
) -> dict[int, int]:
    """Return the heights of the rows with several lines, by number.

    Labels have two lines at least, so that the buttons of the filters have room below them.
    """
    wrapped = [
        (number, width - PADDING)
        for number, (column, width) in enumerate(zip(zip(*rows, strict=True), widths, strict=True))
        if any(
            isinstance(value, str) and _text_width(value) > width - PADDING
            for value in {*column[1:]}
        )
    ]
    lines = {number: _line_count(row, wrapped) for number, row in enumerate(rows, 1) if wrapped}
    labels = [(number, width - LABEL_PADDING) for number, width in enumerate(widths)]
    lines[1] = max(2, _line_count(rows[0], labels))
    return {number: line_height * count for number, count in lines.items() if count > 1}


def _line_count(row: Sequence[Any], wrapped: Sequence[tuple[int, int]]) -> int:
    """Return the height of a row in lines of text.

    `wrapped` has the index and text width of each column in which texts are wrapped.
    """
    texts = ((row[number], width) for number, width in wrapped)
    needed = (-(-_text_width(value) // width) for value, width in texts if isinstance(value, str))
    return min(max(needed, default=1) or 1, MAX_LINES)


@lru_cache(10_000)  # names and suits repeat
def _text_width(value: Any) -> int:
    """Return the width of a value as text, in digits of `UNIT`; numbers may have a sign."""
    text = f"{value:+}" if isinstance(value, int) else "" if value is None else str(value)
    return ceil(sum(2.1 if east_asian_width(sign) in "WFA" else 1.25 for sign in text))


def _set_up_print(sheet: Any, orientation: str) -> None:
    """Set up printing: on A4, fitted to the width, with the header row on every page."""
    sheet.page_setup.paperSize = A4
    sheet.page_setup.orientation = orientation
    sheet.page_margins = PageMargins(left=0.3, right=0.3, top=0.8, bottom=0.7)
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    sheet.print_options.horizontalCentered = True
    sheet.oddHeader.right.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"


def _set_header(sheet: Any, name: str, occasion: str, width: int) -> None:
    """Set the page header: name left and occasion in the middle; small and joined if too long."""
    header, room = sheet.oddHeader, 0.8 * width
    if _text_width(name) < (room - _text_width(occasion)) / 2:
        header.left.text, header.center.text = _header_text(name), _header_text(occasion)
        return
    header.left.size = 8
    header.left.text = _header_text(f"{name}  {occasion}")


def _header_text(text: str) -> str:
    """Return a text escaped for a page header or footer, in which & begins a command."""
    return UNWRITABLE.sub(" ", text[:80]).replace("&", "&&")


def _styles(sheet: Any) -> Styles:
    """Return the number of each style of cells in the workbook of a sheet."""
    cells = {style: _styled_cell(sheet, style) for style in FORMATS}
    return {style: cell.style_id for style, cell in cells.items()} | {
        "label": _label_cell(sheet).style_id
    }


def _styled_cell(sheet: Any, style: str) -> Any:
    """Return a cell with the style of a key of `FORMATS`."""
    cell = WriteOnlyCell(sheet)
    is_text = style in ("text", "quoted")
    cell.font = Font(name=FONT, size=11)
    cell.alignment = Alignment(
        horizontal="left" if is_text else "right", vertical="center", wrap_text=is_text, indent=1
    )
    cell.number_format = FORMATS[style]
    cell.quotePrefix = style == "quoted"
    return cell


def _label_cell(sheet: Any) -> Any:
    cell = WriteOnlyCell(sheet)
    cell.font = Font(name=FONT, size=11, bold=True)
    cell.alignment = Alignment(horizontal="center", vertical="top", wrap_text=True)
    cell.fill = PatternFill("solid", fgColor="FAF6EA")
    cell.border = Border(bottom=Side("medium", color="77705F"))
    return cell
