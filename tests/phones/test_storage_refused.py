"""A phone whose storage takes nothing: what is saved is sent all the same, and people are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Dialog, Route, expect

from tests import deals
from tests.phones.conftest import Phone, wait_until
from tournaments.models import Receipt, Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)

# What each does to a database that was opened well.
REFUSING = {
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


def fill_up(phone: Phone) -> None:
    """Let the phone's storage be full from now on."""
    tools = phone.context.new_cdp_session(phone.page)
    quota = {"origin": phone.address, "quotaSize": 1}
    tools.send("Storage.overrideQuotaForOrigin", quota)


def take_down(phone: Phone, kankei: int = 5) -> None:
    phone.kankei(2, 4)
    deals.type_counts(
        phone.page.locator("#deal-1"), kankei, 8
    )  # a browser notices after some writes


def expect_told(phone: Phone) -> None:
    expect(phone.page.locator("#unkept")).to_be_visible()
    expect(phone.page.locator("#queue-words")).not_to_have_text("すべて送信済み")


def test_a_full_phone_sends_what_is_saved_and_says_that_it_keeps_nothing(phone: Phone) -> None:
    fill_up(phone)
    take_down(phone)
    expect_told(phone)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert Round.objects.get().facts["deals"] == [{"kankei": 5, "mukankei": 8}]
    assert Receipt.objects.count() == 1
    assert phone.complaints == []


@pytest.mark.parametrize("way", REFUSING)
def test_so_does_one_whose_storage_refuses_otherwise(phone: Phone, way: str) -> None:
    phone.page.evaluate(f"() => {{ {REFUSING[way]} }}")
    take_down(phone)
    expect_told(phone)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()
    assert Round.objects.count() == Receipt.objects.count() == 1
    assert phone.complaints == []


def test_without_the_network_a_full_phone_holds_rounds_as_long_as_the_page_is_open(
    phone: Phone,
) -> None:
    fill_up(phone)
    phone.context.set_offline(True)
    take_down(phone)
    phone.save()
    phone.take_phone()
    phone.kankei(3, 5)
    phone.count(1, 6, 8)
    phone.save()
    phone.expect_unsent(2)
    expect_told(phone)
    assert '"kankei":6' in phone.page.input_value("#queue-text")
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 2)
    phone.expect_unsent(0)
    assert [row.number for row in Round.objects.order_by("pk")] == [1, 2]
    assert Receipt.objects.count() == 2


def test_a_full_phone_asks_before_it_loses_what_is_not_sent(phone: Phone) -> None:
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    fill_up(phone)
    take_down(phone)
    expect_told(phone)
    phone.page.on("dialog", stay)
    phone.page.evaluate("location.reload()")
    wait_until(lambda: phone.page.evaluate("1") and asked)
    assert asked == ["beforeunload"]
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
    phone.page.remove_listener("dialog", stay)


def test_a_full_phone_keeps_no_sheets(phone: Phone) -> None:
    """Chart and standings leave their room to the rounds, and the open page still shows them."""
    kept = "() => Object.keys(localStorage).filter((key) => key.startsWith('makiyaku-sheet-'))"
    wait_until(lambda: len(phone.page.evaluate(kept)) == 2)
    phone.page.evaluate(f"() => {{ {REFUSING['read-only']} }}")
    take_down(phone)
    expect_told(phone)
    assert phone.page.evaluate(kept) == []
    with phone.page.expect_response("**/chart/**"):  # fetched anew, and not kept
        phone.page.locator("[data-sheet=chart]:visible").first.click()
    expect(phone.page.locator(".phone-chart table").first).to_be_visible()
    assert phone.page.evaluate(kept) == []


def test_sheets_that_cannot_be_kept_are_no_round_that_is_lost(
    new_context: Callable[[], BrowserContext], address: str, sitting: Sitting
) -> None:
    phone = Phone(new_context(), address, sitting)
    phone.context.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
    )
    phone.join()
    phone.play()
    phone.page.wait_for_function(
        "() => ['chart', 'standings'].every((name) => makiyaku.phone.sheets.kept[name])"
    )
    drafts = (
        "() => makiyaku.phone.outbox.store.in('drafts', 'readonly', (store) => store.getAllKeys())"
    )
    assert phone.page.evaluate(drafts) == []
    assert not phone.page.evaluate("() => makiyaku.phone.outbox.store.isHolding()")
    expect(phone.page.locator("#unkept")).to_be_hidden()
    assert phone.complaints == []


def test_what_was_kept_before_the_phone_was_full_is_sent_once(phone: Phone) -> None:
    """Even what became of it cannot be written down then."""
    phone.context.set_offline(True)
    take_down(phone)
    phone.save()
    phone.expect_unsent(1)
    phone.page.evaluate(f"() => {{ {REFUSING['read-only']} }}")
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
    phone.play()  # its storage is as it was before, and the key makes it one
    phone.expect_unsent(0)
    assert Round.objects.count() == Receipt.objects.count() == 1


def test_with_room_again_everything_is_kept(phone: Phone) -> None:
    fill_up(phone)
    phone.context.set_offline(True)
    take_down(phone)
    phone.save()
    phone.take_phone()
    expect_told(phone)
    tools = phone.context.new_cdp_session(phone.page)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": phone.address})
    phone.kankei(3, 5)
    phone.count(1, 6, 8)
    expect(phone.page.locator("#unkept")).to_be_hidden()
    phone.context.set_offline(False)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_draft("deal_1_mukankei", "8")
    phone.play()
    assert phone.page.input_value("#id_deal_1_kankei") == "6"


def test_what_is_cleared_away_while_the_page_is_open_is_put_back(phone: Phone) -> None:
    phone.context.set_offline(True)
    take_down(phone)
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
    assert phone.complaints == []


@pytest.mark.parametrize("way", ["onblocked", "never"])
def test_a_database_that_does_not_open_leaves_the_form_to_be_sent_as_it_is(
    new_context: Callable[[], BrowserContext], address: str, sitting: Sitting, way: str
) -> None:
    phone = Phone(new_context(), address, sitting)
    phone.join()
    phone.context.add_init_script(
        "window.makiyaku = {};"  # as patient as it is to people
        "indexedDB.open = () => { const request = {};"
        f" setTimeout(() => request.{way}?.(), 10); return request; }}; "
    )
    phone.page.goto(phone.play_address)
    expect(phone.page.locator("#queue-words")).to_contain_text("保存できません")
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    expect_told(phone)
    phone.page.select_option("[name=dealer]", index=1)
    take_down(phone)
    phone.context.set_offline(True)
    phone.save()
    expect(phone.page.locator("#save-problem")).to_contain_text("保存できません")
    assert phone.page.input_value("#id_deal_1_kankei") == "5"
    phone.context.set_offline(False)
    phone.save()
    wait_until(lambda: Round.objects.count() == 1)


def test_a_day_to_wait_is_not_believed(phone: Phone) -> None:
    def wait_a_day(route: Route) -> None:
        route.fulfill(status=429, headers={"Retry-After": "86400"}, json={"message": "later"})

    phone.page.clock.install()
    phone.page.route("**/api/sittings/*/rounds/*", wait_a_day)
    take_down(phone)
    with phone.page.expect_response("**/api/sittings/*/rounds/*"):
        phone.save()
    phone.expect_unsent(1)
    phone.expect_rest()
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.page.clock.run_for(125_000)
    wait_until(lambda: Round.objects.count() == 1)
    phone.expect_unsent(0)
