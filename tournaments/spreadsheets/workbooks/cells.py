"""The texts and the cells of a workbook: what stands where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.spreadsheets.workbooks.errors import Misplaced, TooManyRows, TooWide, Unreadable
from tournaments.spreadsheets.workbooks.parts import Package, Part

MOST_ROWS = 10_000  # of a sheet, and the headings
MOST_COLUMNS = 100
MOST_CHARACTERS = 10_000_000  # of all texts

PLACE = re.compile("([A-Z]{1,3})([1-9][0-9]{0,6})")  # of a cell
# How Excel spells what XML cannot. Half a character is none.
ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")


class Formula(NamedTuple):
    """A cell whose value is worked out from others."""


class Other(NamedTuple):
    """A cell that is neither text nor a number: true or false, a date, or an error such as #REF!"""

    said: str

    def __str__(self) -> str:
        """Return what stands there."""
        return self.said


Cell = str | int | float | Formula | Other | None
Row = tuple[int, list[Cell]]  # the number of a line, and its cells


class Texts(Part):
    """The texts that cells name by number, each without its reading in kana."""

    WHOLE = "si"

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.parser.CharacterDataHandler = self._text
        self.said: list[str] = []
        self.texts: list[str] = []

    def opened(self, name: str, _attributes: Mapping[str, str]) -> None:
        if name == self.WHOLE:
            self.said = []

    def closed(self, name: str) -> None:
        if name == self.WHOLE:
            self.texts.append(self.whole())

    def whole(self) -> str:
        """Return the text that has just ended."""
        return ESCAPED.sub(lambda found: chr(int(found[1], 16)), "".join(self.said))

    def is_wanted(self) -> bool:
        """Return whether the characters that come belong to the text."""
        return self.path[-1] == "t" and "rPh" not in self.path

    def _text(self, text: str) -> None:
        if self.is_wanted():
            self.package.characters += len(text)
            if self.package.characters > MOST_CHARACTERS:
                raise Unreadable
            self.said.append(text)


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

    def _open_row(self, said: str | None) -> None:
        line = int(said[:10]) if said is not None else self.line + 1
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
        """Return the column of a cell that says where it is, counted from 1."""
        said = PLACE.fullmatch(place)
        if said is None or int(said[2]) != self.line:
            raise Misplaced(self.line, place[:20])
        return _column(said[1])

    def _known_text(self, number: str) -> str:
        if number.isascii() and number.isdigit() and len(number) < 10:
            found = int(number)
            if found < len(self.known):
                return self.known[found]
        raise Misplaced(self.line, f"{_letters(len(self.cells))}{self.line}")

    def _value(self) -> Cell:
        """Return what stands in the cell that has just ended."""
        if self.is_formula:
            return Formula()
        if not self.said:
            return None
        match self.kind:
            case "s":
                return self._known_text("".join(self.said))
            case "inlineStr" | "str":
                return self.whole()
            case "n":
                return _number("".join(self.said).strip())
            case _:
                return Other("".join(self.said)[:100])


def _number(text: str) -> int | float:
    """Return a number. Raises `ValueError`.

    >>> _number("1948"), _number("19.5")
    (1948, 19.5)
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else float(text)


def _column(letters: str) -> int:
    """Return a column by its letters, counted from 1.

    >>> _column("A"), _column("AB")
    (1, 28)
    """
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column


def _letters(column: int) -> str:
    """Return what a column is called.

    >>> _letters(1), _letters(28)
    ('A', 'AB')
    """
    above, last = divmod(column - 1, 26)
    return (_letters(above) if above else "") + chr(ord("A") + last)
