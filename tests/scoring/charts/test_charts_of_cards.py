"""Charts of Gong Zhu and Gouji: every cell agrees with the scores."""

from itertools import combinations, permutations

import scoring
from scoring.charts import Cell
from scoring.charts.captures import TakenCards
from scoring.charts.finish import PLAYERS, finish_with_team
from scoring.variants.gong_zhu import scoring_cards
from tests.scoring.charts.every_chart import EVERY_RULES, for_each, section

GONG_ZHU = [rules for rules in EVERY_RULES if rules.slug == "gong-zhu"]


@for_each(GONG_ZHU)
def test_every_hand_scores_as_its_cell(rules: scoring.Rules) -> None:
    parts = [section(rules, code) for code in ("cards", "all_hearts", "examples")]
    for cell in [cell for part in parts if part for cell in part.cells]:
        hand: TakenCards = cell.facts
        rest = set(scoring_cards(4)) - hand.cards
        facts = {"captured": {"A": sorted(hand.cards), "B": sorted(rest)}}
        record = {"players": list("ABCD"), "rounds": [facts | {"exposed": sorted(hand.exposed)}]}
        assert scoring.score(scoring.read_record(record, rules)).totals["A"] == cell.points


def test_no_cell_of_a_game_without_face_cards_is_part_of_a_longer_round() -> None:
    for slug in ("gong-zhu", "gouji"):
        chart = scoring.reference_chart(scoring.choose(scoring.get_rule_set(slug)))
        cells = [cell for part in chart for cell in part.cells]
        assert cells
        assert not any(cell.goes_on or cell.is_whole_round for cell in cells)


@for_each(GONG_ZHU)
def test_gong_zhu_chart_shows_every_card_and_every_state_beside_all_hearts(
    rules: scoring.Rules,
) -> None:
    cards, hearts = section(rules, "cards"), section(rules, "all_hearts")
    assert cards is not None
    assert hearts is not None
    shown = " ".join(str(row.headings[0].note) for row in cards.rows)
    assert shown == "♠Q ♦J ♥A ♥K ♥Q ♥J ♥10 9 8 7 6 5 ♥4 3 2 ♣10"
    # Pig and sheep: elsewhere, taken or exposed; the ten as well; the ace of hearts exposed or not.
    assert len({cell.facts for cell in hearts.cells}) == 3 * 3 * 3 * 2


def test_a_row_of_gong_zhus_cards_has_the_points_of_its_own_card() -> None:
    cards = section(scoring.choose(scoring.get_rule_set("gong-zhu")), "cards")
    assert cards is not None
    *rows, _ten_alone = cards.rows
    told = [[cell for cell in row.cells if isinstance(cell, Cell)] for row in rows]
    taken = [{*cell.facts.cards} - {"C10"} for row in told for cell in row]
    first_of_each = ("SQ", "DJ", "HA", "HK", "HQ", "HJ", "H10", "H4")
    assert taken == [{card} for card in first_of_each for _column in range(6)]
    assert [row[0].points for row in told] == [-100, 100, -50, -40, -30, -20, -10, 0]
    pig, sheep, *_hearts = told
    assert [cell.points for cell in pig] == [-100, -200, -400, -200, -400, -800]
    assert [cell.points for cell in sheep] == [100, 200, 400, 200, 400, 800]


def test_gong_zhu_tables_are_grouped_by_exposed_and_taken_cards() -> None:
    rules = scoring.choose(scoring.get_rule_set("gong-zhu"))
    cards, hearts = section(rules, "cards"), section(rules, "all_hearts")
    assert cards is not None
    assert hearts is not None
    for part in (cards, hearts):
        assert [(str(column.name), column.group) for column in part.columns] == [
            (name, group)
            for group in ("hidden", "exposed")
            for name in ("without ♣10", "with ♣10", "with ♣10 exposed")
        ]
    besides = [[(str(h.name), h.group) for h in row.headings] for row in hearts.rows]
    pig = [("–", "not taken"), ("♠Q", "taken"), ("♠Q exposed", "exposed")]
    sheep = [("–", "not taken"), ("♦J", "taken"), ("♦J exposed", "exposed")]
    assert besides == [[one, other] for one in pig for other in sheep]
    *_others, alone = cards.rows
    points = [cell.points if isinstance(cell, Cell) else None for cell in alone.cells]
    assert points == [None, 50, 100, None, None, None]


@for_each([rules for rules in EVERY_RULES if rules.slug == "gouji"])
def test_every_finishing_order_of_gouji_scores_as_the_chart(rules: scoring.Rules) -> None:
    teams = section(rules, "teams")
    assert teams is not None
    assert [(str(column.name), column.group) for column in teams.columns] == [
        ("The team with place 1", "one"),
        ("The other team", "other"),
    ]
    shown = {}
    for row in teams.rows:
        for group, cell in zip(("one", "other"), row.cells, strict=True):
            places = tuple(str(h.name) for h in row.headings if h.group == group)
            assert isinstance(cell, Cell)
            assert ("1" in places) is (group == "one")
            shown[places] = cell.points
    assert sorted(shown) == sorted(combinations(PLAYERS, 3))
    for order in permutations("ABCDEF"):
        record = {"players": list("ABCDEF"), "rounds": [{"finish": list(order)}]}
        totals = scoring.score(scoring.read_record(record, rules)).totals
        for team in ("ACE", "BDF"):
            places = tuple(str(place) for place, who in enumerate(order, 1) if who in team)
            assert totals[team[0]] == shown[places]


def test_gouji_chart_names_exchanging_and_leading_players_by_place() -> None:
    chart = scoring.choose(scoring.get_rule_set("gouji"))
    following, sweep = section(chart, "next"), section(chart, "sweep")
    assert following is not None
    assert sweep is not None
    assert [str(note) for note in following.notes] == [
        "place 1 and place 2 shuffle.",
        "place 6 gives place 1 the strongest cards (2) and gets as many back.",
        "place 5 gives place 2 the strongest cards (1) and gets as many back.",
        "place 6 plays first.",
        "After a revolution, or when teams have changed, a starting card is drawn instead.",
    ]
    agreements = section(chart, "agreements")
    assert agreements is not None
    assert [str(note) for note in agreements.notes] == [
        "Two team-mates who would exchange may agree not to.",
        "Places 5 and 6, if on the same team, may agree to swap their exchanges.",
    ]
    assert [str(note) for note in sweep.notes] == [
        "Each gives the player opposite the strongest cards (1) and gets as many back.",
        "A starting card is drawn to decide who takes the first card.",
    ]
    assert set(finish_with_team("123").teams[0]) == {"1", "2", "3"}
