"""Gong Zhu: properties of all deals, whichever cards are taken and exposed."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring import choose, get_rule_set, read_record, score
from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame, scoring_cards
from tests.scoring.record_problems import problems_of
from tests.scoring.variants.gong_zhu import HEARTS, Cards, Table, tables

CARD_POINTS = {"HA": -50, "HK": -40, "HQ": -30, "HJ": -20, "SQ": -100, "DJ": 100}
CARD_POINTS |= {f"H{rank}": -10 for rank in range(5, 11)}


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
