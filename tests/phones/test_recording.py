"""Recording rounds on the phone, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests import browsers, cast, deals
from tests.phones.conftest import Phone
from tests.phones.steps import record_round, stored, wait_for_versions
from tournaments.models import Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)


def test_plain_http_is_not_a_secure_context(phone: Phone) -> None:
    assert phone.page.evaluate("window.isSecureContext") is False
    assert phone.page.evaluate("'serviceWorker' in navigator") is False
    assert phone.page.evaluate("'randomUUID' in crypto") is False


def test_round_is_sent_and_phone_is_passed_on(phone: Phone) -> None:
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
    assert phone.page.input_value("[name=dealer]:checked") == row.facts["kankei"][0]
    assert phone.page_errors == []


def test_round_is_recorded_deal_by_deal(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.save()
    wait_for_versions(1)
    phone.count(2, 8, 3)
    phone.save()
    wait_for_versions(2)
    phone.count(3, 3, 8)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert stored() == [(1, 1, 9), (1, 2, 8), (1, 3, 3)]


def test_concurrent_round_of_the_desk_is_not_overwritten(phone: Phone) -> None:
    phone.context.set_offline(True)
    record_round(phone, 3)
    cast.record(phone.sitting)
    phone.context.set_offline(False)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    assert stored() == [(1, 1, 5)]
    assert '"kankei":3' in phone.page.input_value("#queue-text")


def test_page_without_script_records(
    new_context: Callable[[], BrowserContext], chromium: Browser, address: str, sitting: Sitting
) -> None:
    context = browsers.new_profile(chromium, java_script_enabled=False)
    phone = Phone(context, address, sitting)
    phone.join()
    phone.page.goto(phone.play_address)
    assert phone.page.locator("[name=dealer]:checked").count() == 0  # no dealer is preselected
    phone.page.locator("[name=dealer]").first.check()
    phone.kankei(2, 4)
    phone.page.locator("#deal-1 .result input[value='9-4']").click()
    deals.type_counts(phone.page.locator("#deal-2"), 2, 10)  # not among the result buttons
    phone.save()
    assert stored() == [(1, 1, 2)]
    assert Round.objects.get().facts["deals"][0] == {"kankei": 9, "mukankei": 4}
    context.close()


def test_form_is_submitted_if_storage_is_forbidden(own_phone: Phone) -> None:
    phone = own_phone
    phone.context.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { value: { open() { throw new Error(); } } })"
    )
    page: Page = phone.new_page()
    page.goto(phone.play_address)
    expect(page.locator("#queue-words")).not_to_have_text("…")
    phone.page = page
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    wait_for_versions(1)
    assert stored() == [(1, 1, 5)]
