"""Phones of a closed or removed event, and joining with the PIN of the table card."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests import cast
from tests.phones.conftest import Phone
from tournaments.models import Round, Sitting
from tournaments.services import closing, table_links, tournaments

pytestmark = pytest.mark.django_db(transaction=True)


def record_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()


def test_closed_event_is_reported_and_unsent_rounds_are_kept(
    phone: Phone, sitting: Sitting
) -> None:
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    record_round(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    phone.expect_unsent(1)
    assert not Round.objects.exists()
    phone.page.goto(phone.play_address)  # after a reload the table is closed, the round is kept
    expect(phone.page.locator("html[data-phone=closed]")).to_have_count(1)
    expect(phone.page.locator("#unsent")).to_be_visible()
    expect(phone.page.locator("#queue-text")).to_have_value(re.compile('"kankei":5,"mukankei":8'))
    assert phone.page_errors == []


def test_removed_event_is_reported(phone: Phone, sitting: Sitting) -> None:
    tournaments.remove_tournament(sitting.session.tournament, by=cast.SOMEBODY)
    record_round(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    expect(phone.page.locator("#ended-removed")).to_be_visible()
    expect(phone.page.locator("#ended-closed")).to_be_hidden()
    phone.expect_unsent(1)
    assert phone.page_errors == []


def test_reopened_page_shows_what_was_stored_before_closing(phone: Phone, sitting: Sitting) -> None:
    """The response was lost, and the event was closed before the phone sent again."""
    heard: list[int] = []

    def lose(route: Route) -> None:
        if not heard:
            asked = urlsplit(route.request.url)  # only the browser resolves this host
            known = asked._replace(netloc=f"127.0.0.1:{asked.port}").geturl()
            headers = {**route.request.headers, "host": asked.netloc}
            heard.append(route.fetch(url=known, headers=headers).status)
        route.abort()

    phone.page.route("**/api/sittings/*/rounds/*", lose)
    with phone.page.expect_event("requestfailed", lambda asked: "/rounds/" in asked.url):
        record_round(phone)
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#unsent")).to_be_visible()
    phone.page.unroute("**/api/sittings/*/rounds/*")
    expect(phone.page.locator("#nothing-unsent")).to_be_visible()
    expect(phone.page.locator("#unsent")).to_be_hidden()
    assert (heard, Round.objects.count()) == ([201], 1)


def test_ended_phone_without_unsent_rounds_says_so(phone: Phone, sitting: Sitting) -> None:
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#nothing-unsent")).to_be_visible()
    expect(phone.page.locator("#unsent")).to_be_hidden()


def test_joining_by_pin_takes_three_taps(
    phone: Phone, page: Page, address: str, sitting: Sitting
) -> None:
    """Next field, join, take over; typing address, number and PIN does not count."""
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    page.goto(f"{address}/join/")
    expect(page.locator("#id_table")).to_be_focused()  # needs no tap
    page.keyboard.type(str(sitting.number))
    page.locator("#id_pin").click()
    page.keyboard.type(f"{pin[:3]} {pin[3:]}")
    page.get_by_role("button", name="記録を始める").click()
    page.get_by_role("button", name="このスマホに切り替える").click()
    expect(page.locator("html[data-phone=ready]")).to_have_count(1)
    expect(page.locator("#panel-form")).to_be_visible()
    phone.page.evaluate("makiyaku.phone.refresh()")
    expect(phone.page.locator("#other-phone")).to_be_visible()
