"""A phone whose event is closed, and one that comes by the PIN on the table's card."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests import cast
from tests.phones.conftest import Phone
from tournaments.models import Round, Sitting
from tournaments.services import closing, table_links, tournaments

pytestmark = pytest.mark.django_db(transaction=True)


def take_down(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()


def test_a_phone_is_told_that_the_event_is_over_and_keeps_what_it_has(
    phone: Phone, sitting: Sitting
) -> None:
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    take_down(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    phone.expect_unsent(1)
    assert not Round.objects.exists()
    phone.page.goto(phone.play_address)  # reloaded: the page of the table is gone, the round not
    expect(phone.page.locator("html[data-phone=closed]")).to_have_count(1)
    expect(phone.page.locator("#kept")).to_be_visible()
    expect(phone.page.locator("#queue-text")).to_have_value(re.compile('"kankei":5,"mukankei":8'))
    assert phone.complaints == []


def test_a_phone_is_told_that_the_event_was_removed(phone: Phone, sitting: Sitting) -> None:
    tournaments.remove_tournament(sitting.session.tournament, by=cast.SOMEBODY)
    take_down(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    expect(phone.page.locator("#ended-removed")).to_be_visible()
    expect(phone.page.locator("#ended-closed")).to_be_hidden()
    phone.expect_unsent(1)
    assert phone.complaints == []


def test_a_phone_opened_after_the_end_learns_what_was_stored_in_time(
    phone: Phone, sitting: Sitting
) -> None:
    """The answer got lost, and the event was closed before the phone could ask again."""
    heard: list[int] = []

    def lose(route: Route) -> None:
        if not heard:
            asked = urlsplit(route.request.url)  # the test's own machine does not know the name
            known = asked._replace(netloc=f"127.0.0.1:{asked.port}").geturl()
            headers = {**route.request.headers, "host": asked.netloc}
            heard.append(route.fetch(url=known, headers=headers).status)
        route.abort()

    phone.page.route("**/api/sittings/*/rounds/*", lose)
    with phone.page.expect_event("requestfailed", lambda asked: "/rounds/" in asked.url):
        take_down(phone)
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#kept")).to_be_visible()
    phone.page.unroute("**/api/sittings/*/rounds/*")
    expect(phone.page.locator("#nothing-kept")).to_be_visible(timeout=30_000)
    expect(phone.page.locator("#kept")).to_be_hidden()
    assert (heard, Round.objects.count()) == ([201], 1)


def test_with_nothing_unsent_it_says_so(phone: Phone, sitting: Sitting) -> None:
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#nothing-kept")).to_be_visible()
    expect(phone.page.locator("#kept")).to_be_hidden()


def test_from_the_printed_address_to_the_first_round_in_three_taps(
    phone: Phone, new_context: Callable[[], BrowserContext], address: str, sitting: Sitting
) -> None:
    """Besides typing the address, the number and the PIN: next field, join, take over."""
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    page = new_context().new_page()
    page.goto(f"{address}/join/")
    expect(page.locator("#id_table")).to_be_focused()  # nobody has to tap it
    page.keyboard.type(str(sitting.number))
    page.locator("#id_pin").click()
    page.keyboard.type(f"{pin[:3]} {pin[3:]}")
    page.get_by_role("button", name="加わる").click()
    page.get_by_role("button", name="このスマホに替える").click()
    expect(page.locator("html[data-phone=ready]")).to_have_count(1)
    expect(page.locator("#panel-form")).to_be_visible()
    phone.page.evaluate("makiyaku.phone.refresh()")
    expect(phone.page.locator("#other-phone")).to_be_visible()
