"""Reads lists of players from CSV and Excel files: all lines, unchanged, or none.

No character is guessed. CSV is UTF-8 unless cp932 or gb18030 is declared. The heading, which is the
first line or stands below some titles, names the columns. A number in a column for text is
refused, since Excel may have removed leading zeros. Titles, totals below the players, a column of
consecutive numbers and lines with nothing else are left out, and told.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.models.people import is_plausible_birth_year
from tournaments.spreadsheets import workbooks
from tournaments.spreadsheets.headings import (
    MOST_TITLES,
    Column,
    Row,
    TooManyColumns,
    columns_of,
    has_names,
    heading_index,
    heading_of,
    is_filled,
    is_total,
    text_of,
)

# Numbers of entries have four digits, to be legible on the wall.
MOST_ENTRIES = 9999
LARGEST = 5_000_000  # bytes of a file
OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # magic bytes of .xls and encrypted .xlsx
UTF_8_MARK, *UTF_16_MARKS = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"  # byte order marks
PREVIEWED_BYTES, PREVIEWED_LINES = 2000, 6  # of the preview for choosing an encoding
WHOLE_FILE = 0  # the line number of a problem of the whole file
ENCODINGS = {"utf-8": "utf-8-sig", "cp932": "cp932", "gb18030": "gb18030"}
DECLARED = (
    "cp932",
    "gb18030",
)  # encodings of Japanese and Chinese Excel, which have to be declared


class Sheet(NamedTuple):
    """A sheet of a workbook, or a CSV file, whose name is ""."""

    name: str
    rows: list[Row]


class LineProblem(NamedTuple):
    """A problem of a line, counted from 1 including the heading, or of `WHOLE_FILE`."""

    line: int
    code: str
    message: str


class Layout(NamedTuple):
    """Where the players of a file stand."""

    sheets: list[str]  # names of the filled sheets; [""] for CSV
    sheet: int  # index of the one that is read
    columns: list[Column]


class EntryList(NamedTuple):
    """The players of a file in its order, and what was left out.

    - `titles`: the lines above the heading
    - `totals`: the lines of totals below the players
    - `empty_lines`: how many lines have nothing in the columns that are read
    """

    people: list[dict[str, Any]]
    titles: list[str]
    totals: list[str]
    empty_lines: int
    layout: Layout


class BadFile(Exception):
    """A file that is refused, with all its `problems`.

    `layout` is where its players were looked for; None if it could not be opened.
    """

    def __init__(self, problems: list[LineProblem]) -> None:
        super().__init__("; ".join(f"{each.line}: {each.message}" for each in problems))
        self.problems = problems
        self.layout: Layout | None = None


class SheetNeeded(BadFile):
    """The sheet has to be chosen: `guess` is the index of the one with the most lines."""

    def __init__(self, guess: int) -> None:
        problem = _("Several sheets of the workbook are filled. Keep one.")
        super().__init__([LineProblem(WHOLE_FILE, "file", problem)])
        self.guess = guess


class EncodingNeeded(BadFile):
    """The encoding has to be chosen: `previews` has the first lines by possible encoding."""

    def __init__(
        self, problems: list[LineProblem], content: bytes, encodings: Sequence[str]
    ) -> None:
        super().__init__(problems)
        beginning = content[:PREVIEWED_BYTES]
        self.previews = {
            name: beginning.decode(ENCODINGS[name], "ignore").splitlines()[:PREVIEWED_LINES]
            for name in encodings
        }


def _refusal(code: str, message: str, *, line: int = WHOLE_FILE) -> BadFile:
    return BadFile([LineProblem(line, code, message)])


def read_entries(content: bytes, encoding: str = "") -> list[dict[str, Any]]:
    """Return the players of a file in its order. Raises `BadFile`."""
    return read_list(content, encoding).people


def read_list(
    content: bytes,
    encoding: str = "",
    *,
    sheet: int | None = None,
    columns: Mapping[int, str] | None = None,
) -> EntryList:
    """Return the players of a file, and what was left out. Raises `BadFile`.

    `sheet` is the index of the sheet to read among the filled ones; without it, several sheets with
    a column for names are refused. `columns` has the field of a column by index, "" if it is not to
    be read; without it, unknown headings are refused.
    """
    if len(content) > LARGEST:
        raise _refusal("too_large", _("The file is larger than 5 MB."))
    if content.startswith(OLD_OR_LOCKED):
        problem = _("This Excel file is old or locked by a password. Save it as .xlsx without one.")
        raise _refusal("file", problem)
    is_excel = content.startswith(b"PK\x03\x04")
    sheets = _excel_sheets(content) if is_excel else [Sheet("", [*_csv_rows(content, encoding)])]
    if not any(each.rows for each in sheets):
        raise _refusal("empty", _("There is nothing in the file."))
    chosen = _chosen_sheet(sheets, sheet)
    rows = sheets[chosen].rows
    heading = heading_index(rows)
    lines = rows[heading + 1 :]
    totals = _remove_totals(lines)
    try:
        found = columns_of(rows[heading], lines, columns or {})
    except TooManyColumns:
        problem = _("The list has too many columns.")
        raise _refusal("too_long", problem, line=rows[heading].line) from None
    layout = Layout([each.name for each in sheets], chosen, found)
    try:
        _check_columns(rows[heading].line, found, may_be_unknown=columns is not None)
        filled_lines = [row for row in lines if _is_filled_line(found, row)]
        return EntryList(
            people=_read_people(found, filled_lines),
            titles=[text_of(row) for row in rows[:heading]],
            totals=[text_of(row) for row in totals],
            empty_lines=len(lines) - len(filled_lines),
            layout=layout,
        )
    except BadFile as bad:
        bad.layout = layout
        raise


def _read_people(columns: Sequence[Column], lines: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the players in the lines. Raises `BadFile`."""
    problems: list[LineProblem] = []
    fields = [column.field for column in columns]
    people = [_read_person(fields, row, problems) for row in lines]
    if not people:
        problems.append(LineProblem(WHOLE_FILE, "empty", _("There is no player in the file.")))
    if len(people) > MOST_ENTRIES:
        problem = _("There are too many lines in the file.")
        problems.append(LineProblem(WHOLE_FILE, "too_many", problem))
    if problems:
        raise BadFile(problems)
    return people


