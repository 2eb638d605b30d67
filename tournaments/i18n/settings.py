"""Formats the settings of a tournament in audit entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop

import scoring
from tournaments.i18n.facts_in_words import SEPARATOR, EntryContext, Formatter, labelled
from tournaments.i18n.sentences import (
    isolated,
    listed,
    option_choice,
    signed,
    translated,
    yes_or_no,
)
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament
from tournaments.models.tournament import SETTINGS


def format_settings(stored: Mapping[str, Any], context: EntryContext) -> str:
    """Return the settings in `stored` with their labels; empty ones are left out."""
    parts = [
        labelled(_label(key, context.rules), SETTING_FORMATTERS[key](stored[key], context))
        for key in SHOWN
        if stored.get(key) not in (None, "")
    ]
    return SEPARATOR.join(parts)


def _label(name: str, rules: scoring.Rules) -> str:
    if name in LABELS:
        return unit_words(LABELS[name], rules)
    return str(OF_THE_MODEL[name])


def _format_options(chosen: Mapping[str, scoring.Choice], context: EntryContext) -> str:
    """Return the chosen options; an option that the rules do not have is shown as its code.

    `chosen` has only options that differ from the rule text.
    """
    rules = context.rules
    known = {option.name: option for option in rules.rule_set.options}
    parts = [
        labelled(unit_words(known[key].meaning, rules), option_choice(known[key], chosen[key]))
        if key in known
        else labelled(key, str(chosen[key]))
        for key in sorted(chosen)
    ]
    return listed(parts) or gettext("As in the text")


def _format_house_points(points: Mapping[str, int], context: EntryContext) -> str:
    meanings = {rule.item: rule.meaning for rule in context.rules.rule_set.rules}
    parts = [
        labelled(translated(meanings.get(key, key)), signed(points[key])) for key in sorted(points)
    ]
    return listed(parts) or gettext("As in the text")


OF_THE_MODEL = {field.name: field.verbose_name for field in Tournament._meta.concrete_fields}
# What the model has no label for, or one without the rule set's word for a round.
LABELS = {
    "options": gettext_noop("Options"),
    "points": gettext_noop("Points"),
    "rounds_per_session": gettext_noop("Rounds per session"),
    "fingerprint": gettext_noop("Rules code"),
}
SHOWN = (*SETTINGS, "fingerprint")
SETTING_FORMATTERS: dict[str, Formatter] = {
    **dict.fromkeys(SHOWN, lambda value, _context: isolated(str(value))),
    "rule_set": lambda slug, _context: translated(scoring.get_rule_set(slug).title),
    "options": _format_options,
    "points": _format_house_points,
    "partners": lambda choice, _context: yes_or_no(choice),
    "accepting": lambda code, _context: str(Tournament.Accepting(code).label),
    "totals_only": lambda choice, _context: yes_or_no(choice),
}
