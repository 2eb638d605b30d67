"""The pages and PDF files of charts and score sheets: what each shows, and to whom."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client
from django.utils import translation
from pypdf import PdfReader

import scoring
from scoring.charts import Cell
from tests.cast import (
    SOMEBODY,
    browser_of,
    make_entries,
    make_sitting,
    make_staff,
    make_tournament,
)
from tests.stages import make_stage
from tests.tournaments.printing.scanner import scanned
from tournaments.i18n import sentences
from tournaments.printing import contents, serials
from tournaments.services import seating

SLUGS = [rule_set.slug for rule_set in scoring.RULE_SETS]


@pytest.fixture(autouse=True)
def japanese() -> Iterator[None]:
    with translation.override("ja"):
        yield


def rules_of(slug: str) -> scoring.Rules:
    return scoring.choose(scoring.get_rule_set(slug))


def text_of(html: str) -> str:
    """Return the visible text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def name_of(response: Any) -> str:
    """Return the name under which a browser saves a file (RFC 6266)."""
    [encoded] = re.findall(r"filename\*=utf-8''(\S+)", response["Content-Disposition"])
    return unquote(encoded)


def get(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("slug", SLUGS)
def test_the_chart_shows_every_cell(client: Client, slug: str) -> None:
    text = text_of(get(client, f"/rules/{slug}/chart/"))
    points = Counter(
        sentences.signed(cell.points)
        for section in scoring.reference_chart(rules_of(slug))
        for row in section.rows
        for cell in (row.cells[-1:] if section.code == "examples" else row.cells)  # the total alone
        if isinstance(cell, Cell)
    )
    assert points
    assert points <= Counter(text.split())
    assert rules_of(slug).fingerprint in text
    assert "得点配分早見表" in text


def test_the_chart_of_the_association_tells_both_sides_points(client: Client) -> None:
    html = get(client, "/rules/goninkan-association/chart/")
    chart = contents.chart_context(rules_of("goninkan-association"))["chart"]
    rounds = [cell for cell in chart["rounds"].cells if isinstance(cell, Cell)]
    shown = re.findall(r'<td class="cell[^"]*"><b>([^<]+)</b>\s*([^<]+)</td>', html)
    assert shown == [
        (sentences.signed(cell.points), sentences.signed(cell.opposite)) for cell in rounds
    ]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_sheet_has_a_line_for_every_round_and_a_seat_for_everybody(
    client: Client, slug: str
) -> None:
    rule_set = scoring.get_rule_set(slug)
    for players in rule_set.players:
        html = get(client, f"/rules/{slug}/sheet/?players={players}")
        assert re.findall(r'class="seat">(\d)<', html) == [str(n + 1) for n in range(players)]
        rounds = rules_of(slug).usual_rounds or contents.ROUNDS_ON_A_PAGE
        assert re.findall(r"<th[^>]*><b>(\d+)</b>", html) == [str(n + 1) for n in range(rounds)]
        assert "得点記入票" in html


def test_blank_sheet_has_the_usual_number_of_players(client: Client) -> None:
    assert get(client, "/rules/goninkan-classic/sheet/").count('class="seat"') == 6
    assert get(client, "/rules/gong-zhu/sheet/").count('class="seat"') == 4


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rule_set", "entries", "seats"),
    [
        ("gong-zhu", 5, 5),
        ("gong-zhu", 8, 4),
        ("goninkan-classic", 5, 5),
        ("goninkan-classic", 11, 6),
        ("goninkan-classic", 0, 6),
    ],
)
def test_blank_sheet_of_a_tournament_has_its_seats(
    client: Client, rule_set: str, entries: int, seats: int
) -> None:
    tournament = make_tournament(rule_set, published=True)
    make_entries(tournament, entries)
    address = f"/tournaments/{tournament.slug}/sheet/"
    assert get(client, address).count('class="seat"') == seats


@pytest.mark.django_db
def test_blank_sheet_of_a_tournament_has_the_seats_of_its_last_session(client: Client) -> None:
    tournament = make_tournament("goninkan-classic", published=True)
    entries = make_entries(tournament, 15)
    tables = [entries[i : i + 5] for i in range(0, 15, 5)]
    seating.open_session(tournament, tables, by=SOMEBODY)
    assert get(client, f"/tournaments/{tournament.slug}/sheet/").count('class="seat"') == 5


@pytest.mark.parametrize("form", ["chart/", "chart.pdf", "sheet/", "sheet.pdf"])
def test_an_unknown_rule_set_is_not_found(client: Client, form: str) -> None:
    assert client.get(f"/rules/poker/{form}").status_code == 404


@pytest.mark.parametrize("players", ["7", "0", "", "many"])
def test_a_sheet_for_players_the_game_does_not_know_is_not_found(
    client: Client, players: str
) -> None:
    address = "/rules/goninkan-association/sheet.pdf"
    assert client.get(address, {"players": players}).status_code == 404


