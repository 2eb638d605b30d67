"""Finds the sheets of a workbook by its relationships, and reads their rows."""

from __future__ import annotations

import io
import posixpath
from typing import NamedTuple
from xml.parsers import expat
from zipfile import ZipFile

from tournaments import sealed_files
from tournaments.spreadsheets.workbooks.cells import Row, SharedStrings, SheetRows
from tournaments.spreadsheets.workbooks.errors import (
    Misplaced,
    TooManyRows,
    TooWide,
    Unreadable,
    WithMacros,
)
from tournaments.spreadsheets.workbooks.parts import (
    LARGEST_UNPACKED,
    MOST_PARTS,
    ContentTypes,
    Package,
    Relationships,
    SheetList,
)

CONTENT_TYPES, ROOT_RELATIONSHIPS = "[Content_Types].xml", "_rels/.rels"  # paths of parts
MACROS = ("vbaproject", "macroenabled")  # in names and content types of parts with macros


class Sheet(NamedTuple):
    """The name and the rows of a sheet, without empty rows."""

    name: str
    rows: list[Row]


def sheets_of(content: bytes) -> list[Sheet]:
    """Return every sheet, in the workbook's order.

    Raises `Unreadable` (`WithMacros` for a workbook with macros), `Misplaced`, `TooWide` and
    `TooManyRows`.
    """
    try:
        with ZipFile(io.BytesIO(content)) as file:
            _check_zip(file)
            return _Workbook(Package(file)).sheets()
    except (Unreadable, Misplaced, TooWide, TooManyRows):
        raise
    except (*sealed_files.UNREADABLE, expat.ExpatError, RecursionError, OSError) as error:
        raise Unreadable from error


def _check_zip(file: ZipFile) -> None:
    """Raise `Unreadable` for too many or large parts, an unusual compression, or encryption.

    Raises `WithMacros` if a part has the name of one with macros.
    """
    parts = file.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise Unreadable
    for part in parts:
        # With these methods a part cannot unpack to more than `file_size`.
        sealed_files.check_compression(part)
        is_encrypted = part.flag_bits & 1
        if is_encrypted:
            raise Unreadable
        _refuse_macros_in(part.filename)


def _refuse_macros_in(name: str) -> None:
    """Raise `WithMacros` if `name`, the name or content type of a part, is one for macros."""
    if any(macro in name.lower() for macro in MACROS):
        raise WithMacros


class _Workbook:
    """A workbook whose zip file has been checked."""

    def __init__(self, package: Package) -> None:
        self.package = package

    def sheets(self) -> list[Sheet]:
        self._refuse_macros()
        (workbook,) = self._related_parts("", ROOT_RELATIONSHIPS, "officeDocument").values()
        folder, name = posixpath.split(workbook)
        relationships = posixpath.join(folder, "_rels", f"{name}.rels")
        strings = [
            string
            for part in self._related_parts(folder, relationships, "sharedStrings").values()
            for string in self._shared_strings(part)
        ]
        sheet_parts = self._related_parts(folder, relationships, "worksheet")
        sheet_list = SheetList(self.package)
        sheet_list.parse(workbook)
        return [
            Sheet(name, self._rows(sheet_parts[relationship_id], strings))
            for relationship_id, name in sheet_list.sheets
            if relationship_id in sheet_parts
        ]

    def _refuse_macros(self) -> None:
        """Raise `WithMacros` if a part has a content type for macros."""
        parser = ContentTypes(self.package)
        parser.parse(CONTENT_TYPES)
        for content_type in parser.types:
            _refuse_macros_in(content_type)

    def _related_parts(self, folder: str, relationships_part: str, kind: str) -> dict[str, str]:
        """Return the paths of the parts that a part in `folder` refers to, by relationship id.

        `kind` is the last segment of the relationship's type, such as "worksheet".
        """
        relationships = Relationships(self.package)
        relationships.parse(relationships_part)
        return {
            relationship_id: posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            for relationship_id, (type_uri, target) in relationships.by_id.items()
            if type_uri.rpartition("/")[2] == kind
        }

    def _shared_strings(self, part: str) -> list[str]:
        parser = SharedStrings(self.package)
        parser.parse(part)
        return parser.strings

    def _rows(self, part: str, shared_strings: list[str]) -> list[Row]:
        parser = SheetRows(self.package, shared_strings)
        parser.parse(part)
        return parser.rows
