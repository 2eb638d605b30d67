"""Pages measured in a browser: nothing overflows with long names or on narrow phones."""

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import browsers, cast, stages
from tournaments.models import Entry, Sitting, Tournament
from tournaments.services import totals
from tournaments.services.publications import publish

LONG = "ながいなまえ" * 16
UNBROKEN = "Wolfeschlegelsteinhausenbergerdorff" * 2

LINES = """cell => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), lines = {};
  while (text.nextNode()) [...text.currentNode.data].forEach((letter, at) => {
    const range = document.createRange();
    range.setStart(text.currentNode, at);
    range.setEnd(text.currentNode, at + 1);
    const top = range.getBoundingClientRect().top;
    if (range.getClientRects().length) lines[top] = (lines[top] ?? "") + letter;
  });
  return Object.values(lines).map((line) => line.trim()).filter(Boolean);
}"""
LANGUAGES = ("ja", "en", "zh-hans")

pytestmark = pytest.mark.django_db(transaction=True)


def make_long_names() -> Sitting:
    """A published table at which a round was played by people with long names."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    cast.record(sitting, number=2)
    Entry.objects.filter(number=1).update(name=LONG)
    Entry.objects.filter(number=2).update(name=UNBROKEN)
    return sitting


def sticks_out(page: Page) -> int:
    page.wait_for_load_state()  # with its styles
    width: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return max(width, 0)


def address(tournament: Tournament, rest: str = "") -> str:
    return tournament.get_absolute_url() + rest


def test_a_players_page_fits_a_phone_and_shows_the_last_round(
    page: Page, live_server: LiveServer
) -> None:
    tournament = make_long_names().session.tournament
    page.goto(live_server.url + address(tournament, "players/3/"))
    assert sticks_out(page) == 0
    box = page.locator(".chart")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    assert page.locator(".chart-point").last.is_visible()


def test_standings_begin_at_the_top_of_a_phone_and_fill_the_wall(
    page: Page, live_server: LiveServer
) -> None:
    """Also those of a final and of a class."""
    tournament = cast.make_tournament(published=True)
    cast.record(cast.make_session(tournament, tables=3).sittings.get(number=1))
    final = stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    assert final.members
    first_row = page.locator(".standings tbody tr:not(.ledger-section)").first
    publish(tournament, by=cast.SOMEBODY)
    for language, width, height, query in (
        *(("ja", 360, 740, query) for query in ("", "?class=一般", "?stage=2")),
        *((language, 320, 640, "") for language in LANGUAGES),
    ):
        page.set_viewport_size({"width": width, "height": height})
        name = settings.LANGUAGE_COOKIE_NAME
        page.context.add_cookies([{"name": name, "value": language, "url": live_server.url}])
        page.goto(live_server.url + address(tournament, f"standings/{query}"))
        assert sticks_out(page) == 0
        top = first_row.evaluate("row => row.getBoundingClientRect().top")
        assert top < 300, (language, query)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(live_server.url + address(tournament, "standings/?wall=1"))
    sizes = page.locator("td.name").evaluate_all(
        "all => all.map(each => [each.scrollWidth - each.clientWidth,"
        " parseFloat(getComputedStyle(each).fontSize)])"
    )
    assert max(over for over, _size in sizes) == 0
    assert min(size for _over, size in sizes) > 40
    free = page.locator(".board-columns").evaluate(
        "board => board.clientHeight"
        " - Math.max(...[...board.children].map(each => each.clientHeight))"
    )
    assert 0 <= free < 100


@pytest.mark.parametrize("rule_set", ["goninkan-nakayoshi", "gong-zhu"])
def test_standings_show_all_their_columns_on_the_narrowest_phone(
    page: Page, live_server: LiveServer, rule_set: str
) -> None:
    """Also where a round is a ラウンド or ディール, and points have three digits."""
    tournament = cast.make_tournament(rule_set, published=True)
    cast.record(cast.make_sitting(tournament))
    page.set_viewport_size({"width": 320, "height": 640})
    for language in LANGUAGES:
        set_cookies(page, live_server.url, {settings.LANGUAGE_COOKIE_NAME: language})
        page.goto(live_server.url + address(tournament, "standings/"))
        box = page.locator(".table-scroll").first
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0, language


def test_tabs_on_a_phone_are_all_in_view(page: Page, live_server: LiveServer) -> None:
    tournament = make_long_names().session.tournament
    for width, language in ((360, "ja"), (320, "en")):
        page.set_viewport_size({"width": width, "height": 640})
        set_cookies(page, live_server.url, {settings.LANGUAGE_COOKIE_NAME: language})
        page.goto(live_server.url + address(tournament, "standings/"))
        assert sticks_out(page) == 0
        edges = page.locator(".tabs a").evaluate_all(
            "tabs => tabs.map(tab => tab.getBoundingClientRect().right)"
        )
        assert edges
        assert max(edges) <= width


def test_shared_places_leave_room_for_rounds_on_a_phone(
    page: Page, live_server: LiveServer
) -> None:
    tournament = make_long_names().session.tournament
    page.goto(live_server.url + address(tournament, "standings/"))
    assert page.locator(".tie").first.is_visible()
    boxes = page.locator(".table-scroll").all()
    assert boxes
    for box in boxes:
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_on_the_wall_every_player_is_one_line(page: Page, live_server: LiveServer) -> None:
    tournament = cast.make_tournament(published=True)
    cast.make_entries(tournament, 22)
    Entry.objects.filter(number__lte=20).update(name=LONG)
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(live_server.url + address(tournament, "standings/?wall=1"))
    assert sticks_out(page) == 0
    tops = page.locator(".board thead").evaluate_all(
        "heads => heads.map(head => head.getBoundingClientRect().top)"
    )
    assert len(tops) == 2
    assert tops[0] == tops[1]
    heights = page.locator(".board tbody tr").evaluate_all(
        "rows => rows.map(row => Math.round(row.getBoundingClientRect().height))"
    )
    assert max(heights) - min(heights) <= 2


@pytest.mark.parametrize("has_final", [False, True])
def test_names_on_the_wall_are_as_large_as_the_rows_allow(
    page: Page, live_server: LiveServer, *, has_final: bool
) -> None:
    """A name too long for that is smaller than the others, and makes no other smaller."""
    tournament = cast.make_tournament(published=True)
    cast.make_entries(tournament, 28)
    cast.record(cast.make_sitting(tournament))
    Entry.objects.filter(number=32).update(name="佐々木 千代子太郎左衛門")
    if has_final:
        stages.make_confirmed(tournament, stages.plan(stages.WINNERS))
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(live_server.url + address(tournament, "standings/?wall=1"))
    sizes = page.locator("td.name").evaluate_all(
        "all => all.map(each => [each.scrollWidth - each.clientWidth,"
        " parseFloat(getComputedStyle(each).fontSize)])"
    )
    assert len(sizes) == 34
    assert max(over for over, _size in sizes) == 0
    usual = max(size for _over, size in sizes)
    assert min(size for _over, size in sizes) > 0.65 * usual
    assert sum(size == usual for _over, size in sizes) >= 33
    heights = page.locator("td.name").evaluate_all("all => all.map(each => each.clientHeight)")
    assert usual > 0.75 * max(heights)
    free = page.locator(".board-columns").evaluate(
        "board => board.clientHeight"
        " - Math.max(...[...board.children].map(each => each.clientHeight))"
    )
    assert 0 <= free < 10


def test_what_is_for_the_wall_has_names_on_a_phone_too(page: Page, live_server: LiveServer) -> None:
    tournament = cast.make_tournament(published=True)
    cast.make_entries(tournament, 8)
    page.goto(live_server.url + address(tournament, "standings/?wall=1"))
    assert sticks_out(page) == 0
    widths = page.locator("td.name").evaluate_all(
        "cells => cells.map(cell => cell.getBoundingClientRect().width)"
    )
    assert min(widths) > 80


def set_cookies(page: Page, url: str, cookies: dict[str, str]) -> None:
    page.context.add_cookies(
        [{"name": name, "value": value, "url": url} for name, value in cookies.items()]
    )


def test_what_only_totals_are_known_of_fits_a_phone(page: Page, live_server: LiveServer) -> None:
    tournament = cast.make_tournament(published=True, totals_only=True)
    sitting = cast.make_session(tournament, tables=5).sittings.all()[0]  # enough for a line each
    totals.enter_totals(
        sitting, dict.fromkeys(cast.keys(sitting), 0), seen_version=0, by=cast.SOMEBODY
    )
    for language in LANGUAGES:
        set_cookies(page, live_server.url, {settings.LANGUAGE_COOKIE_NAME: language})
        for rest in ("", "standings/", "players/1/", "sessions/1/", "sessions/1/tables/1/"):
            page.goto(live_server.url + address(tournament, rest))
            assert sticks_out(page) == 0, f"{rest} in {language}"
    page.goto(live_server.url + address(tournament, "sessions/1/"))
    players, seats = page.locator(".seat-order").first, page.locator(".seat-list")
    assert not players.is_visible()
    assert not seats.is_visible()
    assert page.evaluate("document.documentElement.scrollHeight / innerHeight") < 2
    page.locator("a[href='#tables']").click()
    expect(players).to_be_visible()
    page.locator("a[href='#seats']").last.click()
    expect(seats).to_be_visible()
    assert sticks_out(page) == 0


def test_standings_fit_a_tablet_and_a_laptop(page: Page, live_server: LiveServer) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    Entry.objects.filter(number=1).update(reading="ひらやま よしお")
    for width in (768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(live_server.url + address(sitting.session.tournament, "standings/"))
        box = page.locator(".table-scroll").first
        assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0, width
    reading = page.locator("td.reading", has_text="ひらやま")
    # Too narrow for the last letter, as beside many columns.
    reading.evaluate(
        """cell => {
          const text = document.createRange();
          text.selectNodeContents(cell);
          const width = `${text.getBoundingClientRect().width - 4}px`;
          Object.assign(cell.style, {display: 'block', boxSizing: 'content-box', width});
        }"""
    )
    assert reading.evaluate(LINES) == ["ひらやま", "よしお"]


def test_the_history_is_read_on_a_phone_without_scrolling_sideways(
    page: Page, live_server: LiveServer
) -> None:
    sitting = make_long_names()
    tournament = sitting.session.tournament
    cast.make_staff(tournament, "keeper")
    history = address(tournament, "history/")
    page.goto(f"{live_server.url}/log-in/?next={history}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.keyboard.press("Enter")
    expect(page.locator("table.acts")).to_be_visible()
    assert sticks_out(page) == 0
    box = page.locator(".table-scroll")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_unfinished_tables_of_a_session_to_end_have_their_link_beside_them(
    page: Page, live_server: LiveServer
) -> None:
    tournament = make_long_names().session.tournament
    browser = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    name = settings.SESSION_COOKIE_NAME
    set_cookies(page, live_server.url, {name: browser.cookies[name].value})
    for language in LANGUAGES:
        set_cookies(page, live_server.url, {settings.LANGUAGE_COOKIE_NAME: language})
        page.goto(live_server.url + reverse("end-session", args=[tournament.slug, 1]))
        assert_link_is_beside_its_table(page, language)


def assert_link_is_beside_its_table(page: Page, language: str) -> None:
    assert sticks_out(page) == 0, language
    row = page.locator(".desk-list > li").first
    tops = [row.locator(part).bounding_box() for part in ("label", "a", ".desk-words")]
    label, link, words = [box for box in tops if box]
    assert abs(label["y"] + label["height"] / 2 - link["y"] - link["height"] / 2) < 4, language
    assert words["y"] >= label["y"] + label["height"], language
    assert row.locator("a").evaluate("link => link.getClientRects().length") == 1, language


@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu", "gouji"])
def test_a_small_phone_shows_the_form_at_twice_its_size(
    page: Page, live_server: LiveServer, rule_set: str
) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    page.set_viewport_size({"width": 180, "height": 370})
    page.goto(live_server.url + reverse("join-table", args=[sitting.token]))
    expect(page.locator("html[data-phone=ready]")).to_have_count(1)
    assert sticks_out(page) == 0


def test_pages_fit_a_phone_that_shows_type_of_150_percent(
    chromium: Browser, live_server: LiveServer
) -> None:
    """The type is chosen in the browser, so that queries about the width follow it."""
    tournament = cast.make_session(cast.make_tournament(published=True), tables=2).tournament
    log_in = (
        cast.browser_of(cast.make_staff(tournament, "keeper", "director"))
        .cookies["sessionid"]
        .value
    )
    options = browsers.options()
    options["args"] = [*options["args"], "--blink-settings=defaultFontSize=24"]
    with chromium.browser_type.launch(**options) as large, large.new_page() as page:
        page.set_viewport_size(browsers.SMALL)
        for language in LANGUAGES:
            cookies = {"sessionid": log_in, settings.LANGUAGE_COOKIE_NAME: language}
            page.context.add_cookies(
                [
                    {"name": name, "value": value, "url": live_server.url}
                    for name, value in cookies.items()
                ]
            )
            for rest in ("", "standings/", "board/", "sessions/1/", "settings/", "seats/"):
                page.goto(live_server.url + address(tournament, rest))
                assert sticks_out(page) == 0, (language, rest)
