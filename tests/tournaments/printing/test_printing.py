"""Printed forms: contents, pages, fonts, titles, and the files that a layout may open."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
import segno
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext
from fontTools.cffLib import CFFFontSet
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from weasyprint.layout import page as page_layout

import scoring
from tests.races import ConcurrencyCounter, race
from tests.tournaments.printing import page_faults
from tests.tournaments.printing.forms import every_form
from tournaments.i18n import sentences
from tournaments.printing import contents, layout, rendering

CHART, SHEET = "print/quick_reference.html", "print/score_sheet.html"
FOUR_HAND = ("damarikan", "yoninkan")
SLUGS = [rule_set.slug for rule_set in scoring.RULE_SETS]
EVENT = "第31回 五所川原りんご杯ゴニンカン大会"
TERMS = {  # terms of the game that are explained in other languages
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
    """Return the visible text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def fonts_of(reader: PdfReader) -> list[DictionaryObject]:
    resources = [cast("DictionaryObject", page["/Resources"]) for page in reader.pages]
    fonts = [cast("DictionaryObject", each["/Font"]) for each in resources]
    return [font.get_object() for each in fonts for font in each.values()]


@pytest.mark.parametrize(
    ("rounds", "strip"),
    [
        (None, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 ♠10"),
        (12, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 ♣10 ♦11 ♠12"),
        (0, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 0"),
        (40, "♣1 ♦2 ♥3 ♣4 ♦5 ♥6 ♣7 ♦8 ♥9 0 ♦38 ♥39 ♠40"),
    ],
)
def test_strip_of_trumps_covers_the_rounds_played(rounds: int | None, strip: str) -> None:
    context = contents.chart_context(rules_of("goninkan-classic"), rounds)
    shown = (f"{sentences.suit_sign(each.trump)}{each.number}" for each in context["trumps"])
    assert " ".join(shown) == strip


def test_rows_of_a_chart_have_different_names() -> None:
    for has_other_options in (False, True):
        for rule_set in scoring.RULE_SETS:
            options = {
                each.name: each.other_values[0] for each in rule_set.options if has_other_options
            }
            for section in scoring.reference_chart(scoring.choose(rule_set, options)):
                if section.code == "deals":
                    names = [str(row.headings[0].name) for row in section.rows]
                    assert len(names) == len(set(names))


def test_chart_of_house_rules_says_what_differs_from_the_text() -> None:
    for rule_set in scoring.RULE_SETS:
        for option in rule_set.options:
            rules = scoring.choose(rule_set, {option.name: option.other_values[0]})
            [difference] = contents.differences_of(rules)
            text = printed(CHART, contents.chart_context(rules))
            assert f"{difference.meaning} {difference.chosen} （{difference.default}）" in text
            assert difference.chosen != difference.default
    skunk = scoring.choose(scoring.get_rule_set("goninkan-association"), {}, {"skunk": 5})
    assert "スコンク +5 （+1）" in printed(CHART, contents.chart_context(skunk))
    assert contents.differences_of(rules_of("goninkan-association")) == []


def test_yoninkan_chart_and_sheet_note_what_scores_nothing() -> None:
    text = printed(CHART, contents.chart_context(rules_of("yoninkan")))
    assert "1戦目の逆スコンクは、ふつうの負けと同じ。" in text
    assert "途中の分は得点になりません" in text
    sheet = printed(SHEET, contents.sheet_context(rules_of("yoninkan"), 4))
    assert "途中の分は得点になりません" in sheet


def blank_page(slug: str, players: int) -> Any:
    """Return the one page of a blank sheet, whose class is that of the kind of game."""
    (sheet,) = contents.sheets(rules_of(slug), players)
    return sheet


def test_sheet_has_trumps_targets_and_declarations() -> None:
    sheet = blank_page("goninkan-nakayoshi", 6)
    assert [line.trump for line in sheet.lines][-2:] == ["hearts", "spades"]
    assert [(deal.kankei, deal.mukankei) for deal in sheet.deals] == [(8, 9), (8, 9), (9, 8)]
    assert [deal.mark_count for deal in sheet.deals] == [0, 2, 2]


def test_calls_of_both_four_hand_games_stand_in_the_same_order() -> None:
    damarikan, yoninkan = (blank_page(slug, 4) for slug in FOUR_HAND)
    assert damarikan.deals[1:] == yoninkan.deals[1:]
    assert [*map(str, damarikan.deals[1].marks)] == ["16", "逆16"]
    assert [*map(str, damarikan.deals[1].calls)] == ["先ス", "先16", "先逆ス", "先逆16"]
    assert [*map(len, yoninkan.deals[0][3:5])] == [1, 1]


def test_legend_explains_no_mark_by_itself() -> None:
    damarikan, yoninkan = (blank_page(slug, 4).legend for slug in FOUR_HAND)
    assert [str(mark) for mark, _name in damarikan] == ["ス", "16", "逆ス", "逆16", "先"]
    assert [str(mark) for mark, _name in yoninkan] == ["ス", "逆ス", "先"]


@pytest.mark.parametrize("slug", FOUR_HAND)
def test_sheet_says_that_a_missed_call_loses_the_deal(slug: str) -> None:
    sentence = "枚数によらず負け。"
    rules = rules_of(slug)
    assert sentence in printed(SHEET, contents.sheet_context(rules, 4))
    if "missed_call_ends_deal" in rules.options:
        rules = scoring.choose(rules.rule_set, {"missed_call_ends_deal": False}, {})
        assert sentence not in printed(SHEET, contents.sheet_context(rules, 4))


@pytest.mark.parametrize("slug", SLUGS)
def test_sheet_says_how_a_figure_is_corrected(slug: str) -> None:
    players = scoring.get_rule_set(slug).players[-1]
    assert "二重線" in printed(SHEET, contents.sheet_context(rules_of(slug), players))


@pytest.mark.parametrize(("players", "is_said"), [(5, False), (6, True)])
def test_sheet_says_that_a_dealer_who_sits_out_scores(players: int, is_said: bool) -> None:
    html = printed(SHEET, contents.sheet_context(rules_of("goninkan-nakayoshi"), players))
    assert ("配り役は関に印がなくても関係組の得点。" in html) == is_said


@pytest.mark.parametrize(
    ("slug", "players", "check"),
    [("goninkan-association", 6, 0), ("goninkan-classic", 5, -1), ("yoninkan", 4, 0)],
)
def test_check_sum_is_that_of_a_scored_round(slug: str, players: int, check: int) -> None:
    names = list("ABCDEF")[:players]
    deals = [{"kankei": 3, "mukankei": 8}]
    record = {"players": names, "rounds": [{"dealer": "A", "kankei": ["B", "D"], "deals": deals}]}
    totals = scoring.score(scoring.read_record(record, rules_of(slug))).totals
    assert blank_page(slug, players).check == check
    assert sum(totals.values()) == check * totals["B"]


@pytest.mark.parametrize(
    ("rounds", "pages"), [(10, [10]), (11, [6, 5]), (12, [6, 6]), (20, [7, 7, 6]), (27, [9, 9, 9])]
)
def test_rounds_are_spread_evenly_over_pages(rounds: int, pages: list[int]) -> None:
    found = contents.sheets(rules_of("goninkan-association"), 6, rounds)
    assert [len(page.lines) for page in found] == pages
    assert [page.lines[0].number for page in found[1:]] == [
        page.lines[-1].number + 1 for page in found[:-1]
    ]
    assert [page.is_carried_on for page in found] == [True] * (len(pages) - 1) + [False]


@pytest.mark.parametrize("slug", SLUGS)
def test_sheet_of_two_pages_has_totals_and_signatures_once(slug: str) -> None:
    rules = rules_of(slug)
    players = max(rules.rule_set.players)
    html = printed(SHEET, contents.sheets_context(rules, contents.sheets(rules, players, 12)))
    seats = players if rules.game.kind != "finish" else 2
    assert html.count("署名") == seats
    assert html.count("次のページへ") == seats
    assert html.count("前のページから") == 1


@pytest.mark.parametrize(
    ("players", "words"), [(6, ["全員の合計", "0になる"]), (5, ["全員の合計", "＝−計"])]
)
def test_sheet_has_a_grand_total_to_check(players: int, words: list[str]) -> None:
    html = printed(SHEET, contents.sheet_context(rules_of("goninkan-classic"), players))
    assert all(html.count(word) == 1 for word in words)


def test_sheet_of_five_players_has_the_sum_of_rounds_on_its_last_page_only() -> None:
    rules = rules_of("goninkan-classic")
    html = printed(SHEET, contents.sheets_context(rules, contents.sheets(rules, 5, 12)))
    assert html.count(" 計→ ") == 1
    assert html.count(" 計 ") == 1
    assert html.index(" 計→ ") < html.index(" 計 ")


@pytest.mark.parametrize(("language", "words"), TERMS.items())
@pytest.mark.parametrize("slug", SLUGS)
def test_forms_explain_the_terms_of_the_game_they_use(
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


def test_japanese_forms_explain_no_terms() -> None:
    assert "関係組：" not in printed(CHART, contents.chart_context(rules_of("goninkan-classic")))


def test_sheet_of_five_players_carries_round_points_over() -> None:
    rules = rules_of("goninkan-classic")
    for players in (5, 6):
        context = contents.sheets_context(rules, contents.sheets(rules, players, 12))
        html = render_to_string(SHEET, context)
        [row] = re.findall(r'<tr class="brought">.*?</tr>', html, re.DOTALL)
        assert row.count("round-points") == (players == 5)
        spans = sum(map(int, re.findall(r'colspan="(\d+)"', row)))
        columns = context["sheets"][1].columns_before_players + 2 * players + 1
        assert spans + (players == 5) + 1 == columns  # the sum of rounds, and the check


def printed(template: str, context: dict[str, Any]) -> str:
    return text_of(render_to_string(template, context))


def test_cards_of_a_hand_are_further_apart_than_the_digits_of_a_ten() -> None:
    pdf = rendering.pdf(CHART, contents.chart_context(rules_of("gong-zhu")))
    assert any("♥10 9 8 7 6 5" in line for line in page_faults.lines_of(pdf))


@cache
def chart_in(language: str) -> bytes:
    with translation.override(language):
        return rendering.pdf(CHART, contents.chart_context(rules_of("goninkan-classic")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pdf_embeds_font_subsets_and_is_small(language: str) -> None:
    pdf = chart_in(language)
    names = [str(font["/BaseFont"]) for font in fonts_of(PdfReader(BytesIO(pdf)))]
    assert names
    assert all(re.fullmatch(r"/[A-Z]{6}\+.+", name) for name in names)  # embedded subsets
    assert len(pdf) < 100_000


def test_fonts_of_chinese_have_only_the_glyphs_that_are_drawn() -> None:
    reader = PdfReader(BytesIO(chart_in("zh-hans")))
    drawn = len(set(reader.pages[0].extract_text()))
    descendants = [cast("Any", font["/DescendantFonts"])[0] for font in fonts_of(reader)]
    files = [font["/FontDescriptor"].get("/FontFile3") for font in descendants]
    tables = [CFFFontSet() for file in files if file]
    for table, file in zip(tables, filter(None, files), strict=True):
        table.decompile(BytesIO(file.get_data()), None)
    assert len(tables) >= 3
    assert all(len(table[0].CharStrings) <= drawn + 1 for table in tables)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pdf_has_a_title_in_its_language(language: str) -> None:
    rules = rules_of("gouji")
    with translation.override(language):
        run = contents.print_run_of(
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
    assert "\n" not in title


def title_of(pdf: bytes) -> str:
    metadata = PdfReader(BytesIO(pdf)).metadata
    return str(metadata and metadata.title)


def test_names_are_printed_unchanged_and_never_as_markup() -> None:
    names = ["髙﨑 𠮷野", "<b>太字</b>", "=1+1", "Ａ", "長" * 60, "b"]
    rules = rules_of("goninkan-association")
    context = contents.sheet_context(rules, names, rounds=1, table="57")
    text = PdfReader(BytesIO(rendering.pdf(SHEET, context))).pages[0].extract_text()
    text = re.sub(r"\s", "", text)  # long names take several lines
    for word in ("髙﨑", "𠮷", "<b>太字</b>", "=1+1", "57"):
        assert word in text


def test_form_is_laid_out_once_for_many_sheets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "SHEETS_IN_A_CHUNK", 15)
    rules = rules_of("goninkan-classic")
    sheets = [
        sheet
        for table in range(1, 20)
        for sheet in contents.sheets(
            rules, ["甲", "乙", "丙", "丁", "戊"], table=str(table), tournament=EVENT
        )
    ]
    run = contents.print_run_of(rules, sheets)
    assert len(run.blanks["sheets"]) == 1
    assert len(run.fillings) == 2
    pdf = rendering.stamped_pdf(SHEET, *run)
    reader = PdfReader(BytesIO(pdf))
    assert len(reader.pages) == 19
    assert len(pdf) < 19 * 6000
    assert "戊" in reader.pages[18].extract_text()
    assert "得点記入票" in reader.pages[18].extract_text()
    fonts = [str(font["/BaseFont"]) for font in fonts_of(reader)]
    assert len(fonts) == 19 * len(set(fonts))  # one subset of each, in all pages


def test_page_after_a_page_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[int] = []
    make_page = page_layout.make_page

    def counted(*arguments: Any, **others: Any) -> Any:
        laid_out.append(arguments[4])  # the page's number
        return make_page(*arguments, **others)

    monkeypatch.setattr(page_layout, "make_page", counted)
    rules = rules_of("goninkan-classic")
    sheets = contents.sheets(rules, list("甲乙丙丁戊"), rounds=30)
    run = contents.print_run_of(rules, sheets)
    rendering.pdf(SHEET, run.fillings[0])
    assert laid_out == [1, 2, 3, 4]


def test_style_sheet_is_parsed_once() -> None:
    rendering.pdf(SHEET, contents.sheet_context(rules_of("gouji"), 6))
    parsed = layout._style_sheet.cache_info().misses
    rendering.pdf(SHEET, contents.sheet_context(rules_of("gouji"), 6))
    assert layout._style_sheet.cache_info().misses == parsed


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
def test_fetcher_refuses_everything_but_our_static_files(url: str) -> None:
    assert layout.static_file(url) is None
    with pytest.raises(PermissionError):
        layout.OwnStaticFiles().fetch(url)


def test_fetcher_opens_our_static_files() -> None:
    response = layout.OwnStaticFiles().fetch(f"{layout.BASE_URL}static/css/print.css")
    assert b"@page" in response.read()
    assert response.content_type == "text/css"


def test_fetcher_opens_pictures_in_the_document() -> None:
    address = segno.make("a").png_data_uri()
    response = layout.OwnStaticFiles().fetch(address)
    assert response.read().startswith(b"\x89PNG")
    assert response.content_type == "image/png"


def test_document_with_another_url_is_not_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    html = '<link rel="stylesheet" href="file:///etc/passwd">'
    monkeypatch.setattr(rendering, "render_to_string", lambda *_: html)
    with pytest.raises(PermissionError, match="/etc/passwd"):
        rendering.pdf(CHART, {})


def test_concurrent_layouts_run_one_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_once = ConcurrencyCounter(monkeypatch, layout, "_lay_out")

    def printed(writer: int) -> list[str]:
        found = [rendering.pdf("", {"html": f"<p>{writer} 卓 {page}</p>"}) for page in range(5)]
        return [PdfReader(BytesIO(each)).pages[0].extract_text() for each in found]

    monkeypatch.setattr(rendering, "render_to_string", lambda _, context: context["html"])
    assert race(4, printed) == [[f"{writer} 卓 {page}" for page in range(5)] for writer in range(4)]
    assert at_once.most == 1


def test_every_printed_form_is_among_the_checked_ones() -> None:
    directory = settings.BASE_DIR / "templates" / "print"
    templates = {each.name for each in directory.glob("[!_]*.html")} - {"base.html"}
    missing = {f"print/{name}" for name in templates} - {form.template for form in every_form()}
    assert not missing, (
        f"Let every_form in tests/tournaments/printing/forms.py yield forms made of {missing}: "
        "tests/every_form.py then checks their pages."
    )


def test_no_printed_columns_are_balanced() -> None:
    """WeasyPrint balances columns by laying them out hundreds of times, which can take minutes."""
    templates = Path(settings.BASE_DIR, "templates/print").glob("*.html")
    linked = {
        name
        for each in templates
        for name in re.findall(r"static 'css/([\w-]+)", each.read_text(encoding="utf-8"))
    }
    styles = Path(settings.BASE_DIR, "static/css")
    for sheet in {sheet for name in linked for sheet in styles.glob(f"{name}*.css")}:
        text = sheet.read_text(encoding="utf-8")
        columns = re.findall(r"^\s*(?:columns|column-count):", text, re.MULTILINE)
        assert text.count("column-fill: auto;") == len(columns), sheet.name
