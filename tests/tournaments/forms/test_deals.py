"""The result of a deal: its radio buttons, and the counts they give."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

import scoring
from scoring.kankei import FACE_CARDS, KankeiGame, Verdict
from tests import cast
from tournaments.games.kankei.deals import usual_results
from tournaments.models import Round, Sitting

GAMES = [
    pytest.param(game, deal, id=f"{rule_set.slug}-{deal}")
    for rule_set in scoring.RULE_SETS
    if isinstance(game := scoring.choose(rule_set).game, KankeiGame)
    for deal in (1, 2, 3)
]


@pytest.mark.parametrize(("game", "deal"), GAMES)
def test_usual_results_are_all_ends_at_a_target_and_declared_sixteens(
    game: KankeiGame, deal: int
) -> None:
    kankei, mukankei = game.targets[deal]
    ends = {
        (own, other)
        for own in range(FACE_CARDS + 1)
        for other in range(FACE_CARDS + 1 - own)
        if isinstance(game.verdict(deal, own, other, None), Verdict)
        and (own == kankei or other == mukankei)
    }
    sixteens = {
        each
        for each in ((FACE_CARDS, 0), (0, FACE_CARDS))
        for declaration in game.declarations[deal]
        if is_made(game, deal, each, declaration)
    }
    assert set(usual_results(game, deal)) == ends | sixteens


def is_made(game: KankeiGame, deal: int, counts: tuple[int, int], declaration: str) -> bool:
    verdict = game.verdict(deal, *counts, declaration)
    return isinstance(verdict, Verdict) and verdict.outcome == declaration


def address(sitting: Sitting, number: int = 1) -> str:
    place = (sitting.session.tournament.slug, sitting.session.number, sitting.number)
    return reverse("record-round", args=[*place, number])


def typed(sitting: Sitting, **more: str) -> dict[str, Any]:
    players = cast.keys(sitting)
    of_all = {"seen": "0", "dealer": players[-1], "trump": "clubs"}
    return of_all | {"kankei": [players[0], players[2]]} | more


def deals(sitting: Sitting) -> list[dict[str, Any]]:
    facts = Round.objects.filter(sitting=sitting).order_by("version").last()
    assert facts
    told: list[dict[str, Any]] = facts.facts["deals"]
    return told


def test_one_radio_button_gives_both_counts(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(
        address(sitting), typed(sitting, deal_1_result="9-4", deal_2_result="2-9")
    )
    assert answer.status_code == 302
    assert deals(sitting) == [{"kankei": 9, "mukankei": 4}, {"kankei": 2, "mukankei": 9}]


def test_two_results_of_one_deal_are_refused(scorekeeper: Client, sitting: Sitting) -> None:
    two = {"deal_1_result": "9-4", "deal_1_kankei": "9", "deal_1_mukankei": "5"}
    answer = cast.in_english(scorekeeper).post(address(sitting), typed(sitting, **two))
    assert answer.status_code == 422
    assert "A result is chosen, but other counts are typed as well." in answer.text
    assert answer.context["form"]["deal_1_kankei"].value() == "9"


@pytest.mark.parametrize(
    ("result", "mukankei"), [("5-8", 9), ("6-8", 8)], ids=["typed over", "chosen over"]
)
def test_changed_value_counts_where_both_are_filled_in(
    scorekeeper: Client, sitting: Sitting, result: str, mukankei: int
) -> None:
    """Without a script a correction comes with the button chosen and the counts typed."""
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 5, "mukankei": 8}]}
    cast.record(sitting, facts)
    shown = scorekeeper.get(address(sitting)).context["form"]
    assert shown["deal_1_result"].value() == "5-8"
    changed = typed(
        sitting,
        seen="1",
        reason="!",
        deal_1_result=result,
        deal_1_kankei="5",
        deal_1_mukankei=str(mukankei),
    )
    assert scorekeeper.post(address(sitting), changed).status_code == 302
    kankei = 6 if result == "6-8" else 5
    assert deals(sitting) == [{"kankei": kankei, "mukankei": mukankei}]


def test_deal_shows_who_chooses_its_trump(scorekeeper: Client, sitting: Sitting) -> None:
    page = cast.in_english(scorekeeper).get(address(sitting)).text
    at_deals = re.findall(r'class="deal-advice">([^<]*)', page)
    assert [sentence.partition(" in the first deal")[0] for sentence in at_deals] == [
        "The player who held the joker",
        "The player who held the A of trumps",
    ]


def test_the_dealer_sits_nearest_and_the_order_stays(scorekeeper: Client, sitting: Sitting) -> None:
    cast.record(sitting, cast.plain_round(sitting) | {"dealer": cast.keys(sitting)[1]})
    seats = scorekeeper.get(address(sitting, 2)).context["form"].seats()
    assert [seat.number for seat in seats] == [1, 2, 3, 4, 5, 6]
    assert [seat.place for seat in seats] == [5, 6, 1, 2, 3, 4]  # seat 3 deals now
    assert [seat.is_dealer for seat in seats].index(True) == 2
