"""Queued rounds are sent although the phone's clock was wrong and is corrected."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Route

from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments.models import Round

pytestmark = pytest.mark.django_db(transaction=True)

YEAR = 365 * 86400
ROUNDS = "**/api/sittings/*/rounds/*"


def save_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    phone.expect_unsent(1)


def test_round_is_retried_after_the_clock_is_set_back(own_phone: Phone) -> None:
    phone = own_phone
    phone.page.clock.install(time=time.time() + YEAR)
    phone.page.route(ROUNDS, lambda route: route.abort())
    with phone.page.expect_event("requestfailed"):
        save_round(phone)
    phone.expect_pause()
    phone.page.clock.set_system_time(time.time())
    phone.page.unroute(ROUNDS)
    phone.page.clock.run_for(30_000)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)


def test_claim_of_a_closed_tab_expires_after_the_clock_is_set_back(
    own_phone: Phone,
) -> None:
    phone = own_phone
    asked: list[Route] = []
    phone.page.clock.install(time=time.time() + YEAR)

    def leave_unanswered(route: Route) -> None:
        asked.append(route)

    phone.page.route(ROUNDS, leave_unanswered)
    save_round(phone)
    wait_until(lambda: phone.page.evaluate("1") and asked)
    phone.page.close()
    phone.context.clock.set_system_time(time.time())
    phone.page = phone.play(phone.new_page())
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
