"""Reads lists of players from CSV and Excel files: all lines, unchanged, or none.

Nothing is guessed. CSV is UTF-8 unless cp932 is declared. The first line names the columns. A
number in a column for text is refused, since Excel may have removed leading zeros.
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
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # byte order marks
PREVIEWED, PREVIEWED_LINES = 2000, 6  # bytes and lines of the preview for choosing an encoding
MOST_TITLES = 10  # lines above the heading
ENCODINGS = {"utf-8": "utf-8-sig", "cp932": "cp932"}


class LineProblem(NamedTuple):
    """A problem of a line, counted from 1 including the heading; line 0 is the whole file."""

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


class WhichEncoding(BadFile):
    """The encoding has to be chosen: `previews` has the first lines in each possible one."""

    def __init__(
        self, problems: list[LineProblem], content: bytes, encodings: Sequence[str]
    ) -> None:
        super().__init__(problems)
        beginning = content[:PREVIEWED]
        self.previews = {
            name: beginning.decode(ENCODINGS[name], "ignore").splitlines()[:PREVIEWED_LINES]
            for name in encodings
        }


Row = tuple[int, list[Any]]  # the number of a line, and its cells


def read_entries(content: bytes, encoding: str = "") -> list[dict[str, Any]]:
    """Return the players of a file in its order. Raises `BadFile`."""
    return read_list(content, encoding).people


def read_list(content: bytes, encoding: str = "") -> EntryList:
    """Return the players of a file, and the lines above its heading. Raises `BadFile`."""
    if len(content) > LARGEST:
        raise BadFile([LineProblem(0, "too_large", _("The file is larger than 5 MB."))])
    if content.startswith(OLD_OR_LOCKED):
        problem = _("This Excel file is old or locked by a password. Save it as .xlsx without one.")
        raise BadFile([LineProblem(0, "file", problem)])
    is_excel = content.startswith(b"PK\x03\x04")
    rows = list(_excel_rows(content) if is_excel else _csv_rows(content, encoding))
    if not rows:
        raise BadFile([LineProblem(0, "empty", _("There is nothing in the file."))])
    top = _heading_line(rows)
    columns = _columns(rows[top])
    problems: list[LineProblem] = []
    people = [_person(columns, row, problems) for row in rows[top + 1 :]]
    if not people:
        problems.append(LineProblem(0, "empty", _("There is no player in the file.")))
    if len(people) > MOST_ENTRIES:
        problems.append(LineProblem(0, "too_many", _("There are too many lines in the file.")))
    if problems:
        raise BadFile(problems)
    titles = [" ".join(str(cell) for cell in cells if cell) for _line, cells in rows[:top]]
    return EntryList(people, titles)


def _heading_line(rows: Sequence[Row]) -> int:
    """Return the index of the heading: the first line with a column for names, or 0."""
    for at, (_line, cells) in enumerate(rows[: MOST_TITLES + 1]):
        if "name" in map(column_of, cells):
            return at
    return 0


# CSV


def _csv_rows(content: bytes, encoding: str) -> Iterator[Row]:
    text = _decoded(content, encoding)
    if "\0" in text:
        raise BadFile([LineProblem(0, "file", _("This is neither CSV nor an Excel workbook."))])
    beginning = text.split("\n", MOST_TITLES + 1)[: MOST_TITLES + 1]
    is_tabbed = any("name" in map(column_of, line.split("\t")[:99]) for line in beginning)
    delimiter = "\t" if is_tabbed and "\t" in "".join(beginning) else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    found = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error:
            problem = _("The quotation marks do not match, or a cell is too long.")
            raise BadFile([LineProblem(line, "file", problem)]) from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            found += 1
            if found > MOST_ENTRIES + 1:
                problem = _("There are too many lines in the file.")
                raise BadFile([LineProblem(0, "too_many", problem)])
            yield line, list(cells)


def _decoded(content: bytes, encoding: str) -> str:
    """Decode the text in the declared encoding, by default UTF-8."""
    if encoding not in {"", *ENCODINGS}:
        problem = _("The encoding can be utf-8 or cp932.")
        raise BadFile([LineProblem(0, "encoding", problem)])
    if encoding == "cp932" and content.startswith(b"\xef\xbb\xbf"):
        problem = _("The file says that it is UTF-8, though cp932 was declared.")
        raise BadFile([LineProblem(0, "encoding", problem)])
    if content.startswith(UTF_16):
        problem = _("This is UTF-16, which Excel calls “Unicode Text”. Save it as “CSV UTF-8”.")
        raise BadFile([LineProblem(0, "encoding", problem)])
    try:
        text = content.decode(ENCODINGS[encoding or "utf-8"])
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = _("This is not UTF-8. If it is a Japanese file (cp932, Shift_JIS), say so.")
        if encoding == "cp932":
            problem = _("This is not cp932, though it was declared.")
        found = [LineProblem(line, "encoding", problem)]
        if not encoding and _reads_as(content, "cp932"):
            raise WhichEncoding(found, content, ["cp932"]) from None
        raise BadFile(found) from None
    if not encoding and _might_be_cp932(content, text):
        problem = _("This could be UTF-8 or cp932. Say which it is.")
        found = [LineProblem(0, "encoding", problem)]
        raise WhichEncoding(found, content, ["utf-8", "cp932"])
    return text


def _reads_as(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _might_be_cp932(content: bytes, text: str) -> bool:
    """Return whether text without a byte order mark could also be half-width katakana in cp932.

    >>> _might_be_cp932("ﾂｱ".encode("cp932"), "±"), _might_be_cp932("成田".encode(), "成田")
    (True, False)
    """
    others = [character for character in text if not character.isascii()]
    if not others or content.startswith(b"\xef\xbb\xbf") or any(each > "\u07ff" for each in others):
        return False
    return _reads_as(content, "cp932")


# Excel


def _excel_rows(content: bytes) -> Iterator[Row]:
    try:
        sheets = workbooks.sheets_of(content)
    except workbooks.TooWide as wide:
        problem = _("There are more cells here than columns in the first line.")
        raise BadFile([LineProblem(wide.line, "too_long", problem)]) from None
    except workbooks.TooManyRows:
        problem = _("There are too many lines in the file.")
        raise BadFile([LineProblem(0, "too_many", problem)]) from None
    except workbooks.Misplaced as misplaced:
        raise BadFile([_misplaced(misplaced)]) from None
    except workbooks.WithMacros:
        problem = _("There are macros in this workbook. Save it as .xlsx, without them.")
        raise BadFile([LineProblem(0, "file", problem)]) from None
    except workbooks.Unreadable:
        raise BadFile([LineProblem(0, "file", _("This Excel file cannot be read."))]) from None
    filled = [rows for rows in sheets if rows]
    if len(filled) > 1:
        problem = _("Several sheets of the workbook are filled. Keep one.")
        raise BadFile([LineProblem(0, "file", problem)])
    for line, cells in filled[0] if filled else ():
        if any(isinstance(cell, workbooks.Formula) for cell in cells):
            problem = _("There is a formula here. Paste its value instead.")
            raise BadFile([LineProblem(line, "formula", problem)])
        yield line, list(cells)


def _misplaced(found: workbooks.Misplaced) -> LineProblem:
    if not found.cell:
        problem = _("This line is out of order or there twice. Save the file anew in Excel.")
        return LineProblem(found.line, "file", problem)
    text = _("Cell %(cell)s is out of order, there twice or broken. Save the file anew in Excel.")
    return LineProblem(found.line, "file", text % {"cell": found.cell})


# Lines


def _columns(row: Row) -> list[str]:
    """Return the field of each column by its heading, or "" for an empty one."""
    line, cells = row
    found = [column_of(cell) for cell in cells]
    while found and not found[-1] and not str(cells[len(found) - 1] or "").strip():
        found.pop()
    unknown = [str(cells[i]) for i, name in enumerate(found) if not name]
    known = ", ".join(heading_of(name) for name in ENTRY_FIELDS)
    problems = []
    if unknown:
        text = _("The first line names the columns. Not known: %(unknown)s. Known: %(known)s.")
        problem = text % {"unknown": ", ".join(unknown)[:200], "known": known}
        problems.append(LineProblem(line, "unknown_column", problem))
    if "name" not in found:
        problem = _("There is no column “name” in the first line.")
        problems.append(LineProblem(line, "missing", problem))
    if len({*found} - {""}) < len([name for name in found if name]):
        problem = _("Two columns have the same name.")
        problems.append(LineProblem(line, "twice", problem))
    if problems:
        raise BadFile(problems)
    return found


def column_of(heading: Any) -> str:
    """Return the field with this heading in any language, or ""."""
    normalised = "".join(unicodedata.normalize("NFKC", str(heading or "")).lower().split())
    return next((name for name, field in ENTRY_FIELDS.items() if normalised in field.headings), "")


def heading_of(name: str) -> str:
    """Return the heading of a field in the active language."""
    language = get_language() or ""
    headings = ENTRY_FIELDS[name].headings
    return headings[{"ja": 1, "zh-hans": -1}.get(language, 0)]


def _person(columns: list[str], row: Row, problems: list[LineProblem]) -> dict[str, Any]:
    """Return the player of a line, and append its problems."""
    line, cells = row
    if any(cell is not None and str(cell).strip() for cell in cells[len(columns) :]):
        problem = _("There are more cells here than columns in the first line.")
        problems.append(LineProblem(line, "too_long", problem))
    padded = [*cells, *[None] * len(columns)]
    given = {name: cell for name, cell in zip(columns, padded, strict=False) if cell is not None}
    person: dict[str, Any] = {}
    for name, cell in given.items():
        checked = (
            _year(line, cell, problems)
            if name == "birth_year"
            else _text(line, name, cell, problems)
        )
        if checked is not None:
            person[name] = checked
    if not str(given.get("name") or "").strip():
        problems.append(LineProblem(line, "missing", _("The name is missing.")))
    return person


def _text(line: int, name: str, cell: Any, problems: list[LineProblem]) -> str | None:
    if not isinstance(cell, str):
        text = _("“%(value)s” is not text. Format the cell as text and type it again.")
        problems.append(LineProblem(line, "type", text % {"value": str(cell)[:50]}))
    elif len(cell) > ENTRY_FIELDS[name].max_length:
        text = _("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
        values = {"start": cell[:20], "length": len(cell), "longest": ENTRY_FIELDS[name].max_length}
        problems.append(LineProblem(line, "too_long", text % values))
    elif "\0" in cell:
        problems.append(LineProblem(line, "type", _("There is a character here that is no text.")))
    else:
        return cell
    return None


def _year(line: int, cell: Any, problems: list[LineProblem]) -> int | None:
    """Return a year of birth, None for an empty cell."""
    text = str(cell).strip()
    if isinstance(cell, str) and not text:
        return None
    year = None if isinstance(cell, bool) else year_of_birth(text)
    if year is None:
        problems.append(LineProblem(line, "range", no_year(text)))
    return year


def year_of_birth(text: str) -> int | None:
    """Return a year of birth, or None if it is not plausible."""
    year = int(text[:9]) if text.isascii() and text.isdigit() else 0
    return year if is_plausible_birth_year(year) else None


def no_year(text: str) -> str:
    """Return the message for an invalid year of birth."""
    problem = _("“%(value)s” is not a year of birth. Write it as four digits, such as 1955.")
    return problem % {"value": text[:50]}
