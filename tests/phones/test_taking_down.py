"""Taking down rounds on the phone: with the network, without it, and when it fails half-way."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Route, ViewportSize, expect

from tests import cast
from tests.phones.conftest import HOST, Phone, wait_until
from tests.programs import find_program
from tournaments.models import Receipt, Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)


def kill_browser_of(profile: Path) -> None:
    """Kill every process of the browser that was started with this profile."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--user-data-dir={profile}".encode() in line.read_bytes().split(b"\0"):
                os.kill(int(line.parent.name), signal.SIGKILL)


SMALL: ViewportSize = {"width": 360, "height": 740}


def take_down(phone: Phone, kankei: int = 5, mukankei: int = 8) -> None:
    """Take down a round the mukankei win in the first deal, and hand the phone on."""
    phone.kankei(*free_seats(phone))
    phone.count(1, kankei, mukankei)
    phone.save()
    phone.take_phone()


def free_seats(phone: Phone) -> tuple[int, int]:
    """Two seats, apart from each other and from the dealer's."""
    phone.find_dealer()
    seats = phone.page.locator(".ring .seat")
    dealer = next(i for i in range(6) if "is-dealer" in (seats.nth(i).get_attribute("class") or ""))
    return (dealer + 1) % 6 + 1, (dealer + 3) % 6 + 1


def stored() -> list[tuple[int, int, int]]:
    """What is recorded, as it came: round, version, face cards of the kankei in its last deal."""
    rows = Round.objects.order_by("pk")
    return [(row.number, row.version, row.facts["deals"][-1]["kankei"]) for row in rows]


def wait_for(count: int) -> None:
    """Wait until so many versions are stored."""
    wait_until(lambda: Round.objects.count() >= count)


def test_a_gym_is_no_secure_context(phone: Phone) -> None:
    assert phone.page.evaluate("window.isSecureContext") is False
    assert phone.page.evaluate("'serviceWorker' in navigator") is False
    assert phone.page.evaluate("'randomUUID' in crypto") is False


