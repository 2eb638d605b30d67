"""The printed forms: what stands on them, one page of real text each, and who may open what."""

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import product
from typing import Any, cast

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext
from pypdf import PdfReader
from pypdf.generic import DictionaryObject

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
from tests.races import AtOnce, race
from tests.tournaments.printing.forms import other
from tournaments.i18n import sentences
from tournaments.printing import contents, rendering, serials
from tournaments.services import seating

CHART, SHEET = "print/quick_reference.html", "print/score_sheet.html"
SLUGS = [rule_set.slug for rule_set in scoring.RULE_SETS]
EVENT = "第31回 五所川原りんご杯ゴニンカン大会"
TERMS = {  # words of the game that readers of other languages do not know
    "en": ("kankei", "mukankei", "skunk", "juroku", "reverse"),
    "zh-hans": ("关系组", "无关系组", "零封", "十六"),
}
LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.fixture(autouse=True)
def japanese() -> Iterator[None]:
    with translation.override("ja"):
        yield


def rules_of(slug: str) -> scoring.Rules:
    return scoring.choose(scoring.get_rule_set(slug))


def text_of(html: str) -> str:
    """Return what a reader sees of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def get(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def fonts_of(reader: PdfReader) -> list[DictionaryObject]:
    resources = [cast("DictionaryObject", page["/Resources"]) for page in reader.pages]
    fonts = [cast("DictionaryObject", each["/Font"]) for each in resources]
    return [font.get_object() for each in fonts for font in each.values()]


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


@pytest.mark.parametrize(
    ("rounds", "strip"),
    [
        (None, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 ♠10"),
        (12, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 ♣10 ♦11 ♠12"),
        (0, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 0"),
        (40, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 0 ♦38 ♥39 ♠40"),
    ],
)
def test_the_strip_of_trumps_is_that_of_the_rounds_played(rounds: int | None, strip: str) -> None:
    context = contents.chart_context(rules_of("goninkan-classic"), rounds)
    shown = (f"{sentences.suit_sign(each.trump)}{each.number}" for each in context["trumps"])
    assert " ".join(shown) == strip


def test_no_two_rows_of_a_chart_have_one_name() -> None:
    for turned in (False, True):
        for rule_set in scoring.RULE_SETS:
            options = {each.name: other(each) for each in rule_set.options if turned}
            for section in scoring.reference_chart(scoring.choose(rule_set, options)):
                if section.code == "deals":
                    names = [str(row.headings[0].name) for row in section.rows]
                    assert len(names) == len(set(names))


def test_yoninkan_notes_what_scores_nothing() -> None:
    text = printed(CHART, contents.chart_context(rules_of("yoninkan")))
    assert "1戦目の逆スコンクは、ふつうの負けと同じ。" in text
    assert "時間切れで終わらなかった役は数えません" in text
    sheet = printed(SHEET, contents.sheet_context(rules_of("yoninkan"), 4))
    assert "時間切れで終わらなかった役は数えません" in sheet


def test_the_chart_of_the_association_tells_both_sides_points(client: Client) -> None:
    html = get(client, "/rules/goninkan-association/chart/")
    chart = contents.chart_context(rules_of("goninkan-association"))["chart"]
    rounds = [cell for cell in chart["rounds"].cells if isinstance(cell, Cell)]
    shown = re.findall(r'<td class="cell[^"]*"><b>([^<]+)</b><span>([^<]+)</span>', html)
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
        assert re.findall(r"<th><b>(\d+)</b>", html) == [str(n + 1) for n in range(rounds)]
        assert "得点記入票" in html


def test_a_blank_sheet_is_for_as_many_as_usually_play(client: Client) -> None:
    assert get(client, "/rules/goninkan-classic/sheet/").count('class="seat"') == 6
    assert get(client, "/rules/gong-zhu/sheet/").count('class="seat"') == 4


def test_the_sheet_knows_trumps_targets_and_declarations() -> None:
    (sheet,) = contents.sheets(rules_of("goninkan-nakayoshi"), 6)
    assert [line.trump for line in sheet.lines][-2:] == ["hearts", "spades"]
    assert [(deal.kankei, deal.mukankei) for deal in sheet.deals] == [(8, 9), (8, 9), (9, 8)]
    assert [len(deal.marks) for deal in sheet.deals] == [0, 2, 2]


@pytest.mark.parametrize(
    ("slug", "players", "check"),
    [("goninkan-association", 6, 0), ("goninkan-classic", 5, -1), ("yoninkan", 4, 0)],
)
def test_the_sum_to_check_is_that_of_a_scored_round(slug: str, players: int, check: int) -> None:
    rules = rules_of(slug)
    (sheet,) = contents.sheets(rules, players)
    names = list("ABCDEF")[:players]
    deals = [{"kankei": 3, "mukankei": 8}]
    record = {"players": names, "rounds": [{"dealer": "A", "kankei": ["B", "D"], "deals": deals}]}
    totals = scoring.score(scoring.read_record(record, rules)).totals
    assert sheet.check == check
    assert sum(totals.values()) == check * totals["B"]


@pytest.mark.parametrize(
    ("rounds", "pages"), [(10, [10]), (11, [6, 5]), (12, [6, 6]), (20, [7, 7, 6]), (27, [9, 9, 9])]
)
def test_rounds_are_spread_over_pages_that_are_carried_on(rounds: int, pages: list[int]) -> None:
    found = contents.sheets(rules_of("goninkan-association"), 6, rounds)
    assert [len(page.lines) for page in found] == pages
    assert [page.lines[0].number for page in found[1:]] == [
        page.lines[-1].number + 1 for page in found[:-1]
    ]
    assert [page.is_carried_on for page in found] == [True] * (len(pages) - 1) + [False]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_sheet_of_two_pages_has_totals_and_signatures_once(slug: str) -> None:
    rules = rules_of(slug)
    players = max(rules.rule_set.players)
    html = printed(SHEET, contents.sheets_context(rules, contents.sheets(rules, players, 12)))
    seats = players if rules.game.kind != "finish" else 2
    assert html.count("署名") == seats
    assert html.count("次のページへ") == seats
    assert html.count("前のページから") == 1


@pytest.mark.parametrize(
    ("players", "said"), [(6, ["全員の合計", "0になる"]), (5, ["全員の合計", "＝−計"])]
)
def test_the_foot_has_a_grand_total_to_check(players: int, said: list[str]) -> None:
    html = printed(SHEET, contents.sheet_context(rules_of("goninkan-classic"), players))
    assert all(html.count(word) == 1 for word in said)


def test_with_five_players_only_the_last_page_has_the_sum_of_the_rounds() -> None:
    rules = rules_of("goninkan-classic")
    html = printed(SHEET, contents.sheets_context(rules, contents.sheets(rules, 5, 12)))
    assert html.count(" 計→ ") == 1
    assert html.count(" 計 ") == 1
    assert html.index(" 計→ ") < html.index(" 計 ")


@pytest.mark.parametrize(("language", "words"), TERMS.items())
@pytest.mark.parametrize("slug", SLUGS)
def test_a_form_explains_the_words_of_the_game_that_it_uses(
    slug: str, language: str, words: tuple[str, ...]
) -> None:
    rules = rules_of(slug)
    with translation.override(language):
        forms = [printed(CHART, contents.chart_context(rules))]
        forms += [
            printed(SHEET, contents.sheet_context(rules, players))
            for players in rules.rule_set.players
        ]
    for form in forms:
        used = [word for word in words if word in form.lower()]
        assert [
            word for word in used if not re.search(f"(?<![a-z无]){word}[:：]", form.lower())
        ] == []
        assert bool(used) == (rules.game.kind == "kankei")


def test_japanese_forms_explain_no_words_of_the_game() -> None:
    assert "関係組：" not in printed(CHART, contents.chart_context(rules_of("goninkan-classic")))


def test_with_five_players_the_round_points_are_carried_over_too() -> None:
    rules = rules_of("goninkan-classic")
    for players in (5, 6):
        context = contents.sheets_context(rules, contents.sheets(rules, players, 12))
        html = render_to_string(SHEET, context)
        [row] = re.findall(r'<tr class="brought">.*', html)
        assert row.count("round-points") == (players == 5)
        [span] = re.findall(r'colspan="(\d+)"', row)
        columns = context["sheets"][1].columns_before_players + players + 1
        assert int(span) + row.count("<td") == columns


def printed(template: str, context: dict[str, Any]) -> str:
    return text_of(render_to_string(template, context))


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pdf_embeds_its_fonts_in_little_room(language: str) -> None:
    with translation.override(language):
        pdf = rendering.pdf(CHART, contents.chart_context(rules_of("goninkan-classic")))
    names = [str(font["/BaseFont"]) for font in fonts_of(PdfReader(BytesIO(pdf)))]
    assert names
    assert all(re.fullmatch(r"/[A-Z]{6}\+.+", name) for name in names)  # embedded subsets
    assert len(pdf) < 100_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pdf_has_a_title_in_its_language(language: str) -> None:
    rules = rules_of("gouji")
    with translation.override(language):
        run = contents.run_of(
            rules, contents.sheets(rules, list("甲乙丙丁戊己"), tournament=EVENT, session="3")
        )
        alone = rendering.pdf(SHEET, contents.sheet_context(rules, 6))
        wanted, form = str(rules.rule_set.title), gettext("Score sheet")
        wanted = sentences.translated(wanted)
        title = title_of(rendering.stamped_pdf(SHEET, *run))
    assert title.startswith(form)
    assert EVENT in title
    assert title.endswith(wanted)
    assert title_of(alone) == f"{form} – {wanted}"


def title_of(pdf: bytes) -> str:
    said = PdfReader(BytesIO(pdf)).metadata
    return str(said and said.title)


def test_a_pdf_has_the_words_of_the_page(client: Client) -> None:
    response = client.get("/rules/goninkan-association/chart.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == 'inline; filename="goninkan-association-chart.pdf"'
    text = PdfReader(BytesIO(response.content)).pages[0].extract_text()
    for word in ("得点配分早見表", "無関係組", "スコンク", "じゅうろく", "−16", "+38", "♥"):
        assert word in text


def test_names_are_printed_as_they_are_and_never_as_markup() -> None:
    names = ["髙﨑 𠮷野", "<b>太字</b>", "=1+1", "Ａ", "長" * 60, "b"]
    context = contents.sheet_context(rules_of("goninkan-association"), names, table="57")
    text = PdfReader(BytesIO(rendering.pdf(SHEET, context))).pages[0].extract_text()
    text = re.sub(r"\s", "", text)  # long names take several lines
    for word in ("髙﨑", "𠮷", "<b>太字</b>", "=1+1", "57"):
        assert word in text


@pytest.mark.alike
@pytest.mark.django_db
def test_a_session_prints_a_prefilled_page_for_every_table() -> None:
    tournament = make_tournament(published=True, rule_set="goninkan-classic", rounds_per_session=4)
    scorekeeper = browser_of(make_staff(tournament, "scorekeeper"))
    tables = [make_entries(tournament, 6), make_entries(tournament, 5)]
    seating.open_session(tournament, tables, by=SOMEBODY)
    sheets = f"/tournaments/{tournament.slug}/sessions/1/sheets.pdf"
    assert Client().get(sheets).status_code == 404  # long runs are for those who hand them out
    response = scorekeeper.get(sheets)
    pages = [page.extract_text() for page in PdfReader(BytesIO(response.content)).pages]
    assert len(pages) == 2
    for page, entries in zip(pages, tables, strict=True):
        assert tournament.name in page
        assert all(entry.name in page for entry in entries)
        assert page.count("時間切れ") == 4  # one for every round: the blank form lies underneath


@pytest.mark.alike
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


def test_a_long_run_lays_a_form_out_once_for_all_its_sheets() -> None:
    rules = rules_of("goninkan-classic")
    sheets = [
        sheet
        for table in range(1, 20)
        for sheet in contents.sheets(rules, ["甲", "乙", "丙", "丁", "戊"], table=str(table))
    ]
    run = contents.run_of(rules, sheets)
    assert len(run.blanks["sheets"]) == 1
    assert len(run.written) == 2
    reader = PdfReader(BytesIO(rendering.stamped_pdf(SHEET, *run)))
    assert len(reader.pages) == 19
    assert "戊" in reader.pages[18].extract_text()
    assert "得点記入票" in reader.pages[18].extract_text()


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "http://example.com/static/css/print.css",
        "https://static.invalid/static/css/print.css",
        "http://static.invalid/static/../manage.py",
        "http://static.invalid/static/%2e%2e/manage.py",
        "http://static.invalid/static//etc/passwd",
        "http://static.invalid/static/css/",
        "http://static.invalid/static/css/missing.css",
        "http://static.invalid/etc/passwd",
        "data:text/css,body{}",
        "ftp://static.invalid/static/css/print.css",
    ],
)
def test_the_fetcher_opens_nothing_but_our_static_files(url: str) -> None:
    assert rendering.static_file(url) is None
    with pytest.raises(PermissionError):
        rendering.OwnStaticFiles().fetch(url)


def test_the_fetcher_opens_our_static_files() -> None:
    response = rendering.OwnStaticFiles().fetch(f"{rendering.BASE_URL}static/css/print.css")
    assert b"@page" in response.read()
    assert response.content_type == "text/css"


def test_a_document_that_asks_for_anything_else_is_not_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    html = '<link rel="stylesheet" href="file:///etc/passwd">'
    monkeypatch.setattr(rendering, "render_to_string", lambda *_: html)
    with pytest.raises(PermissionError, match="/etc/passwd"):
        rendering.pdf(CHART, {})


def test_threads_print_one_layout_at_a_time_each_getting_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = AtOnce(monkeypatch, rendering, "_laid_out")

    def printed(writer: int) -> list[str]:
        found = [rendering.pdf("", {"html": f"<p>{writer} 卓 {page}</p>"}) for page in range(5)]
        return [PdfReader(BytesIO(each)).pages[0].extract_text() for each in found]

    monkeypatch.setattr(rendering, "render_to_string", lambda _, context: context["html"])
    assert race(4, printed) == [[f"{writer} 卓 {page}" for page in range(5)] for writer in range(4)]
    assert at_once.most == 1
