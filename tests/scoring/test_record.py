"""Reading a record: all its problems, with place, code and message."""

import json
import re
from typing import Any

import pytest

from scoring import choose, get_rule_set, read_record, score
from tests.scoring.record_problems import found_in, problems_of
from tests.scoring.records import (
    BAD,
    CLASSIC,
    CODES,
    GONG_ZHU,
    GONINKAN,
    GOOD,
    GOUJI,
    HEARTS,
    LOST,
    ROUND,
    WON,
    YONINKAN,
    with_,
    without,
)

every_bad_record = pytest.mark.parametrize(
    ("document", "expected"),
    [
        pytest.param(*each, id=f"{i}: {', '.join(code for _at, code in each[1])}")
        for i, each in enumerate(BAD)
    ],
)


@pytest.mark.parametrize("document", GOOD, ids=lambda document: document["ruleset"])
def test_valid_record_has_no_problems(document: dict[str, Any]) -> None:
    assert problems_of(document) == []
    assert read_record(document).players == tuple(document["players"])
    assert read_record(document).rules is choose(get_rule_set(document["ruleset"]))


@every_bad_record
def test_invalid_record_has_exactly_these_problems(
    document: Any, expected: list[tuple[str, str]]
) -> None:
    assert sorted(problems_of(document)) == sorted(expected)


@every_bad_record
def test_message_says_what_to_do(document: Any, expected: Any) -> None:
    for problem in found_in(document):
        assert len(problem.message) > 20
        assert not re.search(r"[{}]", problem.message)
        assert problem.message.endswith((".", ")."))
        assert problem.as_json() == {
            "at": problem.at,
            "code": problem.code,
            "message": problem.message,
        }


def test_every_code_is_among_the_examples() -> None:
    assert {code for _document, problems in BAD for _at, code in problems} == CODES


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


def test_a_round_already_over_says_after_which_deal() -> None:
    document = with_(CLASSIC, "rounds[0].deals", [{"kankei": 8, "mukankei": 8}, WON, WON, WON])
    assert [(p.at, p.code, p.params) for p in found_in(document)] == [
        (f"rounds[0].deals[{i}]", "round_over", {"deal": 1}) for i in (1, 2, 3)
    ]


def message(declaration: str, kankei: int, mukankei: int) -> str:
    """The messages on deal 2, in which the kankei need eight, with these counts."""
    deal = {"kankei": kankei, "mukankei": mukankei, "declaration": declaration}
    (problem,) = found_in(with_(YONINKAN, "rounds[0].deals[1]", deal))
    return problem.message


def test_undecided_deal_names_the_targets_of_both_sides() -> None:
    deal = {"kankei": 7, "mukankei": 8}
    (problem,) = found_in(with_(YONINKAN, "rounds[0].deals[1]", deal))
    assert problem.params == {"kankei": 8, "mukankei": 9}
    assert "the kankei need 8 face cards, or the mukankei 9" in problem.message


def test_impossible_declaration_names_the_declaring_side() -> None:
    assert "the kankei must hold 8 or more" in message("juroku", 7, 1)
    assert "the mukankei must hold 9 or more" in message("reverse_juroku", 1, 8)
    assert message("called_skunk", 8, 1).endswith("none, or the kankei fewer than 8.")
    assert message("called_reverse_skunk", 1, 9).endswith("none, or the mukankei fewer than 9.")
    assert message("called_reverse_skunk", 0, 8) == (
        "A reverse skunk was called: either the mukankei hold 9 or more, or the kankei at least 1."
    )


def test_undecided_declaration_names_the_possible_counts() -> None:
    assert message("juroku", 15, 0) == (
        "A juroku was declared: either the kankei hold all 16, or the mukankei at least 1."
    )
    assert message("called_reverse_juroku", 0, 15) == (
        "A reverse juroku was declared: either the mukankei hold all 16, or the kankei at least 1."
    )
    assert message("called_skunk", 7, 0) == (
        "A skunk was called: either the kankei hold 8 or more, or the mukankei at least 1."
    )


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


def test_two_keys_for_one_player_are_refused() -> None:
    captured = {COMPOSED: ["SQ"], DECOMPOSED: ["DJ"], "C": ["C10"], "D": HEARTS}
    document = with_(GONG_ZHU, "rounds[0].captured", captured) | {"players": [COMPOSED, *"BCD"]}
    assert ("rounds[0].captured", "unknown_player") in [
        (at.partition(".か")[0], code) for at, code in problems_of(document)
    ]


def test_the_first_deal_may_repeat_the_trump_of_the_round() -> None:
    again = {"trump": "hearts", "deals": [WON | {"trump": "hearts"}, LOST | {"trump": "spades"}]}
    assert problems_of(with_(GONINKAN, "rounds[0]", ROUND | again)) == []


def test_a_table_of_five_may_leave_the_dealer_out_or_have_one_who_plays() -> None:
    assert problems_of(with_(CLASSIC, "rounds[0].dealer", "B")) == []
    assert problems_of(with_(CLASSIC, "rounds[0].dealer", "X")) == [
        ("rounds[0].dealer", "unknown_player")
    ]


def test_a_name_may_have_two_hundred_characters() -> None:
    assert problems_of(with_(GONINKAN, "players[5]", "F" * 200)) == []


def test_false_flag_equals_missing_flag() -> None:
    assert problems_of(with_(YONINKAN, "rounds[0].cut_off", False)) == []
    assert problems_of(with_(GONG_ZHU, "partners", False)) == []


def test_a_sitting_may_have_no_round_yet() -> None:
    for document in GOOD:
        record = read_record(with_(document, "rounds", []))
        assert set(score(record).totals.values()) == {0}
        assert score(record).complete


def test_ruleset_may_be_left_out_if_rules_are_given() -> None:
    rules = choose(get_rule_set("gouji"))
    assert read_record(without(GOUJI, "ruleset"), rules).rules is rules
