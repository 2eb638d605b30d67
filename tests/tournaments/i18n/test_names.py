"""Any name is kept code point for code point, and is never markup or a formula."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from openpyxl import load_workbook
from pypdf import PdfReader

from tests import cast
from tests.api import staff
from tournaments.models import Entry, Sitting, Tournament
from tournaments.services import seating

NAMES = (
    "髙﨑 𠮷野",
    "葛\U000e0100城",
    "🃏",
    "👨\u200d👩\u200d👧",
    "ע\u202eברית",
    "محمد",
    "é e\u0301 ǆ ﬁ Å",
    "Ａ㍿①",
    "สมชาย देवनागरी ಕನ್ನಡ",
    "홍길동 ሰላም ᏣᎳᎩ",
    "𪚥𛀀 Γιώργος Дмитрий",
    "あ" * 200,
    "<script>alert(1)</script>",
    "\"&quot;'",
    "=1+1",
    "+81-90",
    "@SUM(A1)",
    " 空白 ",
    "{{ x }}{% y %}",
    "a\u00a0b\u200bc",
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(tournament: Tournament, request: pytest.FixtureRequest) -> Sitting:
    """A table with a round, with this name for its first player."""
    sitting = cast.make_sitting(tournament)
    Entry.objects.filter(number=1).update(name=request.param, club=request.param)
    cast.record(sitting)
    return sitting


every_name = pytest.mark.parametrize("sitting", NAMES, indirect=True, ids=ascii)


def name_at(sitting: Sitting) -> str:
    return sitting.seats.get(position=1).entry.name


@every_name
def test_name_on_pages(sitting: Sitting, scorekeeper: Client) -> None:
    name, tournament = name_at(sitting), sitting.session.tournament
    pages = ("entries/", "standings/", "players/1/", "sessions/1/", "sessions/1/tables/1/")
    for page in pages:
        html = scorekeeper.get(f"{tournament.get_absolute_url()}{page}").content.decode()
        assert name in unescape(html), page
        assert "<script>alert" not in html


@pytest.mark.both
@every_name
def test_name_in_json(sitting: Sitting, scorekeeper: Client) -> None:
    name, where = name_at(sitting), f"/api/tournaments/{sitting.session.tournament.slug}"
    for path in (f"{where}/entries", f"{where}/standings", f"/api/sittings/{sitting.pk}"):
        found = json.loads(scorekeeper.get(path).content)
        people = found.get("entries") or found.get("standings") or found["seats"]
        assert name in {person["name"] for person in people}, path


@every_name
def test_name_in_workbooks(sitting: Sitting, scorekeeper: Client) -> None:
    name, tournament = name_at(sitting), sitting.session.tournament
    for path in ("standings.xlsx", "history.xlsx"):
        content = scorekeeper.get(f"{tournament.get_absolute_url()}{path}").content
        cells = [
            cell
            for sheet in load_workbook(io.BytesIO(content))
            for row in sheet.iter_rows()
            for cell in row
        ]
        assert {cell.data_type for cell in cells} <= {"s", "n", "d", "b", "f"}
        formulas = {str(cell.value) for cell in cells if cell.data_type == "f"}
        assert all(re.fullmatch(r"=SUM\([A-Z]\d:[A-Z]\d\)", each) for each in formulas), formulas
        if path == "standings.xlsx":
            assert [cell.data_type for cell in cells if cell.value == name][:1] == ["s"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_name_from_csv(tournament: Tournament, name: str, encoding: str) -> None:
    """Names with characters that cp932 lacks are sent as UTF-8."""
    director = staff(cast.make_staff(tournament, "director", "director"))
    quoted = name.replace('"', '""')
    try:
        content = f'name\n"{quoted}"\n"つがる"\n'.encode(encoding)
    except UnicodeEncodeError:
        content = f'name\n"{quoted}"\n"つがる"\n'.encode()
        encoding = ""
    answer = Client().post(
        f"/api/tournaments/{tournament.slug}/entries/import",
        {"file": SimpleUploadedFile("p.csv", content), "encoding": encoding},
        headers={"Authorization": f"Bearer {director.token}"},
    )
    assert answer.status_code == 201
    assert Entry.objects.get(number=1).name == name.encode(encoding or "utf-8").decode(
        encoding or "utf-8"
    )


def test_names_on_printed_sheets(tournament: Tournament, scorekeeper: Client) -> None:
    """Every character is drawn, in any order; none is missing from the fonts.

    Each name is on the sheet of a table of its own.
    """
    tables = [cast.make_entries(tournament, 6) for _name in NAMES]
    for (entry, *_others), name in zip(tables, NAMES, strict=True):
        Entry.objects.filter(pk=entry.pk).update(name=name, club=name)
    seating.open_session(tournament, tables, by=cast.SOMEBODY)
    content = scorekeeper.get(f"{tournament.get_absolute_url()}sessions/1/sheets.pdf").content
    sheets = PdfReader(io.BytesIO(content)).pages
    for sheet, name in zip(sheets, NAMES, strict=True):
        assert visible_characters(name) <= visible_characters(sheet.extract_text()), name


def visible_characters(text: str) -> set[str]:
    """Without marks, spaces and control characters."""
    plain = unicodedata.normalize("NFKD", text)
    return {sign for sign in plain if unicodedata.category(sign)[0] not in {"C", "Z", "M"}}
