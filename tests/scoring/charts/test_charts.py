"""Quick-reference charts: they show every outcome, and every cell agrees with the scores."""

from collections import Counter
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

import scoring
from scoring.charts import Cell
from scoring.charts.kankei import DEALS, NAMES, deals_by_verdict
from scoring.kankei import Deal, Verdict
from tests.scoring.charts.every_chart import every_rules, face_card_rules, game_of, section
from tests.scoring.expected import every_rule_set, expected_of
from tests.scoring.face_cards import (
    CONTINUING_OUTCOMES,
    COUNTS,
    GAMES,
    outcome,
    points_table,
    round_points,
)


def points_of(rules: scoring.Rules, deals: Sequence[Deal]) -> int:
    """A kankei player's points after these deals, scored from a record.

    While the round goes on, that is what it would bring if such rounds, cut off, count.
    """
    over = score(rules, deals)
    if over.complete:
        return over.totals["B"]
    counting = scoring.choose(
        rules.rule_set,
        dict(rules.options) | {"cut_off_round_scores": True},
        {item: points for item, points in rules.points.items() if points},
    )
    return score(counting, deals, cut_off=True).totals["B"]


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
def test_every_label_has_text(rules: scoring.Rules) -> None:
    for part in scoring.reference_chart(rules):
        headings = [h for row in part.rows for h in row.headings] + list(part.columns)
        labels = [part.title, *part.notes, *(heading.name for heading in headings)]
        assert all(str(label) for label in labels)


@every_rules
def test_a_row_has_a_cell_for_every_column(rules: scoring.Rules) -> None:
    for part in scoring.reference_chart(rules):
        if part.columns:
            assert {len(row.cells) for row in part.rows} <= {len(part.columns)}


@face_card_rules
def test_every_outcome_of_every_deal_has_its_cell(rules: scoring.Rules) -> None:
    deals = section(rules, "deals")
    assert deals is not None
    assert all(any(row.cells) for row in deals.rows)
    game = game_of(rules)
    for number in DEALS:
        shown = [row.cells[number - 1] for row in deals.rows if row.cells[number - 1] is not None]
        found = deals_by_verdict(game, number)
        assert len(shown) == len(found)
        assert {deal for with_verdict in found.values() for deal in with_verdict} == {
            Deal(kankei, mukankei, declaration)
            for declaration in (None, *game.declarations[number])
            for kankei, mukankei in COUNTS
            if isinstance(
                outcome(rules.slug, number, kankei, mukankei, declaration, rules.options), str
            )
        }


@face_card_rules
def test_every_possible_deal_scores_as_its_cell(rules: scoring.Rules) -> None:
    """Tries all counts and declarations, after deals won without a bonus."""
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
        for verdict, found in deals_by_verdict(game, number).items():
            cell = cells[number, verdict]
            expected = cell.points if cell.is_whole_round else earned + cell.points
            for deal in found:
                assert sum(line.points for line in game.lines([*before, deal])) == expected


@face_card_rules
def test_cells_of_whole_rounds_are_the_scores_of_their_records(rules: scoring.Rules) -> None:
    if not game_of(rules).may_be_cut_off:
        rounds = section(rules, "plain")
    else:
        rounds = section(rules, "rounds") or section(rules, "plain")
    assert rounds is not None
    for cell in rounds.cells:
        assert cell.points == (points_of(rules, cell.facts) if cell.facts else 0)
        assert cell.opposite == -cell.points


@face_card_rules
def test_whole_rounds_show_every_path(rules: scoring.Rules) -> None:
    rounds = section(rules, "rounds")
    ways = {number: deals_by_verdict(game_of(rules), number) for number in DEALS}
    won = {number: [v for v in ways[number] if v.kankei_won] for number in DEALS}
    if rounds is None:  # too many paths: the chart shows points by deal only
        assert len(won[1]) * len(won[2]) > 8
        return
    paths = 1 + len(won[1]) + len(won[1]) * len(won[2])
    assert len(rounds.rows) == paths
    shown = sum(1 for cell in rounds.cells) - paths  # less the first cells: points so far
    assert shown == len(ways[1]) + len(won[1]) * len(ways[2]) + len(won[1]) * len(won[2]) * len(
        ways[3]
    )


