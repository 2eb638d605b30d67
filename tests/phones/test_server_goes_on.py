"""Phones of a server that goes on from an earlier state: a standby copy, or a restored backup.

A copy of the database takes the place of the later state under the running server.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import record_round, stored, wait_for_versions
from tournaments.backups import sqlite
from tournaments.models import (
    Acceptance,
    Call,
    Disagreement,
    Entry,
    Epoch,
    Round,
    Sitting,
    Tournament,
)
from tournaments.services import epochs, seating

pytestmark = pytest.mark.django_db(transaction=True)

GoOn = Callable[..., None]
Copied = Callable[[], GoOn]


@pytest.fixture
def copied(shared_database: None, tmp_path: Path) -> Copied:
    """Copy the database now; what it returns lets the server go on from the copy."""
    numbers = count()

    def copy() -> GoOn:
        to = tmp_path / f"copy-{next(numbers)}"
        contents = sqlite.copy(to)

        def go_on(
            reason: Epoch.Reason = Epoch.Reason.CONTINUED,
            *,
            sends_again: bool = True,
            skips_numbers: bool = True,
        ) -> None:
            last = epochs.last_sitting() if skips_numbers else 0
            sqlite.replace(to, contents, lambda _copy: None, [])
            epochs.begin(reason, last_sitting=last, sends_again=sends_again)

        return go_on

    return copy


@pytest.fixture
def sitting(copied: Copied) -> Sitting:
    return cast.make_sitting()


def refresh(phone: Phone) -> None:
    """Ask for the table's state, as the page does every ten seconds."""
    phone.page.evaluate("makiyaku.phone.refresh()")


def send_now(phone: Phone) -> None:
    """Retry, as the page does every few seconds."""
    phone.page.evaluate("makiyaku.phone.outbox.retryAll()")


