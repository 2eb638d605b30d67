"""What is unsent as QR codes, and the desk that scans them while the phone has no network."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests import cast
from tests.phones.conftest import Phone, wait_until
from tests.phones.steps import take_down
from tests.programs import find_program
from tournaments.models import Receipt, Round, Sitting
from tournaments.services import closing, entries
from tournaments.views import play

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = """() => {
  const { codes } = makiyaku.phone.queue;
  return codes.address(codes.items[codes.at]);
}"""


def open_queue(phone: Phone) -> None:
    phone.open_queue()
    expect(phone.page.locator("#codes canvas")).to_be_visible()


def without_network(phone: Phone, *counts: int) -> None:
    """Take down rounds while nothing can be sent."""
    phone.page.wait_for_function("() => window.qrcode")
    phone.context.set_offline(True)
    for count in counts:
        take_down(phone, count)
    phone.expect_unsent(len(counts))


def staff_page(context: BrowserContext, phone: Phone) -> Page:
    """The page of a scorekeeper's own phone."""
    keeper = cast.browser_of(cast.make_staff(phone.sitting.session.tournament, "keeper"))
    name = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": name, "value": keeper.cookies[name].value, "url": phone.address}])
    return context.new_page()


def scanned(page: Page) -> str:
    """What a scanner reads off the screen."""
    image = page.locator("#codes").screenshot()
    command = [find_program("zbarimg"), "--quiet", "--raw", "--nodbus", "-"]
    done = subprocess.run(command, input=image, capture_output=True, check=True)
    return done.stdout.decode().strip()


def test_a_scanner_reads_the_round_off_the_screen(phone: Phone) -> None:
    """Off a screen of 360 dots across: every real one has more."""
    without_network(phone, 5)
    open_queue(phone)
    text = scanned(phone.page)
    assert text.startswith(f"{phone.address}/desk/#")
    assert text == phone.page.evaluate(ADDRESS)


def test_there_is_one_code_a_round(phone: Phone) -> None:
    without_network(phone, 5, 6)
    open_queue(phone)
    caption = phone.page.locator("#codes figcaption")
    expect(caption).to_contain_text("(1/2)")
    first = scanned(phone.page)
    phone.page.locator("[data-code-step='1']").click()
    expect(caption).to_contain_text("(2/2)")
    assert scanned(phone.page) != first
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    expect(phone.page.locator("#codes")).to_be_hidden()


LONGER = """(length) => {
  const { codes } = makiyaku.phone.queue;
  const reason = "字".repeat(length);
  codes.show(codes.items.map((item) => ({ ...item, key: length, body: { ...item.body, reason } })));
  return [!codes.box.querySelector("canvas").hidden, codes.box.hidden];
}"""


def test_what_no_code_holds_is_left_to_the_text(phone: Phone) -> None:
    without_network(phone, 5)
    open_queue(phone)
    shown = [phone.page.evaluate(LONGER, length) for length in (0, 500, 1_000, 1)]
    assert shown == [[True, False], [True, False], [False, False], [True, False]]


def test_the_desk_stores_what_it_scans_and_the_phone_sends_it_once_more(
    phone: Phone, new_context: Callable[[], BrowserContext]
) -> None:
    without_network(phone, 5, 6)
    open_queue(phone)
    desk = staff_page(new_context(), phone)
    for number in (1, 2):
        desk.goto(scanned(phone.page))
        expect(desk.locator("section.sheet")).to_contain_text(f"{number + 4}–8")
        assert desk.url == f"{phone.address}/desk/"  # no address that is kept has the round in it
        desk.locator("button[name=store]").click()
        expect(desk.locator(".alert-success")).to_be_visible()
        assert Round.objects.count() == number
        phone.page.locator("[data-code-step='1']").click()

    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert [row.number for row in Round.objects.order_by("number")] == [1, 2]
    assert Receipt.objects.count() == 2
    assert phone.complaints == []


