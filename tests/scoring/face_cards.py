"""A second implementation of the face-card games, as tables: written from the texts, not the code.

A table has a row for every outcome and a column for every deal. A cell is what the deal brings each
kankei player; ``=`` makes it the whole round's score, a dot says that the outcome cannot be.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

DECLARATIONS = (
    None,
    "juroku",
    "reverse_juroku",
    "called_skunk",
    "called_juroku",
    "called_reverse_skunk",
    "called_reverse_juroku",
)
COUNTS = [(k, m) for k in range(17) for m in range(17 - k)]

CLASSIC = """
    won                                   +1   +1   +2
    lost                                  -1   -1   -1
    skunk                                 +2   +2   +3
    reverse_skunk                        -11   =-3  =-3
    juroku                                 .   +9  +10
    juroku_missed                          .  -17  -17
    reverse_juroku                         .  =-16 =-16
    reverse_juroku_missed                  .  +33  +34
"""

ASSOCIATION = """
    won                                   +1   +1   +2
    lost                                  -1   -1   -1
    skunk                                 +2   +2   +3
    reverse_skunk                        -10   =-3  =-3
    juroku                                 .  +10  +11
    juroku_missed                          .  -17  -17
    reverse_juroku                         .  =-16 =-16
    reverse_juroku_missed                  .  +33  +34
"""

# The last four rows are reached only without the option `missed_call_ends_deal`.
DAMARIKAN = f"""
    {CLASSIC}
    called_skunk                          +3   +3   +4
    called_skunk_missed                   -5   -5   -5
    called_juroku                        +17  +17  +18
    called_juroku_missed                 -33  -33  -33
    called_reverse_skunk                 -21   =-6  =-6
    called_reverse_skunk_missed          +41  +13  +14
    called_reverse_juroku                =-32 =-32 =-32
    called_reverse_juroku_missed         +65  +65  +66
    called_skunk_missed_yet_won           -3   -3   -2
    called_juroku_missed_yet_won         -31  -31  -30
    called_reverse_skunk_missed_yet_lost +39  +11  +11
    called_reverse_juroku_missed_yet_lost +63 +63  +63
"""

YONINKAN = """
    won                                    0    0   +8
    lost                                  -2    0   +2
    skunk                                 +2   +2  +10
    reverse_skunk                          .   =-8  =-8
    juroku                               +16  +16  +24
    juroku_missed                        =-32 =-32 =-32
    reverse_juroku                         .  =-32 =-32
    reverse_juroku_missed                  .  +64  +72
    called_skunk                           .   +8  +16
    called_skunk_missed                    .  =-16 =-16
    called_juroku                        +32  +32  +40
    called_juroku_missed                 =-64 =-64 =-64
    called_reverse_skunk                   .  =-16 =-16
    called_reverse_skunk_missed            .  +32  +40
    called_reverse_juroku                  .  =-64 =-64
    called_reverse_juroku_missed           . +128 +136
