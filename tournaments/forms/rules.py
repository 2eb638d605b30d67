"""The base of forms that choose rules: the options of a rule set, and house points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField

import scoring
from tournaments.forms.fields import SignedField
from tournaments.i18n import sentences, units


class OptionRow(NamedTuple):
    field: BoundField
    option: scoring.Option


class PointsRow(NamedTuple):
    field: BoundField
    rule: scoring.Rule


class RulesForm(forms.Form):
    """A rule set's options and points. Subclasses add other settings.

    `rules` are the present rules and, once the form is valid, the chosen rules.
    """

    has_points_fields = True  # whether the form has fields for house points

    def __init__(self, rules: scoring.Rules, *args: Any, **kwargs: Any) -> None:
        """Add a field for each option and changeable point value, with its present value."""
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.rule_set = rules.rule_set
        for option in self.rule_set.options:
            self.fields[_option_field_name(option.name)] = _option_field(option, rules)
        for rule in self.rules_with_changeable_points():
            self.fields[_points_field_name(rule.item)] = SignedField(
                label=sentences.translated(rule.meaning),
                initial=rules.points[rule.item],
            )

    def rules_with_changeable_points(self) -> tuple[scoring.Rule, ...]:
        """Return the rules with a changeable point value; none without points fields."""
        rules = self.rule_set.rules if self.has_points_fields else ()
        return tuple(rule for rule in rules if rule.lowest < rule.highest)

    def option_rows(self) -> Iterator[OptionRow]:
        return (
            OptionRow(self[_option_field_name(option.name)], option)
            for option in self.rule_set.options
        )

    def points_rows(self) -> Iterator[PointsRow]:
        return (
            PointsRow(self[_points_field_name(rule.item)], rule)
            for rule in self.rules_with_changeable_points()
        )

    def has_house_points(self) -> bool:
        """Return whether a point value differs from the rule text or has an error."""
        return any(
            row.field.errors or str(row.field.value()) != str(row.rule.points)
            for row in self.points_rows()
        )

    def freeze(self) -> None:
        for name, field in self.fields.items():
            field.disabled = field.disabled or name.startswith(("option_", "points_"))

    def clean(self) -> dict[str, Any]:
        """Set `rules` to the chosen rules, or add every problem as an error of its field.

        Choices and point values that were not sent keep their present or usual value.
        """
        cleaned = super().clean() or {}
        options = {
            option.name: cleaned[_option_field_name(option.name)] or self.rules.options[option.name]
            if option.named  # a choice of named values, not a check box
            else cleaned[_option_field_name(option.name)]
            for option in self.rule_set.options
            if _option_field_name(option.name) in cleaned
        }
        points = {
            rule.item: cleaned.get(_points_field_name(rule.item))
            for rule in self.rules_with_changeable_points()
        }
        typed_points = {item: worth for item, worth in points.items() if worth is not None}
        try:
            self.rules = scoring.choose(self.rule_set, options, typed_points)
        except scoring.BadChoice as bad:
            for problem in bad.problems:
                kind, name = problem.at.split(".")  # the path, such as `options.skunk`
                field = _option_field_name(name) if kind == "options" else _points_field_name(name)
                self.add_error(field, sentences.problem_sentence(problem))
        return cleaned


def _option_field(option: scoring.Option, rules: scoring.Rules) -> forms.Field:
    """Return a check box for a yes-or-no option, a choice for an option with named values.

    A choice is not required: `RulesForm.clean` keeps the present value if none is sent.
    """
    label, chosen = units.unit_words(option.meaning, rules), rules.options[option.name]
    if not option.named:
        return forms.BooleanField(label=label, required=False, initial=chosen)
    return forms.ChoiceField(
        label=label,
        choices=[(value, sentences.translated(name)) for value, name in option.named],
        required=False,
        initial=chosen,
    )


def _option_field_name(name: str) -> str:
    return f"option_{name}"


def _points_field_name(item: str) -> str:
    return f"points_{item}"