def test_a_round_is_sent_and_the_phone_handed_on(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.count(2, 16, 0, "juroku")
    phone.count(3, 9, 7)
    expect(phone.page.locator("#preview .facts-big dd").first).to_have_text("+13")
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()
    expect(phone.page.locator("#pass-title")).to_contain_text("工藤 正")
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    row = Round.objects.get()
    assert row.facts["deals"][1] == {"kankei": 16, "mukankei": 0, "declaration": "juroku"}
    phone.take_phone()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    assert phone.page.input_value("#id_dealer") == row.facts["kankei"][0]
    assert phone.complaints == []


def test_a_round_is_taken_down_deal_by_deal(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.save()
    wait_for(1)
    phone.count(2, 8, 3)
    phone.save()
    wait_for(2)
    phone.count(3, 3, 8)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert stored() == [(1, 1, 9), (1, 2, 8), (1, 3, 3)]


def test_what_is_half_typed_survives_a_reload(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.page.fill("#id_deal_2_kankei", "7")
    phone.expect_draft("deal_2_kankei", "7")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "9"
    assert phone.page.input_value("#id_deal_2_kankei") == "7"
    assert phone.page.locator(".ring input:checked").count() == 2
    assert Round.objects.count() == 0


def start_browser(chromium: Browser, folder: Path) -> BrowserContext:
    """Start a browser that keeps what it keeps in this folder."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    return chromium.browser_type.launch_persistent_context(
        folder,
        executable_path=find_program("chromium"),
        args=["--no-sandbox", "--disable-dev-shm-usage", rules],
        viewport=SMALL,
    )


def test_what_is_typed_and_queued_survives_the_browser(
    chromium: Browser, address: str, sitting: Sitting, tmp_path: Path
) -> None:
    """The browser is killed without the network; started again, it has everything."""
    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.join()
    context.close()  # browsers write cookies down now and then, and when they are closed

    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.play()
    context.set_offline(True)
    take_down(phone)
    phone.kankei(*free_seats(phone))
    phone.count(1, 9, 2)
    phone.expect_unsent(1)
    phone.expect_draft("deal_1_mukankei", "2")
    kill_browser_of(tmp_path)
    with suppress(Error):
        context.close()

    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.play()
    wait_for(1)
    expect(phone.page.locator("#round-title")).to_contain_text("2")
    assert phone.page.input_value("#id_deal_1_kankei") == "9"
    assert phone.page.locator(".ring input:checked").count() == 2
    assert stored() == [(1, 1, 5)]
    context.close()


def test_a_double_tap_is_one_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.page.locator(".actions-stuck button").dblclick()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert stored() == [(1, 1, 5)]
    assert Receipt.objects.count() == 1


def test_two_tabs_are_one_round(phone: Phone) -> None:
    other = phone.play(phone.new_page())
    phone.context.set_offline(True)
    for page in (phone.page, other):
        for seat in (1, 2, 4):  # who deals, and the two kankei
            page.locator(f".ring .seat:nth-child({seat})").click()
        page.fill("#id_deal_1_kankei", "5")
        page.fill("#id_deal_1_mukankei", "8")
        page.locator(".actions-stuck button").click()
        expect(page.locator("#panel-pass")).to_be_visible()
    phone.expect_unsent(1)
    phone.context.set_offline(False)
    wait_for(1)
    phone.expect_unsent(0)
    expect(other.locator("#queue.is-waiting")).to_have_count(0)
    assert stored() == [(1, 1, 5)]
    assert Receipt.objects.count() == 1


def test_a_tab_left_open_says_that_the_other_saved_otherwise(phone: Phone) -> None:
    other = phone.play(phone.new_page())
    for seat in (1, 2, 4):
        other.locator(f".ring .seat:nth-child({seat})").click()
    other.fill("#id_deal_1_kankei", "3")
    other.fill("#id_deal_1_mukankei", "8")
    take_down(phone)
    wait_for(1)
    expect(other.locator("#queue-words")).to_have_text("すべて送信済み")
    other.locator(".actions-stuck button").click()
    expect(other.locator("#save-problem")).to_be_visible()
    assert stored() == [(1, 1, 5)]


def test_six_deals_without_the_network_are_stored_once_and_in_order(phone: Phone) -> None:
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    for deal, count in ((1, 9), (2, 8)):
        phone.count(deal, count, 4)
        phone.save()
    phone.count(3, 4, 8)
    phone.save()
    phone.take_phone()
    for count in (5, 6, 7):
        take_down(phone, count)
    phone.expect_unsent(6)
    expect(phone.page.locator(".is-sent")).to_have_count(0)
    assert Round.objects.count() == 0

    phone.context.set_offline(False)
    wait_for(6)
    phone.expect_unsent(0)
    expected = [(1, 1, 9), (1, 2, 8), (1, 3, 4), (2, 1, 5), (3, 1, 6), (4, 1, 7)]
    assert stored() == expected
    dealers = [row.facts["dealer"] for row in Round.objects.order_by("pk")]
    keys = cast.keys(phone.sitting)
    assert dealers == [keys[0]] * 3 + keys[1:4]
    assert phone.complaints == []


def test_an_answer_that_got_lost_does_not_double_a_round(phone: Phone) -> None:
    """The server stores the round, the phone never hears of it, and sends again."""
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        asked = urlsplit(route.request.url)  # the test's own machine does not know the name
        known = asked._replace(netloc=f"127.0.0.1:{asked.port}").geturl()
        headers = {**route.request.headers, "host": asked.netloc}
        lost.append(route.fetch(url=known, headers=headers).status)
        route.abort()

    phone.page.route("**/api/sittings/*/rounds/*", lose)
    take_down(phone)
    wait_for(1)
    phone.expect_unsent(0)
    assert lost == [201]
    assert stored() == [(1, 1, 5)]


PORTAL = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"}
PASSING = [
    *({"status": status, "json": {"message": "later"}} for status in (429, 500, 502, 503, 504)),
    {"status": 507, "json": {"message": "later"}},
    {"status": 302, "headers": {"Location": "http://portal.test/"}},
    PORTAL,
    {"status": 200, "json": {"welcome": True}},
    *({"status": status, "body": "<h1>Blocked"} for status in (405, 413)),
    {"status": 422, "json": {"code": 422, "message": "no"}},
]


def refusal(words: str) -> dict[str, Any]:
    """Return a refusal of the API's."""
    return {"ok": False, "code": "no", "message": words, "errors": []}


REFUSALS = [401, 403, 404, 409, 413, 422]


def name_of(answer: Any) -> str:
    return f"{answer['status']}-{'json' if 'json' in answer else 'other'}"


@pytest.mark.parametrize("answer", PASSING, ids=name_of)
def test_an_answer_that_passes_keeps_the_round_until_it_is_sent(
    phone: Phone, answer: dict[str, Any]
) -> None:
    phone.page.route("**/api/sittings/*/rounds/*", lambda route: route.fulfill(**answer))
    take_down(phone)
    phone.expect_unsent(1)
    phone.expect_tries(2)
    phone.expect_unsent(1)
    phone.page.unroute("**/api/sittings/*/rounds/*")
    wait_for(1)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5)]


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_marks_the_round_and_the_rest_goes_on(phone: Phone, status: int) -> None:
    """Round 1 is refused in a corrected version; round 2 is sent all the same."""
    cast.record(phone.sitting, {**cast.plain_round(phone.sitting), "dealer": first(phone)})
    phone.play()

    def refuse(route: Route) -> None:
        facts = (route.request.post_data_json or {})["facts"]
        if facts["deals"][0]["kankei"] == 3:
            route.fulfill(status=status, json=refusal("まちがいです"))
        else:
            route.continue_()

    phone.page.route("**/api/sittings/*/rounds/*", refuse)
    take_down(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.open_queue()
    item = phone.page.locator("#queue-items li")
    expect(item).to_contain_text("まちがいです")
    expect(phone.page.locator("#trouble")).to_contain_text("まちがいです")
    assert '"kankei":3' in phone.page.input_value("#queue-text")
    phone.expect_unsent(1)

    with phone.page.expect_response(lambda answer: answer.status == status):
        phone.play()
    phone.expect_tries(2)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.expect_unsent(1)  # nothing is dropped
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.open_queue()
    phone.page.locator("[data-do=again]").click()
    wait_for(2)
    phone.expect_unsent(0)
    assert [row[2] for row in stored()] == [5, 3]


def test_three_rounds_come_through_a_server_that_mostly_fails(phone: Phone) -> None:
    """Round 1 is answered 500, so that those behind it are refused at first, being too early."""
    answers: list[dict[str, Any]] = [{"status": 500, "body": "<h1>"}, {}, {}, PORTAL, {}]

    def fail(route: Route) -> None:
        answer = answers.pop(0) if answers else {}
        route.fulfill(**answer) if answer else route.continue_()

    phone.context.set_offline(True)
    for count in (5, 6, 7):
        take_down(phone, count)
    phone.page.route("**/api/sittings/*/rounds/*", fail)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5), (2, 1, 6), (3, 1, 7)]


