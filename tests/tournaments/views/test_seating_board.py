"""The seating board in a browser: with a mouse, a finger and the keyboard; stored as it stands."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import browsers, cast
from tests.cast import SOMEBODY
from tests.live import wait_until
from tests.proposals import numbers
from tournaments.models import SeatProposal, Session, Tournament
from tournaments.queries.presence import Status
from tournaments.services import presence, schedules, seating, sessions
from tournaments.services.entries import add_entries
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db(transaction=True)

POLL = 6000  # milliseconds of a page's clock, until it asks for new marks


@pytest.fixture
def event(transactional_db: None) -> Tournament:
    """Twelve players of two clubs, seated once, and one who came later."""
    tournament = cast.make_tournament()
    people = [
        {"name": f"選手{i:02}", "reading": f"よみ{i:02}", "club": f"会{i % 6}"}
        for i in range(1, 13)
    ]
    entries = add_entries(tournament, people, by=SOMEBODY)
    seating.open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    cast.make_entries(tournament, 1)
    cast.make_staff(tournament, "chief", "director")
    return tournament


@pytest.fixture
def board(still_page: Page, live_server: LiveServer, event: Tournament) -> Page:
    open_board(still_page, live_server, event)
    return still_page


def open_board(page: Page, live_server: LiveServer, event: Tournament, *, session: int = 1) -> None:
    """Log in and open the page for changing the seats of a session by hand."""
    path = reverse("reseat-session", args=[event.slug, session])
    page.goto(f"{live_server.url}{reverse('log-in')}?next={path}")
    page.fill("[name=username]", "chief")
    page.fill("[name=password]", "chief")
    page.click("main button")
    page.click("[name=hand]")
    expect(page.locator(".board-tables .board-row")).to_have_count(12)


def draw_the_seats(page: Page, live_server: LiveServer, event: Tournament) -> str:
    """Log in and draw the next session; return the path of the page that proposes its seats."""
    path = reverse("seat-session", args=[event.slug])
    page.goto(f"{live_server.url}{reverse('log-in')}?next={path}")
    page.fill("[name=username]", "chief")
    page.fill("[name=password]", "chief")
    page.click("main button")
    page.get_by_role("button", name="席を抽選する").click()
    expect(page.locator(".board-tables .board-row")).to_have_count(12)
    return path


def player(page: Page, number: int) -> Locator:
    return page.locator(f".board-row[data-key='{number}'] .board-player")


def shown(page: Page) -> list[list[int]]:
    """Return the numbers at each table, as the board shows them."""
    tables = page.locator("#board-tables .board-table").all()
    return [
        [int(row.get_attribute("data-key") or 0) for row in table.locator(".board-row").all()]
        for table in tables
    ]


def middle(found: Locator) -> tuple[float, float]:
    found.scroll_into_view_if_needed()
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: Locator, end: Locator) -> None:
    page.mouse.move(*middle(start))
    page.mouse.down()
    x, y = middle(end)
    page.mouse.move(x - 20, y, steps=3)
    page.mouse.move(x, y)
    page.mouse.up()


def stored() -> list[list[int]]:
    return numbers(seating.seating_of(Session.objects.latest("number")))


def test_a_name_is_dragged_onto_another(board: Page) -> None:
    board.keyboard.press("Control+a")  # selected text is not dragged instead
    drag(board, player(board, 2), player(board, 8))
    assert shown(board) == [[1, 8, 3, 4, 5, 6], [7, 2, 9, 10, 11, 12]]
    board.locator("button.button-primary").click()
    board.wait_for_url("**/sessions/1/")
    assert stored() == [[1, 8, 3, 4, 5, 6], [7, 2, 9, 10, 11, 12]]


def test_a_dropped_name_is_not_picked(board: Page) -> None:
    drag(board, player(board, 2), player(board, 3))
    assert shown(board)[0][:3] == [1, 3, 2]
    expect(board.locator("[aria-pressed=true]")).to_have_count(0)


def test_keyboard_exchanges_two_players(board: Page) -> None:
    board.locator("#board-find").fill("選手03")
    board.keyboard.press("Enter")
    expect(player(board, 3)).to_be_focused()
    expect(player(board, 3)).to_have_attribute("aria-pressed", "true")
    board.keyboard.press("ArrowRight")
    board.keyboard.press("ArrowDown")
    expect(player(board, 10)).to_be_focused()
    board.keyboard.press("Enter")
    assert shown(board) == [[1, 2, 10, 4, 5, 6], [7, 8, 9, 3, 11, 12]]
    board.keyboard.press("Control+z")
    assert shown(board) == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
    expect(board.locator("#board-undo")).to_be_disabled()


def test_a_player_without_a_seat_takes_one(board: Page) -> None:
    player(board, 13).click()
    player(board, 5).click()
    assert shown(board) == [[1, 2, 3, 4, 13, 6], [7, 8, 9, 10, 11, 12]]
    expect(board.locator("#board-bench .board-row")).to_have_attribute("data-key", "5")
    board.locator("button.button-primary").click()
    board.wait_for_url("**/sessions/1/")
    assert stored()[0] == [1, 2, 3, 4, 13, 6]


def test_who_was_drawn_to_sit_out_is_told_only_while_they_do(
    board: Page, live_server: LiveServer, event: Tournament
) -> None:
    board.goto(live_server.url + reverse("seat-session", args=[event.slug]))
    board.locator("form#draw-options button.button-primary").click()
    told = board.locator("#sitting-out")
    expect(told).to_be_visible()
    benched = board.locator("#board-bench .board-player")
    expect(benched).to_have_count(1)
    benched.click()
    board.locator("#board-tables .board-player").first.click()
    expect(told).to_be_hidden()
    board.locator("#board-undo").click()
    expect(told).to_be_visible()


def test_a_table_with_too_many_is_told_and_refused(board: Page) -> None:
    player(board, 13).click()
    board.locator(".board-table:nth-child(2) .board-here").click()
    assert shown(board)[1][5:] == [12, 13]
    expect(board.locator(".board-table.is-wrong")).to_have_count(1)
    expect(board.locator("#board-summary")).to_contain_text("第2卓")
    board.locator("button.button-primary").click()
    expect(board.locator("#error-summary, .alert-error").first).to_be_visible()
    expect(board.locator(".board-table.is-wrong")).to_have_count(1)  # as it was left
    assert stored() == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]


def test_repeats_and_clubmates_are_marked(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page = still_page
    event.entries.filter(number=7).update(club="会 １", division="級")  # 会1, spelled differently
    entries = list(event.entries.filter(number__lte=12))
    tables = [entries[::2], entries[1::2]]
    seating.open_session(event, tables, by=SOMEBODY)
    open_board(page, live_server, event, session=2)
    expect(player(page, 1).locator(".board-mark")).to_have_text("前にも同卓 3・5 同所属 7")
    expect(page.locator("#board-summary")).to_contain_text("前にも同卓した組：12")
    expect(page.locator("#board-summary")).to_contain_text("同所属6組")
    expect(player(page, 7).locator(".board-club")).to_have_text("会1 · 級")
    expect(player(page, 13).locator(".board-rested")).to_have_text("出なかった回戦1")
    before = event.sessions.get(number=1).sittings.get(number=1)
    cast.record(before)  # 6 leaves after it
    now, keys = [*entries[:5], event.entries.get(number=13)], [each.key for each in entries[:6]]
    change_players(before, now, seen_players=keys, by=SOMEBODY)
    page.reload()
    expect(player(page, 6).locator(".board-mark")).to_contain_text("前にも同卓 2・4")
    expect(page.locator("#board-summary")).to_contain_text("前にも同卓した組：12")
    expect(player(page, 6).locator(".board-rested")).to_be_empty()


def test_planned_seats_are_changed_on_the_board(
    board: Page, live_server: LiveServer, event: Tournament
) -> None:
    facts = cast.drawn_facts(event, 2)
    schedules.store_schedule(event, 2, facts, seen_version=0, by=SOMEBODY)
    board.goto(f"{live_server.url}{reverse('planned-seats', args=[event.slug, 2])}")
    expect(board.locator("#board-summary")).to_contain_text("2卓・12人着席")


def test_marks_made_meanwhile_are_told(board: Page, event: Tournament) -> None:
    entry, expected = event.entries.get(number=4), Status.EXPECTED
    presence.mark_presence(entry, 1, Status.ABSENT, seen_status=expected, by=SOMEBODY)
    board.clock.run_for(POLL)
    expect(board.locator("#board-stale")).to_contain_text("選手04")
    expect(player(board, 4)).to_contain_text("欠席")
    player(board, 1).click()
    player(board, 2).click()
    board.locator("button.button-primary").click()  # without an answer to what was told
    expect(board.locator("main")).to_contain_text("席が残っています")
    assert stored()[0][:2] == [1, 2]
    player(board, 4).click()
    player(board, 13).click()
    board.locator("button.button-primary").click()
    board.wait_for_url("**/sessions/1/")
    assert stored()[0] == [2, 1, 3, 13, 5, 6]


def test_seats_shown_are_seated_after_moves_reloads_and_back(
    page: Page, live_server: LiveServer, event: Tournament
) -> None:
    """After each random action the board shows the moves; the seats shown last are stored."""
    chance = random.Random(20261123)  # noqa: S311  moves to repeat, no secret
    roll_call = reverse("roll-call", args=[event.slug, 2])
    path = draw_the_seats(page, live_server, event)

    def move() -> None:
        tables = shown(page)
        one, other = chance.sample([number for table in tables for number in table], 2)
        player(page, one).click()
        player(page, other).click()
        exchanged = {one: other, other: one}
        wanted = [[exchanged.get(number, number) for number in table] for table in tables]
        wait_until(lambda: shown(page) == wanted)

    def leave_and_go_back() -> None:
        page.goto(f"{live_server.url}{roll_call}")
        page.go_back()

    def open_again() -> None:
        page.goto(f"{live_server.url}{path}")

    def back_and_forth() -> None:
        page.goto(f"{live_server.url}{roll_call}")
        page.go_back()
        page.go_forward()
        page.go_back()

    ways: list[Callable[[], Any]] = [leave_and_go_back, page.reload, open_again, back_and_forth]
    for way in [leave_and_go_back, *chance.choices(ways, k=6)]:
        move()
        seats = shown(page)
        way()
        expect(page.locator(".board-tables .board-row")).to_have_count(12)
        assert shown(page) == seats, way
    move()
    seats = shown(page)
    page.locator("button.button-primary").first.click()
    page.wait_for_url("**/sessions/2/")
    assert stored() == seats


def test_moves_that_the_server_does_not_have_outlive_the_page(
    page: Page, live_server: LiveServer, event: Tournament
) -> None:
    """Two moves without the network: the next page shows both, and stores them."""
    path = draw_the_seats(page, live_server, event)
    proposed = shown(page)
    page.route("**", lambda route: route.abort())
    for one, other in [(proposed[0][0], proposed[1][0]), (proposed[0][1], proposed[1][1])]:
        player(page, one).click()
        player(page, other).click()
    expect(page.locator("#board-refused")).to_be_visible()
    moved = shown(page)
    assert moved != proposed
    page.unroute("**")
    page.goto(f"{live_server.url}{path}")
    expect(page.locator(".board-tables .board-row")).to_have_count(12)
    assert shown(page) == moved
    wait_until(lambda: SeatProposal.objects.get().seats == [[*map(str, table)] for table in moved])
    page.reload()
    expect(page.locator(".board-tables .board-row")).to_have_count(12)
    assert shown(page) == moved


def test_34_players_one_late_and_one_gone_are_seated_with_five_clicks(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    event = cast.make_tournament("goninkan-classic")
    entries = cast.make_entries(event, 34)
    for _ in (1, 2):
        tables = [entries[i : i + 6] for i in range(0, 24, 6)] + [entries[24:29], entries[29:]]
        session = seating.open_session(event, tables, by=SOMEBODY)
        sessions.end_session(session, stopping=range(1, 7), by=SOMEBODY)
    cast.make_staff(event, "chief", "director")
    page.set_viewport_size({"width": 1280, "height": 860})  # a phone unfolds the line of each
    page.goto(f"{live_server.url}{reverse('log-in')}?next={event.get_absolute_url()}")
    page.fill("[name=username]", "chief")
    page.fill("[name=password]", "chief")
    page.click("main button")
    page.locator(f"main a[href='{reverse('roll-call', args=[event.slug, 3])}']").first.click()
    expect(page.locator(".roll > li")).to_have_count(34)
    page.wait_for_load_state()
    for number, status in ((12, "late"), (20, "withdrawn")):
        page.fill("#roll-q", str(number))
        page.locator(f"#p{number} button[value$='.{status}']").click()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    page.locator("[form=propose-seats]").click()
    expect(page.locator(".board-tables .board-row")).to_have_count(32)
    for width, height in ((360, 740), (1280, 860)):  # nobody scrolls to see what is proposed
        page.set_viewport_size({"width": width, "height": height})
        for seen in ("form h2", "button.button-primary"):
            expect(page.locator(f"main {seen}").first).to_be_in_viewport(ratio=1)
    page.locator("button.button-primary").click()
    page.wait_for_url("**/sessions/3/")
    seated = seating.seating_of(event.sessions.get(number=3))
    assert {entry.number for table in seated for entry in table} == {*range(1, 35)} - {12, 20}


def test_a_finger_drags_the_grip(
    chromium: Browser, live_server: LiveServer, event: Tournament
) -> None:
    context = browsers.new_profile(chromium, has_touch=True)
    page = context.new_page()
    open_board(page, live_server, event)
    touch(page, page.locator(".board-row[data-key='1'] .board-grip"), player(page, 4))
    assert shown(page)[0][:4] == [4, 2, 3, 1]
    context.close()


def touch(page: Page, start: Locator, end: Locator) -> None:
    """Drag with a finger; Playwright has no such gesture."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, points: list[Any]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    end.scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = middle(start), middle(end)
    send("touchStart", [{"x": x, "y": y}])
    for part in (0.3, 0.7, 1):
        send("touchMove", [{"x": x + (to_x - x) * part, "y": y + (to_y - y) * part}])
    send("touchEnd", [])


def test_substitute_without_a_seat_is_neither_away_nor_missed_a_session(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page = still_page
    add_entries(event, [{"name": "代理 一郎", "is_substitute": True}], by=SOMEBODY)
    entries = list(event.entries.filter(number__lte=12))
    seating.open_session(event, [entries[::2], entries[1::2]], by=SOMEBODY)
    open_board(page, live_server, event, session=2)
    expect(player(page, 14).locator(".board-status")).to_have_text("代理")
    expect(player(page, 14).locator(".board-rested")).to_have_text("")
    expect(page.locator("#board-summary")).to_contain_text("抜け番1人")
    expect(page.locator("#board-summary")).not_to_contain_text("欠席")
