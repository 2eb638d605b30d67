"""Quick-reference charts: every outcome is there, and every cell is what a score says."""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from typing import Any

import pytest

import scoring
from scoring.charts import Cell, Section
from scoring.charts.captures import Hand
from scoring.charts.finish import PLAYERS, finish_of
from scoring.charts.kankei import DEALS, outcomes
from scoring.kankei import Deal, KankeiGame
from scoring.variants.gong_zhu import scoring_cards

HOUSE_RULES: tuple[tuple[str, dict[str, bool], dict[str, int]], ...] = (
    ("goninkan-association", {"skunk_kept_with_juroku": False}, {"juroku": 9}),
    ("goninkan-nakayoshi", {"reverse_skunk_deal1_flat": True}, {}),
    ("damarikan", {"missed_call_ends_deal": False}, {"called_skunk_missed": -5}),
    ("gong-zhu", {"all_hearts_with_ten_300": True}, {"pig": -150}),
    ("gouji", {}, {"first": 5}),
)
EVERY_RULES = [rule_set.choose() for rule_set in scoring.RULE_SETS] + [
    scoring.get_rule_set(slug).choose(options, points) for slug, options, points in HOUSE_RULES
]
FACE_CARD_RULES = [rules for rules in EVERY_RULES if isinstance(rules.game, KankeiGame)]


def name_of(rules: scoring.Rules) -> str:
    return f"{rules.slug} {rules.fingerprint}"


every_rules = pytest.mark.parametrize("rules", EVERY_RULES, ids=name_of)
face_card_rules = pytest.mark.parametrize("rules", FACE_CARD_RULES, ids=name_of)


def section(rules: scoring.Rules, code: str) -> Section | None:
    return next((found for found in rules.game.chart() if found.code == code), None)


def game_of(rules: scoring.Rules) -> KankeiGame:
    assert isinstance(rules.game, KankeiGame)
    return rules.game


def points_of(rules: scoring.Rules, deals: Sequence[Deal]) -> int:
    """What a kankei player has after these deals, the long way round: from a record."""
    over = score(rules, deals)
    return (over if over.complete else score(rules, deals, cut_off=True)).totals["B"]


def score(rules: scoring.Rules, deals: Sequence[Deal], **more: Any) -> scoring.Score:
    players = list("ABCDEF")[: max(rules.rule_set.players)]
    facts = [
        {key: value for key, value in deal._asdict().items() if value is not None} for deal in deals
    ]
    record = {
        "players": players,
        "rounds": [{"dealer": "A", "kankei": ["B", "D"], "deals": facts, **more}],
    }
    return scoring.score(scoring.read_record(record, rules))


@every_rules
def test_a_chart_has_words_for_everything_it_shows(rules: scoring.Rules) -> None:
    for part in rules.game.chart():
        headings = [h for row in part.rows for h in row.headings] + list(part.columns)
        labels = [part.title, *part.notes, *(heading.name for heading in headings)]
        assert all(str(label) for label in labels)


@every_rules
def test_a_row_has_a_cell_for_every_column(rules: scoring.Rules) -> None:
    for part in rules.game.chart():
        if part.columns:
            assert {len(row.cells) for row in part.rows} <= {len(part.columns)}


@face_card_rules
def test_every_outcome_of_every_deal_has_its_cell(rules: scoring.Rules) -> None:
    deals = section(rules, "deals")
    assert deals is not None
    for number in DEALS:
        shown = [row.cells[number - 1] for row in deals.rows if row.cells[number - 1] is not None]
        assert len(shown) == len(outcomes(game_of(rules), number))


@face_card_rules
def test_every_possible_deal_scores_what_its_cell_says(rules: scoring.Rules) -> None:
    """All counts and declarations, after plain wins: a cell adds its points, or is the round's."""
    game = game_of(rules)
    deals = section(rules, "deals")
    assert deals is not None
    cells = {
        (number, game.verdict(number, *cell.facts[:3])): cell
        for row in deals.rows
        for number, cell in zip(DEALS, row.cells, strict=True)
        if isinstance(cell, Cell)
    }
    for number in DEALS:
        before = [Deal(*game.targets[n][:1], 1) for n in range(1, number)]
        earned = sum(line.points for line in game.lines(before))
        for verdict, found in outcomes(game, number).items():
            cell = cells[number, verdict]
            expected = cell.points if cell.is_round else earned + cell.points
            for deal in found:
                assert sum(line.points for line in game.lines([*before, deal])) == expected


@face_card_rules
def test_every_cell_of_the_whole_rounds_is_what_the_record_scores(rules: scoring.Rules) -> None:
    if not game_of(rules).may_be_cut_off:
        rounds = section(rules, "plain")
    else:
        rounds = section(rules, "rounds") or section(rules, "plain")
    assert rounds is not None
    for cell in rounds.cells:
        assert cell.points == (points_of(rules, cell.facts) if cell.facts else 0)
        assert cell.opposite == -cell.points


