"""Parsers of shared strings and of sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.spreadsheets.workbooks.errors import Misplaced, TooManyRows, TooWide, Unreadable
from tournaments.spreadsheets.workbooks.parts import Package, PartParser

MOST_ROWS = 10_000  # of a sheet, including the heading
MOST_COLUMNS = 100
MOST_CHARACTERS = 10_000_000  # of all strings

REFERENCE = re.compile("([A-Z]{1,3})([1-9][0-9]{0,6})")  # of a cell, such as B2
# Excel's escape of characters that XML does not allow, except surrogates.
ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")


class Formula(NamedTuple):
    """A cell with a formula; its value is not read."""


class OtherValue(NamedTuple):
    """A cell with a boolean, a date, or an error such as #REF!"""

    text: str

    def __str__(self) -> str:
        return self.text


Cell = str | int | float | Formula | OtherValue | None
Row = tuple[int, list[Cell]]  # the row's number and its cells


class SharedStrings(PartParser):
    """Parser of the shared strings, to which cells refer by index; furigana are left out.

    The text of one string may be split into pieces of different formats.
    """

    STRING_ELEMENT = "si"

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.parser.CharacterDataHandler = self._add_characters
        self.pieces: list[str] = []
        self.strings: list[str] = []

    def start_element(self, name: str, _attributes: Mapping[str, str]) -> None:
        if name == self.STRING_ELEMENT:
            self.pieces = []

    def end_element(self, name: str) -> None:
        if name == self.STRING_ELEMENT:
            self.strings.append(self.joined_pieces())

    def joined_pieces(self) -> str:
        """Return the string that has just ended, without Excel's escapes."""
        return ESCAPED.sub(lambda match: chr(int(match[1], 16)), "".join(self.pieces))

    def is_in_string(self) -> bool:
        return self.path[-1] == "t" and "rPh" not in self.path

    def _add_characters(self, text: str) -> None:
        if self.is_in_string():
            self.package.characters_read += len(text)
            if self.package.characters_read > MOST_CHARACTERS:
                raise Unreadable
            self.pieces.append(text)


class SheetRows(SharedStrings):
    """Parser of the rows of a sheet. A cell may contain a string, as the shared strings do.

    `row_number` and `cells` are those of the current row, `cell_type` and `is_formula` those of the
    current cell.
    """

    STRING_ELEMENT = "c"

    def __init__(self, package: Package, shared_strings: list[str]) -> None:
        super().__init__(package)
        self.shared_strings = shared_strings
        self.rows: list[Row] = []
        self.row_number = 0
        self.cells: list[Cell] = []
        self.cell_type, self.is_formula = "n", False

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        super().start_element(name, attributes)
        match self.path[-2:]:
            case ["sheetData", "row"]:
                self._open_row(attributes.get("r"))
            case ["row", "c"]:
                self._open_cell(attributes.get("r", ""))
                self.cell_type, self.is_formula = attributes.get("t", "n"), False
            case ["c", "f"]:
                self.is_formula = True

    def end_element(self, name: str) -> None:
        """Set the value of the current cell, or add the current row unless it is empty."""
        match self.path[-2:]:
            case ["row", "c"]:
                self.cells[-1] = self._cell_value()
            case ["sheetData", "row"]:
                if any(cell is not None and str(cell).strip() for cell in self.cells):
                    self.rows.append((self.row_number, self.cells))

    def is_in_string(self) -> bool:
        """Return whether characters belong to a cell's value (`v`) or inline string (`is`)."""
        return self.path[-2:] == ["c", "v"] or ("is" in self.path and super().is_in_string())

    def _open_row(self, number: str | None) -> None:
        """Begin a row; without a `number`, it has the next one.

        Raises `Misplaced` if the rows are out of order, and `TooManyRows`.
        """
        row_number = int(number[:10]) if number is not None else self.row_number + 1
        if row_number <= self.row_number:
            raise Misplaced(max(0, row_number))
        if row_number > MOST_ROWS:
            raise TooManyRows
        self.row_number, self.cells = row_number, []

    def _open_cell(self, reference: str) -> None:
        """Append an empty cell for this one and for each omitted column before it.

        Raises `Misplaced` if the cells are out of order, and `TooWide`.
        """
        column = self._column_of(reference) if reference else len(self.cells) + 1
        if column > MOST_COLUMNS:
            raise TooWide(self.row_number)
        if column <= len(self.cells):
            raise Misplaced(self.row_number, reference)
        self.cells += [None] * (column - len(self.cells))

    def _column_of(self, reference: str) -> int:
        """Return the column in a cell's reference, counted from 1.

        Raises `Misplaced` if it is malformed or of another row.
        """
        match = REFERENCE.fullmatch(reference)
        if match is None or int(match[2]) != self.row_number:
            raise Misplaced(self.row_number, reference[:20])
        return _column_number(match[1])

    def _shared_string(self, index: str) -> str:
        """Return a shared string. Raises `Misplaced`, with the current cell, if there is none."""
        is_number = index.isascii() and index.isdigit() and len(index) < 10
        if is_number and int(index) < len(self.shared_strings):
            return self.shared_strings[int(index)]
        column = _column_letters(len(self.cells))
        raise Misplaced(self.row_number, f"{column}{self.row_number}")

    def _cell_value(self) -> Cell:
        """Return None for an empty cell."""
        if self.is_formula:
            return Formula()
        if not self.pieces:
            return None
        match self.cell_type:
            case "s":
                return self._shared_string("".join(self.pieces))
            case "inlineStr" | "str":
                return self.joined_pieces()
            case "n":
                return _parse_number("".join(self.pieces).strip())
            case _:
                return OtherValue("".join(self.pieces)[:100])


def _parse_number(text: str) -> int | float:
    """Return an integer if it is written as one, else a float. Raises `ValueError`.

    >>> _parse_number("1948"), _parse_number("19.5")
    (1948, 19.5)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else float(text)


def _column_number(letters: str) -> int:
    """Return the number of a column from its letters, counted from 1.

    >>> _column_number("A"), _column_number("AB")
    (1, 28)
    """
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _column_letters(column: int) -> str:
    """Return the letters of a column counted from 1.

    >>> _column_letters(1), _column_letters(28)
    ('A', 'AB')
    """
    above, last = divmod(column - 1, 26)
    return (_column_letters(above) if above else "") + chr(ord("A") + last)
