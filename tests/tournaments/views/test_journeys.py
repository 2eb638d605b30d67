"""Whole evenings in a browser, on a phone and at the desk."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast, deals
from tests.deals import fill_in as count
from tournaments.models import Round

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ["成田 キヨ", "工藤 正", "葛西 ミツ", "対馬 勝", "三上 トメ", "佐藤 一郎"]


def tap(page: Page, seats: tuple[int, ...]) -> None:
    """Tap these seats: before the first round who deals, then the two kankei."""
    for seat in seats:
        page.locator(f".ring .seat:nth-child({seat})").click()


def save(page: Page) -> None:
    page.locator(".actions-stuck button").click()


def expect_points(page: Page, points: str) -> None:
    expect(page.locator("#preview .facts-big dd").first).to_have_text(points)


def test_a_club_scores_the_two_worked_games_of_001_on_a_phone(
    page: Page, live_server: LiveServer
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(live_server.url)
    page.locator("a[href='/tables/goninkan-association/']").first.click()
    boxes = page.locator("form input[type=text]")
    for i, name in enumerate(NAMES):
        boxes.nth(i).fill(name)
    page.locator("main form button.button-primary").click()

    page.locator("main a.button-primary").click()
    tap(page, (1, 2, 4))
    count(page, 1, 9, 4)
    count(page, 2, 16, 0, "juroku")
    count(page, 3, 9, 7)
    expect_points(page, "+13")
    save(page)

    page.locator("[data-do=take-phone]").click()
    tap(page, (4, 6))
    count(page, 1, 9, 0)
    count(page, 2, 8, 0)
    count(page, 3, 1, 15, "reverse_juroku")
    expect_points(page, "+38")
    save(page)
    expect(page.locator("#pass-state.is-sent")).to_be_visible()
    page.locator(".phone-head [data-sheet=ledger]").click()

    ledger = page.locator("#sheets table.ledger").first
    expect(ledger).to_contain_text("+51")  # 対馬 勝 was kankei in both
    expect(ledger).to_contain_text("−51")
    assert complaints == []
    assert Round.objects.count() == 2


def open_round(page: Page, live_server: LiveServer, rule_set: str) -> None:
    """Open the form for the first round of a new table, which this browser may write for."""
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    page.goto(f"{live_server.url}/join/{sitting.token}/")
    page.goto(f"{live_server.url}{sitting.get_absolute_url()}rounds/1/")


def test_a_mistyped_count_changes_nothing_else(page: Page, live_server: LiveServer) -> None:
    open_round(page, live_server, "goninkan-association")
    count(page, 1, 9, 5)
    deal = page.locator("#deal-1")
    deals.open_again(deal)
    deals.type_counts(deal, 99, 5)
    expect(deal.locator("[data-number]")).to_have_text(["9", "0"])  # nothing less than none
    page.fill("#id_deal_1_kankei", "9")
    assert page.input_value("#id_deal_1_mukankei") == "5"
    expect_points(page, "+1")


def test_a_deal_with_something_in_it_is_not_left_out(page: Page, live_server: LiveServer) -> None:
    open_round(page, live_server, "goninkan-association")
    tap(page, (1, 2, 4))
    count(page, 1, 9, 5)
    count(page, 2, 8, 3)
    count(page, 1, 5, 9)
    expect_points(page, "−1")
    save(page)
    expect(page.locator("#deal-2 .error")).to_be_visible()
    assert not Round.objects.exists()


def test_a_half_typed_round_outlives_a_reload(page: Page, live_server: LiveServer) -> None:
    open_round(page, live_server, "goninkan-association")
    tap(page, (1, 2, 4))
    count(page, 1, 9, 5)
    page.reload()
    assert page.input_value("#id_deal_1_kankei") == "9"
    expect(page.locator(".seat.is-kankei, .seat:has([name=kankei]:checked)")).to_have_count(2)


def test_a_browser_that_lets_pages_keep_nothing_has_working_buttons(
    own_page: Page, live_server: LiveServer
) -> None:
    page = own_page
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'sessionStorage',"
        " { get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    open_round(page, live_server, "goninkan-association")
    deal = page.locator("#deal-1")
    deals.show_counters(deal)
    deal.locator("[data-fill]").first.click()
    expect(deal.locator(".counter-kankei input")).to_have_value("9")
    page.locator(".ring .seat").nth(1).click()
    page.locator("main form .actions-stuck button").click()
    assert complaints == []


def test_all_six_names_may_be_tapped(page: Page, live_server: LiveServer) -> None:
    open_round(page, live_server, "gouji")
    names = page.locator(".tap-player")
    for i in range(6):
        names.nth(i).click()
    expect(names.last.locator(".tap-place")).to_have_text("6")
    save(page)
    expect(page.locator("main")).to_contain_text("+2")
    assert Round.objects.count() == 1


def test_a_phone_holds_no_page_that_scrolls_sideways(page: Page, live_server: LiveServer) -> None:
    tournament = cast.make_tournament(published=True)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    addresses = ["/", "/rules/", "/rules/yoninkan/", "/tables/gong-zhu/", "/log-in/"]
    addresses += [tournament.get_absolute_url(), sitting.get_absolute_url()]
    addresses += [
        f"{tournament.get_absolute_url()}{inner}" for inner in ("standings/", "players/1/")
    ]
    for address in addresses:
        page.goto(live_server.url + address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, address


def test_a_director_runs_a_tournament(page: Page, live_server: LiveServer, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    hub = create_a_tournament(page, live_server)
    enter_twelve_players(page, hub)
    seat_them(page, hub)
    record_and_correct_a_round(page, hub)
    read_the_standings(page, hub, tmp_path)
    publish(page, hub)


def create_a_tournament(page: Page, live_server: LiveServer) -> str:
    """Return the address of its page."""
    user = cast.make_creator("director")
    page.goto(f"{live_server.url}/log-in/?next=/tournaments/new/goninkan-association/")
    page.fill("[name=username]", user.username)
    page.fill("[name=password]", user.username)
    page.locator("main button").click()

    page.fill("[name=name]", "新春大会")
    page.locator("main form button.button-primary").click()
    expect(page).to_have_url(re.compile("/entries/$"))
    return page.url.removesuffix("entries/")


def enter_twelve_players(page: Page, hub: str) -> None:
    page.goto(f"{hub}entries/")
    pasted = "\n".join(f"{NAMES[i % 6]} {i}, 五所川原会, 一般" for i in range(12))
    page.fill("[name=people]", pasted)
    page.locator("form:has([name=people]) .button-primary").click()
    expect(page.locator("main")).to_contain_text("佐藤 一郎 11")


def seat_them(page: Page, hub: str) -> None:
    """Take the proposed draw."""
    page.get_by_role("link", name="第1回戦の席を決める").click()
    expect(page).to_have_url(f"{hub}sessions/new/")
    page.get_by_role("button", name="席を抽選する").click()
    expect(page).to_have_url(f"{hub}sessions/new/1/")
    expect(page.locator("#board-tables .board-table")).to_have_count(
        2
    )  # in place of the listed proposal
    page.get_by_role("button", name="この案で決める").click()
    expect(page.locator(".sitting")).to_have_count(2)


def record_and_correct_a_round(page: Page, hub: str) -> None:
    """Record a round with a wrong count, and correct it, which needs a reason."""
    page.goto(f"{hub}sessions/1/tables/1/rounds/1/")
    page.locator(".seat [name=dealer]").first.check()  # nobody is put down unasked
    tap(page, (2, 4))
    count(page, 1, 5, 8)
    expect_points(page, "−1")
    save(page)

    page.goto(f"{hub}sessions/1/tables/1/rounds/1/")
    count(page, 1, 0, 8)
    expect_points(page, "−10")
    save(page)
    page.fill("[name=reason]", "絵札の数え違い")
    save(page)
    expect(page.locator("main")).to_contain_text("絵札の数え違い")


def read_the_standings(page: Page, hub: str, folder: Path) -> None:
    """Find the corrected points on the page and in the workbook; print the chart as a PDF."""
    page.goto(f"{hub}standings/")
    expect(page.locator("table.ledger").first).to_contain_text("+10")
    with page.expect_download() as download:
        page.locator("a[href$='standings.xlsx']").click()
    workbook = folder / "standings.xlsx"
    download.value.save_as(workbook)
    head, *rows = openpyxl.load_workbook(workbook, data_only=True).worksheets[0].values
    points = [row[head.index("得点")] for row in rows]
    assert sorted(points, key=str) == sorted([10] * 3 + [-10] * 3 + [None] * 6, key=str)
    chart = page.request.get(f"{hub}chart.pdf")
    assert chart.body().startswith(b"%PDF")


def publish(page: Page, hub: str) -> None:
    assert page.context.browser is not None
    public = page.context.browser.new_page()
    assert (answer := public.goto(hub)) is not None
    assert answer.status == 404
    page.goto(f"{hub}publish/")
    page.locator("button[value=published]").click()
    public.goto(f"{hub}standings/")
    expect(public.locator("main")).to_contain_text("+10")
    public.close()