def test_phone_sends_again_what_the_copy_lacks(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    """Rounds, a correction and an acceptance: once each and in order."""
    Tournament.objects.update(accepting="same")
    phone = make_phone(sitting)
    record_round(phone)
    phone.page.locator("[data-do=accept]").click()
    wait_until(Acceptance.objects.exists)
    go_on = copied()
    record_round(phone, kankei=4)
    phone.page.locator("#panel-check [data-do=correct]").click()
    phone.count(1, 3, 8)
    phone.page.get_by_role("button", name="数え間違い").click()
    phone.save()
    phone.take_phone()
    phone.page.locator("[data-do=accept]").click()
    record_round(phone, kankei=2)
    wait_for_versions(4)
    wait_until(lambda: Acceptance.objects.count() == 2)
    before = stored()
    go_on()
    assert (len(stored()), Acceptance.objects.count()) == (1, 1)
    refresh(phone)
    wait_for_versions(4)
    wait_until(lambda: Acceptance.objects.count() == 2)
    phone.expect_unsent(0)
    assert stored() == before
    assert not Disagreement.objects.exists()
    assert phone.page_errors == []


def test_rounds_of_two_phones_are_stored_in_order(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    """The phone that took over since the copy needs no tap, and waits for the other's rounds."""
    first, second = make_phone(sitting), make_phone(sitting)
    go_on = copied()
    record_round(first, kankei=5)
    wait_for_versions(1)
    second.page.reload()
    second.page.locator("[data-do=take-over]").click()
    expect(second.page.locator("#panel-form")).to_be_visible()
    record_round(second, kankei=4)
    wait_for_versions(2)
    before = stored()
    go_on()
    refresh(second)
    second.expect_unsent(1)
    refresh(first)
    wait_for_versions(1)
    send_now(second)
    wait_for_versions(2)
    assert stored() == before


def test_rounds_stay_out_after_going_back_on_purpose(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    phone = make_phone(sitting)
    record_round(phone, kankei=5)
    wait_for_versions(1)
    go_on = copied()
    record_round(phone, kankei=4)
    wait_for_versions(2)
    go_on(Epoch.Reason.RESTORED, sends_again=False)
    refresh(phone)
    phone.expect_unsent(0)
    expect(phone.page.locator("#round-title")).to_contain_text("2")
    record_round(phone, kankei=3)  # takes the number of the round that stays out
    wait_for_versions(2)
    assert stored() == [(1, 1, 5), (2, 1, 3)]
    epochs.set_sends_again(sends_again=True)
    refresh(phone)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5), (2, 1, 3)]
    assert phone.page_errors == []


def test_rounds_are_sent_again_once_the_desk_wants_them(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    phone = make_phone(sitting)
    go_on = copied()
    record_round(phone, kankei=5)
    wait_for_versions(1)
    go_on(Epoch.Reason.RESTORED, sends_again=False)
    refresh(phone)
    assert not stored()
    epochs.set_sends_again(sends_again=True)
    refresh(phone)
    wait_for_versions(1)
    phone.expect_unsent(0)


def test_round_that_the_desk_has_typed_otherwise_is_a_dispute(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    phone = make_phone(sitting)
    go_on = copied()
    record_round(phone, kankei=5)
    wait_for_versions(1)
    go_on()
    cast.record(sitting, cast.plain_round(sitting) | {"deals": [{"kankei": 2, "mukankei": 9}]})
    refresh(phone)
    wait_until(Disagreement.objects.exists)
    assert Disagreement.objects.get().facts["deals"][0]["kankei"] == 5
    assert Round.objects.count() == 1


def test_phone_that_joined_after_the_copy_scans_its_card_again(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    go_on = copied()
    phone = make_phone(sitting)
    record_round(phone, kankei=5)
    record_round(phone, kankei=4)
    wait_for_versions(2)
    go_on()
    refresh(phone)
    expect(phone.page.locator("#ended-unknown")).to_be_visible()
    expect(phone.page.locator("#ended-closed")).to_be_hidden()
    phone.expect_unsent(2)
    assert not stored()
    phone.join()  # the card of before
    wait_for_versions(2)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5), (2, 1, 4)]


def seat_again(tournament: Tournament, players: list[str]) -> Sitting:
    entries = [Entry.objects.get(pk=each) for each in players]
    return seating.open_session(tournament, [entries], by=cast.SOMEBODY).sittings.get()


def test_rounds_of_the_table_before_are_sent_again(
    make_phone: MakePhone, sitting: Sitting, copied: Copied
) -> None:
    """The phone has moved to the next session's table, of which the copy knows nothing.

    It asks for the state of the table before, though it called the desk from there, too.
    """
    phone = make_phone(sitting)
    statuses: list[int] = []
    phone.page.on("response", lambda each: statuses.append(each.status))
    record_round(phone, kankei=5)
    wait_for_versions(1)
    phone.call_desk()
    wait_until(Call.objects.exists)
    go_on = copied()
    record_round(phone, kankei=4)
    wait_for_versions(2)
    before = stored()
    phone.sitting = seat_again(sitting.session.tournament, cast.keys(sitting))
    phone.join()
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    go_on()
    refresh(phone)
    wait_for_versions(2)
    phone.expect_unsent(0)
    assert stored() == before
    assert 405 not in statuses
    assert phone.page_errors == []


@pytest.mark.parametrize(
    ("is_same", "has_same_number"),
    [(True, False), (False, False), (True, True)],
    ids=["same seats", "other seats", "same number"],
)
def test_rounds_of_a_table_seated_after_the_copy(
    make_phone: MakePhone, copied: Copied, is_same: bool, has_same_number: bool
) -> None:
    """Stored at the table that the desk seats again, unless others sit there.

    The numbers of the tables are told apart by their keys, if they are the same.
    """
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 6)
    players = [str(each.pk) for each in tournament.entries.all()]
    go_on = copied()
    phone = make_phone(seat_again(tournament, players))
    record_round(phone, kankei=5)
    record_round(phone, kankei=4)
    wait_for_versions(2)
    go_on(skips_numbers=not has_same_number)
    phone.sitting = seat_again(tournament, players if is_same else players[::-1])
    refresh(phone)
    phone.expect_unsent(2)
    phone.join()
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    if is_same:
        wait_for_versions(2)
        phone.expect_unsent(0)
        assert stored() == [(1, 1, 5), (2, 1, 4)]
    else:
        send_now(phone)
        phone.expect_unsent(2)
        assert not stored()
    assert phone.page_errors == []


def test_rounds_are_sent_again_though_the_line_failed_when_the_card_was_scanned(
    make_phone: MakePhone, copied: Copied
) -> None:
    """The question about the table before is asked again with the next request of the state."""
    tournament = cast.make_tournament()
    cast.make_entries(tournament, 6)
    players = [str(each.pk) for each in tournament.entries.all()]
    go_on = copied()
    phone = make_phone(before := seat_again(tournament, players))
    record_round(phone, kankei=5)
    wait_for_versions(1)
    go_on()
    phone.sitting = seat_again(tournament, players)
    refresh(phone)
    address = f"**/api/sittings/{before.pk}"
    phone.page.route(address, lambda route: route.abort())
    phone.join()
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    send_now(phone)
    phone.expect_unsent(1)
    assert not stored()
    phone.page.unroute(address)
    refresh(phone)
    wait_for_versions(1)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5)]
    assert phone.page_errors == []
