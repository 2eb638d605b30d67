"""What is typed for a round that the desk, or another phone, records meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests import cast, deals
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import stored
from tournaments.models import Disagreement, Sitting

pytestmark = pytest.mark.django_db(transaction=True)

TWO_DEALS = [{"kankei": 9, "mukankei": 4}, {"kankei": 7, "mukankei": 9}]


def facts(sitting: Sitting, counts: list[dict[str, int]]) -> dict[str, Any]:
    """The facts that `Phone.kankei(2, 4)` begins, with these deals."""
    players = cast.keys(sitting)
    return cast.plain_round(sitting) | {
        "dealer": players[0],
        "kankei": [players[1], players[3]],
        "deals": counts,
    }


def refresh(phone: Phone) -> None:
    """Reload the table's state, as the page does every few seconds."""
    phone.page.evaluate("makiyaku.phone.refresh()")


def drafts(phone: Phone) -> list[str]:
    keys = "store => store.getAllKeys()"
    return list(
        phone.page.evaluate(
            f"() => makiyaku.phone.outbox.store.transact('drafts', 'readonly', {keys})"
        )
    )


def test_half_typed_round_is_compared_with_the_desk_s(phone: Phone) -> None:
    """It stays through a reload, and is dropped by a tap only."""
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    deals.type_counts(phone.page.locator("#deal-2"), 7, "")
    phone.expect_draft("deal_2_kankei", "7")
    cast.record(phone.sitting, facts(phone.sitting, TWO_DEALS))
    refresh(phone)
    box = phone.page.locator("#overtaken")
    for _ in range(2):
        expect(box).to_be_in_viewport(ratio=1)
        expect(box).to_contain_text("第1役は本部が記録しました")
        expect(box).to_contain_text("見比べてください")
        expect(box.locator("dd").first).to_contain_text("7–9")
        expect(box.locator("dd").last).to_contain_text("9–4")
        expect(box.locator("dd").last).to_contain_text("7–?")
        expect(phone.page.locator("#pass-state")).to_be_hidden()
        phone.play()
    box.locator("[data-do=take-recorded]").click()
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    expect(box).to_be_hidden()
    assert drafts(phone) == []
    phone.play()
    expect(phone.page.locator("#round-title")).to_have_text("第2役")


def test_same_round_is_said_to_be_the_same(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    cast.record(phone.sitting, facts(phone.sitting, [{"kankei": 5, "mukankei": 8}]))
    refresh(phone)
    box = phone.page.locator("#overtaken")
    expect(box).to_contain_text("入力と同じです")
    expect(box.locator("dd")).to_have_count(1)
    expect(box.locator("[data-do=send-typed]")).to_be_hidden()
    deals.fill_in(phone.page, 1, 6, 8)
    expect(box).to_contain_text("見比べてください")


def test_typed_round_that_differs_is_sent_for_the_desk_to_decide(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    cast.record(phone.sitting)
    refresh(phone)
    phone.context.set_offline(True)
    phone.page.locator("[data-do=send-typed]").click()
    said = phone.page.locator("#pass-state")
    expect(said).to_have_text("第1役：このスマホに保存しました（未送信）")
    phone.context.set_offline(False)
    expect(said).to_contain_text("得点は本部の記録")
    expect(phone.page.locator("#refusal")).to_contain_text("5–9")
    wait_until(Disagreement.objects.exists)
    phone.take_phone()
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 0
    assert stored() == [(1, 1, 5)]


def test_deal_saved_after_the_desk_s_round_is_no_beginning_of_the_next(phone: Phone) -> None:
    """The first of two deals is saved before the phone has heard of the desk's round."""
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    cast.record(phone.sitting, facts(phone.sitting, TWO_DEALS))
    phone.save()
    wait_until(Disagreement.objects.exists)
    expect(phone.page.locator("#refusal")).to_contain_text("7–9")
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 0


def test_deal_typed_after_a_refused_one_is_no_correction(phone: Phone) -> None:
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.save()
    phone.count(2, 8, 4)
    cast.record(phone.sitting, facts(phone.sitting, TWO_DEALS))
    phone.context.set_offline(False)
    wait_until(Disagreement.objects.exists)
    box = phone.page.locator("#overtaken")
    expect(box.locator("dd").last).to_contain_text("8–4")
    box.locator("[data-do=send-typed]").click()
    wait_until(lambda: Disagreement.objects.count() == 2)
    expect(phone.page.locator("#pass-state")).to_contain_text("得点は本部の記録")
    assert stored() == [(1, 1, 7)]
    assert drafts(phone) == []


def test_round_begun_here_and_completed_by_the_desk(phone: Phone) -> None:
    """Nothing was typed since the deal that was sent: the next round is shown."""
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.save()
    wait_until(lambda: stored() == [(1, 1, 9)])
    cast.record(phone.sitting, facts(phone.sitting, TWO_DEALS), seen=1)
    refresh(phone)
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    expect(phone.page.locator("#overtaken")).to_be_hidden()
    assert drafts(phone) == []


@pytest.mark.parametrize(
    ("rule_set", "taps", "typed"),
    [("gouji", ".tap-player", "成田"), ("gong-zhu", "[data-card]", None)],
)
def test_last_round_of_other_games(
    make_phone: MakePhone, rule_set: str, taps: str, typed: str | None
) -> None:
    """After the last round the page shows what was typed before it shows the end."""
    tournament = cast.make_tournament(rule_set, rounds_per_session=1)
    phone = make_phone(cast.make_sitting(tournament))
    phone.page.locator(taps).first.click()
    if typed is None:
        phone.page.locator("[data-taker-button]").first.click()
    cast.record(phone.sitting)
    refresh(phone)
    box = phone.page.locator("#overtaken")
    expect(box).to_contain_text("見比べてください")
    expect(box.locator("dd").last).to_contain_text("成田")
    box.locator("[data-do=take-recorded]").click()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    assert phone.page_errors == []
