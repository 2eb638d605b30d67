"""The cells of an Excel workbook (.xlsx), read piece by piece and within limits.

Five kinds of part are opened, by the names that the workbook itself gives them: what it consists
of, the relations of its parts, the list of its sheets, its texts, its cells. Drawings, links to
other files, what is embedded and whatever else there may be is never looked at; macros are refused.
Of a part nothing is kept but what is asked for: whoever made the file may have wished us harm.
"""

from __future__ import annotations

import io
import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.parsers import expat
from zipfile import ZipFile

from tournaments.files import sealed

LARGEST_UNPACKED = 50_000_000  # bytes
MOST_PARTS = 1000
MOST_SHEETS = 100
MOST_ROWS = 10_000  # of a sheet, and the headings
MOST_COLUMNS = 100
MOST_ELEMENTS = 1_000_000  # ten thousand people, each cell with its reading in kana
MOST_CHARACTERS = 10_000_000  # of all texts
MOST_NAMES = 1000  # of elements and attributes
DEEPEST = 50
LONGEST = 500_000  # bytes from one element to the next: a parser keeps as many
CHUNK = 1 << 16

CONTENTS, RELATIONS = "[Content_Types].xml", "_rels/.rels"
MACROS = ("vbaproject", "macroenabled")
PLACE = re.compile("([A-Z]{1,3})([1-9][0-9]{0,6})")  # of a cell
# How Excel spells what XML cannot. Half a character is none.
ESCAPED = re.compile("_x((?![Dd][89A-Fa-f])[0-9A-Fa-f]{4})_")


class Unreadable(Exception):
    """Raised for what is no workbook, or none that anybody would have made of a list."""


class WithMacros(Unreadable):
    """Raised for a workbook that brings programs along."""


class TooWide(Exception):
    """Raised for a line with a cell in a column far away."""

    def __init__(self, line: int) -> None:
        """Keep its number."""
        super().__init__(line)
        self.line = line


class Misplaced(Exception):
    """Raised for a row or a cell out of order or there twice, or one whose text is not there."""

    def __init__(self, line: int, cell: str = "") -> None:
        """Keep the line, and the cell where it is one: as Excel calls it."""
        super().__init__(line, cell)
        self.line, self.cell = line, cell


class TooManyRows(Exception):
    """Raised for a sheet of more rows than are read."""


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


def sheets_of(content: bytes) -> list[list[Row]]:
    """Return the rows of every sheet that have something in them.

    Raises `Unreadable` (`WithMacros` where there are any), `Misplaced`, `TooWide`, `TooManyRows`.
    """
    try:
        with ZipFile(io.BytesIO(content)) as package:
            _check(package)
            return _Book(package).sheets()
    except (Unreadable, Misplaced, TooWide, TooManyRows):
        raise
    except (*sealed.UNREADABLE, expat.ExpatError, RecursionError, OSError) as error:
        raise Unreadable from error


def _check(package: ZipFile) -> None:
    """Raise unless everything is small, open, and unpacked piece by piece."""
    parts = package.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise Unreadable
    for part in parts:
        sealed.check_method(part)  # so that it ends at the size it says it has
        if part.flag_bits & 1:
            raise Unreadable
        _check_no_macros(part.filename)


def _check_no_macros(name: str) -> None:
    if any(macro in name.lower() for macro in MACROS):
        raise WithMacros


