"""Reading a record: all its problems, with place, code and message."""

import json
from typing import Any

import pytest

from scoring import Record, choose, get_rule_set, read_record, score
from tests.scoring.record_problems import assert_exactly_these_problems, found_in, problems_of
from tests.scoring.records import (
    BAD_DEALS_OF_CARDS,
    BAD_DOCUMENTS,
    BAD_ROUNDS_OF_FACE_CARDS,
    CODES,
    GONG_ZHU,
    GONINKAN,
    GOOD,
    GOUJI,
    HEARTS,
    YONINKAN,
    with_,
    without,
)


@pytest.mark.parametrize("document", GOOD, ids=lambda document: document["ruleset"])
def test_valid_record_has_no_problems(document: dict[str, Any]) -> None:
    assert problems_of(document) == []
    record, rules = read_record(document), choose(get_rule_set(document["ruleset"]))
    assert record == Record(rules, tuple(document["players"]), record.rounds)
    assert record.rules is rules


def test_invalid_record_has_exactly_these_problems() -> None:
    assert_exactly_these_problems(BAD_DOCUMENTS)


def test_every_code_is_among_the_examples() -> None:
    everything = BAD_DOCUMENTS + BAD_ROUNDS_OF_FACE_CARDS + BAD_DEALS_OF_CARDS
    assert {code for _document, problems in everything for _at, code in problems} == CODES


def test_all_problems_are_reported_together() -> None:
    document = {
        "ruleset": "goninkan-association",
        "options": {"flat": True, "last_round_spades": "no"},
        "players": ["A", "B", "C", "D", "E", "E"],
        "notes": "late",
        "rounds": [
            {
                "trump": "joker",
                "dealer": "X",
                "kankei": ["B"],
                "deals": [
                    {"kankei": 9, "mukankei": 0, "declaration": "juroku"},
                    {"kankei": "8", "points": 1},
                    {"kankei": 3, "mukankei": 3},
                ],
            },
            {"dealer": "A", "kankei": ["A", "B"], "deals": [{"kankei": 10, "mukankei": 10}]},
            [],
        ],
    }
    assert problems_of(document) == [
        ("notes", "unknown_key"),
        ("options.flat", "unknown_key"),
        ("options.last_round_spades", "option"),
        ("players[5]", "players"),
        ("rounds[0].trump", "range"),
        ("rounds[0].dealer", "unknown_player"),
        ("rounds[0].kankei", "kankei"),
        ("rounds[0].deals[0].declaration", "declaration_not_allowed"),
        ("rounds[0].deals[1].points", "unknown_key"),
        ("rounds[0].deals[1].kankei", "type"),
        ("rounds[0].deals[1].mukankei", "missing"),
        ("rounds[0].deals[2].kankei", "undecided"),
        ("rounds[1].dealer", "dealer"),
        ("rounds[1].deals[0]", "too_many_face_cards"),
        ("rounds[2]", "type"),
    ]


def test_any_name_that_is_not_blank_is_valid() -> None:
    names = ["{name}", "%s", "一郎", "a\nb", "\ud83c", "]"]
    rounds = [{"finish": names}, {"finish": [*names[:5], "{x}"]}]
    document = {"ruleset": "gouji", "players": names, "rounds": rounds[:1]}
    assert score(read_record(document)).totals["{name}"] == 2
    (problem,) = found_in(document | {"rounds": rounds})
    assert "“{x}” does not sit at this table" in problem.message


COMPOSED, DECOMPOSED = "が", "か\u3099"


@pytest.mark.parametrize(
    ("typed", "meant"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED), (COMPOSED, COMPOSED)]
)
@pytest.mark.parametrize("document", GOOD, ids=lambda document: document["ruleset"])
def test_two_spellings_of_a_name_are_one_player(
    document: dict[str, Any], typed: str, meant: str
) -> None:
    """macOS decomposes kana with a mark; the score has the name as `players` spells it."""
    plain = json.dumps(document, ensure_ascii=False)
    players, rounds = plain.split('"rounds"')
    spelled = (
        players.replace('"B"', f'"{typed}"') + '"rounds"' + rounds.replace('"B"', f'"{meant}"')
    )
    totals = score(read_record(json.loads(spelled))).totals
    expected = score(read_record(document)).totals
    assert totals == {typed if name == "B" else name: each for name, each in expected.items()}


def test_round_cut_off_is_read_beside_names_that_are_not_ascii() -> None:
    renamed = json.dumps(GONINKAN, ensure_ascii=False).replace('"B"', f'"{COMPOSED}"')
    document = with_(json.loads(renamed), "rounds[0].cut_off", True)
    assert problems_of(document) == problems_of(with_(GONINKAN, "rounds[0].cut_off", True))


def test_two_keys_for_one_player_are_refused() -> None:
    captured = {COMPOSED: ["SQ"], DECOMPOSED: ["DJ"], "C": ["C10"], "D": HEARTS}
    document = with_(GONG_ZHU, "rounds[0].captured", captured) | {"players": [COMPOSED, *"BCD"]}
    assert ("rounds[0].captured", "unknown_player") in [
        (at.partition(".か")[0], code) for at, code in problems_of(document)
    ]


def test_a_name_may_have_two_hundred_characters() -> None:
    assert problems_of(with_(GONINKAN, "players[5]", "F" * 200)) == []
    # Of a longer one nothing is said but that: the dealer of this record is A.
    assert problems_of(with_(GONINKAN, "players[0]", "A" * 201)) == [("players[0]", "players")]


def test_false_flag_equals_missing_flag() -> None:
    assert problems_of(with_(YONINKAN, "rounds[0].cut_off", False)) == []
    assert problems_of(with_(GONG_ZHU, "partners", False)) == []
    five = with_(GONG_ZHU, "players", list("ABCDE"))
    assert problems_of(with_(five, "partners", False)) == problems_of(five)


def test_a_sitting_may_have_no_round_yet() -> None:
    for document in GOOD:
        record = read_record(with_(document, "rounds", []))
        assert set(score(record).totals.values()) == {0}
        assert score(record).complete


def test_ruleset_may_be_left_out_if_rules_are_given() -> None:
    rules = choose(get_rule_set("gouji"))
    assert read_record(without(GOUJI, "ruleset"), rules).rules is rules