def _chosen_sheet(sheets: Sequence[Sheet], requested: int | None) -> int:
    """Return the index of the requested sheet, or of the only one with a column for names.

    Raises `SheetNeeded` if several have one, or none of several.
    """
    if requested is not None and requested < len(sheets):
        return requested
    if len(sheets) < 2:
        return 0
    with_names = [
        index
        for index, each in enumerate(sheets)
        if has_names(each.rows[heading_index(each.rows)].cells)
    ]
    if len(with_names) != 1:
        longest = max(with_names or range(len(sheets)), key=lambda index: len(sheets[index].rows))
        raise SheetNeeded(longest)
    return with_names[0]


def _remove_totals(lines: list[Row]) -> list[Row]:
    """Remove the lines of totals at the end of `lines`, and return them."""
    count = next((at for at, row in enumerate(reversed(lines)) if not is_total(row)), len(lines))
    totals = lines[len(lines) - count :]
    del lines[len(lines) - count :]
    return totals


def _is_filled_line(columns: Sequence[Column], row: Row) -> bool:
    """Return whether a line has more than cells in columns that are not read."""
    return any(
        is_filled(cell) and not (index < len(columns) and not columns[index].field)
        for index, cell in enumerate(row.cells)
    )


# CSV


def _csv_rows(content: bytes, encoding: str) -> Iterator[Row]:
    """Yield the lines of a CSV file that are not empty. Raises `BadFile`.

    The delimiter is a tab if one of the first lines, split at tabs, has a column for names; else a
    comma.
    """
    text = _decode(content, encoding)
    if "\0" in text:
        raise _refusal("file", _("This is neither CSV nor an Excel workbook."))
    beginning = text.split("\n", MOST_TITLES + 1)[: MOST_TITLES + 1]
    is_tabbed = any(has_names(line.split("\t")[:99]) for line in beginning)
    delimiter = "\t" if is_tabbed and "\t" in "".join(beginning) else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    count = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error:
            problem = _("The quotation marks do not match, or a cell is too long.")
            raise _refusal("file", problem, line=line) from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            count += 1
            if count > MOST_ENTRIES + 1:  # one more for the heading
                problem = _("There are too many lines in the file.")
                raise _refusal("too_many", problem)
            yield Row(line, list(cells))


