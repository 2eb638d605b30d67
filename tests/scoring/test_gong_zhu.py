"""Gong Zhu: properties of all deals, whichever cards are taken and exposed."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import Rules, choose, get_rule_set, read_record, score
from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame, scoring_cards
from tests.scoring.record_problems import found_in, problems_of

CARD_POINTS = {"HA": -50, "HK": -40, "HQ": -30, "HJ": -20, "SQ": -100, "DJ": 100}
CARD_POINTS |= {f"H{rank}": -10 for rank in range(5, 11)}
NAMES = "ABCDE"

Cards = list[str]


class Table(NamedTuple):
    """A deal: the cards of each player in seat order, and the exposed cards."""

    hands: list[Cards]
    exposed: Cards

    @property
    def players(self) -> list[str]:
        return list(NAMES[: len(self.hands)])

    def facts(self) -> dict[str, Any]:
        captured = dict(zip(self.players, self.hands, strict=True))
        return {"captured": captured, "exposed": self.exposed}

    def document(self) -> dict[str, Any]:
        return {"ruleset": "gong-zhu", "players": self.players, "rounds": [self.facts()]}

    def scored(self, rules: Rules | None = None) -> dict[str, int]:
        (result,) = score(read_record(self.document(), rules)).rounds
        for player, points in result.points.items():
            mine = [line.points for line in result.lines if line.player == player]
            assert sum(mine) == points
        return result.points


@st.composite
def tables(draw: st.DrawFn, exposed: bool = True) -> Table:
    """A deal of four or five; often one player has taken all of the hearts."""
    count = draw(st.sampled_from((4, 5)))
    hands: list[Cards] = [[] for _ in range(count)]
    shooter = draw(st.none() | st.integers(0, count - 1))
    for card in scoring_cards(count):
        taker = shooter if shooter is not None and card[0] == "H" else None
        hands[draw(st.integers(0, count - 1)) if taker is None else taker].append(card)
    cards = draw(st.lists(st.sampled_from(EXPOSABLE), unique=True)) if exposed else []
    return Table(hands, cards)


def expected(hand: Cards, table: Table) -> int:
    """The points of a hand, from the text: value by value, then the ten."""
    hearts_there_are = len([card for card in scoring_cards(len(table.hands)) if card[0] == "H"])
    hearts = [card for card in hand if card[0] == "H"]
    all_hearts = len(hearts) == hearts_there_are
    total = 0
    for card in hand:
        value = CARD_POINTS.get(card, 0)
        if all_hearts and card != "DJ":
            value = abs(value)
        if card in table.exposed and card[0] != "H":
            value *= 2
        if card[0] == "H" and "HA" in table.exposed:
            value *= 2
        total += value
    if "C10" in hand:
        doubled = 4 if "C10" in table.exposed else 2
        return 25 * doubled if len(hand) == 1 else doubled * total
    return total


@given(tables())
def test_deal_has_the_points_of_the_text(table: Table) -> None:
    points = table.scored()
    for player, hand in zip(table.players, table.hands, strict=True):
        assert points[player] == expected(hand, table)


@given(tables())
def test_hearts_total_minus_200_unless_one_player_has_all(table: Table) -> None:
    takers = sum(any(card[0] == "H" for card in hand) for hand in table.hands)
    hearts = [points_of_hearts(told) for told in lines(table.hands, table.exposed).values()]
    assert sum(hearts) == (200 if takers == 1 else -200)


@given(tables())
def test_exposed_ace_doubles_hearts_only(table: Table) -> None:
    before = lines(table.hands, [card for card in table.exposed if card != "HA"])
    after = lines(table.hands, [*table.exposed, *["HA"][: "HA" not in table.exposed]])
    for player in table.players:
        assert after[player].get("hearts_exposed", 0) == points_of_hearts(before[player])
        assert points_of_hearts(after[player]) == points_of_hearts(before[player])


def lines(hands: list[Cards], exposed: Cards) -> dict[str, dict[str, int]]:
    """Return every player's lines by item; each item occurs once."""
    table = Table(hands, exposed)
    told: dict[str, dict[str, int]] = {player: {} for player in table.players}
    for line in score(read_record(table.document())).rounds[0].lines:
        assert line.player is not None
        assert line.item not in told[line.player]
        told[line.player][line.item] = line.points
    return told


def points_of_hearts(told: Mapping[str, int]) -> int:
    return told.get("hearts", 0) + told.get("all_hearts", 0)


