"""The phone goes around the table: the next dealer checks, accepts, takes over, calls."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests import cast, deals
from tests.phones.conftest import MakePhone, Phone, wait_until
from tournaments.i18n.sentences import signed
from tournaments.models import Acceptance, Call, Round, Sitting
from tournaments.queries.sheets import sheet_of

pytestmark = pytest.mark.django_db(transaction=True)


def sitting_where(accepting: str, **fields: Any) -> Sitting:
    return cast.make_sitting(cast.make_tournament(accepting=accepting, **fields))


def take_down_first(phone: Phone) -> None:
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()


def test_the_next_dealer_accepts_by_one_tap(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    take_down_first(phone)
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


def test_it_tells_the_points_of_the_round_and_the_totals_in_seat_order(
    make_phone: MakePhone,
) -> None:
    sitting = sitting_where("off")
    phone = make_phone(sitting)
    take_down_first(phone)
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


def test_accepting_waits_for_the_network_too(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    phone.context.set_offline(True)
    take_down_first(phone)
    phone.take_phone()
    phone.page.locator("[data-do=accept]").click()
    phone.expect_unsent(2)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert Acceptance.objects.get().round.version == 1


def test_what_is_wrong_is_put_right_before_it_is_accepted(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    take_down_first(phone)
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


def test_after_it_is_accepted_only_the_desk_corrects(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("same"))
    take_down_first(phone)
    phone.take_phone()
    phone.page.locator("[data-do=accept]").click()
    expect(phone.page.locator(".more [data-do=correct]")).to_be_hidden()
    phone.call_desk("数え間違い")
    wait_until(Call.objects.exists)
    call = Call.objects.get()
    assert (call.kind, call.words) == ("correction", "第1役: 数え間違い")


def test_the_director_is_called_once_the_network_is_back(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.context.set_offline(True)
    phone.call_desk()
    phone.expect_unsent(1)
    assert Call.objects.count() == 0
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert Call.objects.get().kind == "director"


def test_the_other_side_accepts_on_its_own_phone(make_phone: MakePhone) -> None:
    sitting = sitting_where("second")
    writer, other = make_phone(sitting), make_phone(sitting)
    take_down_first(writer)
    writer.take_phone()
    expect(writer.page.locator("#panel-form")).to_be_visible()
    wait_until(Round.objects.exists)
    other.play()
    expect(other.page.locator("#panel-check")).to_contain_text("5–8")
    other.page.locator("[data-do=accept]").click()
    wait_until(Acceptance.objects.exists)
    assert Acceptance.objects.count() == 1


def test_a_new_phone_takes_over_and_the_old_one_keeps_what_it_has(make_phone: MakePhone) -> None:
    sitting = sitting_where("off")
    old, new = make_phone(sitting), make_phone(sitting)
    expect(old.page.locator("#other-phone")).to_be_hidden()
    new.page.locator("[data-do=take-over]").click()
    expect(new.page.locator("#other-phone")).to_be_hidden()

    take_down_first(old)
    expect(old.page.locator("#other-phone")).to_be_in_viewport(ratio=1)
    expect(old.page.locator("#pass-title")).to_have_text("第1役")  # nobody gets this phone
    expect(old.page.locator("#pass-state.is-marked")).to_be_visible()
    old.expect_unsent(1)
    assert Round.objects.count() == 0
    old.page.locator("[data-do=take-over]").click()
    wait_until(Round.objects.exists)
    old.expect_unsent(0)
    expect(old.page.locator("#other-phone")).to_be_hidden()
    assert Round.objects.get().facts["deals"] == [{"kankei": 5, "mukankei": 8}]


def all_sixteen_undeclared(make_phone: MakePhone) -> Phone:
    """A phone on which somebody saves a second deal of 16–0 without a declaration."""
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.count(2, 16, 0)
    phone.save()
    return phone


def test_sixteen_without_a_declaration_is_asked_for(make_phone: MakePhone) -> None:
    phone = all_sixteen_undeclared(make_phone)
    expect(phone.page.locator("#rare h2")).to_contain_text("16–0")
    phone.page.locator("#rare [data-answer=no]").click()
    assert Round.objects.count() == 0
    phone.save()
    phone.page.locator("#rare [data-answer=yes]").click()
    wait_until(Round.objects.exists)
    assert Round.objects.get().facts["deals"][1] == {"kankei": 16, "mukankei": 0}


def test_a_declaration_that_was_forgotten_is_added_by_one_tap(make_phone: MakePhone) -> None:
    phone = all_sixteen_undeclared(make_phone)
    expect(phone.page.locator("#rare h2")).to_contain_text("2戦目")
    phone.page.locator("#rare [data-answer=juroku]").click()
    wait_until(Round.objects.exists)
    assert Round.objects.get().facts["deals"][1]["declaration"] == "juroku"


def test_who_can_have_declared_is_said_with_what(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament("damarikan")))
    phone.kankei(1, 3)
    phone.count(1, 16, 0)
    phone.save()
    made, missed = "関係組が宣言し、達成", "無関係組が宣言し、失敗"
    expect(phone.page.locator("#rare [data-choices] > *")).to_have_text(
        [
            *(made, "宣言スコンク", "宣言じゅうろく"),
            *(missed, "宣言逆スコンク", "宣言逆じゅうろく"),
        ]
    )


def test_who_changes_places_is_said_again_at_the_second_deal(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament("damarikan")))
    phone.kankei(2, 3)
    phone.count(1, 9, 4)
    phone.save()
    told = phone.page.locator("#deal-2 [data-move]")
    expect(told).to_be_in_viewport(ratio=1)
    expect(told).to_have_text(phone.page.locator("#ring-hint").inner_text())


def test_a_declaration_that_waits_for_its_count_says_so(make_phone: MakePhone) -> None:
    """At 9–0 sixteen is declared; what is wrong then is the count."""
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


def test_nothing_covers_the_ring_while_there_is_nothing_to_save(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    save = phone.page.locator(".actions-stuck")
    expect(save).to_have_css("position", "static")
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    expect(save).to_have_css("position", "sticky")


def test_what_cannot_be_is_told_before_it_is_kept(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.save()
    expect(phone.page.locator("#save-problem")).to_be_visible()
    phone.kankei(2, 4)
    phone.count(1, 5, 5)
    phone.save()
    expect(phone.page.locator("#deal-1 #save-problem")).to_contain_text("9")
    phone.expect_unsent(0)
    assert Round.objects.count() == 0


def test_counts_of_too_many_cards_are_told_at_once_and_what_is_right_ends_it(
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


def test_a_third_kankei_is_not_taken_and_it_says_why(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off"))
    phone.kankei(2, 4)
    expect(phone.page.locator("legend [data-asks=counts]")).to_be_visible()
    expect(phone.page.locator("#deal-1 .result").last).to_be_in_viewport(ratio=1)
    phone.tap_seat(5)
    expect(phone.page.locator("legend [data-two]")).to_contain_text("2人まで")
    expect(phone.page.locator("legend [data-two]")).to_be_in_viewport()
    assert phone.page.locator(".ring input:checked").count() == 2


def test_the_counters_know_each_other(make_phone: MakePhone) -> None:
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


def test_after_the_last_round_the_phone_says_so(make_phone: MakePhone) -> None:
    phone = make_phone(sitting_where("off", rounds_per_session=1))
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    wait_until(Round.objects.exists)
    phone.expect_unsent(0)


def test_gong_zhu_is_tapped_card_by_card(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu"), 4)
    phone = make_phone(sitting)
    keys = cast.keys(sitting)
    phone.page.locator(".exposure").nth(1).click()
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator(f"[data-taker-button='{keys[2]}']").click()
    phone.page.locator(f"[data-taker-button='{keys[1]}']").click()  # no card: nobody gets one
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


def test_ready_made_names_are_told_apart_by_their_numbers(
    make_phone: MakePhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cast, "NAMES", ("选手1", "选手2", "选手3", "选手4"))
    phone = make_phone(cast.make_sitting(cast.make_tournament("gong-zhu"), 4))
    phone.page.locator("[data-card=SQ]").click()
    phone.page.locator("[data-taker-button]").nth(1).click()
    expect(phone.page.locator("[data-card=SQ] [data-taker]")).to_have_text("2")


def test_gong_zhu_shows_its_points_without_the_network(make_phone: MakePhone) -> None:
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
    expect(phone.page.locator("#pass-facts")).to_contain_text("豚 −100")  # the reasons, too
    leads = phone.page.locator("#pass-advice").inner_text()
    assert "対馬 ハル" in leads  # who took the pig
    phone.take_phone()
    expect(phone.page.locator("#form-advice")).to_have_text(leads)
    expect(phone.page.locator("[data-total-of]")).to_have_text(["+600", "0", "−200", "0"])
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert sheet_of(sitting).score.totals[keys[0]] == 600


def test_gouji_is_tapped_in_the_order_they_went_out(make_phone: MakePhone) -> None:
    sitting = cast.make_sitting(cast.make_tournament("gouji"))
    phone = make_phone(sitting)
    phone.context.set_offline(True)
    for place in (3, 1, 0, 2, 5):  # the sixth is who is left
        phone.page.locator(".tap-player").nth(place).click()
    expect(phone.page.locator("#preview .facts-big dd").first).to_have_text("−4")
    phone.save()
    phone.expect_unsent(1)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    keys = cast.keys(sitting)
    assert Round.objects.get().facts == {"finish": [keys[i] for i in (3, 1, 0, 2, 5, 4)]}
