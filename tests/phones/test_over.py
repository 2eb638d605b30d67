"""Phones whose page stays open when the event is over, or the table's link is revoked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import record_round
from tournaments.models import Call, Round, Sitting
from tournaments.services import closing, table_links, tournaments

pytestmark = pytest.mark.django_db(transaction=True)


def close(sitting: Sitting) -> None:
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)


def revoke(sitting: Sitting) -> None:
    table_links.revoke_link(sitting, by=cast.SOMEBODY)


def remove(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    tournament.refresh_from_db()
    archived = tournament.last_act
    tournaments.remove_tournament(tournament, by=cast.SOMEBODY, archived=archived)


End = Callable[[Sitting], None]
# To the phone each end is the same state, which the first test checks.
every_end = pytest.mark.parametrize("end", [close, revoke, remove])


def sitting_where(**fields: Any) -> Sitting:
    return cast.make_sitting(cast.make_tournament(**fields))


def refresh(phone: Phone) -> None:
    """Reload the table's state, as the page does every few seconds."""
    phone.page.evaluate("makiyaku.phone.refresh()")


def shown(phone: Phone, *ids: str) -> set[str]:
    """Return which of these elements are visible, once the page says that it is over."""
    expect(phone.page.locator("#ended")).to_be_visible()
    return {each for each in ids if phone.page.locator(f"#{each}").is_visible()}


def expect_closed_form(phone: Phone, panel: str) -> None:
    """Expect this panel alone, and no button that leads to a record or to the desk."""
    expect(phone.page.locator(f"#panel-{panel}")).to_be_visible()
    panels = [f"panel-{each}" for each in ("form", "pass", "check", "end")]
    assert shown(phone, *panels) == {f"panel-{panel}"}
    for does in ("take-phone", "correct", "take-over", "call", "accept", "ask-desk"):
        expect(phone.page.locator(f"[data-do={does}]:visible")).to_have_count(0)
    expect(phone.page.locator(".actions-stuck button")).to_be_hidden()


def expect_kept_for_the_desk(phone: Phone, number: int) -> None:
    """Expect this many rounds in the list, with text and code, and no button that cannot work."""
    phone.expect_unsent(number)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    assert shown(phone, "ended-unsent", "ended-sent") == {"ended-unsent"}
    phone.open_queue()
    items = phone.page.locator("#queue-items > li")
    expect(items).to_have_count(number)
    expect(items.locator("[data-do=discard]:visible")).to_have_count(number)
    for does in ("retry", "edit"):
        expect(phone.page.locator(f"[data-do={does}]:visible")).to_have_count(0)
    expect(phone.page.locator("#queue-no-connection")).to_be_hidden()
    expect(phone.page.locator("#codes canvas")).to_be_visible()
    assert phone.page.locator("#queue-text").input_value().count('"facts"') == number
    assert phone.page_errors == []


@every_end
def test_page_says_that_all_was_sent_and_closes_its_form(make_phone: MakePhone, end: End) -> None:
    sitting = sitting_where(published=end is close)
    phone = make_phone(sitting)
    record_round(phone)
    wait_until(Round.objects.exists)
    phone.expect_unsent(0)
    end(sitting)
    refresh(phone)
    assert shown(phone, "ended-sent", "ended-unsent", "ended-typed") == {"ended-sent"}
    expect(phone.page.locator("#queue-words")).to_have_text("すべて送信済み")
    expect_closed_form(phone, "pass")
    assert phone.page_errors == []


def test_club_table_offers_no_second_phone_by_a_revoked_link(make_phone: MakePhone) -> None:
    sitting = cast.start_club_table()
    phone = make_phone(sitting)
    opener = phone.page.locator(".phone-head [data-sheet=join]")
    expect(opener).to_be_visible()
    revoke(sitting)
    refresh(phone)
    expect(phone.page.locator("#ended-sent")).to_be_visible()
    expect(opener).to_be_hidden()
    expect_closed_form(phone, "pass")
    assert phone.page_errors == []


@pytest.mark.parametrize("is_offline", [False, True])
def test_call_that_cannot_be_made_does_not_wait(
    phone: Phone, sitting: Sitting, is_offline: bool
) -> None:
    phone.context.set_offline(is_offline)
    if is_offline:
        phone.call_desk()
        phone.expect_unsent(1)
    close(sitting)
    if not is_offline:
        phone.call_desk()
    phone.context.set_offline(False)
    expect(phone.page.locator("#ended-call")).to_be_in_viewport()
    expect(phone.page.locator("#call-state")).to_be_hidden()
    phone.expect_unsent(0)
    assert shown(phone, "ended-sent", "ended-unsent") == {"ended-sent"}
    expect_closed_form(phone, "pass")
    assert not Call.objects.exists()
    assert phone.page_errors == []


