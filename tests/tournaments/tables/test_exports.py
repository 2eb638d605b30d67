"""The workbook: opened again, it holds what the page shows."""

import os
import re
import subprocess
import sys
import time
from datetime import datetime
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from openpyxl import Workbook, load_workbook
from pypdf import PdfReader

from tests import changed_tables, stages
from tests.cast import (
    SOMEBODY,
    browser_of,
    make_entries,
    make_sitting,
    make_staff,
    make_tournament,
    plain_round,
    record,
)
from tests.programs import find_program
from tournaments.models import Sitting, Tournament
from tournaments.queries.sheets import is_same_round, sheet_of
from tournaments.services import adjustments, entries, seating
from tournaments.services.play_offs import open_play_off
from tournaments.tables import exports
from tournaments.tables.columns import Column, PlainTable

pytestmark = pytest.mark.django_db

HOSTILE = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "'quoted",
    "#N/A",
    "123",
    "2026-01-01",
    "TRUE",
    "<b>&amp;</b>",
    "𠮷野 葛\U000e0100城",
    "👩‍👩‍👧 🀄",
    "שלום \u202eabc",
    " 前後の空白 ",
    "二\n行",
    "名" * 200,
]


def fetch(tournament: Tournament, language: str = "en") -> bytes:
    """Return a published tournament's workbook as the public gets it."""
    client = Client()
    client.cookies["django_language"] = language
    answer = client.get(f"/tournaments/{tournament.slug}/standings.xlsx")
    assert answer.status_code == 200
    assert answer["Content-Type"] == exports.MEDIA_TYPE
    return bytes(answer.content)


def opened(content: bytes, *, data_only: bool = True) -> Workbook:
    """Open a workbook with the values of formulas, or with the formulas."""
    return load_workbook(BytesIO(content), data_only=data_only)


def below(sheet: Any, label: str) -> list[Any]:
    """Return the cells of a column, by its label."""
    (column,) = (column for column in sheet.columns if column[0].value == label)
    return list(column[1:])


def cells(book: Workbook) -> dict[str, list[tuple[Any, ...]]]:
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets}


@pytest.fixture
def sitting() -> Sitting:
    """A published table: a round that counts, one under way, and somebody who has not played."""
    sitting = make_sitting(make_tournament(published=True, name="新春 大会 & <祭>"))
    make_entries(sitting.session.tournament, 1)
    record(sitting)
    deal = {"kankei": 9, "mukankei": 4}
    record(sitting, plain_round(sitting) | {"deals": [deal]}, number=2)
    return sitting


@pytest.fixture
def tournament(sitting: Sitting) -> Tournament:
    return sitting.session.tournament


def test_workbook_has_standings_points_rounds_and_rules(tournament: Tournament) -> None:
    assert opened(fetch(tournament)).sheetnames == [
        "Standings",
        "Points by round",
        "Sessions not played",
        "Rules",
        "All rounds",
    ]
    assert cells(opened(fetch(tournament)))["Sessions not played"] == [
        ("Number", "Name", "Session", "Reason"),
        (7, "成田 キヨ", "Session 1", "Joined later"),
    ]


def test_workbook_of_a_team_event_has_teams() -> None:
    sitting = make_sitting(make_tournament("gouji", published=True))
    record(sitting)
    assert "Teams" in opened(fetch(sitting.session.tournament)).sheetnames


def test_workbook_has_the_standings_of_teams_member_by_member(tournament: Tournament) -> None:
    tournament.entries.filter(number__in=(1, 2)).update(team="=青")
    sheet = opened(fetch(tournament))["Standings of teams"]
    assert list(sheet.iter_rows(min_row=2, values_only=True)) == [
        (1, "=青", 0, 2, "工藤 正", 1, 1),
        (1, "=青", 0, 1, "成田 キヨ", -1, -1),
    ]


