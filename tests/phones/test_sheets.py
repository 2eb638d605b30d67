"""Sheets open in a dialog; offline no link leaves the page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from tests import cast
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import record_round
from tournaments.models import Sitting, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

KEPT = "() => ['chart', 'standings'].every((name) => makiyaku.phone.sheets.contents[name])"


def show(page: Page, name: str) -> None:
    page.locator(f"[data-sheet={name}]:visible").last.click()
    expect(page.locator(f"[data-of-sheet={name}]")).to_be_visible()


def test_sheets_open_offline_and_links_keep_the_page_open(phone: Phone) -> None:
    page = phone.page
    page.wait_for_function(KEPT)
    phone.context.set_offline(True)
    record_round(phone)
    show(page, "ledger")
    expect(page.locator("[data-of-sheet=ledger] tbody tr").nth(1)).to_contain_text("−1")
    expect(page.locator(".sheet-round dl")).to_contain_text("5–8")
    show(page, "chart")
    expect(page.locator(".phone-chart table").first).to_be_visible()
    show(page, "standings")
    expect(page.locator("[data-of-sheet=standings] tbody tr")).to_have_count(6)
    show(page, "settings")
    page.locator("[data-of-sheet=settings] [name=language][value=en]").click()
    expect(page.locator("#no-network")).to_be_visible()
    page.locator("#no-network button").click()
    page.locator(".sheets-head [data-answer=no]").click()
    record_round(phone, 6)  # the page is still there
    phone.expect_unsent(2)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    show(page, "ledger")
    show(page, "settings")
    page.locator("[data-of-sheet=settings] [name=language][value=en]").click()
    expect(page.locator("html[lang=en][data-phone=ready]")).to_have_count(1)


def test_stored_sheets_are_shown_if_loading_fails(phone: Phone) -> None:
    page = phone.page
    page.wait_for_function(KEPT)
    page.route("**/chart/", lambda route: route.abort())
    page.route("**/standings*", lambda route: route.abort())
    phone.play()
    show(page, "chart")
    expect(page.locator(".phone-chart table").first).to_be_visible()
    show(page, "standings")
    expect(page.locator("[data-of-sheet=standings] tbody tr")).to_have_count(6)


@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu", "gouji"])
def test_chart_fits_a_small_screen(make_phone: MakePhone, rule_set: str) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament(rule_set)))
    page = phone.page
    page.set_viewport_size({"width": 320, "height": 640})
    page.wait_for_function(KEPT)
    page.locator(".phone-head [data-sheet=chart]").click()  # one tap
    expect(page.locator(".phone-chart table").first).to_be_visible()
    page.evaluate(
        "document.querySelectorAll('.phone-chart details').forEach((each) => each.open = true)"
    )
    assert page.evaluate("document.getElementById('sheets').scrollWidth") <= 320


def test_second_phone_continues_a_club_table(make_phone: MakePhone, sitting: Sitting) -> None:
    Tournament.objects.update(kind=Tournament.Kind.TABLE)
    sitting = Sitting.objects.select_related("session__tournament").get()
    first = make_phone(sitting)
    record_round(first)
    first.expect_unsent(0)
    show(first.page, "join")
    link = first.page.input_value("#join-link")
    expect(first.page.locator("[data-of-sheet=join] canvas")).to_be_visible()
    second = make_phone(sitting)
    first.context.set_offline(True)  # as if its battery were empty
    assert second.page.input_value("#join-link") == link
    second.page.locator("[data-do=take-over]").click()
    expect(second.page.locator("#pass-points:visible, #panel-form:visible").first).to_be_visible()
    record_round(second, 6)
    second.expect_unsent(0)
    assert [row.facts["deals"][0]["kankei"] for row in sitting.rounds.order_by("number")] == [5, 6]


def test_new_phone_continues_a_club_table_by_its_code(
    new_context: Callable[[], BrowserContext], address: str, transactional_db: None
) -> None:
    first, second = new_context(), new_context()
    page = first.new_page()
    page.goto(address + reverse("start-table", args=["goninkan-association"]))
    page.locator(".actions-stuck button").click()
    code = page.locator(".table-code").inner_text()  # written down
    sitting = Sitting.objects.get()
    phone = Phone(first, address, sitting)
    phone.play()
    record_round(phone)
    phone.expect_unsent(0)
    show(phone.page, "join")
    expect(phone.page.locator("[data-of-sheet=join] .table-code")).to_have_text(code)
    first.close()  # as if its battery were empty
    other = Phone(second, address, sitting)
    other.page.goto(address + reverse("join"))
    other.page.locator("[name=code]").fill(code.lower().replace(" ", "-"))
    other.page.locator("form:has([name=code]) button").click()
    other.page.locator("form button.button-primary").click()  # it takes over
    expect(other.page.locator("html[data-phone=ready]")).to_have_count(1)
    show(other.page, "ledger")
    expect(other.page.locator(".sheet-round dl")).to_contain_text("5–8")
    other.page.locator(".sheets-head [data-answer=no]").click()
    record_round(other, 6)
    other.expect_unsent(0)
    assert [row.facts["deals"][0]["kankei"] for row in sitting.rounds.order_by("number")] == [5, 6]
    assert not other.page_errors
