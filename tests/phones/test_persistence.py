"""Drafts and the queue survive reloads, killed browsers, double taps and second tabs."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, expect

from tests import browsers, deals, live
from tests.phones.conftest import Phone
from tests.phones.steps import free_seats, record_round, stored, wait_for_versions
from tournaments.models import Receipt, Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)


def kill_browser_of(profile: Path) -> None:
    """Kill every process of the browser that was started with this profile."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if f"--user-data-dir={profile}".encode() in line.read_bytes().split(b"\0"):
                os.kill(int(line.parent.name), signal.SIGKILL)


def test_draft_survives_a_reload(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    deals.type_counts(phone.page.locator("#deal-2"), 7, "")
    phone.expect_draft("deal_2_kankei", "7")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "9"
    assert phone.page.input_value("#id_deal_2_kankei") == "7"
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 2
    assert Round.objects.count() == 0


def start_browser(chromium: Browser, folder: Path) -> BrowserContext:
    context = chromium.browser_type.launch_persistent_context(
        folder, viewport=browsers.SMALL, **browsers.options()
    )
    context.add_init_script(live.PATIENT_STORE)
    return context


def test_draft_and_queue_survive_a_killed_browser(
    chromium: Browser, address: str, sitting: Sitting, tmp_path: Path
) -> None:
    """The browser is killed while offline, and started again."""
    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.join()
    context.close()  # closing a browser writes its cookies

    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.play()
    context.set_offline(True)
    record_round(phone)
    phone.kankei(*free_seats(phone))
    phone.count(1, 9, 2)
    phone.expect_unsent(1)
    phone.expect_draft("deal_1_mukankei", "2")
    kill_browser_of(tmp_path)
    with suppress(Error):
        context.close()

    context = start_browser(chromium, tmp_path)
    phone = Phone(context, address, sitting)
    phone.play()
    wait_for_versions(1)
    expect(phone.page.locator("#round-title")).to_contain_text("2")
    assert phone.page.input_value("#id_deal_1_kankei") == "9"
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 2
    assert stored() == [(1, 1, 5)]
    context.close()


def test_double_tap_records_one_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.page.locator(".actions-stuck button").dblclick()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert stored() == [(1, 1, 5)]
    assert Receipt.objects.count() == 1


def test_two_tabs_record_one_round(phone: Phone) -> None:
    other = phone.play(phone.new_page())
    phone.context.set_offline(True)
    for page in (phone.page, other):
        for seat in (1, 2, 4):  # the dealer and both kankei
            page.locator(f".ring .seat:nth-child({seat})").click()
        deals.fill_in(page, 1, 5, 8)
        page.locator(".actions-stuck button").click()
        expect(page.locator("#panel-pass")).to_be_visible()
    phone.expect_unsent(1)
    phone.context.set_offline(False)
    wait_for_versions(1)
    phone.expect_unsent(0)
    expect(other.locator("#queue.is-waiting")).to_have_count(0)
    assert stored() == [(1, 1, 5)]
    assert Receipt.objects.count() == 1


def test_second_tab_reports_a_conflict(phone: Phone) -> None:
    other = phone.play(phone.new_page())
    for seat in (1, 2, 4):
        other.locator(f".ring .seat:nth-child({seat})").click()
    deals.fill_in(other, 1, 3, 8)
    record_round(phone)
    wait_for_versions(1)
    expect(other.locator("#queue-words")).to_have_text("すべて送信済み")
    other.locator(".actions-stuck button").click()
    expect(other.locator("#save-problem")).to_be_visible()
    assert stored() == [(1, 1, 5)]
