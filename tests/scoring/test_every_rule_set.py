"""Properties of every rule set: sources, bounds of house rules, fingerprints."""

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring import (
    RULE_SETS,
    BadChoice,
    Rule,
    RuleSet,
    UnknownRuleSet,
    choose,
    get_rule_set,
    read_record,
    score,
    variants,
)
from scoring.variants.gong_zhu import scoring_cards
from tests.scoring.expected import EXAMPLES, FILES, every_rule_set, expected_of, record_of
from tests.scoring.face_cards import game_of

CHANGEABLE = [
    pytest.param(rule_set, rule, id=f"{rule_set.slug} {rule.item}")
    for rule_set in RULE_SETS
    for rule in rule_set.rules
    if rule.lowest < rule.highest
]
every_changeable_rule = pytest.mark.parametrize(("rule_set", "rule"), CHANGEABLE)


def problems_of(rule_set: RuleSet, **chosen: Any) -> list[tuple[str, str]]:
    with pytest.raises(BadChoice) as caught:
        choose(rule_set, **chosen)
    assert all("{" not in problem.message for problem in caught.value.problems)
    return [(problem.at, problem.code) for problem in caught.value.problems]


def published() -> Iterator[tuple[str, RuleSet]]:
    """Every module of `scoring.variants`, with each rule set it publishes."""
    for found in pkgutil.iter_modules(variants.__path__, "scoring.variants."):
        rule_set = getattr(importlib.import_module(found.name), "RULE_SET", None)
        if rule_set is not None:
            yield found.name, rule_set


def test_registry_lists_every_module_of_variants() -> None:
    for module, rule_set in published():
        if rule_set not in RULE_SETS:
            remedy = f"Add {module}.RULE_SET to RULE_SETS in scoring/registry.py."
            pytest.fail(remedy, pytrace=False)
    assert len(RULE_SETS) == len(list(published()))


def test_registry_finds_every_rule_set_by_its_slug() -> None:
    for rule_set in RULE_SETS:
        assert get_rule_set(rule_set.slug) is rule_set, f"Two rule sets are called {rule_set.slug}."


def test_every_example_file_belongs_to_a_rule_set() -> None:
    for slug in FILES.keys() - {rule_set.slug for rule_set in RULE_SETS}:
        remedy = f"Add the rule set called {slug}, or remove tests/scoring/examples/{slug}.json."
        pytest.fail(remedy, pytrace=False)


@every_rule_set
def test_every_deal_of_every_rule_set_is_tried(rule_set: RuleSet) -> None:
    kind, slug = choose(rule_set).game.kind, rule_set.slug
    if kind == "kankei":
        assert game_of(slug)
    elif not (Path(__file__).parent / DEALS_TRIED_IN.get(slug, "missing")).is_file():
        remedy = f"Write tests that score the deals of {slug}; add their file to DEALS_TRIED_IN."
        pytest.fail(f"{remedy} It is in tests/scoring/test_every_rule_set.py.", pytrace=False)


# Where the deals of games without face cards are enumerated or sampled.
DEALS_TRIED_IN = {"gong-zhu": "variants/test_gong_zhu.py", "gouji": "variants/test_gouji.py"}


def test_unknown_slug_is_refused() -> None:
    with pytest.raises(UnknownRuleSet):
        get_rule_set("bridge")


# Fingerprints


def test_different_rules_have_different_fingerprints() -> None:
    seen = []
    for rule_set in RULE_SETS:
        seen.append(choose(rule_set).fingerprint)
        seen += [
            choose(rule_set, {option.name: choice}).fingerprint
            for option in rule_set.options
            for choice in option.other_values
        ]
        seen += [
            choose(rule_set, points={rule.item: other_points(rule)}).fingerprint
            for rule in rule_set.rules
            if rule.lowest < rule.highest
        ]
    assert len(set(seen)) == len(seen)


def other_points(rule: Rule) -> int:
    return rule.points + 1 if rule.points < rule.highest else rule.points - 1


@every_rule_set
def test_later_option_at_its_default_does_not_change_the_fingerprint(
    rule_set: RuleSet,
) -> None:
    later = {option.name: option for option in rule_set.options if option.added_later}
    expected = expected_of(rule_set)
    assert set(later) == set(expected.later_options)
    usual = expected.fingerprint
    for name, option in later.items():
        assert choose(rule_set, {name: option.default}).fingerprint == usual
        assert usual not in {
            choose(rule_set, {name: one}).fingerprint for one in option.other_values
        }