"""

# Rows that differ from the table above with an option.
OptionRows = Mapping[tuple[str, object], tuple[str, ...]]
GONINKAN_ROWS: OptionRows = {
    ("reverse_skunk_deal1_flat", True): (
        "reverse_skunk        -10 =-3 =-3",
        "called_reverse_skunk -20 =-6 =-6",
    ),
    ("reverse_skunk_deal1_flat", False): (
        "reverse_skunk        -11 =-3 =-3",
        "called_reverse_skunk -21 =-6 =-6",
    ),
    ("skunk_kept_with_juroku", True): ("juroku . +10 +11",),
    ("skunk_kept_with_juroku", False): ("juroku .  +9 +10",),
    ("missed_juroku_flat", True): (
        "juroku_missed          . -16 -16",
        "called_juroku_missed -32 -32 -32",
    ),
    ("reverse_juroku_voids", False): (
        "reverse_juroku          . -16 -16",
        "called_reverse_juroku -32 -32 -32",
    ),
    ("reverse_juroku_loses_deal", True): (  # where the round is not void
        "reverse_juroku          . -17 -17",
        "called_reverse_juroku -33 -33 -33",
    ),
}
YONINKAN_ROWS: OptionRows = {("skunk_kept_with_juroku", True): ("juroku +18 +18 +26",)}

# The defaults of the options that all goninkan have.
GONINKAN = {
    "reverse_skunk_deal1_flat": False,
    "skunk_kept_with_juroku": False,
    "last_round_spades": True,
    "cut_off_round_scores": True,
    "missed_juroku_flat": False,
    "reverse_juroku_voids": True,
    "reverse_juroku_loses_deal": False,
}

CALLS = DECLARATIONS[3:]
LATE_DECLARATIONS = ("juroku", "reverse_juroku")  # declared in deals 2 and 3


class Game(NamedTuple):
    """What a rule set's text says of its deals.

    `targets` are the kankei's, deal by deal; with the mukankei's, all sixteen and one more.
    `players` are tables of every size.
    """

    table: str
    players: tuple[str, ...]
    options: dict[str, Any]  # defaults
    targets: tuple[int, int, int] = (9, 8, 9)
    option_rows: OptionRows = GONINKAN_ROWS
    # Legal declarations, deal by deal.
    legal: tuple[tuple[str, ...], ...] = ((), LATE_DECLARATIONS, LATE_DECLARATIONS)
    skunk_in_deal_1: int = 9  # face cards of the kankei
    has_reverse_skunk_in_deal_1: bool = True
    may_be_cut_off: bool = True
    parts_before_deal: int = 1  # neighbouring kankei change places before it


CLASSIC_GAME = Game(CLASSIC, ("ABCDE", "ABCDEF"), GONINKAN)

# Every face-card rule set has an entry here; a test asks for it.
GAMES = {
    "goninkan-association": Game(
        ASSOCIATION,
        ("ABCDEF",),
        GONINKAN
        | {
            "reverse_skunk_deal1_flat": True,
            "skunk_kept_with_juroku": True,
            "last_round_spades": False,
        },
    ),
    "goninkan-classic": CLASSIC_GAME,
    "goninkan-nakayoshi": CLASSIC_GAME._replace(targets=(8, 8, 9)),
    "damarikan": Game(
        DAMARIKAN,
        ("ABCD",),
        GONINKAN | {"missed_call_ends_deal": True, "key_card": "J"},
        legal=(CALLS, (*LATE_DECLARATIONS, *CALLS), (*LATE_DECLARATIONS, *CALLS)),
        parts_before_deal=2,
    ),
    "yoninkan": Game(
        YONINKAN,
        ("ABCD",),
        {"last_round_spades": True, "skunk_kept_with_juroku": False, "key_card": "J"},
        option_rows=YONINKAN_ROWS,
        legal=(
            ("juroku", "called_juroku"),
            (*LATE_DECLARATIONS, *CALLS),
            (*LATE_DECLARATIONS, *CALLS),
        ),
        has_reverse_skunk_in_deal_1=False,
        may_be_cut_off=False,
        parts_before_deal=2,
    ),
}

# Options that change no points, only advice.
OPTIONS_OF_ADVICE = {"last_round_spades", "key_card"}


class Cell(NamedTuple):
    """Each kankei player's points for a deal, and whether they are the whole round's score."""

    points: int
    is_all: bool


class Refused(NamedTuple):
    """The expected problem of an impossible deal: its field and code."""

    field: str
    code: str


Points = Mapping[str, tuple[Cell | None, ...]]


def game_of(slug: str) -> Game:
    """The entry of a rule set. Fails the test if there is none: its deals would not be tried."""
    if slug not in GAMES:
        remedy = f"Add {slug} to GAMES in tests/scoring/face_cards.py, written from its text."
        pytest.fail(remedy, pytrace=False)
    return GAMES[slug]


def points_table(slug: str, options: Mapping[str, Any]) -> Points:
    """A rule set's table, with the rows of the given options."""
    game = game_of(slug)
    table = dict(_row(row) for row in game.table.split("\n") if row.strip())
    for choice in options.items():
        if choice[0] == "reverse_juroku_loses_deal" and options["reverse_juroku_voids"]:
            continue
        for ended, cells in map(_row, game.option_rows.get(choice, ())):
            if ended in table:
                table[ended] = cells
    return table


def _row(text: str) -> tuple[str, tuple[Cell | None, ...]]:
    ended, *cells = text.split()
    return ended, tuple(_cell(cell) for cell in cells)


def _cell(text: str) -> Cell | None:
    return None if text == "." else Cell(int(text.removeprefix("=")), text.startswith("="))


def choices(slug: str) -> Iterator[dict[str, Any]]:
    """The defaults, each option that changes points alone at its other value, and all of them."""
    usual = GAMES[slug].options
    turned = {name: not usual[name] for name in usual if name not in OPTIONS_OF_ADVICE}
    yield usual
    for name, choice in turned.items():
        yield usual | {name: choice}
    if len(turned) > 1:
        yield usual | turned


def is_legal(slug: str, number: int, declaration: str | None) -> bool:
    """Whether the rule set allows the declaration in this deal."""
    return declaration is None or declaration in GAMES[slug].legal[number - 1]