def test_workbook_lists_adjustments_and_names_sheets_after_stages(tournament: Tournament) -> None:
    entry = tournament.entries.get(number=2)
    adjustments.adjust_points(tournament, 1, entry, -3, by=SOMEBODY, reason="遅刻")
    stages.make_confirmed(tournament, stages.plan(stages.WINNERS, name="A/B決勝"))
    book = opened(fetch(tournament))
    assert book.sheetnames[:3] == ["Standings", "Qualifying", "A_B決勝"]
    rows = list(book["Points given and deducted"].iter_rows(min_row=2, values_only=True))
    assert rows == [(1, 2, "工藤 正", -3, "遅刻")]


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_sheet_titles_are_valid_in_every_language(tournament: Tournament, language: str) -> None:
    titles = opened(fetch(tournament, language)).sheetnames
    assert len(titles) == len(set(titles)) == 5
    assert all(len(title) <= 31 and not re.search(r"[\[\]:*?/\\]", title) for title in titles)


def test_the_page_and_the_workbook_show_the_same_cells(tournament: Tournament) -> None:
    """Only the page, which leaves out columns on phones, has numbers beside equal names."""
    client = Client()
    client.cookies["django_language"] = "en"
    page = client.get(f"/tournaments/{tournament.slug}/standings/").content.decode()
    shown = [
        [_text(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
        for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL)
    ]
    written = cells(opened(fetch(tournament)))["Standings"]
    columns = {column[0]: [*map(_as_shown, column)] for column in zip(*written, strict=True)}
    names = list(zip(columns["Name"], columns["Number"], strict=True))
    columns["Name"] = [
        f"{name} No. {number}" if columns["Name"].count(name) > 1 else name
        for name, number in names
    ]
    assert columns.pop("Session 1") == ["Session 1", *columns["Points"][1:]]
    assert {column[0]: [*column] for column in zip(*shown, strict=True)} == columns


def _text(cell: str) -> str:
    """Return the text of a cell without the signs for a tie and for no value."""
    without_marks = re.sub(r'<span class="tie">.*?</span>', "", cell)
    return unescape(re.sub(r"<[^>]*>", "", without_marks)).strip().lstrip("+").strip("–")


def _as_shown(value: Any) -> str:
    return "" if value is None else str(value).replace("-", "−")


def test_numbers_are_numbers_and_names_are_text(tournament: Tournament) -> None:
    sheet = opened(fetch(tournament))["Standings"]
    assert below(sheet, "Rank")[0].value == 1
    points = below(sheet, "Points")[0]
    assert (points.value, points.data_type) == (1, "n")
    assert points.number_format.startswith("+0")
    assert below(sheet, "Name")[0].data_type == "s"


def test_hostile_names_come_back_code_point_for_code_point() -> None:
    tournament = make_tournament(published=True)
    people = [{"name": name, "club": name} for name in HOSTILE]
    entries.add_entries(tournament, people, by=SOMEBODY)
    sheet = opened(fetch(tournament))["Standings"]
    for cell, name in zip(below(sheet, "Name"), HOSTILE, strict=True):
        assert (cell.value, cell.data_type) == (name, "s")
        assert cell.quotePrefix == (name[0] in "=+-@")
    assert [cell.value for cell in below(sheet, "Club")] == HOSTILE


def test_control_characters_are_exported_safely() -> None:
    tournament = make_tournament(published=True, name="a\x02&[Date]&12")
    entries.add_entries(
        tournament, [{"name": "a\x01\x1fb\r\ufffe"}, {"name": "_x0041_"}], by=SOMEBODY
    )
    sheet = opened(fetch(tournament))["Standings"]
    # Excel and LibreOffice undo these escapes.
    assert [cell.value for cell in below(sheet, "Name")] == [
        "a_x0001__x001F_b_x000D__xFFFE_",
        "_x005F_x0041_",
    ]


def test_workbook_has_print_settings(tournament: Tournament) -> None:
    sheets: list[Any] = opened(fetch(tournament)).worksheets
    for sheet in sheets:
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == sheet.dimensions
        assert sheet.print_title_rows == "$1:$1"
        assert (sheet.page_setup.paperSize, sheet.page_setup.fitToHeight) == (9, 0)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage
        assert "新春 大会 && <祭>" in str(sheet.oddHeader.left.text)
        assert sheet.oddFooter.right.text == "&P / &N"
        assert tournament.rules.fingerprint in str(sheet.oddFooter.left.text)


def test_columns_are_wide_enough_for_japanese() -> None:
    tournament = make_tournament(published=True)
    entries.add_entries(tournament, [{"name": "佐々木小次郎左衛門"}], by=SOMEBODY)
    sheet = opened(fetch(tournament))["Standings"]
    assert sheet.column_dimensions["B"].width >= 18
    assert sheet.column_dimensions["A"].width < 18


def test_styles_are_shared_by_cells() -> None:
    tournament = make_tournament(published=True)
    make_entries(tournament, 50)
    book = opened(fetch(tournament))
    assert len(book._cell_styles) < 12  # type: ignore[attr-defined]


def test_time_in_rules_is_a_date_value(tournament: Tournament) -> None:
    rows = cells(opened(fetch(tournament)))["Rules"]
    told = {row[1]: row[2] for row in rows}
    assert isinstance(told["Last change"], datetime)
    assert told["Rules code"] == tournament.rules.fingerprint
    assert (told["Rounds counted"], told["Rounds under way"]) == (1, 1)
    possible = len(tournament.rules.possible)  # by the options a round that time cuts off counts
    assert [row[0] for row in rows].count("Points") == possible
    assert "Cut off: does not count" not in told


def test_workbook_is_deterministic(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fetch(tournament)
    tomorrow = time.time() + 24 * 60 * 60
    monkeypatch.setattr(time, "time", lambda: tomorrow)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(tomorrow))
    assert fetch(tournament) == before


def test_workbook_is_the_same_in_every_process(tournament: Tournament, tmp_path: Path) -> None:
    """Sets of texts, such as the tied players of a play-off, have another order in each process."""
    tied = seating.PlayOffPlan([1, 2, 3, 4, 5, 6], rounds=1)
    everybody = list(tournament.entries.all())[:6]
    play_off = open_play_off(tournament, tied, [everybody], number=2, by=SOMEBODY)
    record(play_off.sittings.get())
    database = tmp_path / "copy.sqlite3"
    database.write_bytes(connection.connection.serialize())
    program = f"""
import sys, django
django.setup()
from django.test import Client
client = Client(headers={{"Accept-Language": "ja"}})
sys.stdout.buffer.write(client.get("/tournaments/{tournament.slug}/standings.xlsx").content)
"""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings", "DATABASE_URL": f"sqlite:///{database}"}
    elsewhere = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        stdout=subprocess.PIPE,
        env=os.environ | settings | {"PYTHONHASHSEED": "random"},
    ).stdout
    here = fetch(tournament, "ja")
    assert "決定戦" in opened(here).sheetnames
    assert here == elsewhere


