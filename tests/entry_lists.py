"""Files with lists of players: hostile ones, and the largest that are accepted."""

from __future__ import annotations

import io
import zipfile
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_LZMA

from openpyxl import Workbook

from tournaments.spreadsheets.workbooks import LARGEST_UNPACKED

SHEET, RELATIONS = "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"
SAID = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def workbook(*rows: list[Any], more: list[list[Any]] | None = None) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(row)
    for row in more or []:
        (book["more"] if "more" in book.sheetnames else book.create_sheet("more")).append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def changed(package: bytes, **parts: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as before, zipfile.ZipFile(content, "w") as after:
        for part in before.infolist():
            if part.filename not in parts:
                after.writestr(part, before.read(part))
        for name, text in parts.items():
            after.writestr(name, text, zipfile.ZIP_DEFLATED, compresslevel=1)  # is fast
    return content.getvalue()


def sheet_of(rows: str, times: int) -> bytes:
    return f"<worksheet {SAID}><sheetData>{rows * times}</sheetData></worksheet>".encode()


def packed(workbook: bytes, method: int) -> bytes:
    """Return a workbook with a large blank part, an unusual compression and a forged size."""
    stream = io.BytesIO(workbook)
    with zipfile.ZipFile(stream, "a") as package:
        part = zipfile.ZipInfo("xl/blank.xml")
        part.compress_type = method
        with package.open(part, "w") as text:
            for _ in range(20):
                text.write(b" " * 1_000_000)
        part.file_size = 1_000
    return stream.getvalue()


def with_texts(texts: bytes) -> bytes:
    here = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    one, end = workbook(["name"], ["x"]), b"</Relationships>"
    with zipfile.ZipFile(io.BytesIO(one)) as package:
        relations = package.read(RELATIONS)
    related = f'<Relationship Type="{here}/sharedStrings" Target="texts.xml" Id="t"/>'.encode()
    return changed(one, **{RELATIONS: relations.replace(end, related + end), "xl/texts.xml": texts})


def odd() -> dict[str, bytes]:
    """Return malformed workbooks, and ones that exhaust a reader which builds a tree."""
    one, many = workbook(["name"], ["x"]), 900_000
    found: dict[str, bytes] = {}

    def odd(name: str, part: str, end: bytes, text: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(one)) as package:
            before = package.read(part)
        found[name] = changed(one, **{part: before.replace(end, text + end)})

    rows = b"</sheetData>"
    odd("unknown elements", SHEET, rows, b'<x a="1"/>' * many)
    odd("names", SHEET, rows, "".join(f"<x{each}/>" for each in range(many)).encode())
    odd("spaces", SHEET, rows, "".join(f'<x xmlns="u{each}"/>' for each in range(many)).encode())
    odd("an attribute", SHEET, rows, b'<x a="' + b">" * 49_000_000 + b'"/>')
    odd("a comment", SHEET, rows, b"<!--" + b"x" * 49_000_000 + b"-->")
    odd("a text", SHEET, rows, b'<row><c t="str"><v>' + b"x" * 49_000_000 + b"</v></c></row>")
    odd("styles", "xl/styles.xml", b"</cellXfs>", b"<xf/>" * many)
    odd("types", "[Content_Types].xml", b"</Types>", b'<Override ContentType="y"/>' * many)
    odd("relations", RELATIONS, b"</Relationships>", b'<Relationship Id="" Type=""/>' * many)
    book = "xl/workbook.xml"
    odd("defined", book, b"</workbook>", b'<definedName name="a">1</definedName>' * many)
    sheet = b'<sheet name="a" xmlns:r="r" r:id="rId1"/>'
    odd("sheets", book, b"</sheets>", sheet * 300_000)
    odd("one sheet again and again", book, b"</sheets>", sheet * 99)
    blank = sheet_of(" " * 400_000 + "<x/>", 120)
    found["one sheet again and again"] = changed(
        found["one sheet again and again"], **{SHEET: blank}
    )
    return found


def largest() -> dict[str, bytes]:
    """Return files at the limits of size, packed or unpacked."""
    one, most = workbook(["name"], ["x"]), LARGEST_UNPACKED - 20_000
    cells = "".join(f'<c r="{column}1"><v>0</v></c>' for column in "ABCDEF")
    word = "<si><t>a</t></si>"
    sheets = {
        "blank": sheet_of(" ", most - 200),
        "rows": sheet_of(f"<row>{cells}</row>", 9_000),
        "empty rows": sheet_of("<row/>", most // 7),
        "one row": sheet_of("<c><v>0</v></c>", most // 17),
        "wide": sheet_of('<row><c r="XFD1"><v>0</v></c></row>', 9_000),
        "far": sheet_of('<row r="1048576"><c r="A1048576"><v>0</v></c></row>', 1),
        "said to be wide": sheet_of("<row><c><v>0</v></c></row>", 9_000).replace(
            b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>'
        ),
        "nested": b"<worksheet>" + b"<sheetData>" * (most // 11),
    }
    bombs = {"bzip2": packed(one, ZIP_BZIP2), "lzma": packed(one, ZIP_LZMA)}  # both are refused
    strings = f"<sst {SAID}>{word * (most // len(word))}</sst>".encode()
    return {
        "longest.csv": b"name\n" + b'"' + b"x" * 4_999_990,
        "lines.csv": b"name\n" + b"x\n" * 2_400_000,
        "empty lines.csv": b"name\n" + b"\n" * 4_900_000,
        "columns.csv": b"name" + b",x" * 2_400_000,
        "commas.csv": b"name\n" + b"," * 4_900_000,
        "people.xlsx": workbook(["name"], *(["選手" * 90] for _ in range(9_000))),
        "strings.xlsx": with_texts(strings),
        "wide strings.xlsx": with_texts(
            f"<sst {SAID}>{('<si><t>' + 'x' * 9000 + '🃏</t></si>') * 5000}</sst>".encode()
        ),
        **{f"{name}.xlsx": content for name, content in odd().items()},
        **{f"{name}.xlsx": changed(one, **{SHEET: text}) for name, text in sheets.items()},
        **{f"{name}.xlsx": content for name, content in bombs.items()},
    }