class Case(NamedTuple):
    """The face cards of both sides, and whether each side has reached its target."""

    k: int
    m: int
    kankei_have: bool
    mukankei_have: bool


Rows = dict[str | None, list[tuple[bool, str | Refused]]]
UNDECIDED = Refused("kankei", "undecided")
IMPOSSIBLE = Refused("declaration", "declaration_impossible")


def outcome(
    slug: str, number: int, k: int, m: int, declaration: str | None, options: Mapping[str, Any]
) -> str | Refused:
    """How a deal ended with `k` face cards for the kankei and `m` for the mukankei.

    The first row that fits decides.
    """
    game = GAMES[slug]
    target = game.targets[number - 1]
    case = Case(k, m, k >= target, m >= 17 - target)
    skunk_needs = game.skunk_in_deal_1 if number == 1 else target
    rows = (
        undeclared(case, k >= skunk_needs, number > 1 or game.has_reverse_skunk_in_deal_1)
        | declared(case)
        | called_by_kankei(case, options.get("missed_call_ends_deal", True))
        | called_by_mukankei(case, options.get("missed_call_ends_deal", True))
    )
    return next(then for fits, then in rows[declaration] if fits)


def undeclared(case: Case, has_skunk: bool, has_reverse_skunk: bool) -> Rows:
    k, m, kankei_have, mukankei_have = case
    return {
        None: [
            (kankei_have and m == 0 and has_skunk, "skunk"),
            (kankei_have, "won"),
            (mukankei_have and k == 0 and has_reverse_skunk, "reverse_skunk"),
            (mukankei_have, "lost"),
            (True, UNDECIDED),
        ],
    }


def declared(case: Case) -> Rows:
    """Declared after the side has won, while the other has no face card."""
    k, m, kankei_have, mukankei_have = case
    return {
        "juroku": [
            (not kankei_have, IMPOSSIBLE),
            (k == 16, "juroku"),
            (m >= 1, "juroku_missed"),
            (True, UNDECIDED),
        ],
        "reverse_juroku": [
            (not mukankei_have, IMPOSSIBLE),
            (m == 16, "reverse_juroku"),
            (k >= 1, "reverse_juroku_missed"),
            (True, UNDECIDED),
        ],
    }


def called_by_kankei(case: Case, ends: bool) -> Rows:
    """Called in the first trick; with `ends`, a missed call ends the deal at once as a loss."""
    k, m, kankei_have, mukankei_have = case
    return {
        "called_skunk": [
            (m == 0 and kankei_have, "called_skunk"),
            (m == 0, UNDECIDED),
            (ends and not kankei_have, "called_skunk_missed"),
            (ends, IMPOSSIBLE),
            (kankei_have, "called_skunk_missed_yet_won"),
            (mukankei_have, "called_skunk_missed"),
            (True, UNDECIDED),
        ],
        "called_juroku": [
            (k == 16, "called_juroku"),
            (m == 0, UNDECIDED),
            (ends, "called_juroku_missed"),
            (kankei_have, "called_juroku_missed_yet_won"),
            (mukankei_have, "called_juroku_missed"),
            (True, UNDECIDED),
        ],
    }


def called_by_mukankei(case: Case, ends: bool) -> Rows:
    k, m, kankei_have, mukankei_have = case
    return {
        "called_reverse_skunk": [
            (k == 0 and mukankei_have, "called_reverse_skunk"),
            (k == 0, UNDECIDED),
            (ends and not mukankei_have, "called_reverse_skunk_missed"),
            (ends, IMPOSSIBLE),
            (mukankei_have, "called_reverse_skunk_missed_yet_lost"),
            (kankei_have, "called_reverse_skunk_missed"),
            (True, UNDECIDED),
        ],
        "called_reverse_juroku": [
            (m == 16, "called_reverse_juroku"),
            (k == 0, UNDECIDED),
            (ends, "called_reverse_juroku_missed"),
            (mukankei_have, "called_reverse_juroku_missed_yet_lost"),
            (kankei_have, "called_reverse_juroku_missed"),
            (True, UNDECIDED),
        ],
    }


CONTINUING_OUTCOMES = {
    "won",
    "skunk",
    "juroku",
    "reverse_juroku_missed",
    "called_skunk",
    "called_juroku",
    "called_reverse_skunk_missed",
    "called_reverse_juroku_missed",
    "called_skunk_missed_yet_won",
    "called_juroku_missed_yet_won",
}


def round_points(table: Points, outcomes: list[str]) -> int:
    """Each kankei player's points after these outcomes."""
    total = 0
    for number, ended in enumerate(outcomes):
        cell = table[ended][number]
        assert cell is not None
        total = cell.points if cell.is_all else total + cell.points
    return total
