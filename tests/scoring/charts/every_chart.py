"""Charts of every rule set, with each option and under house rules."""

from collections.abc import Callable, Sequence

import scoring
from scoring.charts import Section
from scoring.kankei import KankeiGame

HOUSE_RULES: tuple[tuple[str, dict[str, bool], dict[str, int]], ...] = (
    ("goninkan-association", {"skunk_kept_with_juroku": False}, {"juroku": 9}),
    ("goninkan-nakayoshi", {"reverse_skunk_deal1_flat": True}, {"skunk": 3}),
    ("damarikan", {"missed_call_ends_deal": False}, {"called_skunk_missed": -5}),
    ("gong-zhu", {"all_hearts_with_ten_300": True}, {"pig": -150}),
    ("gouji", {}, {"first": 5}),
)


def every_choice(rule_set: scoring.RuleSet) -> list[scoring.Rules]:
    """The default rules, each option alone at its other value, and all of them."""
    turned = {option.name: option.other_values[0] for option in rule_set.options}
    each = [scoring.choose(rule_set, {name: choice}) for name, choice in turned.items()]
    return list(dict.fromkeys([scoring.choose(rule_set), *each, scoring.choose(rule_set, turned)]))


EVERY_RULES = [rules for rule_set in scoring.RULE_SETS for rules in every_choice(rule_set)] + [
    scoring.choose(scoring.get_rule_set(slug), options, points)
    for slug, options, points in HOUSE_RULES
]
OfRules = Callable[[scoring.Rules], None]
FACE_CARD_RULES = [rules for rules in EVERY_RULES if isinstance(rules.game, KankeiGame)]


def name_of(rules: scoring.Rules) -> str:
    return f"{rules.slug} {rules.fingerprint}"


def for_each(everything: Sequence[scoring.Rules]) -> Callable[[OfRules], Callable[[], None]]:
    """Make one test of a test of rules, which asks it of all of them and names those that fail."""

    def looped(test: OfRules) -> Callable[[], None]:
        def of_all() -> None:
            failures = []
            for rules in everything:
                try:
                    test(rules)
                except Exception as failure:  # noqa: BLE001  all are raised together
                    failure.add_note(name_of(rules))
                    failures.append(failure)
            if failures:
                raise ExceptionGroup(f"{len(failures)} of {len(everything)} fail", failures)

        return of_all

    return looped


every_rules = for_each(EVERY_RULES)
face_card_rules = for_each(FACE_CARD_RULES)


def section(rules: scoring.Rules, code: str) -> Section | None:
    return next((found for found in scoring.reference_chart(rules) if found.code == code), None)


def game_of(rules: scoring.Rules) -> KankeiGame:
    assert isinstance(rules.game, KankeiGame)
    return rules.game
