"""Reads the players of a list: which sheet, where its headings stand, and what each column is.

The heading, which is the first line or stands below some titles, names the columns. Titles, totals
below the players, a column of consecutive numbers and lines with nothing else are left out and
reported. A guess can be overridden (`Choice`); the caller stores the layout (`KnownLayout`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from tournaments.models.entry_fields import ENTRY_FIELDS, MOST_ENTRIES
from tournaments.spreadsheets.headings import (
    MOST_COLUMNS,
    MOST_TITLES,
    Column,
    Row,
    TooManyColumns,
    columns_of,
    has_names,
    heading_index,
    heading_of,
    headings_key,
    is_filled,
    is_total,
    likely_field,
    text_of,
)
from tournaments.spreadsheets.people import read_person
from tournaments.spreadsheets.problems import WHOLE_FILE, BadFile, LineProblem, refusal
from tournaments.spreadsheets.sheets import Sheet, sheets_of_file

NO_HEADING = -1  # as the index of the heading: every line is a player


class KnownLayout(NamedTuple):
    """How a list with some headings was read before."""

    sheet: str
    fields: Sequence[str]  # of each column; "" if it is not read


class Choice(NamedTuple):
    """What was chosen on the page; None for what is to be guessed.

    - `sheet`: the index among the filled sheets
    - `heading`: the index among the lines that are not empty, or `NO_HEADING`
    - `columns`: the field of a column by index, "" if it is not to be read
    """

    sheet: int | None = None
    heading: int | None = None
    columns: Mapping[int, str] = {}


class Layout(NamedTuple):
    """Where the players of a list stand.

    - `sheets`: names of the filled sheets; [""] for CSV and pasted lines
    - `sheet`: index of the one that is read
    - `beginning`: the first lines of that sheet, one of which may be the heading
    - `heading`: index of that line, or `NO_HEADING`
    - `key`: what identifies the headings; "" without
    - `is_sheet_guessed`: whether several sheets are as likely
    - `is_known`: whether a list with these headings was read before
    """

    sheets: list[str]
    sheet: int
    beginning: list[Row]
    heading: int
    columns: list[Column]
    key: str
    is_sheet_guessed: bool
    is_known: bool

    @property
    def has_unknown_columns(self) -> bool:
        return any(not each.known and not each.is_empty for each in self.columns)

    @property
    def is_guessed(self) -> bool:
        """Return whether the players have to be shown before they are added."""
        return self.is_sheet_guessed or (self.has_unknown_columns and not self.is_known)


class ListedPerson(NamedTuple):
    """A line of the list with its player, as fields of `Entry`, if it has no `problems`.

    `key` is the same for the same line, however the list is read.
    """

    key: str
    row: Row
    person: dict[str, Any]
    problems: list[LineProblem]

    @property
    def text(self) -> str:
        return text_of(self.row)


class EntryList(NamedTuple):
    """The lines of players of a list in its order, and what was left out.

    - `titles`: the lines above the heading
    - `totals`: the lines of totals below the players
    - `empty_lines`: how many lines have nothing in the columns that are read
    """

    lines: list[ListedPerson]
    titles: list[str]
    totals: list[str]
    empty_lines: int
    layout: Layout


def read_entries(content: bytes, encoding: str = "") -> list[dict[str, Any]]:
    """Return the players of a file in its order; nothing is guessed. Raises `BadFile`."""
    found = read_list(sheets_of_file(content, encoding), is_strict=True)
    if problems := [problem for line in found.lines for problem in line.problems]:
        raise BadFile(problems)
    return [line.person for line in found.lines]


def read_list(
    sheets: Sequence[Sheet],
    choice: Choice = Choice(),  # noqa: B008 - it is immutable
    *,
    known: Mapping[str, KnownLayout] | None = None,
    is_pasted: bool = False,
    is_strict: bool = False,
) -> EntryList:
    """Return the lines of players, each with its problems, and what was left out.

    `known` are the layouts of earlier lists by `Layout.key`. Pasted lines may have no heading. With
    `is_strict` a sheet that is not certain and unknown headings are refused. Raises `BadFile` if
    nobody can be read.
    """
    known = known or {}
    at, is_sheet_guessed = _located_sheet(sheets, choice.sheet, known)
    if is_strict and is_sheet_guessed:
        raise refusal("file", _("Several sheets of the workbook have data. Keep only one."))
    rows = sheets[at].rows
    heading = choice.heading
    if heading is None or heading >= len(rows[: MOST_TITLES + 1]):
        heading = _guessed_heading(rows, known, is_pasted=is_pasted)
    heading_row = rows[heading] if heading != NO_HEADING else None
    key = headings_key(heading_row.cells) if heading_row else ""
    lines = rows[heading + 1 :]
    totals = _remove_totals(lines)
    columns = dict(enumerate(known[key].fields)) if key in known else {}
    try:
        found = columns_of(heading_row, lines, columns | {**choice.columns})
    except TooManyColumns:
        problem = _("The list has too many columns.")
        line = heading_row.line if heading_row else WHOLE_FILE
        raise refusal("too_long", problem, line=line) from None
    layout = Layout(
        sheets=[each.name for each in sheets],
        sheet=at,
        beginning=rows[: MOST_TITLES + 1],
        heading=heading,
        columns=found,
        key=key,
        is_sheet_guessed=is_sheet_guessed,
        is_known=key in known,
    )
    try:
        _check_columns(heading_row.line if heading_row else WHOLE_FILE, found, is_strict=is_strict)
        filled_lines = [row for row in lines if _is_filled_line(found, row)]
        return EntryList(
            lines=_read_lines(found, filled_lines),
            titles=[text_of(row) for row in rows[: max(heading, 0)]],
            totals=[text_of(row) for row in totals],
            empty_lines=len(lines) - len(filled_lines),
            layout=layout,
        )
    except BadFile as bad:
        bad.layout = layout
        raise


def _located_sheet(
    sheets: Sequence[Sheet], requested: int | None, known: Mapping[str, KnownLayout]
) -> tuple[int, bool]:
    """Return the index of the sheet to read, and whether others are as likely.

    It is the requested one, or the one that was read in an earlier list, or the only one with a
    column for names; else the longest.
    """
    if requested is not None and requested < len(sheets):
        return requested, False
    if len(sheets) < 2:
        return 0, False
    read_before = {
        index: known[key].sheet
        for index, each in enumerate(sheets)
        for key in _keys_of(each.rows)
        if key in known
    }
    of_same_name = [index for index, name in read_before.items() if sheets[index].name == name]
    with_names = [
        index
        for index, each in enumerate(sheets)
        if has_names(each.rows[heading_index(each.rows)].cells)
    ]
    likely = of_same_name or [*read_before] or with_names
    longest = max(likely or range(len(sheets)), key=lambda index: len(sheets[index].rows))
    return longest, len(likely) != 1


def _guessed_heading(
    rows: Sequence[Row], known: Mapping[str, KnownLayout], *, is_pasted: bool
) -> int:
    """Return the index of the heading of an earlier list, or else of the most likely line."""
    for index, key in enumerate(_keys_of(rows)):
        if key in known:
            return index
    index = heading_index(rows)
    if not is_pasted or has_names(rows[index].cells):
        return index
    likely = map(likely_field, rows[0].cells[:MOST_COLUMNS])
    return 0 if "name" in likely else NO_HEADING


def _keys_of(rows: Sequence[Row]) -> list[str]:
    """Return the keys of the lines that may be the heading."""
    return [headings_key(row.cells) for row in rows[: MOST_TITLES + 1]]


def _read_lines(columns: Sequence[Column], rows: Sequence[Row]) -> list[ListedPerson]:
    """Return the lines of players. Raises `BadFile` if these are none or too many."""
    if not rows:
        raise refusal("empty", _("There are no players in the file."))
    fields = [column.field for column in columns]
    seen: Counter[str] = Counter()
    lines = []
    for row in rows:
        digest = hashlib.sha256(text_of(row).encode()).hexdigest()[:12]
        seen[digest] += 1
        lines.append(ListedPerson(f"{digest}-{seen[digest]}", row, *read_person(fields, row)))
    if len(lines) > MOST_ENTRIES:
        problems = [problem for line in lines for problem in line.problems]
        problem = _("There are too many lines in the file.")
        raise BadFile([*problems, LineProblem(WHOLE_FILE, "too_many", problem)])
    return lines


def _remove_totals(lines: list[Row]) -> list[Row]:
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


def _check_columns(line: int, columns: Sequence[Column], *, is_strict: bool) -> None:
    """Raise `BadFile` if a field has two columns, or no column is for names.

    With `is_strict` headings that are not known are refused too.
    """
    fields = [column.field for column in columns if column.field]
    unknown = [column.heading for column in columns if not column.known and not column.is_empty]
    problems = []
    if unknown and is_strict:
        known = ", ".join(heading_of(name) for name in ENTRY_FIELDS)
        text = _("Unknown headings: %(unknown)s. Known headings: %(known)s.")
        problem = text % {"unknown": ", ".join(unknown)[:200], "known": known}
        problems.append(LineProblem(line, "unknown_column", problem))
    if "name" not in fields:
        problem = _("No column has been chosen for names. Choose one.")
        if is_strict:
            problem = _("No heading is “name”.")
        problems.append(LineProblem(line, "missing", problem))
    if len({*fields}) < len(fields):
        problem = _("Two columns have the same name.")
        problems.append(LineProblem(line, "twice", problem))
    if problems:
        raise BadFile(problems)
