"""What the desk does about rounds of a table, as the table's phone hears of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import cast
from tests.phones.conftest import MakePhone, Phone, wait_until
from tournaments.models import Call, Disagreement, Round
from tournaments.services import disputes

pytestmark = pytest.mark.django_db(transaction=True)


def look(page: Page) -> None:
    """Ask how the table stands, as the page does by itself every few seconds."""
    page.evaluate("makiyaku.phone.refresh()")


def take_down_first(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()


@pytest.fixture
def differing(make_phone: MakePhone) -> Phone:
    """A phone whose first round is 5–8 where the desk has stored 5–9."""
    sitting = cast.make_sitting()
    phone = make_phone(sitting)
    cast.record(sitting)
    take_down_first(phone)
    expect(phone.page.locator("#trouble")).to_contain_text("5–9")
    wait_until(Disagreement.objects.exists)
    return phone


def test_a_difference_takes_few_lines_and_counts_as_sent(differing: Phone) -> None:
    page = differing.page
    expect(page.locator("#queue-words")).to_have_text("本部が決めます")
    expect(page.locator("#pass-state")).to_contain_text("得点は本部の記録")
    expect(page.locator("#trouble dl")).to_be_hidden()
    page.locator("#trouble summary").click()
    expect(page.locator("#trouble dl")).to_contain_text("5–8")


@pytest.mark.parametrize("is_taken", [True, False], ids=["in its favour", "against it"])
def test_what_the_desk_has_decided_is_no_longer_unsent(differing: Phone, is_taken: bool) -> None:
    page, dispute = differing.page, Disagreement.objects.get()
    if is_taken:
        disputes.take_disputed_facts(dispute, seen=1, by=cast.SOMEBODY, reason="票で確かめた")
    else:
        disputes.keep_stored_facts(dispute, seen=1, by=cast.SOMEBODY)
    look(page)
    differing.expect_unsent(0)
    expect(page.locator("#trouble")).to_be_hidden()
    expect(page.locator("#decided")).to_contain_text("第1役: 本部が決めました")
    expect(page.locator("#decided")).to_contain_text("5–8" if is_taken else "5–9")
    differing.play()
    page.locator("#decided button").click()
    expect(page.locator("#decided")).to_be_hidden()
    differing.play()
    expect(page.locator("#decided")).to_be_hidden()
    assert Round.objects.count() == (2 if is_taken else 1)


def test_a_round_that_was_put_right_is_told_and_not_asked_about(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament(accepting="same"))
    phone = make_phone(sitting)
    take_down_first(phone)
    phone.take_phone()
    phone.page.locator("#panel-check [data-do=doubt]").click()
    expect(phone.page.locator("#call h2")).to_contain_text("第1役は何が違いますか")
    expect(phone.page.locator("#call [data-of-table]").first).to_be_hidden()
    phone.page.locator("#call [data-answer=数え間違い]").click()
    expect(phone.page.locator("#call-state")).to_be_visible()
    right = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    wait_until(Call.objects.exists)
    cast.record(sitting, right, seen=1, reason="数え間違い")
    look(phone.page)
    expect(phone.page.locator("#call-state")).to_be_hidden()
    expect(phone.page.locator("#decided")).to_contain_text("第1役は本部が訂正しました")
    expect(phone.page.locator("#decided")).to_contain_text("4–9")
    phone.play()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    phone.page.locator("#decided button").click()
    expect(phone.page.locator("#decided")).to_be_hidden()
