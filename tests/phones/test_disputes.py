"""Disputes and corrections by the desk, as the table's phone shows them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tournaments.models import Call, Disagreement, Round
from tournaments.services import disputes

pytestmark = pytest.mark.django_db(transaction=True)


def refresh(page: Page) -> None:
    """Reload the table's state, as the page does every few seconds."""
    page.evaluate("makiyaku.phone.refresh()")


def record_first_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()


@pytest.fixture
def disputing_phone(make_phone: MakePhone) -> Phone:
    """A phone with 5–8 as its first round, for which the desk has stored 5–9."""
    sitting = cast.make_sitting()
    phone = make_phone(sitting)
    cast.record(sitting)
    record_first_round(phone)
    expect(phone.page.locator("#refusal")).to_contain_text("5–9")
    wait_until(Disagreement.objects.exists)
    return phone


def test_dispute_is_folded_and_counts_as_sent(disputing_phone: Phone) -> None:
    page = disputing_phone.page
    expect(page.locator("#queue-words")).to_have_text("本部が決めます")
    expect(page.locator("#pass-state")).to_contain_text("得点は本部の記録")
    expect(page.locator("#refusal dl")).to_be_hidden()
    page.locator("#refusal summary").click()
    expect(page.locator("#refusal dl")).to_contain_text("5–8")


@pytest.mark.parametrize("is_accepted", [True, False], ids=["phone's version", "stored version"])
def test_settled_dispute_is_no_longer_unsent(disputing_phone: Phone, is_accepted: bool) -> None:
    page, dispute = disputing_phone.page, Disagreement.objects.get()
    if is_accepted:
        disputes.take_disputed_facts(
            dispute, seen_version=1, by=cast.SOMEBODY, reason="票で確かめた"
        )
    else:
        disputes.keep_stored_facts(dispute, seen_version=1, by=cast.SOMEBODY)
    refresh(page)
    disputing_phone.expect_unsent(0)
    expect(page.locator("#refusal")).to_be_hidden()
    expect(page.locator("#decision")).to_contain_text("第1役：本部が決めました")
    expect(page.locator("#decision")).to_contain_text("5–8" if is_accepted else "5–9")
    disputing_phone.play()
    page.locator("#decision button").click()
    expect(page.locator("#decision")).to_be_hidden()
    disputing_phone.play()
    expect(page.locator("#decision")).to_be_hidden()
    assert Round.objects.count() == (2 if is_accepted else 1)


def test_corrected_round_is_reported_and_needs_no_acceptance(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament(accepting="same"))
    phone = make_phone(sitting)
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("#panel-check [data-do=ask-desk]").click()
    expect(phone.page.locator("#call h2")).to_contain_text("第1役のどこが違いますか")
    expect(phone.page.locator("#call [data-of-table]").first).to_be_hidden()
    phone.page.locator("#call [data-answer=数え間違い]").click()
    expect(phone.page.locator("#call-state")).to_be_visible()
    right = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    wait_until(Call.objects.exists)
    cast.record(sitting, right, seen=1, reason="数え間違い")
    refresh(phone.page)
    expect(phone.page.locator("#call-state")).to_be_hidden()
    expect(phone.page.locator("#decision")).to_contain_text("第1役は本部が訂正しました")
    expect(phone.page.locator("#decision")).to_contain_text("4–9")
    phone.play()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    phone.page.locator("#decision button").click()
    expect(phone.page.locator("#decision")).to_be_hidden()
