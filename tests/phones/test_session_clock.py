"""The time left of a session on the phones at the tables."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests import cast
from tests.phones.conftest import Phone
from tournaments.queries.clocks import ClockSettings


@pytest.mark.django_db(transaction=True)
def test_phone_with_a_wrong_clock_shows_its_tables_time(own_phone: Phone) -> None:
    phone = own_phone
    session = phone.sitting.session
    expect(phone.page.locator(".clock")).to_be_hidden()  # no clock is set
    cast.start_clock(session, ClockSettings(600, 300, {str(phone.sitting.number): 120}))
    wrong = timezone.now() + timedelta(days=365)
    page = phone.new_page()
    page.clock.install(time=wrong)
    phone.play(page)
    page.wait_for_load_state("networkidle")
    page.clock.run_for(1000)
    shown, words = page.locator(".clock-digits"), page.locator(".clock-words")
    expect(shown).to_have_text(re.compile(r"^1[12]:\d\d$"))
    phone.context.set_offline(True)
    page.clock.fast_forward("08:00")
    expect(words).to_contain_text("まもなく終了")
    expect(shown).to_have_text(re.compile(r"^[34]:\d\d$"))
    assert phone.page_errors == []