# House rules


@every_rule_set
def test_equal_choices_return_the_same_rules(rule_set: RuleSet) -> None:
    assert choose(rule_set) is choose(rule_set, {}, {})
    defaults = {option.name: option.default for option in rule_set.options}
    points = {rule.item: rule.points for rule in rule_set.rules if rule.lowest < rule.highest}
    assert choose(rule_set, defaults, points) is choose(rule_set)
    assert not choose(rule_set, defaults, points).is_house_rule


@every_rule_set
def test_any_other_value_makes_a_house_rule(rule_set: RuleSet) -> None:
    for option in rule_set.options:
        assert option.other_values
        assert all(
            choose(rule_set, {option.name: one}).is_house_rule for one in option.other_values
        )
    for rule in rule_set.rules:
        if rule.lowest < rule.highest:
            assert choose(rule_set, points={rule.item: other_points(rule)}).is_house_rule


@every_changeable_rule
def test_a_house_rule_changes_points_within_bounds_only(rule_set: RuleSet, rule: Rule) -> None:
    for points in (rule.lowest, rule.highest):
        assert choose(rule_set, points={rule.item: points}).points[rule.item] == points
    for points in (rule.lowest - 1, rule.highest + 1, 10**30):
        expected = [(f"points.{rule.item}", "range")]
        assert problems_of(rule_set, points={rule.item: points}) == expected
    for value in (True, 1.0, "1", None):
        expected = [(f"points.{rule.item}", "type")]
        assert problems_of(rule_set, points={rule.item: value}) == expected


@pytest.mark.parametrize(
    ("slug", "item"),
    [(slug, item) for slug, file in FILES.items() for item in file.get("derived_items", ())],
)
def test_points_of_derived_items_cannot_be_changed(slug: str, item: str) -> None:
    expected = [(f"points.{item}", "unknown_key")]
    assert problems_of(get_rule_set(slug), points={item: 1}) == expected


@pytest.mark.parametrize(
    ("item", "points", "lowest", "highest"),
    [("skunk", 1, 0, 999), ("juroku_missed", -16, -999, 0)],
)
def test_no_house_rule_turns_a_bonus_into_a_penalty(
    item: str, points: int, lowest: int, highest: int
) -> None:
    rules = {rule.item: rule for rule in get_rule_set("goninkan-classic").rules}
    found = rules[item]
    assert (found.points, found.lowest, found.highest) == (points, lowest, highest)


def test_item_worth_0_may_become_a_bonus_or_a_penalty() -> None:
    yoninkan, gouji = get_rule_set("yoninkan"), get_rule_set("gouji")
    bounds = {rule.item: (rule.lowest, rule.highest) for rule in (*yoninkan.rules, *gouji.rules)}
    assert bounds["lost_in_deal_2"] == bounds["third"] == (-999, 999)


@pytest.mark.parametrize(("closes", "usual"), [(False, 9), (True, 10)])
def test_association_plays_whole_cycles_and_a_last_round_in_spades(
    closes: bool, usual: int
) -> None:
    rules = choose(get_rule_set("goninkan-association"), {"last_round_spades": closes})
    whole = [number for number in range(1, 31) if not rules.breaks_trump_cycle(number)]
    assert whole == [number + closes for number in range(3, 31, 3) if number + closes <= 30]
    assert list(rules.proposed_rounds(30)) == whole
    assert rules.usual_rounds == usual
    assert not rules.breaks_trump_cycle(None)


@every_rule_set
def test_only_whole_cycles_limit_the_number_of_rounds(rule_set: RuleSet) -> None:
    rules, trump_cycle = choose(rule_set), expected_of(rule_set).trump_cycle
    assert rule_set.trump_cycle == trump_cycle
    assert bool(rules.proposed_rounds(99)) is bool(trump_cycle)
    assert any(rules.breaks_trump_cycle(number) for number in range(1, 100)) is bool(trump_cycle)


@every_rule_set
def test_all_faults_of_a_choice_are_reported_together(rule_set: RuleSet) -> None:
    item = next(rule.item for rule in rule_set.rules if rule.lowest < rule.highest)
    options: dict[str, Any] = {option.name: 1 for option in rule_set.options}
    options["bluffing"] = True
    found = problems_of(rule_set, options=options, points={item: 10**9, "x": 1})
    assert sorted(found) == sorted(
        [
            ("options.bluffing", "unknown_key"),
            *((f"options.{option.name}", "option") for option in rule_set.options),
            (f"points.{item}", "range"),
            ("points.x", "unknown_key"),
        ]
    )