@given(tables())
def test_exposed_card_scales_the_points_of_its_taker_only(table: Table) -> None:
    """Sheep, pig and ten: only the taker's points change, and no line changes its sign."""
    for card in ("SQ", "DJ", "C10"):
        kept = [each for each in table.exposed if each != card]
        before = Table(table.hands, kept).scored()
        after = Table(table.hands, [*kept, card]).scored()
        taker = next(
            player for player, hand in zip(table.players, table.hands, strict=True) if card in hand
        )
        assert {p: after[p] for p in after if p != taker} == {
            p: before[p] for p in before if p != taker
        }
        if card == "C10":
            assert after[taker] == 2 * before[taker]


@given(tables())
def test_exposed_card_changes_the_sign_of_no_line(table: Table) -> None:
    for player, told in lines(table.hands, list(EXPOSABLE)).items():
        bare = lines(table.hands, [])[player]
        for item, points in bare.items():
            if item not in ("ten_doubles", "ten_alone"):
                assert told[item] == points


@given(tables())
def test_ten_doubles_the_other_points(table: Table) -> None:
    taker, hand = next(
        (player, hand)
        for player, hand in zip(table.players, table.hands, strict=True)
        if "C10" in hand
    )
    told = lines(table.hands, table.exposed)[taker]
    rest = sum(points for item, points in told.items() if not item.startswith("ten_"))
    total = sum(told.values())
    factor = 4 if "C10" in table.exposed else 2
    assert total == (25 * factor if hand == ["C10"] else rest * factor)


@given(tables(), st.randoms(use_true_random=False))
def test_seats_do_not_change_points(table: Table, random: Any) -> None:
    seats = list(range(len(table.hands)))
    random.shuffle(seats)
    points = list(table.scored().values())
    moved = list(Table([table.hands[seat] for seat in seats], table.exposed).scored().values())
    assert moved == [points[seat] for seat in seats]


@given(tables(), st.randoms(use_true_random=False))
def test_order_of_cards_does_not_change_points(table: Table, random: Any) -> None:
    hands = [random.sample(hand, len(hand)) for hand in table.hands]
    exposed = random.sample(table.exposed, len(table.exposed))
    assert Table(hands, exposed).scored() == table.scored()


@given(tables())
def test_player_without_cards_may_be_left_out(table: Table) -> None:
    facts = table.facts()
    facts["captured"] = {player: hand for player, hand in facts["captured"].items() if hand}
    if not facts["exposed"]:
        del facts["exposed"]
    record = read_record({"ruleset": "gong-zhu", "players": table.players, "rounds": [facts]})
    assert score(record).totals == table.scored()


@given(tables())
def test_option_all_hearts_with_ten_300_takes_a_quarter_off(table: Table) -> None:
    text = table.scored()
    house = table.scored(choose(get_rule_set("gong-zhu"), {"all_hearts_with_ten_300": True}))
    for player, hand in zip(table.players, table.hands, strict=True):
        hearts = points_of_hearts(told := lines(table.hands, table.exposed)[player])
        hearts += told.get("hearts_exposed", 0)
        if "all_hearts" in told and "C10" in hand:
            factor = 2 if "C10" in table.exposed else 1
            assert text[player] - house[player] == hearts * factor // 2
        else:
            assert text[player] == house[player]


@given(tables(), st.data())
def test_missing_card_is_refused(table: Table, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from([card for hand in table.hands for card in hand]))
    hands = [[each for each in hand if each != card] for hand in table.hands]
    assert problems_of(Table(hands, table.exposed).document()) == [
        ("rounds[0].captured", "card_missing")
    ]


@given(tables(), st.data())
def test_a_card_taken_twice_is_refused(table: Table, data: st.DataObject) -> None:
    card = data.draw(st.sampled_from([card for hand in table.hands for card in hand]))
    seat = data.draw(st.integers(0, len(table.hands) - 1))
    hands = [[*hand, card] if i == seat else hand for i, hand in enumerate(table.hands)]
    ((at, code),) = problems_of(Table(hands, table.exposed).document())
    assert code == "card_twice"
    assert at.startswith("rounds[0].captured.")


