"""Back, reload and links leave the table able to record, also without the network."""

from __future__ import annotations

import pytest
from playwright.sync_api import Dialog, Error, Page, expect

from tests.phones.conftest import Phone
from tests.phones.steps import record_round, stored

pytestmark = pytest.mark.django_db(transaction=True)


def go_back(page: Page) -> None:
    """Go back as by the browser's button, without waiting for another page to load."""
    page.evaluate("() => { setTimeout(() => history.back()); }")


def test_back_without_the_network_asks_and_stays(phone: Phone) -> None:
    page = phone.page
    phone.kankei(2, 4)
    phone.context.set_offline(True)
    go_back(page)
    page.locator("#leave [data-answer=no]").click()
    expect(page.locator("#leave")).to_be_hidden()
    phone.count(1, 4, 8)
    phone.save()
    phone.take_phone()
    go_back(page)
    expect(page.locator("#leave")).to_be_visible()
    page.locator("#leave [data-answer=no]").click()
    record_round(phone, 5)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert [number for number, _version, _kankei in stored()] == [1, 2]


def test_back_closes_what_is_open_over_the_page(phone: Phone) -> None:
    page = phone.page
    page.locator("[data-sheet=chart]").first.click()
    expect(page.locator("#sheets")).to_be_visible()
    go_back(page)
    expect(page.locator("#sheets")).to_be_hidden()
    expect(page.locator("#leave")).to_be_hidden()
    assert page.url == phone.play_address


def test_back_leaves_when_everything_is_sent_and_forward_returns_without_the_network(
    phone: Phone,
) -> None:
    phone.page.goto(phone.address)
    phone.play()
    record_round(phone, 5)
    phone.expect_unsent(0)
    go_back(phone.page)
    phone.page.wait_for_url(f"{phone.address}/")
    phone.context.set_offline(True)
    phone.page.evaluate("() => { setTimeout(() => history.forward()); }")
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    record_round(phone, 6)
    phone.expect_unsent(1)


def test_reload_without_the_network_asks_first(phone: Phone) -> None:
    page = phone.page
    pulled_down = "getComputedStyle(document.documentElement).overscrollBehaviorY"
    assert page.evaluate(pulled_down) == "contain"
    phone.kankei(2, 4)
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    phone.context.set_offline(True)
    page.evaluate("location.reload()")
    phone.count(1, 4, 8)
    phone.save()
    expect(page.locator("#panel-pass")).to_be_visible()
    assert asked == ["beforeunload"]


def test_page_comes_back_after_a_reload_that_failed(phone: Phone) -> None:
    """Back leads from the browser's error page to the cached page, which knows what was typed."""
    page = phone.page
    record_round(phone, 5)
    phone.expect_unsent(0)
    phone.context.set_offline(True)
    record_round(phone, 6)
    phone.expect_unsent(1)
    with pytest.raises(Error, match="ERR_INTERNET_DISCONNECTED"):
        page.reload()
    page.wait_for_url("chrome-error://**")
    go_back(page)
    expect(page.locator("html[data-phone=ready]")).to_have_count(1)
    record_round(phone, 7)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert [number for number, _version, _kankei in stored()] == [1, 2, 3]
