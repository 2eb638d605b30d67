"""The form for a round: recording, continuing and correcting it, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import scoring
from tests import cast
from tournaments.models import Round, Sitting
from tournaments.queries import round_validation
from tournaments.services import rounds

# 001's first worked example: +13 for the kankei.
THIRTEEN = {
    "dealer": "1",
    "trump": "clubs",
    "kankei": ["2", "4"],
    "deal_1_kankei": "9",
    "deal_1_mukankei": "4",
    "deal_2_kankei": "16",
    "deal_2_mukankei": "0",
    "deal_2_declaration": "juroku",
    "deal_3_kankei": "9",
    "deal_3_mukankei": "7",
    "seen": "0",
}


def address(sitting: Sitting, number: int = 1, name: str = "record-round") -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number, number])


def only_first_deal(**changes: Any) -> dict[str, Any]:
    return {k: v for k, v in THIRTEEN.items() if not k.startswith(("deal_2", "deal_3"))} | changes


def test_whole_round_is_saved(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), THIRTEEN)
    assert answer.status_code == 302
    assert answer["Location"] == sitting.get_absolute_url()
    stored = Round.objects.get()
    assert stored.version == 1
    assert stored.facts["deals"][1] == {"kankei": 16, "mukankei": 0, "declaration": "juroku"}
    page = scorekeeper.get(sitting.get_absolute_url()).content.decode()
    assert page.count("+13") >= 3
    assert page.count("−13") >= 3


@pytest.mark.both
def test_round_continues_deal_by_deal_without_a_reason(
    scorekeeper: Client, sitting: Sitting
) -> None:
    answer = scorekeeper.post(address(sitting), only_first_deal())
    assert answer["Location"] == address(sitting)
    answer = scorekeeper.post(address(sitting), THIRTEEN | {"seen": "1"})
    assert answer.status_code == 302
    assert [row.version for row in Round.objects.all()] == [1, 2]
    assert not Round.objects.exclude(reason="").exists()


def test_it_offers_the_dealer_and_trump_of_the_next_round(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    form = scorekeeper.get(address(sitting, 2)).context["form"]
    assert form["dealer"].value() == "2"
    assert form["trump"].value() == "diamonds"


def test_first_dealer_is_not_preselected(scorekeeper: Client, sitting: Sitting) -> None:
    """The first dealer is drawn at the table; later ones follow in turn."""
    first = scorekeeper.get(address(sitting)).context["form"]
    assert first["dealer"].value() == ""
    answer = scorekeeper.post(address(sitting), THIRTEEN | {"dealer": ""})
    assert answer.status_code == 422
    assert "dealer" in answer.context["form"].errors
    scorekeeper.post(address(sitting), THIRTEEN)


def test_every_problem_is_shown_and_input_is_kept(scorekeeper: Client, sitting: Sitting) -> None:
    wrong = THIRTEEN | {"kankei": ["1", "2"], "deal_1_kankei": "9", "deal_1_mukankei": "9"}
    answer = scorekeeper.post(address(sitting), wrong)
    assert answer.status_code == 422
    form = answer.context["form"]
    assert set(form.errors) == {"dealer", "deal_1_kankei"}
    assert form["deal_1_mukankei"].value() == "9"
    assert form["deal_2_declaration"].value() == "juroku"
    assert not Round.objects.exists()


@pytest.mark.parametrize("nonsense", ["x", "9.5", "-1", "99999999999999999999", "９９", "\x00"])
def test_no_typed_count_breaks_the_form(
    scorekeeper: Client, sitting: Sitting, nonsense: str
) -> None:
    answer = scorekeeper.post(address(sitting), THIRTEEN | {"deal_1_kankei": nonsense})
    assert answer.status_code == 422
    assert "deal_1_kankei" in answer.context["form"].errors


def test_full_width_digits_count(scorekeeper: Client, sitting: Sitting) -> None:
    assert scorekeeper.post(address(sitting), THIRTEEN | {"deal_1_kankei": "９"}).status_code == 302


def test_a_correction_needs_a_reason_and_keeps_the_old_version(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    changed = THIRTEEN | {"kankei": ["2", "5"], "seen": "1"}
    answer = scorekeeper.post(address(sitting), changed)
    assert answer.status_code == 422
    assert "reason" in answer.context["form"].errors
    answer = scorekeeper.post(address(sitting), changed | {"reason": "席の読み違い"})
    assert answer.status_code == 302
    old, new = Round.objects.all()
    assert old.facts["kankei"] == ["2", "4"]
    assert new.facts["kankei"] == ["2", "5"]
    assert new.reason == "席の読み違い"
    assert new.who == "scorekeeper"


# The kankei lost the first deal after all; what was played later is still filled in.
LOST = THIRTEEN | {"deal_1_kankei": "3", "deal_1_mukankei": "8", "seen": "1", "reason": "数え違い"}


def test_a_correction_that_ends_the_round_earlier_is_saved_with_one_tap(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    refused = scorekeeper.post(address(sitting), LOST)
    assert refused.status_code == 422
    assert refused.context["deals_after_end"] == ("2戦目", "3戦目")
    assert "2戦目、3戦目を除いて保存" in refused.content.decode()
    answer = scorekeeper.post(address(sitting), LOST | {"without_deals_after_end": "1"})
    assert answer.status_code == 302
    stored = Round.objects.get(version=2)
    assert stored.facts["deals"] == [{"kankei": 3, "mukankei": 8}]


def test_changed_places_are_shown_before_deals_after_the_end_are_removed(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    shown = scorekeeper.post(address(sitting, name="preview-round"), LOST)
    assert "2戦目、3戦目を除いて保存" in shown.json()["html"]
    assert "訂正で変わること" in shown.json()["html"]
    page = scorekeeper.post(address(sitting), LOST)
    assert page.context["correction"].moves


def test_removing_deals_after_the_end_keeps_played_ones(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN | {"without_deals_after_end": "1"})
    assert len(Round.objects.get().facts["deals"]) == 3


def test_missing_reason_keeps_deals_after_the_end_removed(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    page = scorekeeper.post(address(sitting), LOST | {"without_deals_after_end": "1", "reason": ""})
    assert page.status_code == 422
    assert list(page.context["form"].errors) == ["reason"]
    assert page.context["form"]["deal_2_kankei"].value() == ""


def test_a_stale_page_shows_what_is_stored_and_what_was_typed(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    typed = THIRTEEN | {"kankei": ["3", "5"]}
    answer = scorekeeper.post(address(sitting), typed)
    assert answer.status_code == 409
    assert answer.context["stored"].row.facts["kankei"] == ["2", "4"]
    assert answer.context["form"]["kankei"].value() == ["3", "5"]
    assert answer.context["form"]["seen"].value() == "1"
    assert Round.objects.count() == 1


def test_a_round_cannot_be_skipped(scorekeeper: Client, sitting: Sitting) -> None:
    assert scorekeeper.post(address(sitting, 2), THIRTEEN).status_code == 404
    scorekeeper.post(address(sitting), only_first_deal())
    assert scorekeeper.get(address(sitting, 2)).status_code == 404


def test_it_refuses_a_stranger(stranger: Client, sitting: Sitting, client: Client) -> None:
    assert stranger.get(address(sitting)).status_code == 404
    assert client.post(address(sitting), THIRTEEN).status_code == 404


def test_table_corrects_its_last_round_alone(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]))
    assert client.post(address(sitting), only_first_deal()).status_code == 302
    assert client.post(address(sitting), THIRTEEN | {"seen": "1"}).status_code == 302
    changed = THIRTEEN | {"kankei": ["2", "5"], "seen": "2", "reason": "!"}
    assert client.post(address(sitting), changed).status_code == 302
    cast.record(sitting, number=2)
    assert client.post(address(sitting), changed | {"seen": "3"}).status_code == 403


def test_gong_zhu_is_recorded_card_by_card(db: None) -> None:
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, 4)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    cards = scorekeeper.get(address(sitting)).context["form"].cards
    typed = dict.fromkeys(cards, "2") | {"SQ": "1", "exposed": ["SQ", "HA"], "seen": "0"}
    assert scorekeeper.post(address(sitting), typed).status_code == 302
    page = scorekeeper.get(sitting.get_absolute_url()).content.decode()
    assert "−200" in page  # the exposed pig
    assert "+1000" in page  # (400 for all the hearts + 100 for the sheep) doubled by the ten


def test_gong_zhu_says_beside_each_card_who_is_missing(db: None) -> None:
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, 5)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    answer = scorekeeper.post(address(sitting), {"SQ": "1", "HA": "nobody", "seen": "0"})
    assert answer.status_code == 422
    errors = answer.context["form"].errors
    assert "DJ" in errors
    assert "HA" in errors
    assert "SQ" not in errors


def test_an_empty_gong_zhu_names_every_card_once_and_how_many_are_left(db: None) -> None:
    tournament = cast.make_tournament("gong-zhu")
    sitting = cast.make_sitting(tournament, 4)
    keeper = cast.in_english(cast.browser_of(cast.make_staff(tournament, "keeper")))
    form = keeper.post(address(sitting), {"seen": "0"}).context["form"]
    assert form.non_field_errors() == ["16 cards are left."]
    assert {card: len(form.errors[card]) for card in form.cards} == dict.fromkeys(form.cards, 1)


@pytest.mark.parametrize("count", ["", "x", "17"])
def test_missing_count_has_a_sentence(scorekeeper: Client, sitting: Sitting, count: str) -> None:
    typed = only_first_deal(deal_1_mukankei=count)
    answer = cast.in_english(scorekeeper).post(address(sitting), typed)
    sentence = "Enter how many face cards the mukankei hold: 0 to 16."
    assert answer.context["form"].errors["deal_1_mukankei"] == [sentence]
    assert "Deal 1, Mukankei: " + sentence in answer.content.decode()


def test_errors_name_no_key_of_the_record(scorekeeper: Client, sitting: Sitting) -> None:
    typed = only_first_deal(deal_1_mukankei="9", deal_1_kankei="5", cut_off="on", dealer="")
    answer = cast.in_english(scorekeeper).post(address(sitting), typed)
    assert answer.status_code == 422
    words = answer.context["form"].errors.as_text()
    assert "not cut off by time" in words
    assert len(answer.context["form"].errors["dealer"]) == 1
    assert "“" not in words


def test_gouji_is_recorded_by_places(db: None) -> None:
    tournament = cast.make_tournament("gouji")
    sitting = cast.make_sitting(tournament)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    form = scorekeeper.get(address(sitting)).context["form"]
    teams = {name: form[name].value() for name in form.fields if name.startswith("team_")}
    places = {f"place_{i}": str(i) for i in range(1, 7)}
    wrong = scorekeeper.post(address(sitting), teams | places | {"place_2": "1", "seen": "0"})
    assert wrong.status_code == 422
    assert "place_2" in wrong.context["form"].errors
    assert scorekeeper.post(address(sitting), teams | places | {"seen": "0"}).status_code == 302
    assert Round.objects.get().facts == {"finish": ["1", "2", "3", "4", "5", "6"]}


def test_changed_teams_are_recorded_only_when_they_changed(db: None) -> None:
    tournament = cast.make_tournament("gouji")
    sitting = cast.make_sitting(tournament)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    places = {f"place_{i}": str(i) for i in range(1, 7)}
    teams = {f"team_{i}": "1" if i <= 3 else "2" for i in range(1, 7)}
    assert scorekeeper.post(address(sitting), teams | places | {"seen": "0"}).status_code == 302
    assert Round.objects.get().facts["teams"] == [["1", "2", "3"], ["4", "5", "6"]]


def test_the_preview_tells_points_open_deals_and_legal_declarations(
    scorekeeper: Client, sitting: Sitting
) -> None:
    typed = {k: v for k, v in THIRTEEN.items() if not k.startswith("deal_3")}
    answer = scorekeeper.post(address(sitting, name="preview-round"), typed).json()
    assert "+11" in answer["html"]
    assert [deal["state"] for deal in answer["deals"]] == ["won", "won", "open"]
    assert answer["deals"][1]["declarations"] == ["juroku"]
    assert not Round.objects.exists()


def test_the_preview_tells_who_changes_places(scorekeeper: Client, sitting: Sitting) -> None:
    typed = {"dealer": "1", "kankei": ["2", "3"], "seen": "0"}
    answer = scorekeeper.post(address(sitting, name="preview-round"), typed).json()
    names = [seat.entry.name for seat in sitting.seats.all()]
    assert names[2] in answer["html"]
    assert names[3] in answer["html"]


def test_change_of_seats_is_made_once(scorekeeper: Client, sitting: Sitting) -> None:
    first = only_first_deal(kankei=["2", "3"])
    scorekeeper.post(address(sitting), first)
    form = scorekeeper.get(address(sitting)).context["form"]
    assert [seat.name for seat in form.seats()][2:4] == [
        sitting.seats.get(position=position).entry.name for position in (4, 3)
    ]
    assert form.preview().hints == ()


def test_only_ticked_players_are_marked_as_kankei(scorekeeper: Client, sitting: Sitting) -> None:
    scorekeeper.post(address(sitting), THIRTEEN)
    page = scorekeeper.get(address(sitting)).content.decode()
    assert page.count(" checked>") >= 2
    seats = re.findall(r'class="(seat at-[^"]*)"', page)
    assert len(seats) == 6
    assert not [seat for seat in seats if "is-kankei" in seat]  # it would stay when the tick goes


def test_the_preview_tells_the_partner_of_both_key_cards(
    scorekeeper: Client, sitting: Sitting
) -> None:
    typed = {"dealer": "1", "kankei": ["2"], "seen": "0"}
    answer = scorekeeper.post(address(sitting, name="preview-round"), typed).json()
    assert sitting.seats.get(position=4).entry.name in answer["html"]


@pytest.mark.parametrize("rule_set", ["yoninkan", "damarikan"])
def test_four_change_places_only_before_a_second_deal(db: None, rule_set: str) -> None:
    tournament = cast.make_tournament(rule_set)
    sitting = cast.make_sitting(tournament)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    typed = {"dealer": "1", "kankei": ["2", "3"], "seen": "0"}
    mover = sitting.seats.get(position=3).entry.name
    for counts, is_told in (("9", "4"), True), (("0", "16"), False):
        deal = {"deal_1_kankei": counts[0], "deal_1_mukankei": counts[1]}
        answer = scorekeeper.post(address(sitting, name="preview-round"), typed | deal).json()
        assert (mover in answer["html"]) is is_told


def test_the_preview_tells_whether_the_round_goes_on(scorekeeper: Client, sitting: Sitting) -> None:
    def is_complete(**deals: Any) -> bool:
        typed = only_first_deal() | deals
        return bool(
            scorekeeper.post(address(sitting, name="preview-round"), typed)
            .context["preview"]
            .is_complete
        )

    assert not is_complete()
    assert is_complete(cut_off="on")
    assert is_complete(deal_1_kankei="5", deal_1_mukankei="8")
    assert is_complete(**{k: v for k, v in THIRTEEN.items() if k.startswith("deal_")})


def test_preview_accepts_any_input(scorekeeper: Client, sitting: Sitting) -> None:
    typed = {"dealer": "99", "kankei": ["99", "1", "2"], "deal_1_kankei": "x", "seen": "y"}
    answer = scorekeeper.post(address(sitting, name="preview-round"), typed)
    assert answer.status_code == 200


def test_unknown_version_stores_nothing(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), THIRTEEN | {"seen": "7"})
    assert answer.status_code == 409
    assert not Round.objects.exists()


@pytest.mark.parametrize(
    "refusal", [scoring.InvalidRecord(()), round_validation.NotNext()], ids=repr
)
def test_change_of_other_rounds_needs_another_look(
    scorekeeper: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    def too_late(*_: object, **__: object) -> None:
        raise refusal

    monkeypatch.setattr(rounds, "record_on_sheet", too_late)
    answer = scorekeeper.post(address(sitting), THIRTEEN)
    assert answer.status_code == 422
    assert 'value="16"' in answer.content.decode()
