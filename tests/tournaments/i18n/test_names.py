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

from tests import cast
from tests.api import staff
from tests.tournaments.printing import page_faults
from tournaments.models import Entry, Sitting, Tournament
from tournaments.services import seating

NAMES: tuple[str, ...] = (
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

TABLES = -(-len(NAMES) // 6)

pytestmark = pytest.mark.django_db


@pytest.fixture
def named(tournament: Tournament) -> Tournament:
    """An event whose players have these names, six at a table, each table with a round."""
    players = cast.make_entries(tournament, TABLES * 6)
    for entry, name in zip(players, NAMES, strict=False):
        Entry.objects.filter(pk=entry.pk).update(name=name, club=name)
    groups = [players[at : at + 6] for at in range(0, len(players), 6)]
    for sitting in seating.open_session(tournament, groups, by=cast.SOMEBODY).sittings.all():
        cast.record(sitting)
    return tournament


def at_table(number: int) -> tuple[str, ...]:
    return NAMES[6 * (number - 1) : 6 * number]


def test_names_on_pages(named: Tournament, scorekeeper: Client) -> None:
    expected = dict.fromkeys(("entries/", "standings/", "sessions/1/"), NAMES)
    expected |= {f"players/{number}/": (name,) for number, name in enumerate(NAMES, 1)}
    expected |= {f"sessions/1/tables/{at}/": at_table(at) for at in range(1, TABLES + 1)}
    for page, names in expected.items():
        html = scorekeeper.get(f"{named.get_absolute_url()}{page}").content.decode()
        assert [name for name in names if name not in unescape(html)] == [], page
        assert "<script>alert" not in html


@pytest.mark.both
def test_names_in_json(named: Tournament, scorekeeper: Client) -> None:
    where = f"/api/tournaments/{named.slug}"
    expected = {f"{where}/entries": NAMES, f"{where}/standings": NAMES}
    for sitting in Sitting.objects.filter(session__tournament=named):
        expected[f"/api/sittings/{sitting.pk}"] = at_table(sitting.number)
    for path, names in expected.items():
        found = json.loads(scorekeeper.get(path).content)
        people = found.get("entries") or found.get("standings") or found["seats"]
        assert {*names} <= {person["name"] for person in people}, path


def test_names_in_workbooks(named: Tournament, scorekeeper: Client) -> None:
    for path in ("standings.xlsx", "history.xlsx"):
        content = scorekeeper.get(f"{named.get_absolute_url()}{path}").content
        cells = [
            cell
            for sheet in load_workbook(io.BytesIO(content))
            for row in sheet.iter_rows()
            for cell in row
        ]
        assert {cell.data_type for cell in cells} <= {"s", "n", "d", "b", "f"}
        formulas = {str(cell.value) for cell in cells if cell.data_type == "f"}
        assert all(re.fullmatch(r"=SUM\([A-Z]\d+:[A-Z]\d+\)", each) for each in formulas), formulas
        if path == "standings.xlsx":
            assert {*NAMES} <= {cell.value for cell in cells if cell.data_type == "s"}


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

    Each name is on the sheet of a table of its own, of four players and rounds: it has little else.
    """
    Tournament.objects.filter(pk=tournament.pk).update(rule_set="yoninkan", rounds_per_session=4)
    tournament.refresh_from_db()
    tables = [cast.make_entries(tournament, 4) for _name in NAMES]
    for (entry, *_others), name in zip(tables, NAMES, strict=True):
        Entry.objects.filter(pk=entry.pk).update(name=name, club=name)
    seating.open_session(tournament, tables, by=cast.SOMEBODY)
    content = scorekeeper.get(f"{tournament.get_absolute_url()}sessions/1/sheets.pdf").content
    for sheet, name in zip(page_faults.text_of_pages(content), NAMES, strict=True):
        assert visible_characters(name) <= visible_characters(sheet), name


def visible_characters(text: str) -> set[str]:
    """Without marks, spaces and control characters."""
    plain = unicodedata.normalize("NFKD", text)
    return {sign for sign in plain if unicodedata.category(sign)[0] not in {"C", "Z", "M"}}
