"""The round form: declarations, counters, problems, and the forms of other games."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests import cast, deals
from tests.live import wait_until
from tests.phones.conftest import MakePhone, Phone
from tournaments.models import Round, Sitting
from tournaments.queries.sheets import sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


def sitting_where(accepting: str, **fields: Any) -> Sitting:
    return cast.make_sitting(cast.make_tournament(accepting=accepting, **fields))


def save_undeclared_sixteen(make_phone: MakePhone) -> Phone:
    """Save a second deal of 16–0 without a declaration; return the phone."""
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.count(2, 16, 0)
    phone.save()
    return phone


def test_sixteen_without_declaration_needs_confirmation(make_phone: MakePhone) -> None:
    phone = save_undeclared_sixteen(make_phone)
    expect(phone.page.locator("#rare-deal h2")).to_contain_text("16–0")
    phone.page.locator("#rare-deal [data-answer=no]").click()
    assert Round.objects.count() == 0
    phone.save()
    phone.page.locator("#rare-deal [data-answer=yes]").click()
    wait_until(Round.objects.exists)
    assert Round.objects.get().facts["deals"][1] == {"kankei": 16, "mukankei": 0}


def test_forgotten_declaration_is_added_with_one_tap(make_phone: MakePhone) -> None:
    phone = save_undeclared_sixteen(make_phone)
    expect(phone.page.locator("#rare-deal h2")).to_contain_text("2戦目")
    phone.page.locator("#rare-deal [data-answer=juroku]").click()
    wait_until(Round.objects.exists)
    assert Round.objects.get().facts["deals"][1]["declaration"] == "juroku"


def test_possible_declarations_are_grouped_by_side(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament("damarikan")))
    phone.kankei(1, 3)
    phone.count(1, 16, 0)
    phone.save()
    made, missed = "関係組が宣言し、成功", "無関係組が宣言し、失敗"
    expect(phone.page.locator("#rare-deal [data-choices] > *")).to_have_text(
        [
            *(made, "宣言スコンク", "宣言じゅうろく"),
            *(missed, "宣言逆スコンク", "宣言逆じゅうろく"),
        ]
    )


def test_second_deal_repeats_who_changes_seats(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament("damarikan")))
    phone.kankei(2, 3)
    phone.count(1, 9, 4)
    phone.save()
    told = phone.page.locator("#deal-2 [data-move]")
    expect(told).to_be_in_viewport(ratio=1)
    expect(told).to_have_text(phone.page.locator("#ring-hint").inner_text())


def test_declared_juroku_requires_sixteen(make_phone: MakePhone) -> None:
    """After a declaration at 9–0 the count is refused."""
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.count(2, 9, 0, "juroku")
    expect(phone.page.locator("#preview [data-hint]").last).to_contain_text("16")
    phone.save()
    expect(phone.page.locator("#save-problem")).to_contain_text("16")
    phone.count(2, 16, 0)
    phone.save()
    wait_until(Round.objects.exists)
    expect(phone.page.locator("#deal-2 [data-declaration=reverse_juroku]")).to_be_hidden()


def test_save_button_is_sticky_only_with_something_to_save(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    save = phone.page.locator(".actions-stuck")
    expect(save).to_have_css("position", "static")
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    expect(save).to_have_css("position", "sticky")


def test_invalid_round_is_not_saved(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.save()
    expect(phone.page.locator("#save-problem")).to_be_visible()
    phone.kankei(2, 4)
    phone.count(1, 5, 5)
    phone.save()
    expect(phone.page.locator("#deal-1 #save-problem")).to_contain_text("9")
    phone.expect_unsent(0)
    assert Round.objects.count() == 0


def test_too_many_face_cards_are_reported_until_corrected(
    make_phone: MakePhone,
) -> None:
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    problem = phone.page.locator("#deal-1 #save-problem")
    phone.count(1, 9, 9)
    expect(problem).to_contain_text("9＋9＝18枚")
    expect(problem).to_be_in_viewport()
    expect(phone.page.locator("#deal-1 .pip:is(.is-kankei, .is-mukankei)")).to_have_count(0)
    phone.save()
    expect(problem).to_contain_text("9＋9＝18枚")
    phone.count(1, 9, 7)
    expect(problem).to_be_hidden()


def test_third_kankei_is_refused_with_a_reason(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    expect(phone.page.locator("legend [data-asks=counts]")).to_be_visible()
    expect(phone.page.locator("#deal-1 .result").last).to_be_in_viewport(ratio=1)
    phone.tap_seat(5)
    expect(phone.page.locator("legend [data-two]")).to_contain_text("2人まで")
    expect(phone.page.locator("legend [data-two]")).to_be_in_viewport()
    assert phone.page.locator(".ring [name=kankei]:checked").count() == 2


def test_counters_add_up_to_sixteen(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    deal = phone.page.locator("#deal-1")
    fill = deal.locator("[data-fill]")
    deals.show_counters(deal)
    fill.first.click()
    assert phone.page.input_value("#id_deal_1_kankei") == "9"
    expect(fill.last).to_contain_text("7")
    fill.last.click()
    assert phone.page.input_value("#id_deal_1_mukankei") == "7"
    deal.locator(".counter-kankei [data-step='1']").click()
    assert phone.page.input_value("#id_deal_1_kankei") == "10"
    assert phone.page.input_value("#id_deal_1_mukankei") == "6"


def test_end_shows_places_and_reasons_offline(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off", rounds_per_session=1))
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 9, 0)
    phone.count(2, 3, 9)
    phone.save()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    expect(phone.page.locator("#end-first")).to_have_text(
        "この卓の1位：成田 キヨ · 工藤 正 · 葛西 実（+1点）"
    )
    rows = phone.page.locator("#end-points tbody tr")
    expect(rows.nth(0)).to_have_text("1成田 キヨ+1+1")
    expect(rows.nth(3)).to_have_text("4対馬 ハル−1−1")
    expect(phone.page.locator("#end-facts dd").first).to_contain_text("スコンク")
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    wait_until(Round.objects.exists)


def test_partners_share_a_place_at_the_end(make_phone: MakePhone) -> None:
    tournament = cast.make_tournament("gong-zhu", rounds_per_session=1, partners=True)
    sitting = cast.make_sitting(tournament, 4)
    phone = make_phone(sitting)
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator("[data-taker-button]").nth(1).click()
    phone.page.locator("[data-take-rest]").click()
    phone.page.locator("[data-taker-button]").nth(3).click()
    phone.save()
    expect(phone.page.locator("#end-first")).to_contain_text("1位：")
    places = phone.page.locator("#end-points tbody td:first-child")
    expect(places).to_have_text(["1", "1", "2", "2"])


def test_gong_zhu_is_recorded_card_by_card(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu"), 4)
    phone = make_phone(sitting)
    keys = cast.keys(sitting)
    phone.page.locator(".exposure").nth(1).click()
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator(f"[data-taker-button='{keys[2]}']").click()
    phone.page.locator(f"[data-taker-button='{keys[1]}']").click()  # no card is chosen
    expect(phone.page.locator("[data-cards-first]")).to_be_in_viewport()
    phone.page.locator("[data-card=DJ]").click()
    expect(phone.page.locator("[data-cards-first]")).to_be_hidden()
    phone.page.locator(f"[data-taker-button='{keys[0]}']").click()
    phone.save()
    expect(phone.page.locator("#save-problem")).to_contain_text("♥A")
    phone.page.locator("[data-take-rest]").click()
    phone.page.locator(f"[data-taker-button='{keys[1]}']").click()
    phone.save()
    wait_until(Round.objects.exists)
    facts = Round.objects.get().facts
    assert facts["exposed"] == ["SQ"]
    assert facts["captured"][keys[2]] == ["SQ"]
    assert facts["captured"][keys[0]] == ["DJ"]
    assert len(facts["captured"][keys[1]]) == 14


def test_numbered_names_are_shortened_to_their_numbers(
    make_phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast, "NAMES", ("选手1", "选手2", "选手3", "选手4"))
    phone = make_phone(cast.make_sitting(cast.make_tournament("gong-zhu"), 4))
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator("[data-taker-button]").nth(1).click()
    expect(phone.page.locator("[data-card=SQ] [data-taker]")).to_have_text("2")


def test_gong_zhu_shows_points_offline(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu"), 4)
    phone = make_phone(sitting)
    keys = cast.keys(sitting)
    phone.context.set_offline(True)
    phone.page.locator(".exposure").nth(1).click()  # the pig
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator(f"[data-taker-button='{keys[2]}']").click()
    expect(phone.page.locator("#preview .facts-big")).to_be_hidden()  # cards are missing
    phone.page.locator("[data-take-rest]").click()  # sheep, ten and all the hearts
    phone.page.locator(f"[data-taker-button='{keys[0]}']").click()
    totals = phone.page.locator("#preview .facts-big dd")
    expect(totals).to_have_text(["+600", "0", "−200", "0"])
    phone.save()
    expect(phone.page.locator("#pass-points")).to_contain_text("+600")
    expect(phone.page.locator("#pass-facts")).to_contain_text("豚 −100")  # with the reasons
    leads = phone.page.locator("#pass-advice").inner_text()
    assert "対馬 ハル" in leads  # who took the pig
    phone.take_phone()
    expect(phone.page.locator("#form-advice")).to_have_text(leads)
    expect(phone.page.locator("[data-total-of]")).to_have_text(["+600", "0", "−200", "0"])
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert sheet_of(sitting).score.totals[keys[0]] == 600


def test_gouji_is_recorded_in_finishing_order(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gouji"))
    phone = make_phone(sitting)
    phone.context.set_offline(True)
    for place in (3, 1, 0, 2, 5):  # the sixth follows
        phone.page.locator(".tap-player").nth(place).click()
    expect(phone.page.locator("#preview .facts-big dd").first).to_have_text("−4")
    phone.save()
    phone.expect_unsent(1)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    keys = cast.keys(sitting)
    assert Round.objects.get().facts == {"finish": [keys[i] for i in (3, 1, 0, 2, 5, 4)]}
