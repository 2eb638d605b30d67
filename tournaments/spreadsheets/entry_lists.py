"""Reads lists of players from CSV and Excel files: all lines, unchanged, or none.

Nothing is guessed. CSV is UTF-8 unless cp932 or gb18030 is declared. The heading, which is the
first line or stands below some titles, names the columns. A number in a column for text is
refused, since Excel may have removed leading zeros.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.models.people import is_plausible_birth_year
from tournaments.spreadsheets import workbooks

# Numbers of entries have four digits, to be legible on the wall.
MOST_ENTRIES = 9999
LARGEST = 5_000_000  # bytes of a file
OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # magic bytes of .xls and encrypted .xlsx
UTF_8_MARK, *UTF_16_MARKS = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"  # byte order marks
PREVIEWED_BYTES, PREVIEWED_LINES = 2000, 6  # of the preview for choosing an encoding
MOST_TITLES = 10  # lines above the heading
WHOLE_FILE = 0  # the line number of a problem of the whole file
ENCODINGS = {"utf-8": "utf-8-sig", "cp932": "cp932", "gb18030": "gb18030"}
DECLARED = (
    "cp932",
    "gb18030",
)  # encodings of Japanese and Chinese Excel, which have to be declared


class LineProblem(NamedTuple):
    """A problem of a line, counted from 1 including the heading, or of `WHOLE_FILE`."""

    line: int
    code: str
    message: str


class EntryList(NamedTuple):
    """The players of a file in its order, and the lines above its heading."""

    people: list[dict[str, Any]]
    titles: list[str]


class BadFile(Exception):
    """A file that is refused, with all its `problems`."""

    def __init__(self, problems: list[LineProblem]) -> None:
        super().__init__("; ".join(f"{each.line}: {each.message}" for each in problems))
        self.problems = problems


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


class Row(NamedTuple):
    """A line of the file that is not empty."""

    line: int  # counted from 1
    cells: list[Any]


def _refusal(code: str, message: str, *, line: int = WHOLE_FILE) -> BadFile:
    return BadFile([LineProblem(line, code, message)])


def read_entries(content: bytes, encoding: str = "") -> list[dict[str, Any]]:
    """Return the players of a file in its order. Raises `BadFile`."""
    return read_list(content, encoding).people


def read_list(content: bytes, encoding: str = "") -> EntryList:
    """Return the players of a file, and the lines above its heading. Raises `BadFile`."""
    if len(content) > LARGEST:
        raise _refusal("too_large", _("The file is larger than 5 MB."))
    if content.startswith(OLD_OR_LOCKED):
        problem = _("This Excel file is old or locked by a password. Save it as .xlsx without one.")
        raise _refusal("file", problem)
    is_excel = content.startswith(b"PK\x03\x04")
    rows = list(_excel_rows(content) if is_excel else _csv_rows(content, encoding))
    if not rows:
        raise _refusal("empty", _("There is nothing in the file."))
    heading = _heading_index(rows)
    columns = _fields_by_column(rows[heading])
    problems: list[LineProblem] = []
    people = [_read_person(columns, row, problems) for row in rows[heading + 1 :]]
    if not people:
        problems.append(LineProblem(WHOLE_FILE, "empty", _("There is no player in the file.")))
    if len(people) > MOST_ENTRIES:
        problem = _("There are too many lines in the file.")
        problems.append(LineProblem(WHOLE_FILE, "too_many", problem))
    if problems:
        raise BadFile(problems)
    titles = [" ".join(str(cell) for cell in cells if cell) for _line, cells in rows[:heading]]
    return EntryList(people, titles)


def _heading_index(rows: Sequence[Row]) -> int:
    """Return the index of the heading: the first line with a column for names, or 0."""
    for index, row in enumerate(rows[: MOST_TITLES + 1]):
        if "name" in map(field_with_heading, row.cells):
            return index
    return 0


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
    is_tabbed = any("name" in map(field_with_heading, line.split("\t")[:99]) for line in beginning)
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


def _excel_rows(content: bytes) -> Iterator[Row]:
    """Yield the lines of an Excel file that are not empty.

    Raises `BadFile` if the file cannot be read, has several filled sheets or has formulas.
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
    filled_sheets = [rows for rows in sheets if rows]
    if len(filled_sheets) > 1:
        problem = _("Several sheets of the workbook are filled. Keep one.")
        raise _refusal("file", problem)
    for line, cells in filled_sheets[0] if filled_sheets else ():
        if any(isinstance(cell, workbooks.Formula) for cell in cells):
            problem = _("There is a formula here. Paste its value instead.")
            raise _refusal("formula", problem, line=line)
        yield Row(line, list(cells))


def _misplaced_refusal(misplaced: workbooks.Misplaced) -> BadFile:
    """Return the refusal for a row or cell that is out of order, repeated or broken."""
    line, cell = misplaced.row_number, misplaced.cell
    if not cell:
        problem = _("This line is out of order or there twice. Save the file anew in Excel.")
        return _refusal("file", problem, line=line)
    text = _("Cell %(cell)s is out of order, there twice or broken. Save the file anew in Excel.")
    return _refusal("file", text % {"cell": cell}, line=line)


# Lines


def _fields_by_column(row: Row) -> list[str]:
    """Return the field name of each column of a heading, without empty columns at the end.

    Raises `BadFile` if a heading is unknown or repeated, or no column is for names.
    """
    line, cells = row
    field_of = {cell: field_with_heading(cell) for cell in {*cells}}  # a file may repeat a heading
    fields = [field_of[cell] for cell in cells]
    while fields and not fields[-1] and not str(cells[len(fields) - 1] or "").strip():
        fields.pop()
    unknown = [str(cells[i]) for i, name in enumerate(fields) if not name]
    known = ", ".join(heading_of(name) for name in ENTRY_FIELDS)
    problems = []
    if unknown:
        text = _("These headings are not known: %(unknown)s. Known are: %(known)s.")
        problem = text % {"unknown": ", ".join(unknown)[:200], "known": known}
        problems.append(LineProblem(line, "unknown_column", problem))
    if "name" not in fields:
        problem = _("No heading is “name”.")
        problems.append(LineProblem(line, "missing", problem))
    if len({*fields} - {""}) < len([name for name in fields if name]):
        problem = _("Two columns have the same name.")
        problems.append(LineProblem(line, "twice", problem))
    if problems:
        raise BadFile(problems)
    return fields


def field_with_heading(heading: Any) -> str:
    """Return the name of the field with this heading in any language, or ""."""
    normalised = "".join(unicodedata.normalize("NFKC", str(heading or "")).lower().split())
    return next((name for name, field in ENTRY_FIELDS.items() if normalised in field.headings), "")


def heading_of(field_name: str) -> str:
    """Return the heading of a field in the active language; English is the default."""
    language = get_language() or ""
    headings = ENTRY_FIELDS[field_name].headings  # English first, Japanese second, Chinese last
    return headings[{"ja": 1, "zh-hans": -1}.get(language, 0)]


def _read_person(columns: list[str], row: Row, problems: list[LineProblem]) -> dict[str, Any]:
    """Return the valid fields of a line's player, and append the line's problems to `problems`.

    `columns` has the field name of each column.
    """
    line, cells = row
    if any(cell is not None and str(cell).strip() for cell in cells[len(columns) :]):
        problem = _("There are more cells here than headings.")
        problems.append(LineProblem(line, "too_long", problem))
    padded = [*cells, *[None] * len(columns)]
    cell_of = {name: cell for name, cell in zip(columns, padded, strict=False) if cell is not None}
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
