"""Reading a record: all its problems, with place, code and message."""

import json
import re
from typing import Any

import pytest

from scoring import choose, get_rule_set, read_record, score
from tests.scoring.record_problems import found_in, problems_of

# The codes of scoring/README.md, but for `not_json` and `key_twice`: see test_answers.py.
CODES = {
    *("missing", "unknown_key", "type", "range", "unknown_ruleset", "option", "players", "dealer"),
    *("kankei", "unknown_player", "undecided", "too_many_face_cards", "declaration_not_allowed"),
    *("declaration_impossible", "round_over", "cut_off", "unfinished_round", "card_missing"),
    *("card_twice", "unknown_card", "not_exposable", "game_over", "finish", "teams"),
}

WON = {"kankei": 9, "mukankei": 7}
LOST = {"kankei": 7, "mukankei": 9}
ROUND = {"dealer": "A", "kankei": ["B", "D"], "deals": [WON, LOST]}
GOES_ON = ROUND | {"deals": [WON]}
GONINKAN = {
    "ruleset": "goninkan-association",
    "players": ["A", "B", "C", "D", "E", "F"],
    "rounds": [ROUND],
}
CLASSIC = {
    "ruleset": "goninkan-classic",
    "players": ["A", "B", "C", "D", "E"],
    "rounds": [{"kankei": ["B", "D"], "deals": [WON, LOST]}],
}
YONINKAN = {
    "ruleset": "yoninkan",
    "players": ["A", "B", "C", "D"],
    "rounds": [{"kankei": ["B", "D"], "deals": [WON, LOST]}],
}
HEARTS = [f"H{rank}" for rank in ["A", "K", "Q", "J", *range(10, 1, -1)]]
DEAREST = {
    "captured": {"A": ["SQ", "C10"], "B": ["DJ"], "C": HEARTS[:4], "D": HEARTS[4:]},
    "exposed": ["SQ", "C10"],
}
GONG_ZHU = {
    "ruleset": "gong-zhu",
    "players": ["A", "B", "C", "D"],
    "rounds": [{"captured": {"A": ["SQ", "DJ"], "B": ["C10"], "C": HEARTS}}],
}
GOUJI = {
    "ruleset": "gouji",
    "players": ["A", "B", "C", "D", "E", "F"],
    "rounds": [{"finish": ["A", "B", "C", "D", "E", "F"]}],
}
GOOD = [GONINKAN, CLASSIC, YONINKAN, GONG_ZHU, GOUJI]


