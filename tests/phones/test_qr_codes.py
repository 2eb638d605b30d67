"""QR codes of unsent rounds, which the desk scans while the phone is offline."""

from __future__ import annotations

import subprocess

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tests.phones.steps import record_round
from tests.programs import find_program
from tournaments.models import Receipt, Round, Sitting
from tournaments.services import closing, entries
from tournaments.views import phone_page

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = """() => {
  const { codes } = makiyaku.phone.queue;
  return codes.address(codes.items[codes.at]);
}"""


def open_queue(phone: Phone) -> None:
    phone.open_queue()
    expect(phone.page.locator("#codes canvas")).to_be_visible()


def record_offline(phone: Phone, *counts: int) -> None:
    phone.page.wait_for_function("() => window.qrcode")
    phone.context.set_offline(True)
    for count in counts:
        record_round(phone, count)
    phone.expect_unsent(len(counts))


def log_in(desk: Page, phone: Phone) -> None:
    """As a scorekeeper of the phone's tournament."""
    keeper = cast.browser_of(cast.make_staff(phone.sitting.session.tournament, "keeper"))
    name = settings.SESSION_COOKIE_NAME
    cookie = keeper.cookies[name].value
    desk.context.add_cookies([{"name": name, "value": cookie, "url": phone.address}])