def test_open_call_cannot_be_cancelled_any_more(phone: Phone, sitting: Sitting) -> None:
    phone.call_desk()
    expect(phone.page.locator("#call-state .is-sent")).to_be_visible()
    close(sitting)
    refresh(phone)
    expect(phone.page.locator("#ended-call")).to_be_visible()
    expect(phone.page.locator("#call-state")).to_be_hidden()


def test_half_typed_round_stays_until_it_is_saved(phone: Phone, sitting: Sitting) -> None:
    phone.kankei(2, 4)
    phone.page.wait_for_function("() => window.qrcode")
    close(sitting)
    refresh(phone)
    assert shown(phone, "ended-typed", "panel-form") == {"ended-typed", "panel-form"}
    expect(phone.page.locator("[name=kankei]:checked")).to_have_count(2)
    phone.count(1, 5, 8)
    phone.save()
    expect_closed_form(phone, "pass")
    assert shown(phone, "ended-typed") == set()
    expect_kept_for_the_desk(phone, 1)
    assert not Round.objects.exists()


@pytest.mark.parametrize(("rounds", "is_offline"), [(1, False), (1, True), (2, True)])
def test_rounds_not_taken_end_no_table(
    make_phone: MakePhone, rounds: int, is_offline: bool
) -> None:
    sitting = sitting_where(rounds_per_session=2)
    phone = make_phone(sitting)
    phone.page.wait_for_function("() => window.qrcode")
    if rounds == 1:
        record_round(phone)
        wait_until(Round.objects.exists)
        phone.expect_unsent(0)
        refresh(phone)  # so that no request is under way that could hear of the end
    else:
        phone.context.set_offline(True)
        record_round(phone)
    totals = phone.page.evaluate("makiyaku.phone.table.server.totals")
    phone.context.set_offline(is_offline)
    close(sitting)
    phone.kankei(3, 5)
    phone.count(1, 5, 8)
    phone.save()
    if is_offline:
        expect(phone.page.locator("#panel-end")).to_be_visible()
    phone.context.set_offline(False)
    expect_closed_form(phone, "pass")
    expect_kept_for_the_desk(phone, rounds)
    expect(phone.page.locator("#pass-state.is-marked")).to_be_visible()
    expect(phone.page.locator("#end-first")).to_be_hidden()
    if rounds == 2:
        assert phone.page.evaluate("makiyaku.phone.table.totals()") == totals


def test_table_that_was_played_to_its_end_says_so(make_phone: MakePhone) -> None:
    sitting = sitting_where(rounds_per_session=1)
    phone = make_phone(sitting)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    phone.expect_unsent(0)
    wait_until(Round.objects.exists)
    close(sitting)
    refresh(phone)
    expect_closed_form(phone, "end")
    expect(phone.page.locator("#end-first")).to_be_visible()
    assert shown(phone, "ended-sent", "ended-unsent") == {"ended-sent"}


def test_nobody_is_asked_to_accept_any_more(make_phone: MakePhone) -> None:
    sitting = sitting_where(accepting="same")
    phone = make_phone(sitting)
    record_round(phone)
    expect(phone.page.locator("#panel-check")).to_be_visible()
    phone.expect_unsent(0)
    wait_until(Round.objects.exists)
    close(sitting)
    refresh(phone)
    expect(phone.page.locator("#ended")).to_be_visible()
    expect_closed_form(phone, "pass")


@pytest.mark.parametrize("is_typed", [False, True])
def test_correction_is_closed_unless_something_is_typed(
    phone: Phone, sitting: Sitting, is_typed: bool
) -> None:
    record_round(phone)
    phone.expect_unsent(0)
    wait_until(Round.objects.exists)
    phone.page.wait_for_function("() => window.qrcode")
    phone.page.locator(".more [data-do=correct]").click()
    expect(phone.page.locator("#reason-field")).to_be_visible()
    if is_typed:
        phone.count(1, 4, 8)
        phone.page.locator("[data-reason]").first.click()
    close(sitting)
    refresh(phone)
    if is_typed:
        expect(phone.page.locator("#ended-typed")).to_be_visible()
        phone.save()
    expect_closed_form(phone, "pass")
    if is_typed:
        expect_kept_for_the_desk(phone, 1)
    assert Round.objects.count() == 1
    kept = "makiyaku.phone.table.rounds()[0].facts.deals[0].kankei"
    assert phone.page.evaluate(kept) == 5  # what was taken counts


def test_new_card_opens_the_form_again(phone: Phone, sitting: Sitting) -> None:
    revoke(sitting)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#ended")).to_be_visible()
    expect_closed_form(phone, "pass")
    phone.expect_unsent(1)
    table_links.make_link(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    phone.join()
    wait_until(Round.objects.exists)
    phone.expect_unsent(0)
    expect(phone.page.locator("#ended")).to_be_hidden()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    expect(phone.page.locator(".phone-head [data-do=call]")).to_be_visible()
    assert phone.page_errors == []
