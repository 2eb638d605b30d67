"""Finds the sheets of a workbook by its relationships, and reads their rows."""

from __future__ import annotations

import io
import posixpath
from xml.parsers import expat
from zipfile import ZipFile

from tournaments import sealed_files
from tournaments.spreadsheets.workbooks.cells import Cells, Row, Texts
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
    Relations,
    SheetNames,
)

CONTENTS, RELATIONS = "[Content_Types].xml", "_rels/.rels"
MACROS = ("vbaproject", "macroenabled")


def sheets_of(content: bytes) -> list[list[Row]]:
    """Return the rows of every sheet, without empty ones.

    Raises `Unreadable` (`WithMacros` where there are any), `Misplaced`, `TooWide`, `TooManyRows`.
    """
    try:
        with ZipFile(io.BytesIO(content)) as package:
            _check(package)
            return _Book(Package(package)).sheets()
    except (Unreadable, Misplaced, TooWide, TooManyRows):
        raise
    except (*sealed_files.UNREADABLE, expat.ExpatError, RecursionError, OSError) as error:
        raise Unreadable from error


def _check(package: ZipFile) -> None:
    """Raise `Unreadable` for too many or large parts, other compression methods, or encryption."""
    parts = package.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
        raise Unreadable
    for part in parts:
        sealed_files.check_compression(part)  # these cannot unpack to more than `file_size`
        if part.flag_bits & 1:
            raise Unreadable
        _check_no_macros(part.filename)


def _check_no_macros(name: str) -> None:
    if any(macro in name.lower() for macro in MACROS):
        raise WithMacros


class _Book:
    def __init__(self, package: Package) -> None:
        self.package = package

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
        listed = SheetNames(self.package)
        listed.read(workbook)
        found = [of_sheets[each] for each in listed.sheets if each in of_sheets]
        return [self._rows(part, texts) for part in found]

    def _refuse_macros(self) -> None:
        contents = ContentTypes(self.package)
        contents.read(CONTENTS)
        for each in contents.types:
            _check_no_macros(each)

    def _related(self, folder: str, relations: str, kind: str) -> dict[str, str]:
        """Return the paths of related parts of this type, by relationship id."""
        found = Relations(self.package)
        found.read(relations)
        return {
            name: posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            for name, (of, target) in found.relations.items()
            if of.rpartition("/")[2] == kind
        }

    def _texts(self, part: str) -> list[str]:
        texts = Texts(self.package)
        texts.read(part)
        return texts.texts

    def _rows(self, part: str, texts: list[str]) -> list[Row]:
        cells = Cells(self.package, texts)
        cells.read(part)
        return cells.rows
