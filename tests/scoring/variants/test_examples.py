"""Worked examples: records, their points, and the passage of the text that gives them.

In the `records` of `examples/<rule-set>.json`, `kankei` is each kankei player's points, round by
round, or null for an unfinished round; `points` is everybody's; totals are optional.
"""

import json
from collections.abc import Collection
from typing import Any

import pytest

from scoring import (
    Record,
    Round,
    RuleSet,
    Score,
    get_rule_set,
    read_record,
    score,
    score_as_json,
)
from tests.scoring.expected import EXAMPLES, every_rule_set, expected_of, record_of
from tests.scoring.face_cards import OPTIONS_OF_ADVICE

EVERY_EXAMPLE = [
    pytest.param(example, id=f"{slug}: {example['says']}")
    for slug, examples in EXAMPLES.items()
    for example in examples
]

# Rules without a line: hearts share one line, and the end of the game has none.
ITEMS_WITHOUT_A_LINE = {
    *("heart_ace", "heart_king", "heart_queen", "heart_jack", "heart_spot"),
    "game_end",
}


def points_by_player(example: dict[str, Any], rounds: tuple[Any, ...]) -> list[dict[str, int]]:
    if "points" in example:
        points: list[dict[str, int]] = example["points"]
        return points
    return [
        points_by_side(points or 0, facts, example["record"]["players"])
        for points, facts in zip(example["kankei"], rounds, strict=True)
    ]


def points_by_side(points: int, facts: Round, players: Collection[str]) -> dict[str, int]:
    side = kankei_side(facts, players)
    return {player: points if player in side else -points for player in players}


def kankei_side(facts: Round, players: Collection[str]) -> set[str | None]:
    return {*facts.kankei, facts.dealer} if len(players) == 6 else {*facts.kankei}


def scored(example: dict[str, Any]) -> tuple[tuple[Any, ...], Score]:
    record = record_of(example)
    return record.rounds, score(record)


@pytest.mark.parametrize("example", EVERY_EXAMPLE)
def test_example_has_the_points_of_the_text(example: dict[str, Any]) -> None:
    rounds, result = scored(example)
    points = [each.points for each in result.rounds]
    assert points == points_by_player(example, rounds)
    if "kankei" in example:
        goes_on = [each is None for each in example["kankei"]]
        assert [not each.complete for each in result.rounds] == goes_on
        assert result.complete is not any(goes_on)
    totals = {
        player: sum(each[player] for each in points) for player in example["record"]["players"]
    }
    assert result.totals == totals
    assert example.get("totals", totals) == totals
    assert result.team_totals == (
        tuple(example["team_totals"]) if "team_totals" in example else None
    )


@every_rule_set
def test_own_lines_of_a_player_sum_to_the_points(rule_set: RuleSet) -> None:
    for example in expected_of(rule_set).records:
        record, (rounds, result) = record_of(example), scored(example)
        game = record.rules.game
        for typed, facts, each in zip(
            example["record"]["rounds"], rounds, result.rounds, strict=True
        ):
            assert game.is_unfinished(typed) is not each.complete
            assert each.complete or each.lines == ()
            assert not game.sums_to_zero(len(record.players)) or not sum(each.points.values())
            for player, points in each.points.items():
                own = game.own_lines(player, facts, each.lines, record.players)
                assert sum(line.points for line in own) == points


@every_rule_set
def test_every_example_cites_a_passage(rule_set: RuleSet) -> None:
    for example in expected_of(rule_set).records:
        texts = get_rule_set(example["record"]["ruleset"]).texts
        assert example["source"] in {text.number for text in texts}
        assert example["passage"].strip()


@every_rule_set
def test_every_rule_set_has_examples_of_every_line_it_can_write(rule_set: RuleSet) -> None:
    examples = expected_of(rule_set).records
    assert {example["record"]["ruleset"] for example in examples} == {rule_set.slug}
    written = {
        line.item
        for example in examples
        for each in scored(example)[1].rounds
        for line in each.lines
    }
    missing = {rule.item for rule in rule_set.rules} - ITEMS_WITHOUT_A_LINE - written
    place = f"tests/scoring/examples/{rule_set.slug}.json"
    assert not missing, f"Add records with lines of {', '.join(sorted(missing))} to {place}."
    assert written <= {rule.item for rule in rule_set.rules}


@every_rule_set
def test_every_rule_set_has_an_example_of_every_option(rule_set: RuleSet) -> None:
    changed = {
        option
        for example in expected_of(rule_set).records
        for option in example["record"].get("options", {})
    }
    options = {option.name for option in rule_set.options} - OPTIONS_OF_ADVICE
    missing = options - changed
    place = f"tests/scoring/examples/{rule_set.slug}.json"
    assert not missing, f"Add records that set {', '.join(sorted(missing))} to {place}."
    assert changed == options


@every_rule_set
def test_score_as_json_has_the_keys_of_the_readme(rule_set: RuleSet) -> None:
    for example in expected_of(rule_set).records:
        document = score_as_json(scored(example)[1])
        assert document == json.loads(json.dumps(document))
        keys = {"ok", "complete", "rounds", "totals"}
        assert set(document) - {"team_totals"} == keys
        for each in document["rounds"]:
            assert set(each) == {"points", "complete", "lines"}
            for line in each["lines"]:
                assert (
                    {"item", "points"} <= set(line) <= {"item", "points", "deal", "player", "team"}
                )


def canonical_facts(record: Record) -> list[dict[str, Any]]:
    rounds, game = record.rounds, record.rules.game
    return [
        game.canonical_facts(facts, rounds[:i], record.players, len(rounds))
        for i, facts in enumerate(rounds)
    ]


@every_rule_set
def test_canonical_form_has_the_same_score(rule_set: RuleSet) -> None:
    """The canonical form of a canonical form is the same."""
    for example in expected_of(rule_set).records:
        record = record_of(example)
        again = read_record(example["record"] | {"rounds": canonical_facts(record)})
        assert score(again) == score(record)
        assert canonical_facts(again) == canonical_facts(record)