@pytest.mark.parametrize("choice", [True, 1, None, "Q", "j", ["J"], ""])
def test_option_accepts_only_its_named_values(choice: Any) -> None:
    rules = get_rule_set("yoninkan")
    assert problems_of(rules, options={"key_card": choice}) == [("options.key_card", "option")]
    assert [choose(rules, {"key_card": card}).options["key_card"] for card in "JA"] == ["J", "A"]


@pytest.mark.parametrize("choice", ["true", "J", 0, 1, None, []])
def test_option_without_named_values_is_a_boolean(choice: Any) -> None:
    chosen = {"last_round_spades": choice}
    expected = [("options.last_round_spades", "option")]
    assert problems_of(get_rule_set("yoninkan"), options=chosen) == expected


def test_points_halved_by_an_option_must_be_even() -> None:
    """With the ten, all the hearts count one and a half times: 301.5 for 201."""
    rules, halves = get_rule_set("gong-zhu"), {"all_hearts_with_ten_300": True}
    for odd in (1, 201, 999):
        expected = [("points.all_hearts", "range")]
        assert problems_of(rules, options=halves, points={"all_hearts": odd}) == expected
        assert choose(rules, points={"all_hearts": odd}).points["all_hearts"] == odd
    assert choose(rules, halves, {"all_hearts": 202, "sheep": 101}).points["all_hearts"] == 202
    hearts = [card for card in scoring_cards(4) if card[0] == "H"]
    deal = {"captured": {"A": [*hearts, "C10"], "B": ["SQ", "DJ"]}}
    record = {"players": list("ABCD"), "rounds": [deal]}
    house = choose(rules, halves, {"all_hearts": 202})
    assert score(read_record(record, house)).totals["A"] == 303


@pytest.mark.parametrize("chosen", [["juroku"], "juroku", 7])
def test_choices_must_be_an_object(chosen: Any) -> None:
    assert problems_of(RULE_SETS[0], options=chosen) == [("options", "type")]
    assert problems_of(RULE_SETS[0], points=chosen) == [("points", "type")]


@pytest.mark.parametrize(
    ("rule_set", "rule"),  # the lines of Gong Zhu derive from each other: see test_gong_zhu.py
    [each for each in CHANGEABLE if not str(each.id).startswith("gong-zhu ")],
)
def test_points_of_a_house_rule_are_scored(rule_set: RuleSet, rule: Rule) -> None:
    """Lines of the rule have the new points, and no other line changes."""
    text, house = choose(rule_set), choose(rule_set, points={rule.item: other_points(rule)})
    changed = other_points(rule) - rule.points
    written = 0
    for example in expected_of(rule_set).records:
        if example["record"].get("options"):
            continue
        before, after = (score(record_of(example, rules)).rounds for rules in (text, house))
        for old, new in zip(before, after, strict=True):
            assert len(old.lines) == len(new.lines)
            for was, now in zip(old.lines, new.lines, strict=True):
                assert was.item == now.item
                if was.item not in ("voided", "cut_off_void"):
                    assert now.points - was.points == (changed if was.item == rule.item else 0)
                written += was.item == rule.item
    place = f"tests/scoring/examples/{rule_set.slug}.json"
    assert written, f"Add an example with a line of {rule.item}, without options, to {place}."


def test_a_house_rule_may_double_the_juroku() -> None:
    rules = choose(get_rule_set("goninkan-association"), points={"juroku": 16})
    worked_game = EXAMPLES["goninkan-association"][0]["record"]
    result = score(read_record(worked_game, rules))
    assert result.totals == {"A": 21, "B": 21, "C": -21, "D": 21, "E": -21, "F": -21}


def test_given_rules_replace_those_of_the_record() -> None:
    rules = choose(get_rule_set("goninkan-association"), {"skunk_kept_with_juroku": False})
    worked_game = EXAMPLES["goninkan-association"][0]["record"]
    assert read_record(worked_game).rules is choose(get_rule_set("goninkan-association"))
    assert score(read_record(worked_game, rules)).totals["A"] == 12
