"""Passing the phone on: points, acceptance, calls and replaced phones."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tournaments.i18n.sentences import signed
from tournaments.models import Acceptance, Call, Round, Sitting
from tournaments.queries.sheets import sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


def sitting_where(accepting: str, **fields: Any) -> Sitting:
    return cast.make_sitting(cast.make_tournament(accepting=accepting, **fields))


def type_first_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)


def record_first_round(phone: Phone) -> None:
    type_first_round(phone)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()


def test_next_dealer_accepts_with_one_tap(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    record_first_round(phone)
    expect(phone.page.locator("#pass-title")).to_contain_text("工藤 正")
    phone.take_phone()
    check = phone.page.locator("#panel-check")
    expect(check).to_contain_text("5–8")
    expect(check).to_contain_text("工藤 正 · 葛西 実")
    phone.page.locator("[data-do=accept]").click()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    wait_until(Acceptance.objects.exists)
    phone.expect_unsent(0)
    assert Acceptance.objects.get().round == Round.objects.get()
    phone.play()
    expect(phone.page.locator("#panel-form")).to_be_visible()


def test_points_and_totals_are_in_seat_order(
    make_phone: MakePhone,
) -> None:
    sitting = sitting_where("off")
    phone = make_phone(sitting)
    record_first_round(phone)
    table = phone.page.locator("#pass-points")
    expect(table.locator("thead th")).to_have_text(["名前", "今回", "合計"])
    names = [seat.entry.name for seat in sitting.seats.select_related("entry")]
    expect(table.locator("tbody th")).to_have_text(names)
    points = table.locator("tbody td:nth-child(2)")
    expect(points).to_have_text(["−1", "−1", "+1", "−1", "+1", "+1"])
    phone.take_phone()
    phone.kankei(3, 5)
    phone.count(1, 9, 4)
    phone.count(2, 8, 5)
    phone.count(3, 9, 4)
    phone.save()
    wait_until(lambda: Round.objects.count() == 2)
    score = sheet_of(sitting).score
    for place, expected in ((2, score.rounds[1].points), (3, score.totals)):
        told = [signed(expected[key]) for key in cast.keys(sitting)]
        expect(table.locator(f"tbody td:nth-child({place})")).to_have_text(told)


def test_phone_is_not_passed_on_after_the_last_round(make_phone: MakePhone) -> None:
    sitting = sitting_where("off", rounds_per_session=2)
    phone = make_phone(sitting)
    record_first_round(phone)
    phone.expect_unsent(0)
    cast.record(sitting, number=2)  # typed at the desk
    phone.page.evaluate("makiyaku.phone.refresh()")
    expect(phone.page.locator("#panel-end")).to_be_visible()
    expect(phone.page.locator("#panel-pass")).to_be_hidden()


def test_offline_acceptance_is_queued(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    phone.context.set_offline(True)
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("[data-do=accept]").click()
    phone.expect_unsent(2)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert Acceptance.objects.get().round.version == 1


def test_round_is_corrected_before_acceptance(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("#panel-check [data-do=correct]").click()
    phone.count(1, 4, 8)
    phone.page.locator("[data-reason]").first.click()
    expect(phone.page.locator("#reason")).to_have_value("数え間違い")
    phone.save()
    wait_until(lambda: Round.objects.count() == 2)
    rows = Round.objects.order_by("version")
    assert [(row.version, row.facts["deals"][0]["kankei"]) for row in rows] == [(1, 5), (2, 4)]
    phone.take_phone()
    expect(phone.page.locator("#panel-check")).to_contain_text("4–8")


def test_table_cannot_correct_an_accepted_round(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("[data-do=accept]").click()
    expect(phone.page.locator(".more [data-do=correct]")).to_be_hidden()
    phone.call_desk("数え間違い")
    wait_until(Call.objects.exists)
    call = Call.objects.get()
    assert (call.kind, call.words) == ("correction", "第1役：数え間違い")


def test_offline_call_is_queued(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.context.set_offline(True)
    phone.call_desk()
    phone.expect_unsent(1)
    assert Call.objects.count() == 0
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert Call.objects.get().kind == "director"


def test_second_phone_accepts(make_phone: MakePhone) -> None:
    sitting = sitting_where("second")
    writer, other = make_phone(sitting), make_phone(sitting)
    record_first_round(writer)
    writer.take_phone()
    expect(writer.page.locator("#panel-form")).to_be_visible()
    wait_until(Round.objects.exists)
    other.play()
    expect(other.page.locator("#panel-check")).to_contain_text("5–8")
    other.page.locator("[data-do=accept]").click()
    wait_until(Acceptance.objects.exists)
    assert Acceptance.objects.count() == 1


def test_replaced_phone_keeps_its_unsent_round(make_phone: MakePhone) -> None:
    sitting = sitting_where("off")
    old, new = make_phone(sitting), make_phone(sitting)
    expect(old.page.locator("#other-phone")).to_be_hidden()
    type_first_round(old)
    old.expect_draft("deal_1_mukankei", "8")
    new.page.locator("[data-do=take-over]").click()
    expect(new.page.locator("#other-phone")).to_be_hidden()

    old.save()
    expect(old.page.locator("#other-phone")).to_be_in_viewport(ratio=1)
    expect(old.page.locator("#pass-title")).to_have_text("第1役")  # the phone is not passed on
    expect(old.page.locator("#pass-state.is-marked")).to_be_visible()
    old.expect_unsent(1)
    assert Round.objects.count() == 0
    old.page.locator("[data-do=take-over]").click()
    wait_until(Round.objects.exists)
    old.expect_unsent(0)
    expect(old.page.locator("#other-phone")).to_be_hidden()
    assert Round.objects.get().facts["deals"] == [{"kankei": 5, "mukankei": 8}]