def test_the_file_is_named_after_the_tournament(client: Client) -> None:
    tournament = make_tournament(published=True, name='第1回 "A/B"\r\nX: y')
    answer = client.get(f"/tournaments/{tournament.slug}/standings.xlsx")
    disposition = answer["Content-Disposition"]
    assert disposition.startswith("attachment; filename*=utf-8''")
    name = unquote(disposition.partition("''")[2])
    assert name.startswith("第1回 _A_B___X_ y ")
    assert name.endswith(".xlsx")


def test_an_empty_tournament_has_a_workbook() -> None:
    book = opened(fetch(make_tournament(published=True)))
    assert book.sheetnames == ["Standings", "Rules"]
    assert book["Standings"].max_row == 1


@pytest.mark.parametrize("rule_set", ["goninkan-nakayoshi", "yoninkan", "gong-zhu", "gouji"])
def test_every_kind_of_game_has_a_workbook(rule_set: str) -> None:
    sitting = make_sitting(make_tournament(rule_set, published=True))
    record(sitting)
    rows = cells(opened(fetch(sitting.session.tournament)))["All rounds"]
    assert len(rows) == 1 + sitting.seats.count()


@pytest.mark.parametrize("played", [1, 2])
@pytest.mark.parametrize("spades", [True, False])
def test_trumps_are_those_of_the_table_whoever_sits_there(played: int, spades: bool) -> None:
    """In forms and in the workbook; not there if they depend on how many rounds were planned."""
    table = changed_tables.make_table()
    tournament = table.session.tournament
    director = browser_of(make_staff(tournament, "director", "director"))
    Tournament.objects.update(
        rounds_per_session=3,
        showing=Tournament.Showing.LIVE,
        options=tournament.options | {"last_round_spades": spades},
    )
    first = Sitting.objects.get(pk=table.pk)
    changed_tables.play(first, played)
    goes_on = changed_tables.change(first, 1, 2, 6, 3, 4, 5)
    changed_tables.play(goes_on, 3 - played)
    head, *rows = cells(opened(fetch(tournament)))["All rounds"]
    expected = {1: "clubs", 2: "diamonds", 3: "spades" if spades else "hearts"}
    assert ("Trump" in head) == (not spades)  # a column without values is left out
    if not spades:
        number, trump = head.index("Round"), head.index("Trump")
        assert {row[number]: row[trump] for row in rows} == expected
    for sitting, rounds in ((first, played), (goes_on, 3 - played)):
        sheet, before = sheet_of(sitting), sitting.rounds_before
        for own in range(1, rounds + 1):
            due, address = expected[before + own], f"{sitting.get_absolute_url()}rounds/{own}/"
            form, facts = director.get(address).context["form"], sheet.rows[own - 1].facts
            assert form["trump"].initial == ("" if spades else due)
            assert ("", "記録なし") in form.fields["trump"].choices or not spades
            assert form.facts() == facts
            assert is_same_round(sheet, own, facts, facts | {"trump": due})


