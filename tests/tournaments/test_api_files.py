"""Players from a file: every line exactly as it stands there, or nothing and every reason."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_LZMA

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import Workbook

from tests import cast
from tests.api import Program, staff
from tournaments.files.entry_files import LARGEST, BadFile, read_entries
from tournaments.files.workbooks import LARGEST_UNPACKED
from tournaments.models import Tournament

PEOPLE = (
    "氏名,所属,クラス,連絡先,生年,備考\n成田 キヨ,なかよし村,一般,090-1,1948,\n工藤 正,,,,,車いす\n"
)
EXPECTED: list[dict[str, Any]] = [
    {
        "name": "成田 キヨ",
        "club": "なかよし村",
        "division": "一般",
        "contact": "090-1",
        "birth_year": 1948,
        "notes": "",
    },
    {"name": "工藤 正", "club": "", "division": "", "contact": "", "notes": "車いす"},
]


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
    """Return a workbook with some of its parts replaced or added."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as before, zipfile.ZipFile(content, "w") as after:
        for part in before.infolist():
            if part.filename not in parts:
                after.writestr(part, before.read(part))
        for name, text in parts.items():
            after.writestr(name, text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def problems(content: bytes, encoding: str = "") -> list[tuple[int, str]]:
    with pytest.raises(BadFile) as bad:
        read_entries(content, encoding)
    return [(each.line, each.code) for each in bad.value.problems]


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (PEOPLE.encode(), ""),
        (PEOPLE.encode(), "utf-8"),
        (PEOPLE.encode("utf-8-sig"), ""),
        (PEOPLE.encode("utf-8-sig"), "utf-8"),
        (PEOPLE.encode("cp932"), "cp932"),
        (PEOPLE.replace("\n", "\r\n").encode(), ""),
        (PEOPLE.replace(",", "\t").encode(), ""),
    ],
)
def test_csv_is_read_as_it_stands(content: bytes, encoding: str) -> None:
    assert read_entries(content, encoding) == EXPECTED


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "utf-16", "euc-jp"])
def test_an_encoding_is_never_guessed(encoding: str) -> None:
    wrong = {"utf-8": "cp932", "cp932": "", "utf-16": "", "euc-jp": ""}[encoding]
    found = problems(PEOPLE.encode(encoding), wrong)
    assert {each[1] for each in found} <= {"encoding", "file", "unknown_column", "missing"}


@pytest.mark.parametrize("encoding", ["", "cp932"])
def test_utf_16_is_told_by_its_name(encoding: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_entries(PEOPLE.encode("utf-16"), encoding)
    assert "UTF-16" in str(bad.value.problems[0].message)


def test_what_could_be_either_is_asked_about() -> None:
    either = "name\nﾂｱ\n".encode("cp932")
    assert problems(either) == [(0, "encoding")]
    assert read_entries(either, "cp932") == [{"name": "ﾂｱ"}]


NAMES = ("髙﨑 𠮷", "葛\U000e0100城", "🃏", "\u202eעברית", "あ" * 200, "<script>", "=1+1", " 空白 ")
ODD = ("一, 二", "三\n四", '五"六')


@pytest.mark.parametrize("name", NAMES + ODD)
def test_names_are_read_code_point_for_code_point(name: str) -> None:
    quoted = name.replace('"', '""')
    assert read_entries(f'name\n"{quoted}"\n'.encode()) == [{"name": name}]
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["name"])
    sheet.append([""])
    cell = sheet["A2"]
    cell.value, cell.data_type = name, "s"
    content = io.BytesIO()
    book.save(content)
    assert read_entries(content.getvalue()) == [{"name": name}]


def test_excel_is_read_as_it_stands() -> None:
    rows = [line.split(",") for line in PEOPLE.splitlines()]
    content = workbook(rows[0], ["成田 キヨ", "なかよし村", "一般", "090-1", 1948, None], rows[2])
    first = {name: value for name, value in EXPECTED[0].items() if name != "notes"}
    assert read_entries(content)[0] == first
    assert read_entries(content)[1]["notes"] == "車いす"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", [(0, "empty")]),
        (b"name\n", [(0, "empty")]),
        (b"name,shoe\nx,1\n", [(1, "unknown_column")]),
        (b"club\nx\n", [(1, "missing")]),
        (b"name,name\nx,y\n", [(1, "twice")]),
        (b"name,club\n,x\ny,z,1\n", [(2, "missing"), (3, "too_long")]),
        (b'name\n"x\n', [(2, "file")]),
        (b'name\n"x"y\n', [(2, "file")]),
        (b"name,birth_year\nx,old\ny,3000\n", [(2, "range"), (3, "range")]),
        (f"name\n{'x' * 201}\n".encode(), [(2, "too_long")]),
        (b"name\n" + b"x\n" * 10_000, [(0, "too_many")]),
        (b"name\nx\0y\n", [(0, "file")]),
        (b"PK\x03\x04nonsense", [(0, "file")]),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 locked", [(0, "file")]),
        (b"x" * 5_000_001, [(0, "too_large")]),
        (workbook(["name"], ["=1+1"]), [(2, "formula")]),
        (workbook(["name", "contact"], ["x", 9012345678]), [(2, "type")]),
        (workbook(["name"], [True]), [(2, "type")]),
        (workbook(["name"], ["x"], more=[["name"], ["y"]]), [(0, "file")]),
        (changed(workbook(["name"], ["x"]), **{"xl/vbaProject.bin": b"x"}), [(0, "file")]),
        (changed(workbook(["name"], ["x"]), **{"xl/big.bin": b"0" * 60_000_000}), [(0, "file")]),
        (
            changed(
                workbook(["name"], ["x"]),
                **{"xl/workbook.xml": b'<!DOCTYPE x [<!ENTITY y "z">]><workbook>&y;</workbook>'},
            ),
            [(0, "file")],
        ),
    ],
    ids=range(22),
)
def test_what_is_not_a_list_of_players_is_refused(
    content: bytes, expected: list[tuple[int, str]]
) -> None:
    assert problems(content) == expected


