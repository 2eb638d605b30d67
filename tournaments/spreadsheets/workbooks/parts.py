"""Streaming parsers of the parts of a workbook, with limits against hostile files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat
from zipfile import ZipFile

from tournaments.spreadsheets.workbooks.errors import Unreadable

LARGEST_UNPACKED = 50_000_000  # bytes
MOST_PARTS = 1000
MOST_SHEETS = 100
LONGEST_NAME = 31  # characters of a sheet's name, as in Excel
MOST_ELEMENTS = 1_000_000  # enough for ten thousand people, each cell with furigana
MOST_NAMES = 1000  # different names of elements and attributes
DEEPEST = 50  # nested elements
LONGEST_TEXT = 500_000  # bytes between two elements, which the parser buffers
CHUNK = 1 << 16  # bytes


@dataclass(slots=True)
class Package:
    """The zip file of a workbook, and how much of it has been read so far."""

    file: ZipFile
    bytes_read: int = 0
    elements_read: int = 0
    characters_read: int = 0  # of strings


class PartParser:
    """The base class of parsers of one part (an XML file) of a workbook.

    Raises `Unreadable` above a limit, and for a DOCTYPE.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.path: list[str] = []  # names of the open elements, without namespaces
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._on_start
        self.parser.EndElementHandler = self._on_end
        self.parser.StartDoctypeDeclHandler = self._refuse_doctype

    def parse(self, part_name: str) -> None:
        """Parse a part in chunks. Raises `Unreadable` as soon as a limit is exceeded."""
        bytes_since_element = elements_before = 0
        with self.package.file.open(part_name) as part:
            while chunk := part.read(CHUNK):
                self.parser.Parse(chunk, False)
                if self.package.elements_read > elements_before:
                    bytes_since_element = 0
                else:
                    bytes_since_element += len(chunk)
                elements_before = self.package.elements_read
                self.package.bytes_read += len(chunk)
                if (
                    bytes_since_element > LONGEST_TEXT
                    or len(self.parser.intern) > MOST_NAMES
                    or self.package.bytes_read > LARGEST_UNPACKED
                ):
                    raise Unreadable
            self.parser.Parse(b"", True)

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        """Handle the start of an element; `self.path` ends with it."""

    def end_element(self, name: str) -> None:
        """Handle the end of an element; `self.path` ends with it."""

    def _on_start(self, name: str, attributes: dict[str, str]) -> None:
        """Check the limits of elements, and call `start_element` without the namespace."""
        self.path.append(name.rpartition(":")[2])
        self.package.elements_read += 1
        if len(self.path) > DEEPEST or self.package.elements_read > MOST_ELEMENTS:
            raise Unreadable
        self.start_element(self.path[-1], attributes)

    def _on_end(self, _name: str) -> None:
        self.end_element(self.path[-1])
        self.path.pop()

    def _refuse_doctype(self, *_declared: object) -> None:
        raise Unreadable


class ContentTypes(PartParser):
    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.types: set[str] = set()

    def start_element(self, _name: str, attributes: Mapping[str, str]) -> None:
        if len(self.types) > MOST_PARTS:
            raise Unreadable
        self.types.add(attributes.get("ContentType", ""))


class Relationship(NamedTuple):
    type: str  # a URI
    target: str  # a path, relative to the referring part's folder


class Relationships(PartParser):
    """The relationships of a part by id, without those to files outside the workbook."""

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.by_id: dict[str, Relationship] = {}

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and attributes.get("TargetMode") != "External":
            if len(self.by_id) > MOST_PARTS:
                raise Unreadable
            self.by_id[attributes["Id"]] = Relationship(attributes["Type"], attributes["Target"])


class SheetList(PartParser):
    """The relationship ids and names of a workbook's sheets, in order."""

    def __init__(self, package: Package) -> None:
        super().__init__(package)
        self.sheets: list[tuple[str, str]] = []

    def start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "sheet" and self.path[-2:-1] == ["sheets"]:
            ids = [value for key, value in attributes.items() if key.endswith(":id")]
            name = attributes.get("name", "")[:LONGEST_NAME]
            self.sheets += [(relationship_id, name) for relationship_id in ids]
            if len(self.sheets) > MOST_SHEETS:
                raise Unreadable
