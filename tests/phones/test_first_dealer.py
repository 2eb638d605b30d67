"""The first dealer is chosen on the ring; later dealers follow from the rounds."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments.models import Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)


def test_ring_asks_for_the_dealer_first(phone: Phone) -> None:
    page = phone.page
    expect(page.locator("[data-asks=dealer]")).to_be_visible()
    expect(page.locator(".seat.is-dealer")).to_have_count(0)
    phone.tap_seat(3)
    expect(page.locator(".seat.is-dealer")).to_contain_text("対馬 ハル")
    expect(page.locator("legend [data-asks=kankei]")).to_be_visible()
    assert page.locator(".ring [name=kankei]:checked").count() == 0
    phone.tap_seat(2)
    phone.tap_seat(5)
    phone.count(1, 5, 8)
    phone.save()
    wait_until(Round.objects.exists)
    keys = cast.keys(phone.sitting)
    facts = Round.objects.get().facts
    assert (facts["dealer"], facts["kankei"]) == (keys[2], [keys[1], keys[4]])


def test_dealer_is_required(phone: Phone) -> None:
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#save-problem")).to_have_text("配り役を選んでください。")
    phone.expect_unsent(0)


def test_dealer_can_be_corrected(phone: Phone) -> None:
    phone.tap_seat(3)
    phone.page.locator(".who-deals summary").click()
    phone.page.locator("[data-ask-dealer]").click()
    expect(phone.page.locator("[data-asks=another]")).to_be_visible()
    phone.tap_seat(4)
    expect(phone.page.locator(".seat.is-dealer")).to_contain_text("葛西 実")
    expect(phone.page.locator("legend [data-asks=kankei]")).to_be_visible()
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 0


def test_dealer_is_chosen_by_radio_buttons(phone: Phone) -> None:
    """Arrow keys move through the names; Tab goes on to the boxes of the kankei."""
    page = phone.page
    names = page.locator(".ring").get_by_role("radio")
    expect(names).to_have_count(6)
    expect(page.locator(".ring").get_by_role("checkbox")).to_have_count(0)
    names.first.focus()
    page.keyboard.press("Space")
    expect(page.locator(".seat.is-dealer")).to_contain_text("成田 キヨ")
    expect(page.locator(".ring").get_by_role("checkbox", disabled=False)).to_have_count(5)
    expect(names).to_have_count(0)
    expect(page.locator(".ring [name=kankei]:focus")).to_have_count(1)
    page.locator(".who-deals summary").click()
    page.locator("[data-ask-dealer]").click()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="配り役 対馬 ハル")).to_be_checked()
    page.keyboard.press("Tab")
    expect(names).to_have_count(0)
    expect(page.locator(".ring [name=kankei]:focus")).to_have_count(1)


def test_dealer_of_the_second_round_is_known(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    phone.take_phone()
    expect(phone.page.locator(".seat.is-dealer")).to_contain_text("工藤 正")
    expect(phone.page.locator("[data-asks=dealer]")).to_be_hidden()


def test_taps_before_the_script_loads_are_kept(
    first_context: BrowserContext, address: str, sitting: Sitting
) -> None:
    """On a slow line the form is shown seconds before its script."""
    phone = Phone(first_context, address, sitting)
    phone.admit()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    phone.page.route("**/scripts/phone*", hold)
    phone.page.goto(phone.play_address, wait_until="commit")
    phone.tap_seat(2)
    phone.page.locator("#deal-1 .result input[value='5-8']").click()
    wait_until(lambda: phone.page.evaluate("1") and held)
    held[0].continue_()
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    assert phone.page.locator(".ring input:checked").count() == 1
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
    phone.expect_draft("deal_1_kankei", "5")
    phone.page.unroute("**/scripts/phone*")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
