"""Gong Zhu under house rules, against totals computed by hand."""

import pytest

from scoring import choose, get_rule_set
from scoring.variants.gong_zhu import EXPOSABLE
from tests.scoring.variants.gong_zhu import HEARTS, Table

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
