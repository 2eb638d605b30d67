"""What the desk does about rounds of a table, as the table's phone hears of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import cast
from tests.phones.conftest import MakePhone, Phone, wait_until
from tournaments.desk import writes
from tournaments.models import Disagreement, Round

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


@pytest.mark.parametrize("is_taken", [True, False], ids=["in its favour", "against it"])
def test_what_the_desk_has_decided_is_no_longer_unsent(differing: Phone, is_taken: bool) -> None:
    page, dispute = differing.page, Disagreement.objects.get()
    if is_taken:
        writes.take_other(dispute, seen=1, by=cast.SOMEBODY, reason="票で確かめた")
    else:
        writes.keep_stored(dispute, seen=1, by=cast.SOMEBODY)
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
