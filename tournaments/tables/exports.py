"""Tables as an Excel workbook: numbers as numbers, names as text. No queries, no arithmetic."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.formatting.rule import Rule
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.styles.differential import DifferentialStyle
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.page import PageMargins
from openpyxl.writer.excel import ExcelWriter

from tournaments.tables import Column, PointsColumn

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
A4 = "9"  # Excel's number for the size of paper
# Widths are measured in halves of a Japanese character. An A4 page is readable up to these widths.
LANDSCAPE_WIDTH, PORTRAIT_WIDTH = 210, 110
WIDEST_COLUMN = 48  # longer texts are wrapped
LINE_HEIGHT = 19  # points: the height of a line of text, with room to breathe
FILTER_BUTTON, PADDING, INDENTS = 5, 4, 3  # widths that a cell needs beside its text
MAX_LINES = 21  # of a row: Excel allows no rows higher than 409 points
MAX_TEXT_LENGTH = 32_767  # characters of a cell in Excel

FONT = "BIZ UDPGothic"
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

# Excel would read a text that starts with one of these as a formula once the cell is edited.
FORMULA_STARTS = ("=", "+", "-", "@")

# Characters that XML cannot contain, and texts that look like Excel's escapes for them.
UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
FORBIDDEN_IN_TITLES = re.compile(r"[\x00-\x1f\\/:*?\[\]\ud800-\udfff]|^'|'$")
LONGEST_TITLE = 29  # of 31 characters: openpyxl adds a number to the second of two equal ones
FORBIDDEN_IN_FILE_NAMES = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|\ud800-\udfff]')


class Page(NamedTuple):
    """One sheet of a workbook. `is_wide`: in landscape, and on several pages if necessary."""

    title: str
    table: Any
    is_wide: bool = False


def workbook(
    name: str, pages: Sequence[Page], *, at: datetime, occasion: str = "", footer: str = ""
) -> bytes:
    """Return an Excel workbook of these pages. `name`, `occasion`, `footer` are printed on each.

    `at` is stored as the time of creation. The same tables and time give the same bytes.
    """
    book = Workbook(write_only=True)
    book.properties.created = at.astimezone(UTC).replace(tzinfo=None)
    book.properties.modified = book.properties.created
    book.properties.title = writable(name)
    book.properties.creator = "Makiyaku"
    for page in pages:
        sheet = book.create_sheet(sheet_title(page.title))
        rows = list(page.table.as_values())
        columns = list(page.table.columns.iterall())
        width = _set_up_cells(sheet, rows)
        is_wide = page.is_wide or width > PORTRAIT_WIDTH
        _set_up_print(sheet, is_wide=is_wide)
        _set_header(sheet, name, occasion, LANDSCAPE_WIDTH if is_wide else PORTRAIT_WIDTH)
        sheet.oddFooter.left.text = _header_text(footer)
        column_names = [bound.name for bound in columns]
        if page.is_wide and width > LANDSCAPE_WIDTH and "name" in column_names:
            _split_pages(sheet, width, column_names)
        _write_rows(sheet, rows, [bound.column for bound in columns])
    stream = BytesIO()
    ExcelWriter(book, TimelessZip(stream, "w", ZIP_DEFLATED)).save()
    return stream.getvalue()


class TimelessZip(ZipFile):
    """A zip file without times of its members, so that equal workbooks have equal bytes."""

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        """Add the content of a file: openpyxl writes each sheet into a temporary file."""
        self.writestr(arcname, Path(filename).read_bytes())

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        """Add a member."""
        super().writestr(ZipInfo(zinfo_or_arcname), data, ZIP_DEFLATED)


def file_name(name: str, content: str) -> str:
    """Return a file name for a workbook of an event, valid on every file system.

    >>> file_name("第1回 A/B大会", "成績")
    '第1回 A_B大会 成績.xlsx'
    """
    return FORBIDDEN_IN_FILE_NAMES.sub("_", f"{name[:60]} {content}") + ".xlsx"


def sheet_title(text: str) -> str:
    """Return a title that Excel accepts for a sheet.

    >>> sheet_title("A/B決勝"), len(sheet_title("決" * 40))
    ('A_B決勝', 29)
    """
    return FORBIDDEN_IN_TITLES.sub("_", text[:LONGEST_TITLE]) or "_"


def writable(text: str) -> str:
    r"""Return a text with Excel's escapes for characters that XML cannot contain.

    >>> writable("a\x01b _x0041_ 𠮷")
    'a_x0001_b _x005F_x0041_ 𠮷'
    """
    return UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def _set_up_cells(sheet: Any, rows: Sequence[Sequence[Any]]) -> int:
    """Freeze the header, add filters, set the sizes of cells; return the width of all columns."""
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(rows[0]))}{len(rows)}"
    columns = list(zip(*rows, strict=True))
    widths = [_column_width(column) for column in columns]
    for number, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(number)].width = width
    wrapped = [
        (number, width - INDENTS)
        for number, (column, width) in enumerate(zip(columns, widths, strict=True))
        if any(type(value) is str and _text_width(value) > width - INDENTS for value in {*column})
    ]
    for number, row in enumerate(rows, 1):
        sheet.row_dimensions[number].height = LINE_HEIGHT * _line_count(row, wrapped)
    return sum(widths)


def _column_width(column: Sequence[Any]) -> int:
    """Return the width of a column, whose first value is its label."""
    longest_word = max(_text_width(word) for word in str(column[0]).split(" "))
    header = min(longest_word, WIDEST_COLUMN // 4) + FILTER_BUTTON
    widest = max(map(_text_width, {*column[1:]}), default=0) + PADDING  # most values repeat
    return min(max(header, widest), WIDEST_COLUMN)


def _line_count(row: Sequence[Any], wrapped: Sequence[tuple[int, int]]) -> int:
    """Return the height of a row in lines of text.

    `wrapped` has the index and text width of each column in which texts are wrapped.
    """
    texts = ((row[number], width) for number, width in wrapped)
    needed = (-(-_text_width(value) // width) for value, width in texts if type(value) is str)
    return min(max(needed, default=1) or 1, MAX_LINES)


@lru_cache(10_000)  # names and suits repeat
def _text_width(value: Any) -> int:
    """Return the width of a value as text, in halves of a Japanese character."""
    text = "" if value is None else str(value)
    return sum(2 if unicodedata.east_asian_width(sign) in "WFA" else 1 for sign in text)


def _set_up_print(sheet: Any, *, is_wide: bool) -> None:
    """Set up printing: on A4, fitted to the width, with the header row on every page.

    Landscape if `is_wide`, else portrait.
    """
    sheet.page_setup.paperSize = A4
    sheet.page_setup.orientation = "landscape" if is_wide else "portrait"
    sheet.page_margins = PageMargins(left=0.5, right=0.5, top=0.8, bottom=0.7)
    sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight = 1, 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.print_title_rows = "1:1"
    sheet.print_options.horizontalCentered = True
    sheet.oddHeader.right.text = "&A"
    sheet.oddFooter.right.text = "&P / &N"


def _split_pages(sheet: Any, width: int, column_names: Sequence[str]) -> None:
    """Set up printing of a table too wide for one page: on several, each with the names."""
    sheet.page_setup.fitToWidth = -(-width // LANDSCAPE_WIDTH)
    sheet.print_title_cols = f"A:{get_column_letter(column_names.index('name') + 1)}"


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


def _write_rows(sheet: Any, rows: Sequence[Sequence[Any]], columns: Sequence[Column]) -> None:
    """Write the header and the rows. One cell object of each style is reused for all values.

    The line below each row is a conditional format of all cells, because empty cells, a quarter of
    all, are not written.
    """
    line = Rule("expression", formula=["TRUE"], dxf=DifferentialStyle(border=LINE))
    last_column = get_column_letter(len(columns))
    sheet.conditional_formatting.add(f"A2:{last_column}{max(2, len(rows))}", line)
    cells = {style: _styled_cell(sheet, style) for style in FORMATS}
    has_points = [isinstance(column, PointsColumn) for column in columns]
    header = _header_cell(sheet)
    sheet.append(_set_value(header, _with_line_break(label)) for label in rows[0])
    for row in rows[1:]:
        sheet.append(_fill_cells(row, has_points, cells))


def _with_line_break(label: str) -> str:
    r"""Return a column's label with a line break instead of its only space if it is Japanese.

    Without the break, Excel breaks such a label inside a word.

    >>> _with_line_break("第1回戦 第2役"), _with_line_break("Session 1 Round 2")
    ('第1回戦\n第2役', 'Session 1 Round 2')
    """
    is_wide = any(unicodedata.east_asian_width(sign) in "WF" for sign in label)
    return label.replace(" ", "\n") if is_wide and label.count(" ") == 1 else label


def _fill_cells(
    row: Sequence[Any], has_points: Sequence[bool], cells: dict[str, Cell]
) -> Iterator[Cell | None]:
    """Yield the cells of a row, None for empty ones.

    `cells` has one object for each style. It is reused for the next value, which is possible
    because the sheet writes each cell before it requests the next one.
    """
    for value, is_points in zip(row, has_points, strict=True):
        is_empty = value is None or value == ""
        yield None if is_empty else _set_value(cells[_style_of(value, is_points=is_points)], value)


def _style_of(value: Any, *, is_points: bool) -> str:
    """Return the key in `FORMATS` for a value; `is_points` if its column has points."""
    if isinstance(value, str):
        return "quoted" if value.startswith(FORMULA_STARTS) else "text"
    if isinstance(value, datetime):
        return "time"
    if isinstance(value, date):
        return "date"
    if isinstance(value, float):
        return "decimal"
    return "points" if is_points else "number"


def _set_value(cell: Any, value: Any) -> Any:
    """Set the value of a cell and return the cell. A text that looks like a formula stays a text.

    Texts and numbers bypass openpyxl's search for the type, which takes a tenth of the time.
    """
    if isinstance(value, str):
        cell._value, cell.data_type = writable(value)[:MAX_TEXT_LENGTH], "s"  # noqa: SLF001
    elif type(value) is int:
        cell._value, cell.data_type = value, "n"  # noqa: SLF001
    else:
        cell.value = value
    return cell


def _styled_cell(sheet: Any, style: str) -> Cell:
    """Return a new cell with the style of a key of `FORMATS`."""
    cell = WriteOnlyCell(sheet)
    is_text = style in ("text", "quoted")
    cell.font = Font(name=FONT, size=11)
    cell.alignment = Alignment(
        horizontal="left" if is_text else "right", vertical="center", wrap_text=is_text, indent=1
    )
    cell.number_format = FORMATS[style]
    cell.quotePrefix = style == "quoted"
    return cell


def _header_cell(sheet: Any) -> Cell:
    """Return a new cell with the style of the header row."""
    cell = WriteOnlyCell(sheet)
    cell.font = Font(name=FONT, size=11, bold=True)
    cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
    cell.fill = PatternFill("solid", fgColor="FAF6EA")
    cell.border = Border(bottom=Side("medium", color="77705F"))
    return cell
