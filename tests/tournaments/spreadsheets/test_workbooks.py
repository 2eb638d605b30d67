"""The cells of a workbook: as Excel and others write them, and as whoever wishes us harm might."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any

import pytest
from openpyxl import Workbook

from tournaments.spreadsheets.entry_lists import read_entries
from tournaments.spreadsheets.problems import BadFile
from tournaments.spreadsheets.workbooks import (
    Formula,
    Misplaced,
    OtherValue,
    TooWide,
    Unreadable,
    sheets_of,
)
from tournaments.spreadsheets.workbooks.parts import LARGEST_UNPACKED
from tournaments.tables.sheet_rows import writable

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
HERE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"

Parts = dict[str, str | bytes]


def relations(**parts: str) -> str:
    """Return a relationships part of a package: by id, type and target."""
    listed = "".join(
        f'<Relationship Id="{name}" Type="{HERE}/{told.split()[0]}" Target="{told.split()[1]}"/>'
        for name, told in parts.items()
    )
    return f"<Relationships>{listed}</Relationships>"


def sheet(*rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{"".join(rows)}</sheetData></worksheet>'


def texts(*each: str) -> str:
    return f'<sst xmlns="{MAIN}">{"".join(f"<si>{text}</si>" for text in each)}</sst>'


def parts(changed: Parts | None = None) -> Parts:
    """Return the parts of a workbook, as Excel writes them."""
    return {
        "[Content_Types].xml": '<Types><Override PartName="/xl/workbook.xml"'
        f' ContentType="{SPREADSHEET}.sheet.main+xml"/></Types>',
        "_rels/.rels": relations(rId1="officeDocument xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{HERE}"><sheets>'
        '<sheet name="一" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(
            rId1="worksheet worksheets/sheet1.xml", rId2="sharedStrings sharedStrings.xml"
        ),
        SHEET: sheet('<row r="1"><c r="A1" t="s"><v>0</v></c></row>'),
        TEXTS: texts("<t>name</t>"),
        **(changed or {}),
    }


def package(kept: Parts) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in kept.items():
            archive.writestr(name, text)
    return content.getvalue()


def rows_of(*rows: str, said: str = "") -> list[Any]:
    """Return the cells of a sheet, line by line."""
    ((_name, found),) = sheets_of(package(parts({SHEET: sheet(*rows), TEXTS: said or texts()})))
    return found


def test_shared_strings_are_read_without_furigana() -> None:
    said = texts(
        "<t>name</t>",
        "<r><rPr><b/></rPr><t>成田 </t></r><r><t>キヨ</t></r><rPh sb='0'><t>ナリタ</t></rPh>",
        "<t xml:space='preserve'> 空白 </t>",
        "<t>a_x0001_b_x005F_x0041__xD83D_</t>",
        "<t/>",
    )
    cells = "".join(f'<c t="s"><v>{number}</v></c>' for number in range(5))
    (row,) = rows_of(f"<row>{cells}</row>", said=said)
    assert row == (1, ["name", "成田 キヨ", " 空白 ", "a\x01b_x0041__xD83D_", ""])


def test_cells_are_placed_by_their_references() -> None:
    found = rows_of(
        '<row r="2"><c r="B2"><v>1948</v></c><c><v>1.5</v></c></row>',
        '<row r="4"/><row><c r="A5"/><c r="B5" t="inlineStr"><is><t>五</t></is></c></row>',
    )
    assert found == [(2, [None, 1948, 1.5]), (5, [None, "五"])]


def test_booleans_dates_and_errors_are_other_values() -> None:
    (row,) = rows_of(
        '<row><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2026-11-21</v></c>'
        '<c t="str"><f>A1</f><v>x</v></c><c t="str"><v>x</v></c></row>'
    )
    assert row == (
        1,
        [OtherValue("1"), OtherValue("#REF!"), OtherValue("2026-11-21"), Formula(), "x"],
    )


def test_error_value_is_refused_as_a_name() -> None:
    rows = (
        '<row><c t="inlineStr"><is><t>name</t></is></c></row>',
        '<row><c t="e"><v>#REF!</v></c></row>',
    )
    with pytest.raises(BadFile) as bad:
        read_entries(package(parts({SHEET: sheet(*rows)})))
    assert [(each.line, each.code) for each in bad.value.problems] == [(2, "type")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_declared_encoding_of_a_part_is_used(encoding: str) -> None:
    said = f'<?xml version="1.0" encoding="{encoding}"?>{texts("<t>髙𠮷</t>")}'.encode(encoding)
    ((_name, (row,)),) = sheets_of(package(parts({TEXTS: said})))
    assert row == (1, ["髙𠮷"])


def test_other_parts_are_ignored() -> None:
    more: Parts = {
        "xl/styles.xml": "<!DOCTYPE x>",
        "xl/externalLinks/externalLink1.xml": "<",
        "xl/embeddings/oleObject1.bin": b"\xd0\xcf\x11\xe0",
        "xl/embeddings/list.xlsx": package(parts()),
        "../../etc/passwd": "root",
    }
    assert [sheet.rows for sheet in sheets_of(package(parts(more)))] == [[(1, ["name"])]]


DECLARED = '<!DOCTYPE x [<!ENTITY y "z">]>'
MACRO = "application/vnd.ms-excel.sheet.macroEnabled.main+xml"
STRANGE: dict[str, Parts] = {
    "a declaration": {SHEET: DECLARED + sheet()},
    "a declaration in UTF-16": {SHEET: (DECLARED + sheet()).encode("utf-16")},
    "a declaration in a part of another name": {
        "xl/_rels/workbook.xml.rels": relations(rId1="worksheet worksheets/picture.png"),
        "xl/worksheets/picture.png": DECLARED + sheet(),
    },
    "an encoding that nobody uses": {
        SHEET: f'<?xml version="1.0" encoding="utf-7"?>{sheet()}'.encode()
    },
    "macros": {"xl/vbaProject.bin": b"x"},
    "macros of another name": {
        "[Content_Types].xml": f'<Types><Override PartName="/a" ContentType="{MACRO}"/></Types>'
    },
    "no workbook": {"_rels/.rels": relations()},
    "two workbooks": {"_rels/.rels": relations(a="officeDocument a", b="officeDocument b")},
    "a sheet that is not there": {
        "xl/_rels/workbook.xml.rels": relations(rId1="worksheet ../../etc/passwd")
    },
    "a row that is no number": {SHEET: sheet('<row r="x"/>')},
    "a number that is none": {SHEET: sheet("<row><c><v>x</v></c></row>")},
    "half a sheet": {SHEET: sheet()[:-3]},
    "elements without end": {SHEET: "<a>" * 100},
}


@pytest.mark.parametrize("name", STRANGE)
def test_malformed_workbooks_are_refused(name: str) -> None:
    with pytest.raises(Unreadable):
        sheets_of(package(parts(STRANGE[name])))


@pytest.mark.parametrize("name", ["macros", "macros of another name"])
def test_macros_are_refused(name: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_entries(package(parts(STRANGE[name])))
    assert "マクロ" in str(bad.value.problems[0].message)


A_TEXT = '<c r="B3" t="s"><v>{}</v></c>'
MISPLACED = {
    "rows that go back": ('<row r="2"/><row r="1"/>', 1, ""),
    "a row there twice": ('<row r="2"/><row r="2"/>', 2, ""),
    "a row before the first": ('<row r="-1"/>', 0, ""),
    "cells that go back": ('<row r="3"><c r="B3"/><c r="A3"/></row>', 3, "A3"),
    "a cell there twice": ('<row r="3"><c r="B3"/><c r="B3"/></row>', 3, "B3"),
    "a cell of another row": ('<row r="3"><c r="B2"/></row>', 3, "B2"),
    "a cell nowhere": ('<row r="3"><c r="3B"/></row>', 3, "3B"),
    "a text that is not there": (f'<row r="3">{A_TEXT.format(1)}</row>', 3, "B3"),
    "a text before the first": (f'<row r="3">{A_TEXT.format(-1)}</row>', 3, "B3"),
}


@pytest.mark.parametrize("name", MISPLACED)
def test_misplaced_cells_are_refused_by_reference(name: str) -> None:
    rows, line, cell = MISPLACED[name]
    with pytest.raises(Misplaced) as misplaced:
        rows_of(rows, said=texts("<t>x</t>"))
    assert (misplaced.value.row_number, misplaced.value.cell) == (line, cell)
    with pytest.raises(BadFile) as bad:
        read_entries(package(parts({SHEET: sheet(rows), TEXTS: texts("<t>x</t>")})))
    ((told),) = bad.value.problems
    assert (told.line, told.code) == (line, "file")
    assert cell in told.message


def test_exported_workbook_is_read_back_unchanged() -> None:
    names = ["_x0041_", "a_x005F_x0041_", "_x000D_", "'=1+1", "髙﨑𠮷", "a\nb", " 空 ", "_xD83D_"]
    rows = [["name"], *([name] for name in names)]
    book = Workbook(write_only=True)
    only = book.create_sheet()
    for row in rows:
        only.append([writable(text) for text in row])
    content = io.BytesIO()
    book.save(content)
    people = read_entries(content.getvalue())
    assert [person["name"] for person in people] == names


def test_external_sheet_is_not_read() -> None:
    outside = f'<Relationship Id="rId1" Type="{HERE}/worksheet" TargetMode="External" Target="a"/>'
    listed = {"xl/_rels/workbook.xml.rels": f"<Relationships>{outside}</Relationships>"}
    assert sheets_of(package(parts(dict(listed)))) == []


def test_cell_in_a_far_column_is_refused_with_its_line() -> None:
    with pytest.raises(TooWide) as wide:
        rows_of('<row r="7"><c r="ZZ7"/></row>')
    assert wide.value.row_number == 7


# What the package says of itself


def directory(content: bytes, place: int, kind: str, value: int) -> bytes:
    """Return a package with another value in each entry of its directory."""
    told, at = bytearray(content), 0
    while (at := told.find(b"PK\x01\x02", at)) >= 0:
        struct.pack_into(kind, told, at + place, value)
        at += 4
    return bytes(told)


@pytest.mark.parametrize(
    ("place", "kind", "value"),
    [
        (8, "<H", 0x1),  # encrypted
        (8, "<H", 0x41),  # so that even names are
        (10, "<H", 12),  # packed by bzip2
        (24, "<I", 10),  # smaller than they are
        (24, "<I", 0xFFFFFFFE),  # as large as a file may be
        (24, "<I", 0xFFFFFFFF),  # larger: told elsewhere, where it is not
        (42, "<I", 0xFFFFFF),  # beyond the end
    ],
)
def test_inconsistent_package_is_refused(place: int, kind: str, value: int) -> None:
    with pytest.raises(Unreadable):
        sheets_of(directory(package(parts()), place, kind, value))


def test_oversized_part_is_refused_unread() -> None:
    content = io.BytesIO(package(parts()))
    with (
        zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet2.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(LARGEST_UNPACKED // 1_000_000 + 1):
            part.write(bytes(1_000_000))
    with pytest.raises(Unreadable):
        sheets_of(content.getvalue())
