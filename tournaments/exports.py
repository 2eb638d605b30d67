"""Tables as an Excel workbook: numbers as numbers, names as text. No queries, no arithmetic."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from io import BytesIO
from typing import Any, NamedTuple

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter

from tournaments.tables import Column, PointsColumn

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
A4 = "9"  # Excel's number for the size of paper
WIDEST = 48  # in halves of a Japanese character; longer texts are wrapped

FONT = "BIZ UDPGothic"
FORMATS = {
    "text": "@",
    "quoted": "@",
    "number": "0",
    "points": '+0;"−"0;0',
    "date": "yyyy-mm-dd",
    "time": "yyyy-mm-dd hh:mm",
}

# What Excel would take for the start of a formula if somebody edited the cell.
FORMULA_STARTS = ("=", "+", "-", "@")

# Characters that XML cannot hold, and texts that Excel would take for their escapes.
UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
FORBIDDEN_IN_FILE_NAMES = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|\ud800-\udfff]')


class Page(NamedTuple):
    """One sheet of a workbook: its title and its table."""

    title: str
    table: Any
    is_wide: bool = False


def workbook(name: str, pages: Sequence[Page], *, footer: str = "") -> bytes:
    """Return the pages as a workbook. `name` and `footer` are printed on every sheet."""
    book = Workbook(write_only=True)
    book.properties.title = writable(name)
    book.properties.creator = "Makiyaku"
    for page in pages:
        sheet = book.create_sheet(page.title)
        rows = list(page.table.as_values())
        _set_up(sheet, rows, page.is_wide)
        _set_up_print(sheet, name, footer)
        _write(sheet, rows, [bound.column for bound in page.table.columns.iterall()])
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def file_name(name: str, what: str) -> str:
    """Return a name that every file system takes.

    >>> file_name("第1回 A/B大会", "成績")
    '第1回 A_B大会 成績.xlsx'
    """
    return FORBIDDEN_IN_FILE_NAMES.sub("_", f"{name[:60]} {what}") + ".xlsx"


def writable(text: str) -> str:
    r"""Return a text as a workbook holds it: what XML cannot hold as Excel's own escapes.

    >>> writable("a\x01b _x0041_ 𠮷")
    'a_x0001_b _x005F_x0041_ 𠮷'
    """
    return UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _set_up(sheet: Any, rows: Sequence[Sequence[Any]], is_wide: bool) -> None:
    """Freeze the header, let every column be filtered, and make each as wide as it needs."""
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(max(len(rows[0]), 1))}{len(rows)}"
    for number, column in enumerate(zip(*rows, strict=True), 1):
        header = min(_width(column[0]), WIDEST // 2) + 3  # room for the filter's button
        widest = max((_width(value) for value in column[1:]), default=0) + 2
        letter = get_column_letter(number)
        sheet.column_dimensions[letter].width = min(max(header, widest), WIDEST)
    sheet.page_setup.orientation = "landscape" if is_wide else "portrait"


def _width(value: Any) -> int:
    """Return how many columns of a typewriter a value takes; Japanese characters take two."""
    text = "" if value is None else str(value)
    return sum(2 if unicodedata.east_asian_width(each) in "WFA" else 1 for each in text)


def _set_up_print(sheet: Any, name: str, footer: str) -> None:
    """Print on A4, as wide as the paper, the header on every page."""
    sheet.page_setup.paperSize = A4
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    sheet.print_options.gridLines = True
    sheet.oddHeader.left.text = _printed(name)
    sheet.oddHeader.right.text = "&A"
    sheet.oddFooter.left.text = _printed(footer)
    sheet.oddFooter.right.text = "&P / &N"


def _printed(text: str) -> str:
    """Return a text for a header or footer, in which & begins a command."""
    return UNWRITABLE.sub(" ", text[:80]).replace("&", "&&")


def _write(sheet: Any, rows: Sequence[Sequence[Any]], columns: Sequence[Column]) -> None:
    """Write the rows with one cell of each style, filled anew for every value."""
    cells = {style: _cell(sheet, style) for style in FORMATS}
    has_points = [isinstance(column, PointsColumn) for column in columns]
    header = _header_cell(sheet)
    sheet.append(_fill(header, label) for label in rows[0])
    for row in rows[1:]:
        sheet.append(_cells(row, has_points, cells))


def _cells(
    row: Sequence[Any], has_points: Sequence[bool], cells: dict[str, Cell]
) -> Iterator[Cell | None]:
    for value, is_points in zip(row, has_points, strict=True):
        yield None if value is None else _fill(cells[_style(value, is_points)], value)


def _style(value: Any, is_points: bool) -> str:
    if isinstance(value, str):
        return "quoted" if value.startswith(FORMULA_STARTS) else "text"
    if isinstance(value, datetime):
        return "time"
    if isinstance(value, date):
        return "date"
    return "points" if is_points else "number"


def _fill(cell: Cell, value: Any) -> Cell:
    """Put a value into a cell; a text is a text whatever it looks like."""
    if isinstance(value, str):
        cell.value = writable(value)
        cell.data_type = "s"
    else:
        cell.value = value
    return cell


def _cell(sheet: Any, style: str) -> Cell:
    cell = WriteOnlyCell(sheet)
    is_text = style in ("text", "quoted")
    cell.font = Font(name=FONT, size=11)
    cell.alignment = Alignment(vertical="top", wrap_text=is_text)
    cell.number_format = FORMATS[style]
    cell.quotePrefix = style == "quoted"
    return cell


def _header_cell(sheet: Any) -> Cell:
    cell = WriteOnlyCell(sheet)
    cell.font = Font(name=FONT, size=11, bold=True)
    cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
    cell.fill = PatternFill("solid", fgColor="FAF6EA")
    cell.border = Border(bottom=Side("medium", color="77705F"))
    return cell