def upload(program: Program, tournament: Tournament, content: bytes, **fields: str) -> Any:
    client = Client()
    file = SimpleUploadedFile("選手.csv", content)
    return client.post(
        f"/api/tournaments/{tournament.slug}/entries/import",
        {"file": file, **fields},
        headers={"Authorization": f"Bearer {program.token}"},
    )


@pytest.fixture
def program(tournament: Tournament) -> Program:
    return staff(cast.make_staff(tournament, "director", "director"))


def test_a_file_adds_its_players_in_order(program: Program, tournament: Tournament) -> None:
    cast.make_entries(tournament, 2)
    answer = upload(program, tournament, PEOPLE.encode("cp932"), encoding="cp932")
    assert answer.status_code == 201
    found = program.get(f"/api/tournaments/{tournament.slug}/entries")["entries"][2:]
    assert [(each["number"], each["name"]) for each in found] == [(3, "成田 キヨ"), (4, "工藤 正")]
    assert (found[0]["birth_year"], found[1]["notes"]) == (1948, "車いす")


def test_a_bad_line_keeps_all_of_them_out(program: Program, tournament: Tournament) -> None:
    answer = upload(program, tournament, b"name,birth_year\ngood,1950\n,x\n")
    assert answer.status_code == 422
    errors = [(each["at"], each["code"]) for each in json.loads(answer.content)["errors"]]
    assert errors == [("line 3", "range"), ("line 3", "missing")]
    assert not tournament.entries.exists()


def test_a_file_that_is_too_large_is_not_read(program: Program, tournament: Tournament) -> None:
    assert upload(program, tournament, b"x" * 5_000_001).status_code == 413
    assert upload(program, tournament, b"x" * 6_000_000).status_code == 413


READING = """
import sys, time
from pathlib import Path
import django
django.setup()
from tournaments.files.entry_files import BadFile, read_entries
for name in sys.argv[1:]:
    begun = time.process_time()
    try:
        read_entries(Path(name).read_bytes(), "")
    except BadFile:
        pass
    (most,) = (line.split()[1] for line in open("/proc/self/status") if line[:6] == "VmHWM:")
    print(most, time.process_time() - begun)
"""
KILOBYTES, SECONDS = 200_000, 10
SHEET, RELATIONS = "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"
SAID = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet_of(rows: str, times: int) -> bytes:
    return f"<worksheet {SAID}><sheetData>{rows * times}</sheetData></worksheet>".encode()


def packed(workbook: bytes, method: int, length: int = 300_000_000) -> bytes:
    """Return a workbook whose sheet is blank for long, packed otherwise than in any workbook.

    It says that it is small.
    """
    stream = io.BytesIO(workbook)
    with zipfile.ZipFile(stream, "a") as package:
        part = zipfile.ZipInfo("xl/blank.xml")
        part.compress_type = method
        with package.open(part, "w") as text:
            for _ in range(length // 1_000_000):
                text.write(b" " * 1_000_000)
        part.file_size = 1_000
    return stream.getvalue()


def with_texts(texts: bytes) -> bytes:
    """Return a workbook whose cells might name these texts."""
    here = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    one, end = workbook(["name"], ["x"]), b"</Relationships>"
    with zipfile.ZipFile(io.BytesIO(one)) as package:
        relations = package.read(RELATIONS)
    related = f'<Relationship Type="{here}/sharedStrings" Target="texts.xml" Id="t"/>'.encode()
    return changed(one, **{RELATIONS: relations.replace(end, related + end), "xl/texts.xml": texts})


def odd_files() -> dict[str, bytes]:
    """Return what no program writes, and what readers that build trees of it would choke on."""
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


def large_files() -> dict[str, bytes]:
    """Return what is as large as it may be, or would be once it is unpacked."""
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
    bombs = {f"packed by {method}": packed(one, method) for method in (ZIP_BZIP2, ZIP_LZMA)}
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
        **{f"{name}.xlsx": content for name, content in odd_files().items()},
        **{f"{name}.xlsx": changed(one, **{SHEET: text}) for name, text in sheets.items()},
        **{f"{name}.xlsx": content for name, content in bombs.items()},
    }


def test_no_file_takes_much_memory_or_time(tmp_path: Path) -> None:
    """One after the other, in a process of their own."""
    names = []
    for name, content in large_files().items():
        assert len(content) < LARGEST
        (tmp_path / name).write_bytes(content)
        names.append(name)
    done = subprocess.run(
        [sys.executable, "-c", READING, *(tmp_path / name for name in names)],
        check=True,
        cwd=Path(__file__).parents[2],
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        kilobytes, seconds = line.split()
        assert int(kilobytes) < KILOBYTES, name
        assert float(seconds) < SECONDS, name