@every_rule_set
def test_examples_on_a_chart_have_the_totals_of_the_text(rule_set: scoring.RuleSet) -> None:
    examples = section(scoring.choose(rule_set), "examples")
    totals = [row.cells[-1] for row in examples.rows] if examples else []
    points = [cell.points for cell in totals if isinstance(cell, Cell)]
    assert points == expected_of(rule_set).chart_examples


def name_in(rules: scoring.Rules, ended: str) -> str:
    """A rule set's name for an outcome: that of its item, if it has one."""
    rule = rules.by_item.get(ended)
    return rule.meaning if rule else NAMES[ended]


@pytest.mark.parametrize("slug", GAMES)
def test_cells_of_examples_match_their_headings(slug: str) -> None:
    rules = scoring.choose(scoring.get_rule_set(slug))
    table, examples = points_table(slug, rules.options), section(rules, "examples")
    assert examples is not None
    names = {name_in(rules, ended): ended for ended in NAMES if ended in table}
    for row in examples.rows:
        endings = [names[str(heading.name)] for heading in row.headings]
        *deals, total = row.cells
        for number, (ended, cell) in enumerate(zip(endings, deals, strict=True)):
            wanted = table[ended][number]
            assert isinstance(cell, Cell)
            assert wanted is not None
            assert (cell.points, cell.is_whole_round) == wanted
            assert cell.goes_on is (number < 2 and ended in CONTINUING_OUTCOMES)
        assert isinstance(total, Cell)
        assert total.points == round_points(table, endings)


def test_gong_zhu_examples_name_their_cards() -> None:
    examples = section(scoring.choose(scoring.get_rule_set("gong-zhu")), "examples")
    assert examples is not None
    named = [[str(heading.name) for heading in row.headings] for row in examples.rows]
    assert named == [
        ["♠Q ♥K ♥Q"],
        ["♠Q ♦J ♣10"],
        ["♦J ♥10 ♥9", "♦J exposed"],
        ["♥A ♥J ♣10", "♥A exposed"],
        ["♣10 ♥4 ♥2", "♣10 exposed"],
    ]


@face_card_rules
def test_cells_of_deals_match_the_tables_of_the_text(rules: scoring.Rules) -> None:
    """Points, headings and marks of every cell are those of `face_cards.py`."""
    table, deals = points_table(rules.slug, rules.options), section(rules, "deals")
    assert deals is not None
    for row in deals.rows:
        (heading,) = row.headings
        for number, cell in zip(DEALS, row.cells, strict=True):
            if not isinstance(cell, Cell):
                continue
            verdict = game_of(rules).verdict(number, *cell.facts[:3])
            assert isinstance(verdict, Verdict)
            name, _colon, who_won = str(heading.name).partition(": ")
            assert name == name_in(rules, verdict.outcome)
            assert who_won in {"", "deal won" if verdict.kankei_won else "deal lost"}
            assert heading.group == ("kankei" if verdict.kankei_won else "mukankei")
            assert cell.goes_on is (verdict.kankei_won and number < 3)
            wanted = table[ending_of(verdict)][number - 1]
            assert wanted is not None
            assert cell.is_whole_round is wanted.is_all
            if rules.points == scoring.choose(rules.rule_set).points:
                assert cell.points == wanted.points


@face_card_rules
def test_heading_names_the_winner_if_either_side_can_win(rules: scoring.Rules) -> None:
    deals = section(rules, "deals")
    assert deals is not None
    names = [str(row.headings[0].name).partition(": ") for row in deals.rows]
    rows = Counter(name for name, _colon, _who_won in names)
    said = {name for name, _colon, who_won in names if who_won}
    assert said == {name for name, count in rows.items() if count > 1}


def ending_of(verdict: Verdict) -> str:
    """The row of the tables: a missed call has another row if its side still wins the deal."""
    ended, won = verdict
    if not ended.startswith("called_") or not ended.endswith("_missed"):
        return ended
    by_kankei = not ended.startswith("called_reverse")
    usual = not by_kankei
    return ended if won is usual else f"{ended}_yet_{'won' if by_kankei else 'lost'}"


@face_card_rules
def test_cells_of_whole_rounds_say_whether_the_round_goes_on(
    rules: scoring.Rules,
) -> None:
    table = points_table(rules.slug, rules.options)
    part = section(rules, "rounds") or section(rules, "plain")
    assert part is not None
    seen = set()
    for cell in part.cells:
        verdicts = [
            game_of(rules).verdict(number, *deal[:3]) for number, deal in enumerate(cell.facts, 1)
        ]
        ended = [ending_of(each) for each in verdicts if isinstance(each, Verdict)]
        assert len(ended) == len(cell.facts)
        last = table[ended[-1]][len(ended) - 1] if ended else None
        assert cell.is_whole_round is bool(last and last.is_all)
        assert cell.goes_on is (
            len(ended) < 3 and all(each in CONTINUING_OUTCOMES for each in ended)
        )
        seen |= {cell.goes_on}
    assert seen == ({False, True} if part.code == "rounds" else {False})


