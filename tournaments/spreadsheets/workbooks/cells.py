"""Parsers of shared strings and of sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.spreadsheets.workbooks.errors import Misplaced, TooManyRows, TooWide, Unreadable
from tournaments.spreadsheets.workbooks.parts import Package, Part

MOST_ROWS = 10_000  # of a sheet, including the heading
MOST_COLUMNS = 100
MOST_CHARACTERS = 10_000_000  # of all strings

PLACE = re.compile("([A-Z]{1,3})([1-9][0-9]{0,6})")  # a reference such as B2
# Excel's escape of characters that XML does not allow, except surrogates.
ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")


class Formula(NamedTuple):
    """A cell with a formula; its value is not read."""


class OtherValue(NamedTuple):
    """A cell with a boolean, a date, or an error such as #REF!"""

    text: str

    def __str__(self) -> str:
        """Return the text of the cell."""
        return self.text


Cell = str | int | float | Formula | OtherValue | None
Row = tuple[int, list[Cell]]  # the row's number and its cells


class Texts(Part):
    """The shared strings, to which cells refer by index, without furigana."""

    WHOLE = "si"

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.parser.CharacterDataHandler = self._text
        self.pieces: list[str] = []
        self.texts: list[str] = []

    def opened(self, name: str, _attributes: Mapping[str, str]) -> None:
        if name == self.WHOLE:
            self.pieces = []

    def closed(self, name: str) -> None:
        if name == self.WHOLE:
            self.texts.append(self.whole())

    def whole(self) -> str:
        """Return the string that has just ended."""
        return ESCAPED.sub(lambda found: chr(int(found[1], 16)), "".join(self.pieces))

    def is_wanted(self) -> bool:
        """Return whether characters at this path belong to the string."""
        return self.path[-1] == "t" and "rPh" not in self.path

    def _text(self, text: str) -> None:
        if self.is_wanted():
            self.package.characters += len(text)
            if self.package.characters > MOST_CHARACTERS:
                raise Unreadable
            self.pieces.append(text)


class Cells(Texts):
    """The rows of a sheet."""

    WHOLE = "c"

    def __init__(self, package: Package, texts: list[str]) -> None:
        super().__init__(package)
        self.known = texts
        self.rows: list[Row] = []
        self.line = 0
        self.cells: list[Cell] = []
        self.kind, self.is_formula = "n", False

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        super().opened(name, attributes)
        match self.path[-2:]:
            case ["sheetData", "row"]:
                self._open_row(attributes.get("r"))
            case ["row", "c"]:
                self._open_cell(attributes.get("r", ""))
                self.kind, self.is_formula = attributes.get("t", "n"), False
            case ["c", "f"]:
                self.is_formula = True

    def closed(self, name: str) -> None:
        match self.path[-2:]:
            case ["row", "c"]:
                self.cells[-1] = self._value()
            case ["sheetData", "row"]:
                if any(cell is not None and str(cell).strip() for cell in self.cells):
                    self.rows.append((self.line, self.cells))

    def is_wanted(self) -> bool:
        return self.path[-2:] == ["c", "v"] or ("is" in self.path and super().is_wanted())

    def _open_row(self, number: str | None) -> None:
        line = int(number[:10]) if number is not None else self.line + 1
        if line <= self.line:
            raise Misplaced(max(0, line))
        if line > MOST_ROWS:
            raise TooManyRows
        self.line, self.cells = line, []

    def _open_cell(self, place: str) -> None:
        column = self._column(place) if place else len(self.cells) + 1
        if column > MOST_COLUMNS:
            raise TooWide(self.line)
        if column <= len(self.cells):
            raise Misplaced(self.line, place)
        self.cells += [None] * (column - len(self.cells))

    def _column(self, place: str) -> int:
        """Return the column in a cell's reference, counted from 1."""
        matched = PLACE.fullmatch(place)
        if matched is None or int(matched[2]) != self.line:
            raise Misplaced(self.line, place[:20])
        return _column(matched[1])

    def _known_text(self, number: str) -> str:
        if number.isascii() and number.isdigit() and len(number) < 10:
            found = int(number)
            if found < len(self.known):
                return self.known[found]
        raise Misplaced(self.line, f"{_letters(len(self.cells))}{self.line}")

    def _value(self) -> Cell:
        """Return the value of the cell that has just ended."""
        if self.is_formula:
            return Formula()
        if not self.pieces:
            return None
        match self.kind:
            case "s":
                return self._known_text("".join(self.pieces))
            case "inlineStr" | "str":
                return self.whole()
            case "n":
                return _number("".join(self.pieces).strip())
            case _:
                return OtherValue("".join(self.pieces)[:100])


def _number(text: str) -> int | float:
    """Return a number. Raises `ValueError`.

    >>> _number("1948"), _number("19.5")
    (1948, 19.5)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else float(text)


def _column(letters: str) -> int:
    """Return the number of a column from its letters, counted from 1.

    >>> _column("A"), _column("AB")
    (1, 28)
    """
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _letters(column: int) -> str:
    """Return the letters of a column.

    >>> _letters(1), _letters(28)
    ('A', 'AB')
    """
    above, last = divmod(column - 1, 26)
    return (_letters(above) if above else "") + chr(ord("A") + last)
