"""Corrections by the table or the desk, calls, and second phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tournaments.models import Acceptance, AuditEntry, Call, Round, Sitting

pytestmark = pytest.mark.django_db(transaction=True)


def sitting_where(accepting: str) -> Sitting:
    return cast.make_sitting(cast.make_tournament(accepting=accepting))


def record_first_round(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#pass-state.is-sent")).to_be_visible()


def refresh(phone: Phone) -> None:
    """Reload the table's state, as the page does every few seconds."""
    phone.page.evaluate("makiyaku.phone.refresh()")


def test_call_is_shown_until_it_is_answered(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    said = phone.page.locator("#call-state")
    expect(said).to_be_hidden()
    phone.call_desk()
    expect(said).to_contain_text("本部を呼びました：裁定をお願いします")
    phone.call_desk()
    wait_until(lambda: phone.page.evaluate("makiyaku.phone.sentCount()") == 2)
    assert Call.objects.count() == 1
    Call.objects.update(answered_at=Call.objects.get().at)
    refresh(phone)
    expect(said).to_be_hidden()
    phone.call_desk()
    expect(said).to_contain_text("本部を呼びました")
    phone.page.locator("[data-do=take-call-back]").click()
    expect(said).to_be_hidden()
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.CALL_TAKEN_BACK).count() == 1


def test_offline_call_is_shown_as_waiting(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.context.set_offline(True)
    phone.call_desk()
    expect(phone.page.locator("#call-state .is-waiting")).to_contain_text("通信が戻りしだい")
    phone.page.locator("[data-do=take-call-back]").click()
    expect(phone.page.locator("#call-state")).to_be_hidden()
    phone.expect_unsent(0)


def test_play_continues_while_the_desk_corrects_a_round(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("#panel-check [data-do=ask-desk]").click()
    phone.page.locator("#call [data-answer='選手の取り違え']").click()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    wait_until(Call.objects.exists)
    phone.expect_unsent(0)
    refresh(phone)
    expect(phone.page.locator("#call-state")).to_be_in_viewport(ratio=1)
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    assert not Acceptance.objects.exists()
    Call.objects.update(answered_at=Call.objects.get().at)
    phone.play()
    expect(phone.page.locator("#panel-check")).to_be_visible()


def test_disputed_round_is_not_offered_for_acceptance(
    make_phone: MakePhone,
) -> None:
    phone = make_phone(sitting_where("same"))
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    cast.record(phone.sitting)
    phone.context.set_offline(False)
    expect(phone.page.locator("#refusal")).to_be_visible()
    expect(phone.page.locator("#pass-state.is-marked")).to_contain_text("得点は本部の記録")
    phone.take_phone()
    expect(phone.page.locator("#panel-form")).to_be_visible()
    expect(phone.page.locator("#round-title")).to_have_text("第2役")


def test_opened_queue_scrolls_into_view(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.page.locator("#preview").scroll_into_view_if_needed()
    phone.open_queue()
    expect(phone.page.locator("#queue-none")).to_be_in_viewport(ratio=1)


def test_correction_can_be_cancelled(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    record_first_round(phone)
    phone.take_phone()
    phone.page.locator("#panel-check [data-do=correct]").click()
    expect(phone.page.locator("#round-title")).to_have_text("第1役の訂正")
    phone.count(1, 4, 8)
    phone.page.locator("[data-do=leave-correction]").click()
    expect(phone.page.locator("#panel-check")).to_contain_text("5–8")
    phone.play()
    expect(phone.page.locator("#panel-check")).to_contain_text("5–8")
    assert Round.objects.count() == 1


def test_writer_corrects_until_the_second_phone_accepts(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("second"))
    record_first_round(phone)
    phone.page.locator(".more [data-do=correct]").click()
    phone.count(1, 4, 8)
    phone.page.fill("#reason", "数え違い")
    phone.save()
    wait_until(lambda: Round.objects.count() == 2)
    Acceptance.objects.create(round=Round.objects.get(version=2))
    refresh(phone)
    expect(phone.page.locator(".more [data-do=correct]")).to_be_hidden()


def test_table_corrects_its_last_round_without_acceptance(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    record_first_round(phone)
    correct = phone.page.locator(".more [data-do=correct]")
    correct.click()
    expect(phone.page.locator("#deal-1 .result:has(:checked)")).to_be_in_viewport(ratio=1)
    expect(phone.page.locator("#reason")).to_be_in_viewport(ratio=1)
    phone.count(1, 4, 8)
    phone.page.locator("[data-reason]").first.click()
    phone.save()
    wait_until(lambda: Round.objects.filter(version=2).exists())
    phone.take_phone()
    phone.kankei(1, 3)
    phone.count(1, 9, 4)
    phone.save()
    expect(correct).to_be_hidden()  # the next round has begun
    wait_until(lambda: Round.objects.filter(number=2).exists())


def test_second_phone_watches_until_it_may_accept(
    make_phone: MakePhone, new_context: Callable[[], BrowserContext]
) -> None:
    sitting = sitting_where("second")
    writer = make_phone(sitting)
    other = Phone(new_context(), writer.address, sitting)
    other.join()
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    assert other.page.url.endswith(reverse("take-over", args=place))
    other.page.get_by_role("link", name="このスマホで確かめる").click()
    watching = other.page.locator("#panel-pass")
    expect(watching).to_contain_text("このスマホでお聞きします")
    expect(other.page.locator("#panel-form")).to_be_hidden()
    record_first_round(writer)
    refresh(other)
    other.page.locator("[data-do=accept]").click()
    expect(watching.locator("#pass-points")).to_contain_text("+1")
    wait_until(Acceptance.objects.exists)


def test_replaced_phone_keeps_its_draft(make_phone: MakePhone) -> None:
    sitting = sitting_where("off")
    old, new = make_phone(sitting), make_phone(sitting)
    old.kankei(2, 4)
    new.page.locator("[data-do=take-over]").click()
    expect(new.page.locator("#panel-form")).to_be_visible()
    refresh(old)
    expect(old.page.locator("#other-phone")).to_be_visible()
    expect(old.page.locator("#panel-form")).to_be_visible()
    assert old.page.locator(".ring [name=kankei]:checked").count() == 2