def test_pages_hold_no_inline_code(client: Client) -> None:
    for slug, form in product(SLUGS, ("chart", "sheet")):
        html = get(client, f"/rules/{slug}/{form}/")
        assert not re.search(r"<script|<style|\sstyle=|\son[a-z]+=", html)


def test_a_pdf_has_the_words_of_the_page(client: Client) -> None:
    response = client.get("/rules/goninkan-association/chart.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert name_of(response) == "得点配分早見表 ゴニンカン（協会ルール）.pdf"
    reader = PdfReader(BytesIO(response.content))
    catalogue: Any = reader.root_object
    assert catalogue["/MarkInfo"]["/Marked"]  # it has tags for readers aloud
    assert catalogue["/Lang"] == "ja"
    text = reader.pages[0].extract_text()
    for word in ("得点配分早見表", "無関係組", "スコンク", "じゅうろく", "−16", "+38", "♥"):
        assert word in text


@pytest.mark.django_db
def test_a_session_prints_a_prefilled_page_for_every_table() -> None:
    tournament = make_tournament(published=True, rule_set="goninkan-classic", rounds_per_session=4)
    make_stage(tournament)
    scorekeeper = browser_of(make_staff(tournament, "scorekeeper"))
    tables = [make_entries(tournament, 6), make_entries(tournament, 5)]
    seating.open_session(tournament, tables, by=SOMEBODY)
    sheets = f"/tournaments/{tournament.slug}/sessions/1/sheets.pdf"
    assert Client().get(sheets).status_code == 404  # long runs are for those who hand them out
    response = scorekeeper.get(sheets)
    pages = [page.extract_text() for page in PdfReader(BytesIO(response.content)).pages]
    assert len(pages) == 2
    assert name_of(response) == f"得点記入票 {tournament.name} 第1回戦.pdf"
    for page, entries in zip(pages, tables, strict=True):
        assert f"{tournament.name} · 予選" in page
        assert all(entry.name in page for entry in entries)
        assert page.count("時間切れ") == 4  # one for every round: the blank form lies underneath


@pytest.mark.django_db
def test_one_table_prints_alone_with_numbers_and_the_serial_the_desk_sees() -> None:
    tournament = make_tournament(published=True, rule_set="goninkan-classic")
    scorekeeper = browser_of(make_staff(tournament, "scorekeeper"))
    tables = [make_entries(tournament, 6), make_entries(tournament, 5)]
    session = seating.open_session(tournament, tables, by=SOMEBODY)
    sheets = f"/tournaments/{tournament.slug}/sessions/1/sheets.pdf"
    assert scorekeeper.get(sheets, {"table": "3"}).status_code == 404
    response = scorekeeper.get(sheets, {"table": "2"})
    [page] = PdfReader(BytesIO(response.content)).pages
    sitting = session.sittings.get(number=2)
    assert scanned(response.content) == {f"http://testserver{sitting.get_absolute_url()}paper/"}
    serial = serials.serial_of(sitting, tables[1])
    text = page.extract_text()
    assert serial in text
    assert all(f"{entry.number}番" in text for entry in tables[1])
    assert f"{serial}</b>" in scorekeeper.get(f"{sitting.get_absolute_url()}paper/").text
    assert "?table=2" in scorekeeper.get(sitting.get_absolute_url()).text
    assert serials.serial_of(sitting, tables[1][::-1]) != serial
    assert serials.serial_of(sitting, tables[0]) != serial


@pytest.mark.django_db
def test_a_tournament_prints_its_own_rounds(client: Client) -> None:
    tournament = make_tournament("goninkan-classic", published=True, rounds_per_session=12)
    for form, last in (("chart", '<th scope="col">12</th>'), ("sheet", "<b>12</b>")):
        html = get(client, f"/tournaments/{tournament.slug}/{form}/")
        assert last in html
        assert tournament.rules.fingerprint in html
        assert tournament.name in html


@pytest.mark.django_db
def test_a_tournament_prints_its_own_rules(client: Client) -> None:
    usual = make_tournament(published=True)
    tournament = make_tournament(published=True, options={"last_round_spades": True})
    own, other = (get(client, f"/tournaments/{each.slug}/chart/") for each in (tournament, usual))
    for word in (tournament.rules.fingerprint, "ハウスルール", "♠"):
        assert (word in own, word in other) == (True, False), word


@pytest.mark.django_db
@pytest.mark.parametrize("form", ["chart/", "chart.pdf", "sheet.pdf", "sessions/1/sheets.pdf"])
def test_strangers_find_no_forms_of_an_unpublished_tournament(client: Client, form: str) -> None:
    sitting = make_sitting()
    slug = sitting.session.tournament.slug
    assert client.get(f"/tournaments/{slug}/{form}").status_code == 404
