"""The data of every rule set: sources, fingerprints, bounds, and what the texts leave open."""

from collections import Counter

import pytest

from scoring import RuleSet, Source, choose, get_rule_set, score
from tests.scoring.expected import every_rule_set, expected_of, record_of
from tests.scoring.face_cards import GAMES, points_table


@every_rule_set
def test_every_rule_and_option_cites_words_of_one_of_its_texts(rule_set: RuleSet) -> None:
    sources: list[Source] = [rule.source for rule in rule_set.rules]
    sources += [option.source for option in rule_set.options]
    texts = {text.number for text in rule_set.texts}
    for source in sources:
        assert source.text in texts
        assert source.words.strip()
    assert all(text.title for text in rule_set.texts)


@every_rule_set
def test_items_and_options_have_unique_codes_and_names(rule_set: RuleSet) -> None:
    assert max(Counter(rule.item for rule in rule_set.rules).values()) == 1
    assert max(Counter(option.name for option in rule_set.options).values(), default=1) == 1
    assert all(rule.meaning for rule in rule_set.rules)
    assert all(option.meaning for option in rule_set.options)
    assert rule_set.title


@every_rule_set
def test_points_of_the_text_are_within_the_bounds_of_house_rules(rule_set: RuleSet) -> None:
    assert all(rule.lowest <= rule.points <= rule.highest for rule in rule_set.rules)


@every_rule_set
def test_lines_cite_the_source_of_their_rule(rule_set: RuleSet) -> None:
    sources = {rule.item: rule.source for rule in rule_set.rules}
    for example in expected_of(rule_set).records:
        for each in score(record_of(example)).rounds:
            assert all(line.source == sources[line.item] for line in each.lines)


@every_rule_set
def test_fingerprint_never_changes(rule_set: RuleSet) -> None:
    """It is printed on sheets and kept with tournaments, so it may never change."""
    actual = choose(rule_set).fingerprint
    assert actual == expected_of(rule_set).fingerprint, (
        f"If {rule_set.slug} or its edition is new, put {actual} into"
        f" tests/scoring/examples/{rule_set.slug}.json; otherwise raise `edition`, or add a new"
        " rule set: past tournaments keep their fingerprints."
    )


@every_rule_set
def test_derived_items_have_no_points_of_their_own(rule_set: RuleSet) -> None:
    derived = {rule.item for rule in rule_set.rules if rule.lowest == rule.highest}
    assert derived == set(expected_of(rule_set).derived_items)
    assert all(rule.points == 0 for rule in rule_set.rules if rule.item in derived)


@every_rule_set
def test_default_number_of_rounds(rule_set: RuleSet) -> None:
    assert choose(rule_set).usual_rounds == expected_of(rule_set).usual_rounds


@every_rule_set
def test_defaults_that_no_text_states_are_marked(rule_set: RuleSet) -> None:
    silent = {option.name for option in rule_set.options if option.is_our_reading}
    assert silent == set(expected_of(rule_set).our_readings)


@every_rule_set
def test_bounds_of_points_are_0_or_three_digits(rule_set: RuleSet) -> None:
    derived = expected_of(rule_set).derived_items
    for rule in rule_set.rules:
        bounds = {(0, 0)} if rule.item in derived else {(0, 999), (-999, 0), (-999, 999)}
        if rule_set.slug == "gong-zhu":
            bounds |= {(-9999, -1)}  # the total that ends the game
        assert (rule.lowest, rule.highest) in bounds


@pytest.mark.parametrize("slug", GAMES)
def test_items_void_where_the_tables_of_the_texts_say_so(slug: str) -> None:
    table = points_table(slug, GAMES[slug].options)
    voiding = {ended for ended, row in table.items() if any(cell and cell.is_all for cell in row)}
    assert {rule.item for rule in get_rule_set(slug).rules if rule.voids} == voiding
