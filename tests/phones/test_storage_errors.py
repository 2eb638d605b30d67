"""Storage that is full, read-only or broken: rounds are still sent, and the page says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Dialog, Route, expect

from tests import deals
from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments.models import Receipt, Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)

# Scripts that make the writes of an open database fail.
STORAGE_ERRORS = {
    "read-only": """
      const open = IDBDatabase.prototype.transaction;
      IDBDatabase.prototype.transaction = function (names, mode, ...rest) {
        if (mode === "readwrite") throw new DOMException("read only", "ReadOnlyError");
        return open.call(this, names, mode, ...rest);
      };""",
    "aborted": """
      for (const name of ["add", "put"]) {
        const write = IDBObjectStore.prototype[name];
        IDBObjectStore.prototype[name] = function (...given) {
          const request = write.apply(this, given);
          this.transaction.abort();
          return request;
        };
      }""",
    "failing request": """
      for (const name of ["add", "put"]) {
        IDBObjectStore.prototype[name] = () => { throw new DOMException("", "UnknownError"); };
      }""",
}


def fill_storage(phone: Phone) -> None:
    """Set the quota of the phone's storage to one byte."""
    tools = phone.context.new_cdp_session(phone.page)
    quota = {"origin": phone.address, "quotaSize": 1}
    tools.send("Storage.overrideQuotaForOrigin", quota)


def fill_in_round(phone: Phone, kankei: int = 5) -> None:
    phone.kankei(2, 4)
    deals.type_counts(
        phone.page.locator("#deal-1"), kankei, 8
    )  # the quota applies after some writes


def expect_storage_warning(phone: Phone) -> None:
    expect(phone.page.locator("#storage-warning")).to_be_visible()
    expect(phone.page.locator("#queue-words")).not_to_have_text("すべて送信済み")


def test_full_storage_is_reported_and_rounds_are_sent(own_phone: Phone) -> None:
    phone = own_phone
    fill_storage(phone)
    fill_in_round(phone)
    expect_storage_warning(phone)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert Round.objects.get().facts["deals"] == [{"kankei": 5, "mukankei": 8}]
    assert Receipt.objects.count() == 1
    assert phone.page_errors == []


@pytest.mark.parametrize("error", STORAGE_ERRORS)
def test_storage_errors_are_reported_and_rounds_are_sent(phone: Phone, error: str) -> None:
    phone.page.evaluate(f"() => {{ {STORAGE_ERRORS[error]} }}")
    fill_in_round(phone)
    expect_storage_warning(phone)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert Round.objects.count() == Receipt.objects.count() == 1
    assert phone.page_errors == []


def test_open_page_holds_offline_rounds_if_storage_is_full(
    own_phone: Phone,
) -> None:
    phone = own_phone
    fill_storage(phone)
    phone.context.set_offline(True)
    fill_in_round(phone)
    phone.save()
    phone.take_phone()
    phone.kankei(3, 5)
    phone.count(1, 6, 8)
    phone.save()
    phone.expect_unsent(2)
    expect_storage_warning(phone)
    assert '"kankei":6' in phone.page.input_value("#queue-text")
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 2)
    phone.expect_unsent(0)
    assert [row.number for row in Round.objects.order_by("pk")] == [1, 2]
    assert Receipt.objects.count() == 2


def test_full_storage_warns_before_the_page_is_left(own_phone: Phone) -> None:
    phone = own_phone
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    fill_storage(phone)
    fill_in_round(phone)
    expect_storage_warning(phone)
    phone.page.on("dialog", stay)
    phone.page.evaluate("location.reload()")
    wait_until(lambda: phone.page.evaluate("1") and asked)
    assert asked == ["beforeunload"]
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
    phone.page.remove_listener("dialog", stay)


def test_full_storage_keeps_no_sheets(phone: Phone) -> None:
    """Chart and standings are removed to make room, and still shown by the open page."""
    kept = "() => Object.keys(localStorage).filter((key) => key.startsWith('makiyaku-sheet-'))"
    wait_until(lambda: len(phone.page.evaluate(kept)) == 2)
    phone.page.evaluate(f"() => {{ {STORAGE_ERRORS['read-only']} }}")
    fill_in_round(phone)
    expect_storage_warning(phone)
    assert phone.page.evaluate(kept) == []
    with phone.page.expect_response("**/chart/**"):  # loaded again, and not stored
        phone.page.locator("[data-sheet=chart]:visible").first.click()
    expect(phone.page.locator(".phone-chart table").first).to_be_visible()
    assert phone.page.evaluate(kept) == []