class _Book:
    """Finds its way from part to part, and counts what all of them hold."""

    def __init__(self, package: ZipFile) -> None:
        self.package = package
        self.read = self.elements = self.characters = 0

    def sheets(self) -> list[list[Row]]:
        self._refuse_macros()
        (workbook,) = self._related("", RELATIONS, "officeDocument").values()
        folder, name = posixpath.split(workbook)
        relations = posixpath.join(folder, "_rels", f"{name}.rels")
        texts = [
            text
            for part in self._related(folder, relations, "sharedStrings").values()
            for text in self._texts(part)
        ]
        of_sheets = self._related(folder, relations, "worksheet")
        listed = _Listed(self)
        listed.read(workbook)
        found = [of_sheets[each] for each in listed.sheets if each in of_sheets]
        return [self._rows(part, texts) for part in found]

    def _refuse_macros(self) -> None:
        contents = _Types(self)
        contents.read(CONTENTS)
        for each in contents.types:
            _check_no_macros(each)

    def _related(self, folder: str, relations: str, kind: str) -> dict[str, str]:
        """Return the parts of this kind, by what the relations call them."""
        found = _Relations(self)
        found.read(relations)
        return {
            name: posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            for name, (of, target) in found.relations.items()
            if of.rpartition("/")[2] == kind
        }

    def _texts(self, part: str) -> list[str]:
        texts = _Texts(self)
        texts.read(part)
        return texts.texts

    def _rows(self, part: str, texts: list[str]) -> list[Row]:
        cells = _Cells(self, texts)
        cells.read(part)
        return cells.rows


class _Part:
    """Goes through one part. Raises what it cannot be; `opened` and `closed` look at the rest."""

    def __init__(self, book: _Book) -> None:
        self.book = book
        self.path: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse

    def read(self, name: str) -> None:
        silent = before = 0
        with self.book.package.open(name) as part:
            while chunk := part.read(CHUNK):
                self.parser.Parse(chunk, False)
                silent = 0 if self.book.elements > before else silent + len(chunk)
                before = self.book.elements
                self.book.read += len(chunk)
                is_odd = silent > LONGEST or len(self.parser.intern) > MOST_NAMES
                if is_odd or self.book.read > LARGEST_UNPACKED:
                    raise Unreadable
            self.parser.Parse(b"", True)

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        """Look at an element and where it stands, `path`: itself at the end of it."""

    def closed(self, name: str) -> None:
        """Look at an element that is complete; `path` ends with it."""

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name.rpartition(":")[2])
        self.book.elements += 1
        if len(self.path) > DEEPEST or self.book.elements > MOST_ELEMENTS:
            raise Unreadable
        self.opened(self.path[-1], attributes)

    def _end(self, _name: str) -> None:
        self.closed(self.path[-1])
        self.path.pop()

    def _refuse(self, *_declared: object) -> None:
        raise Unreadable


class _Types(_Part):
    """What the package consists of."""

    def __init__(self, book: _Book) -> None:
        super().__init__(book)
        self.types: set[str] = set()

    def opened(self, _name: str, attributes: Mapping[str, str]) -> None:
        if len(self.types) > MOST_PARTS:
            raise Unreadable
        self.types.add(attributes.get("ContentType", ""))


class _Relations(_Part):
    """What belongs to a part: by its name there, the kind and where it is."""

    def __init__(self, book: _Book) -> None:
        super().__init__(book)
        self.relations: dict[str, tuple[str, str]] = {}

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            if len(self.relations) > MOST_PARTS:
                raise Unreadable
            self.relations[attributes["Id"]] = attributes["Type"], attributes["Target"]


class _Listed(_Part):
    """The sheets of a workbook, by what its relations call them."""

    def __init__(self, book: _Book) -> None:
        super().__init__(book)
        self.sheets: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet" and self.path[-2:-1] == ["sheets"]:
            self.sheets += [value for key, value in attributes.items() if key.endswith(":id")]
            if len(self.sheets) > MOST_SHEETS:
                raise Unreadable


class _Texts(_Part):
    """The texts that cells name by number, each without its reading in kana."""

    WHOLE = "si"

    def __init__(self, book: _Book) -> None:
        super().__init__(book)
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
            self.book.characters += len(text)
            if self.book.characters > MOST_CHARACTERS:
                raise Unreadable
            self.said.append(text)


class _Cells(_Texts):
    """The rows of a sheet."""

    WHOLE = "c"

    def __init__(self, book: _Book, texts: list[str]) -> None:
        super().__init__(book)
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