def test_a_code_scanned_before_logging_in_is_kept(
    phone: Phone, new_context: Callable[[], BrowserContext]
) -> None:
    cast.make_staff(phone.sitting.session.tournament, "keeper")
    without_network(phone, 5)
    desk = new_context().new_page()
    desk.goto(phone.page.evaluate(ADDRESS))
    desk.locator("main .alert a.button").click()
    desk.fill("[name=username]", "keeper")
    desk.fill("[name=password]", "keeper")
    desk.locator("main form button").click()
    expect(desk.locator("section.sheet")).to_contain_text("5–8")


def at_another_event(phone: Phone) -> Sitting:
    """Take down a round that cannot be sent, then bring the phone to a table of another event."""
    without_network(phone, 5)
    phone.context.route(f"**/api/sittings/{phone.sitting.pk}/**", lambda route: route.abort())
    phone.context.set_offline(False)
    other = cast.make_sitting(cast.make_tournament(name="次の大会", rounds_per_session=10))
    phone.page.goto(phone.address + reverse("join-table", args=[other.token]))
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    phone.page.wait_for_function("() => window.qrcode")
    phone.expect_unsent(1)
    return other


def test_a_round_is_of_its_own_event_wherever_the_phone_is(
    phone: Phone, new_context: Callable[[], BrowserContext]
) -> None:
    """The desk of the event that it was played in stores it, off the screen of another's table."""
    other = at_another_event(phone)
    open_queue(phone)
    desk = staff_page(new_context(), phone)
    desk.goto(scanned(phone.page))
    expect(desk.locator("section.sheet")).to_contain_text("新春大会")
    desk.locator("button[name=store]").click()
    expect(desk.locator(".alert-success")).to_be_visible()
    assert Round.objects.get().sitting == phone.sitting
    assert not other.rounds.exists()


def test_what_is_of_another_event_stands_apart(phone: Phone) -> None:
    """Under that event's name, with what its own players did."""
    entries.correct_entry(
        phone.sitting.session.tournament.entries.get(number=2),
        {"name": "前の人", "club": "", "division": ""},
        seen=0,
        by=cast.SOMEBODY,
    )
    phone.play()
    at_another_event(phone)
    open_queue(phone)
    expect(phone.page.locator("#queue-items li")).to_have_count(0)
    apart = phone.page.locator("#queue-others section")
    expect(apart.locator("bdi")).to_have_text("新春大会 · 第1卓")
    expect(apart.locator("li")).to_have_count(1)
    expect(apart).to_contain_text("この画面からは送られません")
    expect(apart).not_to_contain_text("自動で送り直します")
    expect(phone.page.locator("#codes figcaption")).to_contain_text("新春大会")
    text = phone.page.input_value("#queue-text")
    assert text.startswith("新春大会: ")
    assert "前の人" in text
    assert phone.complaints == []


def test_what_ended_another_table_does_not_end_this_one(phone: Phone) -> None:
    closing.close(phone.sitting.session.tournament, by=cast.SOMEBODY)
    take_down(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    other = cast.make_sitting(cast.make_tournament(name="次の大会"))
    phone.page.goto(phone.address + reverse("join-table", args=[other.token]))
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    phone.expect_unsent(1)
    expect(phone.page.locator("#ended")).to_be_hidden()


def test_without_the_library_there_is_the_text(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "qr_library", lambda: None)
    phone.play()
    phone.context.set_offline(True)
    take_down(phone)
    phone.open_queue()
    assert '"kankei":5' in phone.page.input_value("#queue-text")
    assert "5–8" in (read_out := phone.page.locator("#queue-read").inner_text())
    assert "{" not in read_out
    expect(phone.page.locator("#codes")).to_be_hidden()
    assert phone.complaints == []


def test_the_library_is_asked_for_again_when_the_network_is_back(phone: Phone) -> None:
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


def test_the_desk_reads_what_was_copied_as_text(
    phone: Phone, new_context: Callable[[], BrowserContext]
) -> None:
    without_network(phone, 5)
    desk = staff_page(new_context(), phone)
    desk.goto(f"{phone.address}/desk/")
    desk.fill("[name=rounds]", phone.page.input_value("#queue-text"))
    desk.locator("button[name=look]").click()
    desk.locator("button[name=store]").click()
    wait_until(Round.objects.exists)