def test_unstored_sheets_are_not_reported_as_lost_rounds(
    new_context: Callable[[], BrowserContext], address: str, sitting: Sitting
) -> None:
    phone = Phone(new_context(), address, sitting)
    phone.context.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
    )
    phone.admit()
    phone.play()
    phone.page.wait_for_function(
        "() => ['chart', 'standings'].every((name) => makiyaku.phone.sheets.contents[name])"
    )
    drafts = """() => makiyaku.phone.outbox.store
      .transact('drafts', 'readonly', (store) => store.getAllKeys())"""
    assert phone.page.evaluate(drafts) == []
    assert not phone.page.evaluate("() => makiyaku.phone.outbox.store.hasUnstored()")
    expect(phone.page.locator("#storage-warning")).to_be_hidden()
    assert phone.page_errors == []


def test_round_queued_before_storage_failed_is_sent_once(phone: Phone) -> None:
    """That it was sent cannot be stored either."""
    phone.context.set_offline(True)
    fill_in_round(phone)
    phone.save()
    phone.expect_unsent(1)
    phone.page.evaluate(f"() => {{ {STORAGE_ERRORS['read-only']} }}")
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
    phone.play()  # it is sent again under the same idempotency key
    phone.expect_unsent(0)
    assert Round.objects.count() == Receipt.objects.count() == 1


def test_storage_is_used_again_once_there_is_room(own_phone: Phone) -> None:
    phone = own_phone
    fill_storage(phone)
    phone.context.set_offline(True)
    fill_in_round(phone)
    phone.save()
    phone.take_phone()
    expect_storage_warning(phone)
    tools = phone.context.new_cdp_session(phone.page)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": phone.address})
    phone.kankei(3, 5)
    phone.count(1, 6, 8)
    expect(phone.page.locator("#storage-warning")).to_be_hidden()
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_draft("deal_1_mukankei", "8")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "6"


def test_cleared_storage_is_restored_by_the_open_page(phone: Phone) -> None:
    phone.context.set_offline(True)
    fill_in_round(phone)
    phone.save()
    phone.take_phone()
    phone.kankei(3, 5)
    phone.count(1, 6, 8)
    phone.expect_unsent(1)
    tools = phone.context.new_cdp_session(phone.page)
    cleared = {"origin": phone.address, "storageTypes": "indexeddb"}
    tools.send("Storage.clearDataForOrigin", cleared)
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
    phone.expect_draft("deal_1_mukankei", "8")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "6"
    assert phone.page_errors == []


@pytest.mark.parametrize("callback", ["onblocked", "never"])
def test_form_is_submitted_if_storage_does_not_open(
    new_context: Callable[[], BrowserContext], address: str, sitting: Sitting, callback: str
) -> None:
    phone = Phone(new_context(), address, sitting)
    phone.admit()
    phone.context.add_init_script(
        "window.makiyaku = {};"  # without the longer timeout of tests
        "indexedDB.open = () => { const request = {};"
        f" setTimeout(() => request.{callback}?.(), 10); return request; }}; "
    )
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#queue-words")).to_contain_text("保存できません")
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    expect_storage_warning(phone)
    fill_in_round(phone)
    phone.context.set_offline(True)
    phone.save()
    expect(phone.page.locator("#save-problem")).to_contain_text("保存できません")
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
    phone.context.set_offline(False)
    phone.save()
    wait_until(lambda: Round.objects.count() == 1)


def test_long_retry_after_is_limited(own_phone: Phone) -> None:
    phone = own_phone

    def wait_a_day(route: Route) -> None:
        route.fulfill(status=429, headers={"Retry-After": "86400"}, json={"message": "later"})

    phone.page.clock.install()
    phone.page.route("**/api/sittings/*/rounds/*", wait_a_day)
    fill_in_round(phone)
    with phone.page.expect_response("**/api/sittings/*/rounds/*"):
        phone.save()
    phone.expect_unsent(1)
    phone.expect_pause()
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.page.clock.run_for(125_000)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
