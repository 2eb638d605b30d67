"""The choices that rules leave open: options, and the point values of a house rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms.boundfield import BoundField

import scoring
from tournaments.i18n import sentences


class OptionRow(NamedTuple):
    """A choice, its field, and what the text says of it."""

    field: BoundField
    option: scoring.Option


class PointsRow(NamedTuple):
    """A point value, its field, and what the text says of it."""

    field: BoundField
    rule: scoring.Rule


class RulesForm(forms.Form):
    """A rule set's choices. Subclasses add what else is to be settled.

    `rules` are the ones it starts from, and, once it is valid, the ones chosen.
    """

    with_points = True  # whether a house rule may set point values here

    def __init__(self, rules: scoring.Rules, *args: Any, **kwargs: Any) -> None:
        """Set up with the choices already made."""
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.rule_set = rules.rule_set
        for option in self.rule_set.options:
            self.fields[_option_field(option.name)] = _field_for(option, rules)
        for rule in self.changeable():
            self.fields[_points_field(rule.item)] = forms.IntegerField(
                label=sentences.translated(rule.meaning),
                initial=rules.points[rule.item],
                widget=forms.NumberInput(attrs={"min": rule.lowest, "max": rule.highest}),
            )

    def changeable(self) -> tuple[scoring.Rule, ...]:
        """Return the items whose worth a house rule may set."""
        rules = self.rule_set.rules if self.with_points else ()
        return tuple(rule for rule in rules if rule.lowest < rule.highest)

    def option_rows(self) -> Iterator[OptionRow]:
        """Return the options, each with its field."""
        return (OptionRow(self[_option_field(o.name)], o) for o in self.rule_set.options)

    def points_rows(self) -> Iterator[PointsRow]:
        """Return the point values, each with its field."""
        return (PointsRow(self[_points_field(rule.item)], rule) for rule in self.changeable())

    def has_house_points(self) -> bool:
        """Return whether a point value differs from the text, or is faulty: show them all, then."""
        return any(
            row.field.errors or str(row.field.value()) != str(row.rule.points)
            for row in self.points_rows()
        )

    def freeze(self) -> None:
        """Show the rules as they are, no longer to be changed."""
        for name, field in self.fields.items():
            field.disabled = field.disabled or name.startswith(("option_", "points_"))

    def clean(self) -> dict[str, Any]:
        """Make the choices, or lay what is wrong with them on their fields."""
        cleaned = super().clean() or {}
        options = {
            option.name: cleaned[_option_field(option.name)] or self.rules.options[option.name]
            if option.named
            else cleaned[_option_field(option.name)]
            for option in self.rule_set.options
            if _option_field(option.name) in cleaned
        }
        points = {rule.item: cleaned.get(_points_field(rule.item)) for rule in self.changeable()}
        typed = {item: worth for item, worth in points.items() if worth is not None}
        try:
            self.rules = scoring.choose(self.rule_set, options, typed)
        except scoring.BadChoice as bad:
            for problem in bad.problems:
                place, name = problem.at.split(".")
                field = _option_field(name) if place == "options" else _points_field(name)
                self.add_error(field, sentences.problem_sentence(problem))
        return cleaned


def _field_for(option: scoring.Option, rules: scoring.Rules) -> forms.Field:
    """Return a tick for yes or no, else what to choose from; left out, the choice stays."""
    label, chosen = sentences.translated(option.meaning), rules.options[option.name]
    if not option.named:
        return forms.BooleanField(label=label, required=False, initial=chosen)
    return forms.ChoiceField(
        label=label,
        choices=[(value, sentences.translated(name)) for value, name in option.named],
        required=False,
        initial=chosen,
    )


def _option_field(name: str) -> str:
    return f"option_{name}"


def _points_field(item: str) -> str:
    return f"points_{item}"