def test_queries_do_not_grow_with_the_rows(
    client: Client, tournament: Tournament, django_assert_num_queries: Any
) -> None:
    make_entries(tournament, 30)
    with django_assert_num_queries(16):
        client.get(f"/tournaments/{tournament.slug}/standings.xlsx")


def convert(kind: str, *files: Path) -> None:
    """Convert files by LibreOffice into the folder `converted` beside them."""
    folder = files[0].parent
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    options = ["--headless", "--convert-to", kind, "--outdir", str(folder / "converted")]
    command = [find_program("soffice"), profile, *options, *map(str, files)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)


def test_libreoffice_reads_it_back_equal(tournament: Tournament, tmp_path: Path) -> None:
    entries.add_entries(tournament, [{"name": name} for name in [*HOSTILE, "_x0041_"]], by=SOMEBODY)
    written, converted = tmp_path / "standings.xlsx", tmp_path / "converted"
    written.write_bytes(fetch(tournament))
    convert("xlsx:Calc MS Excel 2007 XML", written)
    for data_only in (False, True):  # formulas and their values
        ours, theirs = (
            opened(folder.joinpath(written.name).read_bytes(), data_only=data_only)
            for folder in (tmp_path, converted)
        )
        assert cells(theirs) == {
            title: [tuple(map(_unescaped, row)) for row in rows]
            for title, rows in cells(ours).items()
        }


def _unescaped(value: Any) -> Any:
    """Return a value without Excel's escapes, which openpyxl does not decode."""
    return value.replace("_x005F_", "_") if isinstance(value, str) else value


def test_wide_sheet_is_printed_on_several_pages_with_names() -> None:
    titles = ["Number", "Name", *(f"Session {each}" for each in range(30))]
    table = PlainTable([], extra_columns=[(each.lower(), Column(each)) for each in titles])
    content = exports.workbook("", [exports.Page("", table, is_wide=True)], at=timezone.now())
    [sheet] = opened(content).worksheets
    assert sheet.page_setup.fitToWidth == 2
    assert sheet.print_title_cols == "$A:$B"


