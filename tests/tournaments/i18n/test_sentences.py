"""Messages of the engine as sentences with names and cards."""

import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.utils import translation

import scoring
from scoring.kankei.reading import DEAL_KEYS, ROUND_KEYS
from tests.markup import tight
from tests.scoring.record_problems import found_in
from tests.scoring.records import (
    BAD_DEALS_OF_CARDS,
    BAD_DOCUMENTS,
    BAD_ROUNDS_OF_FACE_CARDS,
    CODES,
)
from tournaments.i18n import sentences

RULES = scoring.choose(scoring.get_rule_set("goninkan-association"))


def render(source: str, **context: object) -> str:
    return Template("{% load makiyaku %}" + source).render(Context(context))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


def test_points_have_a_sign() -> None:
    assert render("{{ a|signed }} {{ b|signed }} {{ c|signed }}", a=3, b=-13, c=0) == "+3 −13 0"


def test_advice_names_players_and_suits() -> None:
    dealer = scoring.Advice("dealer", "{dealer} deals next.", {"dealer": "3"})
    trump = scoring.Advice(
        "trump",
        "Round {round}: {trump} are trump in the first deal.",
        {},
        {"round": 2, "trump": "diamonds"},
    )
    sheet = SimpleNamespace(names={"3": "対馬 ハル"}, rules=RULES)
    whole = '<bdi class="whole">対馬 ハル</bdi> deals next.'
    assert render("{{ a|sentence:sheet }}", a=dealer, sheet=sheet) == whole
    assert "Round 2: diamonds are trump" in render("{{ a|sentence:sheet }}", a=trump, sheet=sheet)


def test_name_is_never_markup_or_a_placeholder() -> None:
    dealer = scoring.Advice("dealer", "{dealer} deals next.", {"dealer": "1"})
    sheet = SimpleNamespace(names={"1": "<b>{x}</b>"}, rules=RULES)
    said = render("{{ a|sentence:sheet }}", a=dealer, sheet=sheet)
    assert said == '<bdi class="whole">&lt;b&gt;{x}&lt;/b&gt;</bdi> deals next.'


def test_problem_names_cards_declarations_and_players() -> None:
    nobody = scoring.Problem(
        "", "card_missing", "Nobody took {card}; enter who did.", {"card": "C10"}
    )
    assert sentences.problem_sentence(nobody) == "Nobody took ♣10; enter who did."
    illegal = scoring.Problem(
        "",
        "declaration_not_allowed",
        "“{declaration}” cannot be declared in deal {deal}; allowed: {legal}.",
        {"declaration": "juroku", "deal": 1, "legal": "called_skunk, called_juroku"},
    )
    assert sentences.problem_sentence(illegal) == (
        "“Juroku” cannot be declared in deal 1; allowed: Called skunk, Called juroku."
    )
    stranger = scoring.Problem(
        "", "unknown_player", "“{name}” is not one of {players}.", {"name": "9", "players": "1, 2"}
    )
    assert sentences.problem_sentence(stranger, {"1": "成田", "2": "工藤"}) == (
        "“9” is not one of 成田, 工藤."
    )


# Problems of the JSON, which no page makes: their sentences name its keys.
OF_THE_JSON = {"type", "unknown_key", "missing", "unknown_ruleset", "option"}
NAMES_OF_KEYS = re.compile(rf"[a-z]+_[a-z_]+|[“「]({'|'.join(ROUND_KEYS | DEAL_KEYS)})[”」]")
TYPED = "grand slam"  # a declaration of the records, which is quoted


@pytest.mark.parametrize("language", ["en", "ja", "zh-hans"])
def test_sentences_for_people_have_no_codes(language: str) -> None:
    every = [*BAD_DOCUMENTS, *BAD_ROUNDS_OF_FACE_CARDS, *BAD_DEALS_OF_CARDS]
    problems = [
        problem
        for document, _expected in every
        for problem in found_in(document)
        if problem.code not in OF_THE_JSON
    ]
    assert {problem.code for problem in problems} == CODES - OF_THE_JSON
    with translation.override(language):
        said = {sentences.problem_sentence(problem).replace(TYPED, "") for problem in problems}
    assert {sentence for sentence in said if NAMES_OF_KEYS.search(sentence)} == set()
    if language != "en":  # A to F are players
        assert {sentence for sentence in said if re.search("[A-Za-z]{2,}", sentence)} == set()


def test_number_of_players_is_not_replaced_by_a_name() -> None:
    count = scoring.Problem("", "players", "This game is for {players}.", {"players": "6"})
    assert sentences.problem_sentence(count, {"6": "木村"}) == "This game is for 6."


def test_card_has_its_suit_sign() -> None:
    drawn = tight(render('{% card "SQ" %}'))
    assert '<span class="playing-card"><b>Q</b><span class="suit suit-spades"' in drawn


def test_round_of_one_deal_is_called_a_deal() -> None:
    kankei = scoring.choose(scoring.get_rule_set("yoninkan"))
    captures = scoring.choose(scoring.get_rule_set("gong-zhu"))
    assert render("{{ 3|round_title:rules }}", rules=kankei) == "Round 3"
    assert render("{{ 3|round_title:rules }}", rules=captures) == "Deal 3"