@face_card_rules
def test_the_whole_rounds_leave_no_path_out(rules: scoring.Rules) -> None:
    rounds = section(rules, "rounds")
    ways = {number: outcomes(game_of(rules), number) for number in DEALS}
    won = {number: [v for v in ways[number] if v.kankei_won] for number in DEALS}
    if rounds is None:  # too many to print: such a chart shows deals to add up
        assert len(won[1]) * len(won[2]) > 8
        return
    paths = 1 + len(won[1]) + len(won[1]) * len(won[2])
    assert len(rounds.rows) == paths
    shown = sum(1 for cell in rounds.cells) - paths  # the first of each row: so far
    assert shown == len(ways[1]) + len(won[1]) * len(ways[2]) + len(won[1]) * len(won[2]) * len(
        ways[3]
    )


def test_the_examples_of_the_association_are_on_its_chart() -> None:
    examples = section(scoring.get_rule_set("goninkan-association").choose(), "examples")
    assert examples is not None
    totals = [row.cells[-1] for row in examples.rows]
    assert [cell.points for cell in totals[:2] if isinstance(cell, Cell)] == [13, 38]


def test_the_ladder_of_yoninkan_is_on_its_chart() -> None:
    plain = section(scoring.get_rule_set("yoninkan").choose(), "plain")
    assert plain is not None
    assert [cell.points for cell in plain.cells] == [-2, 0, 2, 8]


def test_a_skunk_that_needs_more_than_the_target_is_noted() -> None:
    notes = section(scoring.get_rule_set("goninkan-nakayoshi").choose(), "notes")
    assert notes is not None
    assert "A skunk in deal 1 needs 9 face cards." in map(str, notes.notes)


GONG_ZHU = [rules for rules in EVERY_RULES if rules.slug == "gong-zhu"]


@pytest.mark.parametrize("rules", GONG_ZHU, ids=name_of)
@pytest.mark.parametrize("code", ["cards", "all_hearts", "examples"])
def test_every_hand_scores_what_its_cell_says(rules: scoring.Rules, code: str) -> None:
    part = section(rules, code)
    assert part is not None
    for cell in part.cells:
        hand: Hand = cell.facts
        rest = set(scoring_cards(4)) - hand.cards
        facts = {"captured": {"A": sorted(hand.cards), "B": sorted(rest)}}
        record = {"players": list("ABCD"), "rounds": [facts | {"exposed": sorted(hand.exposed)}]}
        assert scoring.score(scoring.read_record(record, rules)).totals["A"] == cell.points


@pytest.mark.parametrize("rules", GONG_ZHU, ids=name_of)
def test_every_scoring_card_and_all_hearts_with_all_else_are_shown(rules: scoring.Rules) -> None:
    cards, hearts = section(rules, "cards"), section(rules, "all_hearts")
    assert cards is not None
    assert hearts is not None
    shown = " ".join(str(row.headings[0].note) for row in cards.rows)
    assert shown == "♠Q ♦J ♥A ♥K ♥Q ♥J ♥10 9 8 7 6 5 ♥4 3 2 ♣10"
    # Pig and sheep: elsewhere, taken or exposed; the ten as well; the ace of hearts exposed or not.
    assert len({cell.facts for cell in hearts.cells}) == 3 * 3 * 3 * 2


@pytest.mark.parametrize("rules", [r for r in EVERY_RULES if r.slug == "gouji"], ids=name_of)
def test_every_finishing_order_of_gouji_scores_what_the_chart_says(rules: scoring.Rules) -> None:
    teams = section(rules, "teams")
    assert teams is not None
    shown = {}
    for row in teams.rows:
        for group, cell in zip(("one", "other"), row.cells, strict=True):
            places = tuple(str(h.name) for h in row.headings if h.group == group)
            assert isinstance(cell, Cell)
            shown[places] = cell.points
    assert sorted(shown) == sorted(combinations(PLAYERS, 3))
    for order in permutations("ABCDEF"):
        record = {"players": list("ABCDEF"), "rounds": [{"finish": list(order)}]}
        totals = scoring.score(scoring.read_record(record, rules)).totals
        for team in ("ACE", "BDF"):
            places = tuple(str(place) for place, who in enumerate(order, 1) if who in team)
            assert totals[team[0]] == shown[places]


def test_gouji_names_who_exchanges_and_plays_first_by_their_places() -> None:
    chart = scoring.get_rule_set("gouji").choose()
    following, sweep = section(chart, "next"), section(chart, "sweep")
    assert following is not None
    assert sweep is not None
    assert [str(note) for note in following.notes] == [
        "place 1 and place 2 shuffle.",
        "place 6 gives the strongest 2 to place 1, who returns as many.",
        "place 5 gives the strongest 1 to place 2, who returns as many.",
        "place 6 plays first.",
        "After a revolution, or when teams have changed, a starting card is drawn instead.",
    ]
    assert "player opposite" in str(sweep.notes[0])
    assert set(finish_of("123").teams[0]) == {"1", "2", "3"}


def test_the_chart_of_a_house_rule_has_its_points() -> None:
    usual, house = (
        section(scoring.get_rule_set("goninkan-association").choose(points=points), "rounds")
        for points in ({}, {"skunk": 2})
    )
    assert usual is not None
    assert house is not None
    differences = {a.points - b.points for a, b in product(house.cells, usual.cells)}
    assert 1 in differences
