"""Streaming parsers of the parts of a workbook, with limits against hostile files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.parsers import expat
from zipfile import ZipFile

from tournaments.spreadsheets.workbooks.errors import Unreadable

LARGEST_UNPACKED = 50_000_000  # bytes
MOST_PARTS = 1000
MOST_SHEETS = 100
MOST_ELEMENTS = 1_000_000  # enough for ten thousand people, each cell with furigana
MOST_NAMES = 1000  # of elements and attributes
DEEPEST = 50
LONGEST = 500_000  # bytes between two elements, which the parser buffers
CHUNK = 1 << 16


@dataclass(slots=True)
class Package:
    """The file, and how many bytes, elements and characters of strings have been read."""

    file: ZipFile
    read: int = 0
    elements: int = 0
    characters: int = 0


class Part:
    """The base class of parsers. Raises `Unreadable` above a limit, and for a DOCTYPE."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.path: list[str] = []
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._refuse

    def read(self, name: str) -> None:
        silent = before = 0
        with self.package.file.open(name) as part:
            while chunk := part.read(CHUNK):
                self.parser.Parse(chunk, False)
                silent = 0 if self.package.elements > before else silent + len(chunk)
                before = self.package.elements
                self.package.read += len(chunk)
                is_odd = silent > LONGEST or len(self.parser.intern) > MOST_NAMES
                if is_odd or self.package.read > LARGEST_UNPACKED:
                    raise Unreadable
            self.parser.Parse(b"", True)

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element; `self.path` ends with it."""

    def closed(self, name: str) -> None:
        """Handle the end of an element; `self.path` ends with it."""

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        self.path.append(name.rpartition(":")[2])
        self.package.elements += 1
        if len(self.path) > DEEPEST or self.package.elements > MOST_ELEMENTS:
            raise Unreadable
        self.opened(self.path[-1], attributes)

    def _end(self, _name: str) -> None:
        self.closed(self.path[-1])
        self.path.pop()

    def _refuse(self, *_declared: object) -> None:
        raise Unreadable


class ContentTypes(Part):
    """The content types of the package's parts."""

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.types: set[str] = set()

    def opened(self, _name: str, attributes: Mapping[str, str]) -> None:
        if len(self.types) > MOST_PARTS:
            raise Unreadable
        self.types.add(attributes.get("ContentType", ""))


class Relations(Part):
    """The relationships of a part: type and target by id."""

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.relations: dict[str, tuple[str, str]] = {}

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            if len(self.relations) > MOST_PARTS:
                raise Unreadable
            self.relations[attributes["Id"]] = attributes["Type"], attributes["Target"]


class SheetNames(Part):
    """The relationship ids of a workbook's sheets, in order."""

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.sheets: list[str] = []

    def opened(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet" and self.path[-2:-1] == ["sheets"]:
            self.sheets += [value for key, value in attributes.items() if key.endswith(":id")]
            if len(self.sheets) > MOST_SHEETS:
                raise Unreadable