def test_yoninkan_chart_shows_points_by_how_the_round_ended() -> None:
    plain = section(scoring.choose(scoring.get_rule_set("yoninkan")), "plain")
    assert plain is not None
    assert [cell.points for cell in plain.cells] == [-2, 0, 2, 8]
    assert [column.group for column in plain.columns] == [*["mukankei"] * 3, "kankei"]


def notes_of(slug: str, **options: scoring.Choice) -> list[str]:
    part = section(scoring.choose(scoring.get_rule_set(slug), options), "notes")
    assert part is not None
    return [str(note) for note in part.notes]


OPPOSITE = "Each kankei player gets these points; each mukankei player gets the opposite."
DEALER = "With six players, the dealer does not play and scores with the kankei."
CUT_OFF_SCORES = "A round cut off by the clock scores what it had earned so far."
CUT_OFF_VOID = "A round cut off by the clock does not count."
NEEDS_NINE = "A skunk in deal 1 needs 9 face cards."


@pytest.mark.parametrize(
    ("slug", "notes"),
    [
        ("goninkan-association", [OPPOSITE, DEALER, CUT_OFF_SCORES]),
        ("goninkan-classic", [OPPOSITE, DEALER, CUT_OFF_SCORES]),
        ("goninkan-nakayoshi", [OPPOSITE, DEALER, NEEDS_NINE, CUT_OFF_SCORES]),
        ("damarikan", [OPPOSITE, CUT_OFF_SCORES]),
    ],
)
def test_notes_are_those_of_the_rule_set(slug: str, notes: list[str]) -> None:
    assert notes_of(slug) == notes
    assert notes_of(slug, cut_off_round_scores=False) == [*notes[:-1], CUT_OFF_VOID]


def test_yoninkan_chart_tells_where_the_text_contradicts_itself() -> None:
    opposite, plain_loss, contradiction, cut_off = notes_of("yoninkan")
    assert opposite == OPPOSITE
    assert plain_loss == "In deal 1 a reverse skunk is an ordinary loss."
    assert contradiction.startswith("Reverse juroku (16) failed: The text contradicts itself")
    assert "⑫" in contradiction
    assert cut_off == "A round cut off by the clock does not count: leave it out."


def test_gong_zhu_notes_cards_taken_out_and_the_total_that_ends_it() -> None:
    usual = notes_of("gong-zhu")
    assert "Five play without ♥2 and ♣2." in usual
    assert "The game ends when somebody’s total reaches -1000 or less." in usual
    assert any(note.startswith("Partners sit opposite") for note in usual)
    assert not any(note.startswith("In partnerships it ends") for note in usual)
    other = notes_of("gong-zhu", five_without="D2", partners_end_by_total=True)
    assert "Five play without ♦2 and ♣2." in other
    assert "Five play without ♥2 and ♣2." not in other
    assert "In partnerships it ends when a pair’s total reaches -1000 or less." in other


def test_chart_of_a_house_rule_has_its_points() -> None:
    usual, house = (
        section(
            scoring.choose(scoring.get_rule_set("goninkan-association"), points=points), "rounds"
        )
        for points in ({}, {"skunk": 2})
    )
    assert usual is not None
    assert house is not None
    pairs = list(zip(house.cells, usual.cells, strict=True))
    assert all(a.facts == b.facts for a, b in pairs)
    assert {a.points - b.points for a, b in pairs} == {0, 1, 2, 3}
    for a, b in pairs:  # the difference is the number of skunks, unless voided
        lines = [line.item for line in game_of(RULES).lines(a.facts)]
        assert a.points - b.points == (0 if "voided" in lines else lines.count("skunk"))


RULES = scoring.choose(scoring.get_rule_set("goninkan-association"))


def test_kind_of_game_without_a_chart_is_named() -> None:
    with pytest.raises(TypeError, match="object has no chart"):
        scoring.reference_chart(SimpleNamespace(game=object()))  # type: ignore[arg-type]
