"""Players from a file: every line exactly as it stands there, or nothing and every reason."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation
from openpyxl import Workbook

from tests import cast, entry_lists, reading_process
from tests.api import Program, staff
from tests.entry_lists import changed, workbook
from tournaments.models import Tournament
from tournaments.spreadsheets.entry_lists import read_entries
from tournaments.spreadsheets.problems import BadFile
from tournaments.spreadsheets.sheets import LARGEST

KILOBYTES = 200_000  # what reading a file may take
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
def test_csv_is_read_unchanged(content: bytes, encoding: str) -> None:
    assert read_entries(content, encoding) == EXPECTED


@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "utf-16", "euc-jp"])
def test_encoding_is_never_guessed(encoding: str) -> None:
    wrong = {"utf-8": "cp932", "cp932": "", "utf-16": "", "euc-jp": ""}[encoding]
    found = problems(PEOPLE.encode(encoding), wrong)
    assert {each[1] for each in found} <= {"encoding", "file", "unknown_column", "missing"}


@pytest.mark.parametrize("encoding", ["", "cp932"])
def test_refusal_of_utf_16_names_it(encoding: str) -> None:
    with pytest.raises(BadFile) as bad:
        read_entries(PEOPLE.encode("utf-16"), encoding)
    assert "UTF-16" in str(bad.value.problems[0].message)


def test_ambiguous_encoding_must_be_named() -> None:
    either = "name\nﾂｱ\n".encode("cp932")
    assert problems(either) == [(0, "encoding")]
    assert read_entries(either, "cp932") == [{"name": "ﾂｱ"}]


NAMES = (
    "髙﨑 𠮷",
    "葛\U000e0100城",
    "🃏",
    "ע\u202eברית",
    "あ" * 200,
    "<script>",
    "=1+1",
    " 空白 ",
)
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


def test_excel_is_read_unchanged() -> None:
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
def test_invalid_file_is_refused(content: bytes, expected: list[tuple[int, str]]) -> None:
    assert problems(content) == expected


def test_known_columns_are_named_in_the_readers_language() -> None:
    with translation.override("ja"), pytest.raises(BadFile) as bad:
        read_entries("名まえ\n成田 キヨ\n".encode())
    assert "名前, 所属, クラス, ふりがな, チーム, 連絡先, 生年, 備考" in str(bad.value)


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


def test_one_bad_line_refuses_the_whole_file(program: Program, tournament: Tournament) -> None:
    answer = upload(program, tournament, b"name,birth_year\ngood,1950\n,x\n")
    assert answer.status_code == 422
    errors = [(each["at"], each["code"]) for each in json.loads(answer.content)["errors"]]
    assert errors == [("line 3", "range"), ("line 3", "missing")]
    assert not tournament.entries.exists()


def test_too_large_file_is_not_read(program: Program, tournament: Tournament) -> None:
    assert upload(program, tournament, b"x" * 5_000_001).status_code == 413
    assert upload(program, tournament, b"x" * 6_000_000).status_code == 413


@pytest.mark.posix("each file is read in a forked process, which tells its memory")
def test_no_file_takes_much_memory(tmp_path: Path) -> None:
    """Each file is read in a process of its own."""
    paths = []
    for name, content in entry_lists.largest().items():
        assert len(content) < LARGEST
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content)
    for read in reading_process.read("entries", *paths):
        assert read.kilobytes < KILOBYTES, read.name
        if read.name in {"bzip2.xlsx", "lzma.xlsx"}:  # for their compression, however small
            assert read.outcome == "BadFile", read.name