def scan(page: Page) -> str:
    """Return the content of the code on the screen."""
    image = page.locator("#codes").screenshot()
    command = [find_program("zbarimg"), "--quiet", "--raw", "--nodbus", "-"]
    done = subprocess.run(command, input=image, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_scanner_reads_the_round_from_the_screen(phone: Phone) -> None:
    """The screen is 360 pixels wide; real ones have more."""
    record_offline(phone, 5)
    open_queue(phone)
    text = scan(phone.page)
    assert text.startswith(f"{phone.address}/desk/#")
    assert text == phone.page.evaluate(ADDRESS)


def test_each_round_has_its_own_code(phone: Phone) -> None:
    record_offline(phone, 5, 6)
    open_queue(phone)
    caption = phone.page.locator("#codes figcaption")
    expect(caption).to_contain_text("(1/2)")
    first = scan(phone.page)
    phone.page.locator("[data-code-step='1']").click()
    expect(caption).to_contain_text("(2/2)")
    assert scan(phone.page) != first
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    expect(phone.page.locator("#codes")).to_be_hidden()


LONGER = """(length) => {
  const { codes } = makiyaku.phone.queue;
  const reason = "字".repeat(length);
  codes.show(codes.items.map((item) => ({ ...item, key: length, body: { ...item.body, reason } })));
  return [!codes.box.querySelector("canvas").hidden, codes.box.hidden];
}"""


def test_round_too_long_for_a_code_has_none(phone: Phone) -> None:
    record_offline(phone, 5)
    open_queue(phone)
    shown = [phone.page.evaluate(LONGER, length) for length in (0, 500, 1_000, 1)]
    assert shown == [[True, False], [True, False], [False, False], [True, False]]


def test_scanned_round_that_is_sent_later_is_stored_once(phone: Phone, page: Page) -> None:
    record_offline(phone, 5, 6)
    open_queue(phone)
    desk = page
    log_in(desk, phone)
    for number in (1, 2):
        desk.goto(scan(phone.page))
        expect(desk.locator("section.sheet")).to_contain_text(f"{number + 4}–8")
        assert desk.url == f"{phone.address}/desk/"  # the round is not in the browser history
        desk.locator("button[name=store]").click()
        expect(desk.locator(".alert-success")).to_be_visible()
        assert Round.objects.count() == number
        phone.page.locator("[data-code-step='1']").click()

    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert [row.number for row in Round.objects.order_by("number")] == [1, 2]
    assert Receipt.objects.count() == 2
    assert phone.page_errors == []


def test_scanned_code_survives_the_log_in(phone: Phone, page: Page) -> None:
    cast.make_staff(phone.sitting.session.tournament, "keeper")
    record_offline(phone, 5)
    desk = page
    desk.goto(phone.page.evaluate(ADDRESS))
    desk.locator("main .alert a.button").click()
    desk.fill("[name=username]", "keeper")
    desk.fill("[name=password]", "keeper")
    desk.locator("main form button").click()
    expect(desk.locator("section.sheet")).to_contain_text("5–8")


def join_another_event(phone: Phone) -> Sitting:
    """Record a round that cannot be sent, then join a table of another event."""
    record_offline(phone, 5)
    phone.context.route(f"**/api/sittings/{phone.sitting.pk}/**", lambda route: route.abort())
    phone.context.set_offline(False)
    other = cast.make_sitting(cast.make_tournament(name="次の大会", rounds_per_session=10))
    phone.page.goto(phone.address + reverse("join-table", args=[other.token]))
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    phone.page.wait_for_function("() => window.qrcode")
    phone.expect_unsent(1)
    return other


def test_code_of_another_event_is_stored_in_that_event(phone: Phone, page: Page) -> None:
    """The phone shows the page of another event's table when the desk scans the code."""
    other = join_another_event(phone)
    open_queue(phone)
    desk = page
    log_in(desk, phone)
    desk.goto(scan(phone.page))
    expect(desk.locator("section.sheet")).to_contain_text("新春大会")
    desk.locator("button[name=store]").click()
    expect(desk.locator(".alert-success")).to_be_visible()
    assert Round.objects.get().sitting == phone.sitting
    assert not other.rounds.exists()


def test_rounds_of_another_event_are_listed_separately(phone: Phone) -> None:
    """With the name of their event and of its players."""
    entries.correct_entry(
        phone.sitting.session.tournament.entries.get(number=2),
        {"name": "前の人", "club": "", "division": ""},
        seen_version=0,
        by=cast.SOMEBODY,
    )
    phone.play()
    join_another_event(phone)
    open_queue(phone)
    expect(phone.page.locator("#queue-items li")).to_have_count(0)
    apart = phone.page.locator("#queue-others section")
    expect(apart.locator("bdi")).to_have_text("新春大会 · 第1卓")
    expect(apart.locator("li")).to_have_count(1)
    expect(apart).to_contain_text("このページからは送られません")
    expect(apart).not_to_contain_text("自動で送り直します")
    expect(phone.page.locator("#codes figcaption")).to_contain_text("新春大会")
    text = phone.page.input_value("#queue-text")
    assert text.startswith("新春大会: ")
    assert "前の人" in text
    assert phone.page_errors == []


def test_closed_event_does_not_end_a_table_of_another_event(phone: Phone) -> None:
    closing.close(phone.sitting.session.tournament, by=cast.SOMEBODY)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()  # the answer closes the form
    expect(phone.page.locator("#ended")).to_be_visible()
    other = cast.make_sitting(cast.make_tournament(name="次の大会"))
    phone.page.goto(phone.address + reverse("join-table", args=[other.token]))
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    phone.expect_unsent(1)
    expect(phone.page.locator("#ended")).to_be_hidden()


def test_text_is_shown_without_the_qr_library(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phone_page, "qr_library_url", lambda: None)
    phone.play()
    phone.context.set_offline(True)
    record_round(phone)
    phone.open_queue()
    assert '"kankei":5' in phone.page.input_value("#queue-text")
    assert "5–8" in (read_out := phone.page.locator("#queue-read-out").inner_text())
    assert "{" not in read_out
    expect(phone.page.locator("#codes")).to_be_hidden()
    assert phone.page_errors == []


def test_qr_library_is_requested_again_when_online(phone: Phone) -> None:
    def fail(route: Route) -> None:
        route.abort()

    phone.page.route("**/qrcode.js", fail)
    with phone.page.expect_event("requestfailed"):
        phone.play()
    phone.page.wait_for_function("() => makiyaku.phone.queue.codes.loading === false")
    phone.page.unroute("**/qrcode.js")
    phone.context.set_offline(True)
    phone.context.set_offline(False)
    phone.page.wait_for_function("() => window.qrcode")


def test_desk_stores_copied_text(phone: Phone, page: Page) -> None:
    record_offline(phone, 5)
    desk = page
    log_in(desk, phone)
    desk.goto(f"{phone.address}/desk/")
    desk.fill("[name=rounds]", phone.page.input_value("#queue-text"))
    desk.locator("button[name=look]").click()
    desk.locator("button[name=store]").click()
    wait_until(Round.objects.exists)