def with_(document: dict[str, Any], at: str, value: Any) -> dict[str, Any]:
    """A copy of a record with another value at a place, as in ``rounds[0].deals[1].kankei``."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    *path, last = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", at)]
    inner: Any = copy
    for key in path:
        inner = inner[key]
    inner[last] = value
    return copy


def without(document: dict[str, Any], key: str, *, in_round: bool = False) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    del (copy["rounds"][0] if in_round else copy)[key]
    return copy


DEAL = "rounds[0].deals[0]"
KANKEI_ROUND = "rounds[0].kankei"

# A record, and all its problems.
BAD: list[tuple[Any, list[tuple[str, str]]]] = [
    # the document
    (None, [("", "type")]),
    ([GONINKAN], [("", "type")]),
    ("goninkan", [("", "type")]),
    ({}, [("ruleset", "missing"), ("players", "missing"), ("rounds", "missing")]),
    (without(GONINKAN, "ruleset"), [("ruleset", "missing")]),
    (without(GONINKAN, "players"), [("players", "missing")]),
    (without(GONINKAN, "rounds"), [("rounds", "missing")]),
    (with_(GONINKAN, "notes", ""), [("notes", "unknown_key")]),
    (with_(GONINKAN, "points", {"juroku": 16}), [("points", "unknown_key")]),
    (with_(GONINKAN, "ruleset", "bridge"), [("ruleset", "unknown_ruleset")]),
    (with_(GONINKAN, "ruleset", None), [("ruleset", "type")]),
    (with_(GONINKAN, "ruleset", ["gouji"]), [("ruleset", "type")]),
    (with_(GONINKAN, "options", []), [("options", "type")]),
    (with_(GONINKAN, "options", {"flat": True}), [("options.flat", "unknown_key")]),
    (
        with_(GONINKAN, "options", {"last_round_spades": 1}),
        [("options.last_round_spades", "option")],
    ),
    (
        with_(GOUJI, "options", {"last_round_spades": True}),
        [("options.last_round_spades", "unknown_key")],
    ),
    # the players
    (with_(GONINKAN, "players", "ABCDEF"), [("players", "type")]),
    (with_(GONINKAN, "players[5]", 6), [("players[5]", "type")]),
    (with_(GONINKAN, "players[5]", " "), [("players[5]", "players")]),
    (with_(GONINKAN, "players[5]", "F" * 201), [("players[5]", "players")]),
    (with_(GONINKAN, "players", [*"ABCDEFGHIJKLMNOPQ"]), [("players", "players")]),
    (
        with_(GONINKAN, "players", [*"ABCDXFGHIJKLMNOP"]) | {"rounds": [GOES_ON, GOES_ON]},
        [("players", "players"), ("rounds[0]", "unfinished_round")],
    ),
    (with_(GONINKAN, "players[5]", "A"), [("players[5]", "players")]),
    (with_(CLASSIC, "players", ["A", "B", "C", "D"]), [("players", "players")]),
    (
        with_(GONINKAN, "players", []),
        [
            ("players", "players"),
            (KANKEI_ROUND + "[0]", "unknown_player"),
            (KANKEI_ROUND + "[1]", "unknown_player"),
            ("rounds[0].dealer", "unknown_player"),
        ],
    ),
    # the rounds
    (with_(GONINKAN, "rounds", {}), [("rounds", "type")]),
    (with_(GONINKAN, "rounds[0]", []), [("rounds[0]", "type")]),
    (with_(GONINKAN, "rounds[0].winner", "A"), [("rounds[0].winner", "unknown_key")]),
    (with_(GONINKAN, "rounds[0].trump", "♣"), [("rounds[0].trump", "range")]),
    (with_(GONINKAN, "rounds[0].trump", None), [("rounds[0].trump", "type")]),
    (without(GONINKAN, "dealer", in_round=True), [("rounds[0].dealer", "missing")]),
    (with_(GONINKAN, "rounds[0].dealer", "X"), [("rounds[0].dealer", "unknown_player")]),
    (with_(GONINKAN, "rounds[0].dealer", 1), [("rounds[0].dealer", "type")]),
    (with_(GONINKAN, "rounds[0].dealer", "B"), [("rounds[0].dealer", "dealer")]),
    (without(GONINKAN, "kankei", in_round=True), [(KANKEI_ROUND, "missing")]),
    (with_(GONINKAN, KANKEI_ROUND, "BD"), [(KANKEI_ROUND, "type")]),
    (with_(GONINKAN, KANKEI_ROUND, 9), [(KANKEI_ROUND, "type")]),
    (with_(GOUJI, "rounds[0].finish", 6), [("rounds[0].finish", "type")]),
    (with_(GONINKAN, KANKEI_ROUND, ["B"]), [(KANKEI_ROUND, "kankei")]),
    (with_(GONINKAN, KANKEI_ROUND, ["B", "B"]), [(KANKEI_ROUND, "kankei")]),
    (with_(GONINKAN, KANKEI_ROUND, ["B", "C", "D"]), [(KANKEI_ROUND, "kankei")]),
    (
        with_(GONINKAN, KANKEI_ROUND, ["X", 2]),
        [(KANKEI_ROUND + "[0]", "unknown_player"), (KANKEI_ROUND + "[1]", "type")],
    ),
    (
        with_(GONINKAN, "rounds", [ROUND | {"deals": [WON]}, ROUND]),
        [("rounds[0]", "unfinished_round")],
    ),
    (
        with_(GONINKAN, "rounds", [GOES_ON] * 3),
        [("rounds[0]", "unfinished_round"), ("rounds[1]", "unfinished_round")],
    ),
    # the deals
    (without(GONINKAN, "deals", in_round=True), [("rounds[0].deals", "missing")]),
    (with_(GONINKAN, "rounds[0].deals", []), [("rounds[0].deals", "missing")]),
    (with_(GONINKAN, "rounds[0].deals", 9), [("rounds[0].deals", "type")]),
    (with_(GONINKAN, DEAL, [9, 7]), [(DEAL, "type")]),
    (with_(GONINKAN, DEAL + ".points", 1), [(DEAL + ".points", "unknown_key")]),
    (with_(GONINKAN, DEAL, {}), [(DEAL + ".kankei", "missing"), (DEAL + ".mukankei", "missing")]),
    (with_(GONINKAN, DEAL + ".kankei", "9"), [(DEAL + ".kankei", "type")]),
    (with_(GONINKAN, DEAL + ".kankei", 9.0), [(DEAL + ".kankei", "type")]),
    (with_(GONINKAN, DEAL + ".kankei", True), [(DEAL + ".kankei", "type")]),
    (with_(GONINKAN, DEAL + ".kankei", -1), [(DEAL + ".kankei", "range")]),
    (with_(GONINKAN, DEAL + ".mukankei", 17), [(DEAL + ".mukankei", "range")]),
    (with_(GONINKAN, DEAL + ".mukankei", 8), [(DEAL, "too_many_face_cards")]),
    (with_(GONINKAN, DEAL + ".kankei", 8), [(DEAL + ".kankei", "undecided")]),
    (with_(GONINKAN, DEAL + ".trump", 1), [(DEAL + ".trump", "type")]),
    (with_(GONINKAN, DEAL + ".trump", "joker"), [(DEAL + ".trump", "range")]),
    (with_(GONINKAN, DEAL + ".declaration", None), [(DEAL + ".declaration", "type")]),
    (
        with_(GONINKAN, DEAL + ".declaration", "juroku"),
        [(DEAL + ".declaration", "declaration_not_allowed")],
    ),
    (
        with_(GONINKAN, DEAL + ".declaration", "grand slam"),
        [(DEAL + ".declaration", "declaration_not_allowed")],
    ),
    (
        with_(GONINKAN, "rounds[0].deals[1].declaration", "juroku"),
        [("rounds[0].deals[1].declaration", "declaration_impossible")],
    ),
    (
        with_(
            GONINKAN, "rounds[0].deals[1]", {"kankei": 15, "mukankei": 0, "declaration": "juroku"}
        ),
        [("rounds[0].deals[1].kankei", "undecided")],
    ),
    (with_(GONINKAN, "rounds[0].deals", [LOST, WON]), [("rounds[0].deals[1]", "round_over")]),
    (with_(CLASSIC, "rounds[0].deals", [WON, LOST, WON]), [("rounds[0].deals[2]", "round_over")]),
    (
        with_(CLASSIC, "rounds[0].deals", [WON, WON, WON, WON, LOST]),
        [("rounds[0].deals[3]", "round_over"), ("rounds[0].deals[4]", "round_over")],
    ),
    (
        with_(CLASSIC, "rounds[0]", {"kankei": ["B", "D"], "deals": [WON] * 4, "cut_off": True}),
        [("rounds[0].deals[3]", "round_over"), ("rounds[0].cut_off", "cut_off")],
    ),
    (with_(GONINKAN, "rounds[0].cut_off", True), [("rounds[0].cut_off", "cut_off")]),
    (with_(GONINKAN, "rounds[0].cut_off", "yes"), [("rounds[0].cut_off", "type")]),
    (
        with_(YONINKAN, "rounds[0]", {"kankei": ["B", "D"], "deals": [WON], "cut_off": True}),
        [("rounds[0].cut_off", "cut_off")],
    ),
    # gong zhu
    (with_(GONINKAN, "partners", True), [("partners", "unknown_key")]),
    (with_(GONG_ZHU, "partners", 1), [("partners", "type")]),
    (without(GONG_ZHU, "players") | {"partners": True}, [("players", "missing")]),
    (with_(GONG_ZHU, "players", 4) | {"partners": True}, [("players", "type")]),
    (without(GONG_ZHU, "ruleset") | {"partners": True}, [("ruleset", "missing")]),
    (with_(GONG_ZHU, "options", {"five_without": "C2"}), [("options.five_without", "option")]),
    (with_(GONG_ZHU, "players", ["A", "B", "C"]), [("players", "players")]),
    (
        with_(GONG_ZHU, "players", ["A", "B", "C", "D", "E"]),
        [("rounds[0].captured.C[12]", "unknown_card")],
    ),
    (
        with_(GONG_ZHU, "players", ["A", "B", "C", "D", "E"]) | {"partners": True},
        [("players", "players"), ("rounds[0].captured.C[12]", "unknown_card")],
    ),
    (with_(GONG_ZHU, "rounds[0]", {}), [("rounds[0].captured", "missing")]),
    (with_(GONG_ZHU, "rounds[0].finish", []), [("rounds[0].finish", "unknown_key")]),
    (with_(GONG_ZHU, "rounds[0].captured", []), [("rounds[0].captured", "type")]),
    (with_(GONG_ZHU, "rounds[0].captured.A", "SQ"), [("rounds[0].captured.A", "type")]),
    (with_(GONG_ZHU, "rounds[0].captured.X", []), [("rounds[0].captured.X", "unknown_player")]),
    (
        with_(GONG_ZHU, "rounds[0].captured.A", ["SQ"]),
        [("rounds[0].captured", "card_missing")],
    ),
    (with_(GONG_ZHU, "rounds[0].captured.D", ["HA"]), [("rounds[0].captured.D[0]", "card_twice")]),
    (
        with_(GONG_ZHU, "rounds[0].captured.D", ["♥A"]),
        [("rounds[0].captured.D[0]", "unknown_card")],
    ),
    (
        with_(GONG_ZHU, "rounds[0].captured.D", ["♥A", "♥A"]),
        [("rounds[0].captured.D[0]", "unknown_card"), ("rounds[0].captured.D[1]", "unknown_card")],
    ),
    (with_(GONG_ZHU, "rounds[0].captured.D", [7]), [("rounds[0].captured.D[0]", "type")]),
    (with_(GONG_ZHU, "rounds[0].captured.D", [["SQ"]]), [("rounds[0].captured.D[0]", "type")]),
    (with_(GONG_ZHU, "rounds[0].exposed", "SQ"), [("rounds[0].exposed", "type")]),
    (with_(GONG_ZHU, "rounds[0].exposed", ["HK"]), [("rounds[0].exposed[0]", "not_exposable")]),
    (with_(GONG_ZHU, "rounds[0].exposed", [None]), [("rounds[0].exposed[0]", "type")]),
    (with_(GONG_ZHU, "rounds[0].exposed", ["SQ", "SQ"]), [("rounds[0].exposed[1]", "card_twice")]),
    (
        with_(GONG_ZHU, "rounds", [DEAREST] * 4),
        [("rounds[2]", "game_over"), ("rounds[3]", "game_over")],
    ),
    # gouji
    (with_(GOUJI, "rounds[0]", {}), [("rounds[0].finish", "missing")]),
    (with_(GOUJI, "rounds[0].finish", "ABCDEF"), [("rounds[0].finish", "type")]),
    (with_(GOUJI, "rounds[0].finish[1]", ["A"]), [("rounds[0].finish[1]", "type")]),
    (with_(GOUJI, "rounds[0].finish", list("ABX")), [("rounds[0].finish[2]", "unknown_player")]),
    (with_(GOUJI, "rounds[0].finish", list("ABCDE")), [("rounds[0].finish", "finish")]),
    (with_(GOUJI, "rounds[0].finish", list("ABCDEE")), [("rounds[0].finish", "finish")]),
    (with_(GOUJI, "rounds[0].finish[2]", "X"), [("rounds[0].finish[2]", "unknown_player")]),
    (with_(GOUJI, "rounds[0].teams", "ACE"), [("rounds[0].teams", "type")]),
    (
        with_(GOUJI, "rounds[0].teams", ["ACE", "BDF"]),
        [("rounds[0].teams[0]", "type"), ("rounds[0].teams[1]", "type")],
    ),
    (with_(GOUJI, "rounds[0].teams", []), [("rounds[0].teams", "teams")]),
    (with_(GOUJI, "rounds[0].teams", [list("ABCD"), list("EF")]), [("rounds[0].teams", "teams")]),
    (with_(GOUJI, "rounds[0].teams", [list("ACE"), list("ACE")]), [("rounds[0].teams", "teams")]),
    (
        with_(GOUJI, "rounds[0].teams", [list("ACX"), list("BDF")]),
        [("rounds[0].teams[0][2]", "unknown_player")],
    ),
    (
        with_(GOUJI, "rounds[0].teams", [list("AC"), list("BD"), list("EF")]),
        [("rounds[0].teams", "teams")],
    ),
]


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