def texts_of(page: Any) -> list[tuple[str, float]]:
    """Sizes are in points."""
    found: list[tuple[str, float]] = []

    def add(text: str, matrix: Any, text_matrix: Any, _font: Any, size: float) -> None:
        if text.strip():
            found.append((text.strip(), abs(size * text_matrix[3] * matrix[3])))

    page.extract_text(visitor_text=add)
    return found


def test_standings_are_printed_in_letters_of_ten_points(tmp_path: Path) -> None:
    """The columns up to the points; others as the paper has room. Landscape is rare."""
    tournament = make_tournament(published=True)
    people = make_entries(tournament, 6)
    tournament.entries.filter(number=1).update(name="名" * 60, club="同好会" * 20)
    for sessions, paper in ((6, exports.PORTRAIT), (9, exports.LANDSCAPE)):
        while tournament.sessions.count() < sessions:
            record(seating.open_session(tournament, [people], by=SOMEBODY).sittings.get())
        written = tmp_path / f"{sessions}.xlsx"
        written.write_bytes(fetch(tournament, "ja"))
        sheet: Any = opened(written.read_bytes())["順位表"]
        labels = [*(f"第{number}回戦" for number in range(1, sessions + 1)), "得点"]
        assert [cell.value for cell in sheet[1]][2 : sessions + 3] == labels
        assert (sheet.page_setup.orientation, sheet.page_setup.fitToWidth) == (paper.orientation, 1)
        printed = sheet[sheet.print_area.partition("!")[2]]
        assert (len(printed), printed[0][sessions + 2].value) == (7, "得点")
    convert("pdf", *tmp_path.glob("*.xlsx"))
    for sessions in (6, 9):
        page = PdfReader(tmp_path / f"converted/{sessions}.pdf").pages[0]
        points = {f"+{sessions}", f"−{sessions}"}
        assert min(size for text, size in texts_of(page) if text in points) >= 10


def test_long_name_is_wrapped_before_the_standings_are_printed_in_landscape() -> None:
    sessions = [f"Session {each}" for each in range(8)]
    columns = [(each.lower(), Column(each)) for each in ("Name", *sessions)]
    for name, width in (("名" * 12, exports.WIDEST_IN_NEED), ("名" * 4, 12)):
        row = {"name": name} | {each.lower(): 10 for each in sessions}
        table = PlainTable([row], extra_columns=columns)
        page = exports.Page("", table, printed_up_to="session 7")
        [sheet] = opened(exports.workbook("", [page], at=timezone.now())).worksheets
        assert sheet.column_dimensions["A"].width == width
        assert sheet.page_setup.orientation == "portrait"


def test_label_with_the_longest_word_for_a_round_stands_on_one_line() -> None:
    """LibreOffice breaks 済んだラウンド in a column of 13."""
    table = PlainTable([{"count": 1}], extra_columns=[("count", Column("済んだラウンド"))])
    content = exports.workbook("", [exports.Page("", table)], at=timezone.now())
    assert opened(content).worksheets[0].column_dimensions["A"].width == 14


def test_day_and_place_are_printed_beside_the_name() -> None:
    day = datetime(2026, 1, 3).date()  # noqa: DTZ001  a day, not a moment
    sitting = make_sitting(make_tournament(published=True, held_on=day, venue="公民館"))
    record(sitting)
    for sheet in opened(fetch(sitting.session.tournament, "ja")).worksheets:
        header: Any = sheet.oddHeader
        assert (header.left.text, header.center.text) == ("新春大会", "2026年1月3日  公民館")


def test_sheet_without_names_is_fitted_to_one_page_width(
    scorekeeper: Client, tournament: Tournament
) -> None:
    record(make_sitting(tournament), reason="")
    address = f"{tournament.get_absolute_url()}history.xlsx"
    [sheet] = load_workbook(BytesIO(scorekeeper.get(address).content)).worksheets
    assert sheet.page_setup.fitToWidth == 1
