"""Taking down rounds on the phone: with the network, without it, and when it fails half-way."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.conftest import Phone
from tournaments.models import Round

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_gym_is_no_secure_context(phone: Phone) -> None:
    assert phone.page.evaluate("window.isSecureContext") is False
    assert phone.page.evaluate("'serviceWorker' in navigator") is False


def test_a_round_is_sent_and_the_phone_handed_on(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.count(2, 16, 0, "juroku")
    phone.count(3, 9, 7)
    expect(phone.page.locator("#preview .facts-big dd").first).to_have_text("+13")
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()
    expect(phone.page.locator("#pass-title")).to_contain_text("工藤 正")
    phone.expect_unsent(0)
    stored = Round.objects.get()
    assert stored.facts["deals"][1] == {"kankei": 16, "mukankei": 0, "declaration": "juroku"}
    phone.take_phone()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    assert phone.page.input_value("#id_dealer") == stored.facts["kankei"][0]
    assert phone.complaints == []