def _decode(content: bytes, encoding: str) -> str:
    """Return the text, decoded by the declared encoding; UTF-8 if that is "".

    Raises `EncodingNeeded` if no encoding is declared and one of `DECLARED` is possible, else
    `BadFile`.
    """
    if encoding not in {"", *ENCODINGS}:
        problem = _("The encoding can be utf-8, cp932 or gb18030.")
        raise _refusal("encoding", problem)
    if encoding in DECLARED and content.startswith(UTF_8_MARK):
        problem = _("The file says that it is UTF-8, though %(encoding)s was declared.")
        raise _refusal("encoding", problem % {"encoding": encoding})
    if content.startswith(tuple(UTF_16_MARKS)):
        problem = _("This is UTF-16, which Excel calls “Unicode Text”. Save it as “CSV UTF-8”.")
        raise _refusal("encoding", problem)
    try:
        text = content.decode(ENCODINGS[encoding or "utf-8"])
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = _("This is not UTF-8. If it is Shift_JIS (cp932) or GBK (gb18030), say so.")
        if encoding in DECLARED:
            problem = _("This is not %(encoding)s, though it was declared.")
        problems = [LineProblem(line, "encoding", problem % {"encoding": encoding})]
        if not encoding and (possible := _possible_encodings(content)):
            raise EncodingNeeded(problems, content, possible) from None
        raise BadFile(problems) from None
    if not encoding and (others := _other_encodings(content, text)):
        problem = _("This could be UTF-8 or another encoding. Say which it is.")
        problems = [LineProblem(WHOLE_FILE, "encoding", problem)]
        raise EncodingNeeded(problems, content, ["utf-8", *others])
    return text


def _possible_encodings(content: bytes) -> list[str]:
    """Return those of `DECLARED` in which the bytes are text."""
    return [encoding for encoding in DECLARED if _can_be_decoded(content, encoding)]