def first(phone: Phone) -> str:
    return cast.keys(phone.sitting)[-1]


def test_what_is_kept_can_be_put_right(phone: Phone) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=422, json=refusal("まちがいです"))

    phone.page.route("**/api/sittings/*/rounds/*", refuse)
    take_down(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.open_queue()
    phone.page.locator("#queue-items [data-do=open]").click()
    expect(phone.page.locator("#id_deal_1_kankei")).to_have_value("3")
    phone.count(1, 4, 8)
    phone.save()
    wait_for(1)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 4)]


def test_nothing_leaves_the_phone_unless_somebody_says_so_twice(phone: Phone) -> None:
    answer = {"status": 422, "json": refusal("まちがいです")}
    phone.page.route("**/api/sittings/*/rounds/*", lambda route: route.fulfill(**answer))
    take_down(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.open_queue()
    phone.page.locator("#queue-items [data-do=drop]").click()
    phone.page.locator("#sure-drop [data-answer=no]").click()
    phone.expect_unsent(1)
    phone.page.locator("#queue-items [data-do=drop]").click()
    phone.page.locator("#sure-drop [data-answer=yes]").click()
    phone.expect_unsent(0)


def test_a_round_recorded_by_the_desk_meanwhile_is_not_overwritten(phone: Phone) -> None:
    phone.context.set_offline(True)
    take_down(phone, 3)
    cast.record(phone.sitting)
    phone.context.set_offline(False)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    assert stored() == [(1, 1, 5)]
    assert '"kankei":3' in phone.page.input_value("#queue-text")


def test_a_page_without_script_still_records(
    new_context: Callable[[], BrowserContext], gym: Browser, address: str, sitting: Sitting
) -> None:
    context = gym.new_context(viewport=SMALL, java_script_enabled=False)
    phone = Phone(context, address, sitting)
    phone.join()
    phone.page.goto(phone.play_address)
    assert phone.page.input_value("[name=dealer]") == ""  # nobody is put down unasked
    phone.page.select_option("[name=dealer]", index=1)
    phone.kankei(2, 4)
    phone.page.fill("#id_deal_1_kankei", "5")
    phone.page.fill("#id_deal_1_mukankei", "8")
    phone.save()
    assert stored() == [(1, 1, 5)]
    context.close()


def test_storage_that_is_forbidden_sends_the_form_itself(phone: Phone) -> None:
    phone.context.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error(); } } })"
    )
    page: Page = phone.new_page()
    page.goto(phone.play_address)
    expect(page.locator("#queue-words")).not_to_have_text("…")
    phone.page = page
    page.select_option("[name=dealer]", index=1)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    wait_for(1)
    assert stored() == [(1, 1, 5)]
