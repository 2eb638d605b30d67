"""The sheets of a list of players: of a CSV or Excel file, or of pasted lines.

No character is guessed. CSV is UTF-8 unless cp932 or gb18030 is declared.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.server import jobs
from tournaments.spreadsheets import workbooks
from tournaments.spreadsheets.headings import MOST_TITLES, Row, has_names
from tournaments.spreadsheets.problems import (
    WHOLE_FILE,
    BadFile,
    EncodingNeeded,
    LineProblem,
    refusal,
)

LARGEST = 5_000_000  # bytes of a file
SMALL = 20_000  # bytes of CSV that are read sooner than a job begins
OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # magic bytes of .xls and encrypted .xlsx
UTF_8_MARK, *UTF_16_MARKS = b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"  # byte order marks
PREVIEWED_BYTES, PREVIEWED_LINES = 2000, 6  # of the preview for choosing an encoding
ENCODINGS = {"utf-8": "utf-8-sig", "cp932": "cp932", "gb18030": "gb18030"}
# Encodings of Japanese and Chinese Excel, which have to be declared.
DECLARED = ("cp932", "gb18030")
# Replaces `splitlines`, which also splits at characters that a name may contain.
LINE_END = re.compile(r"\r\n|\r|\n")


class Sheet(NamedTuple):
    """A sheet of a workbook; a CSV file and pasted lines are one without a name."""

    name: str
    rows: list[Row]


def sheets_of_file(content: bytes, encoding: str = "") -> list[Sheet]:
    """Return the filled sheets of a file, read in a job unless it is small. Raises `BadFile`."""
    if len(content) > LARGEST:
        raise refusal("too_large", _("The file is larger than 5 MB."))
    if content.startswith(OLD_OR_LOCKED):
        problem = _(
            "This Excel file is in an old format or has a password. Save it as .xlsx without a "
            "password."
        )
        raise refusal("file", problem)
    is_excel = content.startswith(b"PK\x03\x04")
    if is_excel:
        sheets = jobs.run_short(_excel_sheets, content)
    elif len(content) > SMALL:
        sheets = jobs.run_short(_csv_sheets, content, encoding)
    else:
        sheets = _csv_sheets(content, encoding)
    if not any(each.rows for each in sheets):
        raise refusal("empty", _("The file is empty."))
    return sheets


def _csv_sheets(content: bytes, encoding: str) -> list[Sheet]:
    """Raises `BadFile`."""
    return [Sheet("", [*_csv_rows(content, encoding)])]


def pasted_sheet(text: str) -> Sheet:
    """Return pasted lines as a sheet; empty ones are left out."""
    lines = enumerate(LINE_END.split(text), 1)
    return Sheet("", [Row(number, split_line(line)) for number, line in lines if line.strip()])


def split_line(line: str) -> list[str]:
    r"""Split a line at its tabs, or else at its commas.

    >>> split_line("成田 キヨ\tなかよし村、本部\t一般"), split_line("工藤 正、，一般")
    (['成田 キヨ', 'なかよし村、本部', '一般'], ['工藤 正', '', '一般'])
    """
    fields = line.split("\t") if "\t" in line else re.split("[,，、]", line)
    return [field.strip() for field in fields]


# CSV


def _csv_rows(content: bytes, encoding: str) -> Iterator[Row]:
    """Yield the lines of a CSV file that are not empty. Raises `BadFile`.

    The delimiter is a tab if one of the first lines, split at tabs, has a column for names; else a
    comma.
    """
    text = _decode(content, encoding)
    if "\0" in text:
        raise refusal("file", _("This is neither CSV nor an Excel workbook."))
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
            raise refusal("file", problem, line=line) from None
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            count += 1
            if count > MOST_ENTRIES + 1:  # one more for the heading
                problem = _("There are too many lines in the file.")
                raise refusal("too_many", problem)
            yield Row(line, list(cells))


def _decode(content: bytes, encoding: str) -> str:
    """Return the text, decoded by the declared encoding; UTF-8 if that is "".

    Raises `EncodingNeeded` if no encoding is declared and one of `DECLARED` is possible, else
    `BadFile`.
    """
    if encoding not in {"", *ENCODINGS}:
        problem = _("The encoding must be utf-8, cp932 or gb18030.")
        raise refusal("encoding", problem)
    if encoding in DECLARED and content.startswith(UTF_8_MARK):
        problem = _("The file says that it is UTF-8, though %(encoding)s was declared.")
        raise refusal("encoding", problem % {"encoding": encoding})
    if content.startswith(tuple(UTF_16_MARKS)):
        problem = _("This is UTF-16, which Excel calls “Unicode Text”. Save it as “CSV UTF-8”.")
        raise refusal("encoding", problem)
    try:
        text = content.decode(ENCODINGS[encoding or "utf-8"])
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problem = _("This is not UTF-8. If it is Shift_JIS (cp932) or GBK (gb18030), choose that.")
        if encoding in DECLARED:
            problem = _("This is not %(encoding)s, though it was declared.")
        problems = [LineProblem(line, "encoding", problem % {"encoding": encoding})]
        if not encoding and (possible := _possible_encodings(content)):
            raise EncodingNeeded(problems, _previews(content, possible)) from None
        raise BadFile(problems) from None
    if not encoding and (others := _other_encodings(content, text)):
        problem = _("This could be UTF-8 or another encoding. Choose which it is.")
        problems = [LineProblem(WHOLE_FILE, "encoding", problem)]
        raise EncodingNeeded(problems, _previews(content, ["utf-8", *others]))
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


def _previews(content: bytes, encodings: Sequence[str]) -> dict[str, list[str]]:
    beginning = content[:PREVIEWED_BYTES]
    return {
        name: beginning.decode(ENCODINGS[name], "ignore").splitlines()[:PREVIEWED_LINES]
        for name in encodings
    }


# Excel


def _excel_sheets(content: bytes) -> list[Sheet]:
    """Return the filled sheets of an Excel file, their lines without empty ones.

    Raises `BadFile` if the file cannot be read.
    """
    try:
        sheets = workbooks.sheets_of(content)
    except workbooks.TooWide as wide:
        problem = _("This line has more cells than there are headings.")
        raise refusal("too_long", problem, line=wide.row_number) from None
    except workbooks.TooManyRows:
        problem = _("There are too many lines in the file.")
        raise refusal("too_many", problem) from None
    except workbooks.Misplaced as misplaced:
        raise _misplaced_refusal(misplaced) from None
    except workbooks.WithMacros:
        problem = _("There are macros in this workbook. Save it as .xlsx, without them.")
        raise refusal("file", problem) from None
    except workbooks.Unreadable:
        raise refusal("file", _("This Excel file cannot be read.")) from None
    return [
        Sheet(each.name, [Row(line, [*cells]) for line, cells in each.rows])
        for each in sheets
        if each.rows
    ]


def _misplaced_refusal(misplaced: workbooks.Misplaced) -> BadFile:
    line, cell = misplaced.row_number, misplaced.cell
    if not cell:
        problem = _("This line is out of order or appears twice. Save the file again in Excel.")
        return refusal("file", problem, line=line)
    text = _(
        "Cell %(cell)s is out of order, appears twice or is damaged. Save the file again in Excel."
    )
    return refusal("file", text % {"cell": cell}, line=line)