def _can_be_decoded(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _other_encodings(content: bytes, text: str) -> list[str]:
    """Return in which encodings UTF-8 text without a byte order mark could also be meant.

    >>> _other_encodings("ﾂｱ".encode("cp932"), "±"), _other_encodings("成田".encode(), "成田")
    (['cp932', 'gb18030'], [])
    """
    non_ascii = [character for character in text if not character.isascii()]
    if not non_ascii or content.startswith(UTF_8_MARK):
        return []
    if any(each > "\u07ff" for each in non_ascii):  # three bytes in UTF-8
        return []
    return _possible_encodings(content)


# Excel


def _excel_sheets(content: bytes) -> list[Sheet]:
    """Return the filled sheets of an Excel file, their lines without empty ones.

    Raises `BadFile` if the file cannot be read.
    """
    try:
        sheets = workbooks.sheets_of(content)
    except workbooks.TooWide as wide:
        problem = _("There are more cells here than headings.")
        raise _refusal("too_long", problem, line=wide.row_number) from None
    except workbooks.TooManyRows:
        problem = _("There are too many lines in the file.")
        raise _refusal("too_many", problem) from None
    except workbooks.Misplaced as misplaced:
        raise _misplaced_refusal(misplaced) from None
    except workbooks.WithMacros:
        problem = _("There are macros in this workbook. Save it as .xlsx, without them.")
        raise _refusal("file", problem) from None
    except workbooks.Unreadable:
        raise _refusal("file", _("This Excel file cannot be read.")) from None
    return [
        Sheet(each.name, [Row(line, [*cells]) for line, cells in each.rows])
        for each in sheets
        if each.rows
    ]


def _misplaced_refusal(misplaced: workbooks.Misplaced) -> BadFile:
    """Return the refusal for a row or cell that is out of order, repeated or broken."""
    line, cell = misplaced.row_number, misplaced.cell
    if not cell:
        problem = _("This line is out of order or there twice. Save the file anew in Excel.")
        return _refusal("file", problem, line=line)
    text = _("Cell %(cell)s is out of order, there twice or broken. Save the file anew in Excel.")
    return _refusal("file", text % {"cell": cell}, line=line)


# Lines


def _check_columns(line: int, columns: Sequence[Column], *, may_be_unknown: bool) -> None:
    """Raise `BadFile` if a field has two columns, or no column is for names.

    Unless they `may_be_unknown`, headings that are not known are refused too.
    """
    fields = [column.field for column in columns if column.field]
    unknown = [column.heading for column in columns if not column.known and not column.is_empty]
    problems = []
    if unknown and not may_be_unknown:
        known = ", ".join(heading_of(name) for name in ENTRY_FIELDS)
        text = _("These headings are not known: %(unknown)s. Known are: %(known)s.")
        problem = text % {"unknown": ", ".join(unknown)[:200], "known": known}
        problems.append(LineProblem(line, "unknown_column", problem))
    if "name" not in fields:
        problem = _("No heading is “name”.")
        if may_be_unknown:
            problem = _("No column is for names. Choose one.")
        problems.append(LineProblem(line, "missing", problem))
    if len({*fields}) < len(fields):
        problem = _("Two columns have the same name.")
        problems.append(LineProblem(line, "twice", problem))
    if problems:
        raise BadFile(problems)


def _read_person(columns: list[str], row: Row, problems: list[LineProblem]) -> dict[str, Any]:
    """Return the valid fields of a line's player, and append the line's problems to `problems`.

    `columns` has the field name of each column, "" if it is not read.
    """
    line, cells = row
    if any(is_filled(cell) for cell in cells[len(columns) :]):
        problem = _("There are more cells here than headings.")
        problems.append(LineProblem(line, "too_long", problem))
    padded = [*cells, *[None] * len(columns)]
    cell_of = {
        name: cell for name, cell in zip(columns, padded, strict=False) if cell is not None and name
    }
    if any(isinstance(cell, workbooks.Formula) for cell in cell_of.values()):
        problem = _("There is a formula here. Paste its value instead.")
        problems.append(LineProblem(line, "formula", problem))
        return {}
    person: dict[str, Any] = {}
    for name, cell in cell_of.items():
        checked = (
            _checked_year(line, cell, problems)
            if name == "birth_year"
            else _checked_text(line, name, cell, problems)
        )
        if checked is not None:
            person[name] = checked
    if not str(cell_of.get("name") or "").strip():
        problems.append(LineProblem(line, "missing", _("The name is missing.")))
    return person


def _checked_text(line: int, field_name: str, cell: Any, problems: list[LineProblem]) -> str | None:
    """Return the text of a cell. If it is invalid, append a problem and return None."""
    if not isinstance(cell, str):
        text = _("“%(value)s” is not text. Format the cell as text and type it again.")
        problems.append(LineProblem(line, "type", text % {"value": str(cell)[:50]}))
    elif len(cell) > ENTRY_FIELDS[field_name].max_length:
        text = _("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
        values = {
            "start": cell[:20],
            "length": len(cell),
            "longest": ENTRY_FIELDS[field_name].max_length,
        }
        problems.append(LineProblem(line, "too_long", text % values))
    elif "\0" in cell:
        problems.append(LineProblem(line, "type", _("There is a character here that is no text.")))
    else:
        return cell
    return None


def _checked_year(line: int, cell: Any, problems: list[LineProblem]) -> int | None:
    """Return a year of birth, None for an empty cell.

    If the cell is invalid, append a problem and return None.
    """
    text = str(cell).strip()
    if isinstance(cell, str) and not text:
        return None
    year = None if isinstance(cell, bool) else parse_birth_year(text)
    if year is None:
        problems.append(LineProblem(line, "range", bad_year_message(text)))
    return year


def parse_birth_year(text: str) -> int | None:
    """Return a year of birth, or None if it is no number or not plausible."""
    year = int(text[:9]) if text.isascii() and text.isdigit() else 0
    return year if is_plausible_birth_year(year) else None


def bad_year_message(text: str) -> str:
    problem = _("“%(value)s” is not a year of birth. Write it as four digits, such as 1955.")
    return problem % {"value": text[:50]}
