"""Options and house rules: checks chosen values and returns the rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from scoring.errors import BadChoice
from scoring.problems import Problems, path_of_key
from scoring.rules import Choice, Option, Rules, RuleSet
from scoring.translation import gettext_noop as _


def check_options(problems: Problems, rule_set: RuleSet, options: Any) -> None:
    """Add a problem for every unknown option, and every value that its option does not have."""
    known = {option.name: option for option in rule_set.options}
    if not problems.check_object("options", options, frozenset(known)):
        return
    for name, choice in options.items():
        if name in known:
            _check_option(problems, known[name], choice)


def _check_option(problems: Problems, option: Option, choice: Any) -> None:
    at = path_of_key("options", option.name)
    if not option.named:
        if type(choice) is not bool:
            problems.add(
                at, "option", _("Set the option “{name}” to true or false."), name=option.name
            )
    elif type(choice) is not str or choice not in option.values:
        problems.add(
            at,
            "option",
            _("Set the option “{name}” to one of {choices}."),
            name=option.name,
            choices=", ".join(map(str, option.values)),
        )


def check_points(problems: Problems, rule_set: RuleSet, points: Any) -> None:
    """Add a problem for every unknown item, and every value that is no integer or out of bounds."""
    changeable_rules = {rule.item: rule for rule in rule_set.rules if rule.lowest < rule.highest}
    if not problems.check_object("points", points, frozenset(changeable_rules)):
        return
    for item, value in points.items():
        rule = changeable_rules.get(item)
        if rule is None:  # `check_object` has added a problem
            continue
        if type(value) is not int:
            problems.add(
                path_of_key("points", item), "type", _("Enter a whole number of points here.")
            )
        elif not rule.lowest <= value <= rule.highest:
            problems.add(
                path_of_key("points", item),
                "range",
                _("Enter a number from {lowest} to {highest} here."),
                lowest=rule.lowest,
                highest=rule.highest,
            )


def check_halves(
    problems: Problems,
    rule_set: RuleSet,
    options: Mapping[str, Choice],
    points: Mapping[str, int],
) -> None:
    """Add a problem for every odd point value that an option in force would halve.

    Defaults are left out of `options` and `points`. Both must have passed `check_options` and
    `check_points`.
    """
    for option in rule_set.options:
        if not options.get(option.name, option.default):
            continue
        for item in option.halved:
            if points.get(item, 0) % 2:
                sentence = _("Enter an even number here: a chosen option halves it.")
                problems.add(path_of_key("points", item), "range", sentence)


def choose(
    rule_set: RuleSet,
    options: Mapping[str, Choice] | None = None,
    points: Mapping[str, int] | None = None,
) -> Rules:
    """Return the rule set with some options and point values changed.

    Raises `BadChoice` with every problem: an unknown name, a value out of bounds, an odd value that
    an option would halve. Equal choices return the same `Rules` object, from a cache.
    """
    options, points = options or {}, points or {}
    problems = Problems()
    check_options(problems, rule_set, options)
    check_points(problems, rule_set, points)
    if not problems.listed:
        check_halves(problems, rule_set, options, points)
    if problems.listed:
        raise BadChoice(problems.listed, problems.unlisted)
    return _cached_rules(
        rule_set,
        options=tuple(
            (option.name, options.get(option.name, option.default)) for option in rule_set.options
        ),
        points=tuple((rule.item, points.get(rule.item, rule.points)) for rule in rule_set.rules),
    )


@lru_cache(maxsize=256)
def _cached_rules(
    rule_set: RuleSet, options: tuple[tuple[str, Choice], ...], points: tuple[tuple[str, int], ...]
) -> Rules:
    """Return the rules with these values, cached with their game, which caches verdicts itself."""
    return Rules(rule_set, dict(options), dict(points))
