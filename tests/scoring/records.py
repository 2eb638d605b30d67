"""Records to be read: good ones of each kind of game, and bad ones with all their problems."""

import json
import re
from typing import Any

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

# Records, each with all its problems.
Bad = list[tuple[Any, list[tuple[str, str]]]]
BAD_DOCUMENTS: Bad = [
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
    (
        with_(with_(GONINKAN, "players[4]", "が"), "players[5]", "か\u3099"),
        [("players[5]", "players")],
    ),
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
    (with_(with_(GONINKAN, "players[5]", "が"), "rounds[0]", []), [("rounds[0]", "type")]),
    # partners
    (with_(GONINKAN, "partners", True), [("partners", "unknown_key")]),
    (with_(GONG_ZHU, "partners", 1), [("partners", "type")]),
    (without(GONG_ZHU, "players") | {"partners": True}, [("players", "missing")]),
    (with_(GONG_ZHU, "players", 4) | {"partners": True}, [("players", "type")]),
    (without(GONG_ZHU, "ruleset") | {"partners": True}, [("ruleset", "missing")]),
    (with_(GONG_ZHU, "options", {"five_without": "C2"}), [("options.five_without", "option")]),
    (
        with_(GONG_ZHU, "players", ["A", "B", "C", "D", "E"]) | {"partners": True},
        [("players", "players"), ("rounds[0].captured.C[12]", "unknown_card")],
    ),
]
BAD_ROUNDS_OF_FACE_CARDS: Bad = [
    (with_(GONINKAN, "rounds[0]", []), [("rounds[0]", "type")]),
    (with_(GONINKAN, "rounds[0].winner", "A"), [("rounds[0].winner", "unknown_key")]),
    (with_(GONINKAN, "rounds[0].trump", "♣"), [("rounds[0].trump", "range")]),
    (with_(GONINKAN, "rounds[0].trump", None), [("rounds[0].trump", "type")]),
    (
        with_(
            GONINKAN, "rounds[0]", ROUND | {"trump": "clubs", "deals": [LOST | {"trump": "spades"}]}
        ),
        [("rounds[0].deals[0].trump", "range")],
    ),
    (without(GONINKAN, "dealer", in_round=True), [("rounds[0].dealer", "missing")]),
    (with_(GONINKAN, "rounds[0].dealer", "X"), [("rounds[0].dealer", "unknown_player")]),
    (with_(GONINKAN, "rounds[0].dealer", 1), [("rounds[0].dealer", "type")]),
    (with_(GONINKAN, "rounds[0].dealer", "B"), [("rounds[0].dealer", "dealer")]),
    (without(GONINKAN, "kankei", in_round=True), [(KANKEI_ROUND, "missing")]),
    (with_(GONINKAN, KANKEI_ROUND, "BD"), [(KANKEI_ROUND, "type")]),
    (with_(GONINKAN, KANKEI_ROUND, 9), [(KANKEI_ROUND, "type")]),
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
]
BAD_DEALS_OF_CARDS: Bad = [
    # gong zhu
    (with_(GONG_ZHU, "players", ["A", "B", "C"]), [("players", "players")]),
    (
        with_(GONG_ZHU, "players", ["A", "B", "C", "D", "E"]),
        [("rounds[0].captured.C[12]", "unknown_card")],
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
    (with_(GOUJI, "rounds[0].finish", 6), [("rounds[0].finish", "type")]),
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