def test_card_that_does_not_score_is_refused() -> None:
    five = [["H2", "C3", "S12", "", "hk", *scoring_cards(5)], [], [], [], []]
    assert problems_of(Table(five, []).document()) == [
        (f"rounds[0].captured.A[{i}]", "unknown_card") for i in range(5)
    ]
    four = [["H2"], list(scoring_cards(4)[:-1]), [], []]
    assert problems_of(Table(four, []).document()) == []


def test_only_four_cards_can_be_exposed_each_once() -> None:
    hands = [list(scoring_cards(4)), [], [], []]
    assert problems_of(Table(hands, ["H2", "SQ", "HK", "SQ"]).document()) == [
        ("rounds[0].exposed[0]", "not_exposable"),
        ("rounds[0].exposed[2]", "not_exposable"),
        ("rounds[0].exposed[3]", "card_twice"),
    ]


# House rules, against totals worked out by hand

HEARTS = [card for card in scoring_cards(4) if card[0] == "H"]
DEALS = (
    Table([["SQ", "HA", "H10", "C10"], ["HK", "DJ"], ["HQ", "HJ", "H9"], HEARTS[6:]], []),
    Table([[*HEARTS, "SQ", "C10"], ["DJ"], [], []], []),
    Table([["C10"], ["SQ"], ["DJ"], HEARTS], list(EXPOSABLE)),
    Table([["C10", *HEARTS[1:]], ["HA"], ["SQ"], ["DJ"]], ["C10"]),
)
HOUSE_POINTS = {
    "heart_ace": -55,
    "heart_king": -44,
    "heart_queen": -33,
    "heart_jack": -22,
    "heart_spot": -11,
    "all_hearts": 220,
    "pig": -130,
    "sheep": 90,
    "ten_alone": 70,
}
TEXT_POINTS = (
    (-320, 60, -60, -40),
    (600, 100, 0, 0),
    (100, -200, 200, 400),
    (-600, -50, -100, 100),
)
HOUSE_TOTALS = ((-392, 46, -66, -44), (700, 90, 0, 0), (140, -260, 180, 440), (-660, -55, -130, 90))

# How many times each item counts for each of the four players, deal by deal.
COUNTS_OF_ITEMS = {
    "heart_ace": ((2, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 1, 0, 0)),
    "heart_king": ((0, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (4, 0, 0, 0)),
    "heart_queen": ((0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0), (4, 0, 0, 0)),
    "heart_jack": ((0, 0, 1, 0), (0, 0, 0, 0), (0, 0, 0, 0), (4, 0, 0, 0)),
    "heart_spot": ((2, 0, 1, 4), (0, 0, 0, 0), (0, 0, 0, 0), (24, 0, 0, 0)),
    "all_hearts": ((0, 0, 0, 0), (2, 0, 0, 0), (0, 0, 0, 2), (0, 0, 0, 0)),
    "pig": ((2, 0, 0, 0), (-2, 0, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0)),
    "sheep": ((0, 1, 0, 0), (0, 1, 0, 0), (0, 0, 2, 0), (0, 0, 0, 1)),
    "ten_alone": ((0, 0, 0, 0), (0, 0, 0, 0), (2, 0, 0, 0), (0, 0, 0, 0)),
}


def points_of_deals(points: dict[str, int]) -> tuple[tuple[int, ...], ...]:
    rules = choose(get_rule_set("gong-zhu"), points=points)
    return tuple(tuple(table.scored(rules).values()) for table in DEALS)


def test_deals_have_the_points_computed_by_hand() -> None:
    assert points_of_deals({}) == TEXT_POINTS
    assert points_of_deals(HOUSE_POINTS) == HOUSE_TOTALS


@pytest.mark.parametrize("item", HOUSE_POINTS)
def test_points_of_a_house_rule_are_scored(item: str) -> None:
    rules = {rule.item: rule for rule in get_rule_set("gong-zhu").rules}
    changed = HOUSE_POINTS[item] - rules[item].points
    expected = tuple(
        tuple(was + changed * times for was, times in zip(before, of_item, strict=True))
        for before, of_item in zip(TEXT_POINTS, COUNTS_OF_ITEMS[item], strict=True)
    )
    assert expected != TEXT_POINTS
    assert points_of_deals({item: HOUSE_POINTS[item]}) == expected


def test_every_changeable_item_is_tested() -> None:
    rules = get_rule_set("gong-zhu").rules
    assert {rule.item for rule in rules if rule.lowest < rule.highest} == {
        *HOUSE_POINTS,
        "game_end",
    }
    bounds = {rule.item: (rule.lowest, rule.highest) for rule in rules}
    assert bounds["pig"] == bounds["heart_ace"] == (-999, 0)
    assert bounds["sheep"] == bounds["ten_alone"] == bounds["all_hearts"] == (0, 999)
    assert bounds["game_end"] == (-9999, -1)


# Options


@given(tables())
def test_pig_turns_positive_with_all_sixteen_cards_only_by_option(table: Table) -> None:
    text = table.scored()
    house = table.scored(choose(get_rule_set("gong-zhu"), {"pig_turns_with_all_cards": True}))
    all_hearts = {card for card in scoring_cards(len(table.hands)) if card[0] == "H"}
    for player, hand in zip(table.players, table.hands, strict=True):
        turned = {"SQ", *all_hearts} <= set(hand)
        if turned and not {"DJ", "C10"} <= set(hand):
            pig = 200 if "SQ" in table.exposed else 100
            ten = (4 if "C10" in table.exposed else 2) if "C10" in hand else 1
            assert text[player] - house[player] == 2 * pig * ten
        else:
            assert text[player] == house[player]


def test_option_chooses_the_cards_removed_for_five() -> None:
    usual, other = (
        choose(get_rule_set("gong-zhu"), {"five_without": card}).game for card in ("H2", "D2")
    )
    assert isinstance(usual, GongZhuGame)
    assert isinstance(other, GongZhuGame)
    assert set(other.scoring_cards(5)) - set(usual.scoring_cards(5)) == {"H2"}
    assert other.scoring_cards(4) == usual.scoring_cards(4) == other.scoring_cards(5)
    five = Table([list(scoring_cards(4)), [], [], [], []], [])
    assert problems_of(five.document()) == [("rounds[0].captured.A[15]", "unknown_card")]
    assert problems_of(five.document(), other.rules) == []
    four = Table([list(scoring_cards(5)), [], [], [], []], [])
    expected = [("rounds[0].captured", "card_missing")]
    assert problems_of(four.document(), other.rules) == expected


def test_all_hearts_are_thirteen_if_five_remove_the_two_of_diamonds() -> None:
    rules = choose(get_rule_set("gong-zhu"), {"five_without": "D2"})
    twelve = Table([HEARTS[:-1], [HEARTS[-1]], ["SQ"], ["DJ"], ["C10"]], [])
    assert twelve.scored(rules)["A"] == -200
    assert Table([HEARTS, [], ["SQ"], ["DJ"], ["C10"]], []).scored(rules)["A"] == 200


# The game over several deals


LOSES_250 = Table([["SQ", "HA"], ["DJ"], ["C10"], list(scoring_cards(4)[4:])], ["SQ"])


def documents(*deals: Table, **more: Any) -> dict[str, Any]:
    rounds = [table.facts() for table in deals]
    return {"ruleset": "gong-zhu", "players": list("ABCD"), "rounds": rounds} | more


def test_game_ends_at_minus_1000() -> None:
    dearest = Table([["SQ", "C10"], ["DJ"], list(scoring_cards(4)[3:]), []], ["SQ", "C10"])
    assert dearest.scored()["A"] == -800
    pig = Table([["SQ"], ["DJ", "C10"], list(scoring_cards(4)[3:]), []], [])
    assert score(read_record(documents(dearest, pig, pig))).totals["A"] == -1000
    for late in (1, 2):
        document = documents(dearest, pig, pig, *[pig] * late)
        expected = [(f"rounds[{3 + i}]", "game_over") for i in range(late)]
        assert problems_of(document) == expected
        assert all(problem.params == {"deal": 3} for problem in found_in(document))


def test_house_rule_may_end_the_game_earlier() -> None:
    rules = choose(get_rule_set("gong-zhu"), points={"game_end": -250})
    document = documents(LOSES_250, LOSES_250)
    assert score(read_record(document)).totals["A"] == -500
    assert problems_of(document, rules) == [("rounds[1]", "game_over")]


def test_the_taker_of_the_pig_leads_the_next_deal() -> None:
    game = choose(get_rule_set("gong-zhu")).game
    assert isinstance(game, GongZhuGame)
    (facts,) = read_record(documents(LOSES_250)).rounds
    assert game.leader([]) is None
    assert game.leader([facts]) == "A"
    other = facts._replace(captured={"B": frozenset({"SQ"}), "A": frozenset({"DJ"})})
    assert game.leader([facts, other]) == "B"
    assert game.leader([other, facts]) == "A"


def test_advice_names_the_leader_or_the_end_of_the_game() -> None:
    game = choose(get_rule_set("gong-zhu")).game
    (facts,) = read_record(documents(LOSES_250)).rounds

    def told(deals: int, planned: int | None) -> tuple[str, dict[str, str], dict[str, str | int]]:
        (advice,) = game.advice([facts] * deals, "ABCD", planned)
        return advice.code, dict(advice.players), dict(advice.values)

    assert told(0, 4) == ("two_of_spades_leads", {}, {})
    assert told(1, 4) == told(1, None) == told(3, 4) == ("leads", {"leader": "A"}, {})
    assert told(4, 4) == told(4, None) == ("game_over", {"loser": "A"}, {"points": -1000})
    assert told(5, None) == ("game_over", {"loser": "A"}, {"points": -1250})
    assert told(1, 1) == told(2, 1) == ("finished", {}, {"planned": 1})


PAIRS = Table(
    [
        ["SQ", "C10", "H10", "H9", "H8", "H7", "H6"],
        ["DJ"],
        ["HA", "HK", "HQ", "HJ", *HEARTS[9:]],
        [],
    ],
    ["SQ"],
)


def test_option_ends_partnership_games_by_the_pairs_total() -> None:
    """A −500, B +100, C −150, D 0 a deal: a player has lost 1000 after two, the pair as well."""
    alone = choose(get_rule_set("gong-zhu")).game
    together = choose(get_rule_set("gong-zhu"), {"partners_end_by_total": True}).game
    (facts,) = read_record(documents(PAIRS)).rounds
    assert PAIRS.scored() == {"A": -500, "B": 100, "C": -150, "D": 0}
    for game, partners, loser, points in (
        (alone, True, {"loser": "A"}, -1000),
        (alone, False, {"loser": "A"}, -1000),
        (together, False, {"loser": "A"}, -1000),
        (together, True, {"first": "A", "second": "C"}, -1300),
    ):
        (told,) = game.advice([facts] * 2, "ABCD", None, partners)
        assert (told.code, told.players, told.values) == ("game_over", loser, {"points": points})
        assert game.advice([facts], "ABCD", None, partners)[0].code == "leads"


def test_pair_plays_on_while_only_one_of_them_is_at_minus_1000() -> None:
    """A −800 and C +200 a deal: after two A has lost 1600, the pair 1200."""
    rules = choose(get_rule_set("gong-zhu"), {"partners_end_by_total": True})
    dear = Table([["SQ", "C10"], HEARTS[:4], ["DJ"], HEARTS[4:]], ["SQ", "C10", "DJ"])
    assert dear.scored() == {"A": -800, "B": -140, "C": 200, "D": -60}
    two = documents(dear, dear, partners=True)
    assert problems_of(two, rules) == []
    assert problems_of(documents(dear, dear, dear, partners=True), rules) == [
        ("rounds[2]", "game_over")
    ]
    assert problems_of(documents(dear, dear, dear), rules) == [("rounds[2]", "game_over")]
    kind = Table([["SQ", "C10"], HEARTS[:4], ["DJ", *HEARTS[9:]], HEARTS[4:9]], ["SQ"])
    assert kind.scored() == {"A": -400, "B": -140, "C": 90, "D": -50}
    three, four = documents(*[kind] * 3, partners=True), documents(*[kind] * 4, partners=True)
    assert problems_of(three) == problems_of(four, rules) == []
    assert problems_of(four) == [("rounds[3]", "game_over")]
    assert problems_of(documents(*[kind] * 5, partners=True), rules) == [("rounds[4]", "game_over")]


def test_partners_add_up_their_points() -> None:
    result = score(read_record(documents(LOSES_250, LOSES_250, partners=True)))
    assert list(result.totals.values()) == [-500, 200, 100, -300]
    assert result.team_totals == (-400, -100)
    assert score(read_record(documents(LOSES_250, partners=False))).team_totals is None


@given(tables())
def test_partnership_does_not_change_players_points(table: Table) -> None:
    hands = [*table.hands[:3], [card for hand in table.hands[3:] for card in hand]]
    missing = set(scoring_cards(4)) - {card for hand in hands for card in hand}
    four = Table([*hands[:3], [*hands[3], *missing]], table.exposed)
    assert score(read_record(documents(four, partners=True))).totals == four.scored()
