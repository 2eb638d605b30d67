"""The facts of a deal of Gong Zhu as text in the active language, for the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

import scoring
from tournaments.i18n.facts_in_words import checked_list, in_numerical_order, labelled
from tournaments.i18n.sentences import card_name


def facts_in_words(
    facts: Mapping[str, Any], name: Callable[[Any], str], _rules: scoring.Rules
) -> Iterator[str]:
    """Yield who took which cards, then the exposed cards."""
    captured = facts["captured"]
    for key in in_numerical_order(captured):
        yield f"{name(key)} {_format_cards(captured[key])}"
    if facts.get("exposed"):
        yield labelled(gettext("Exposed"), _format_cards(facts["exposed"]))


def _format_cards(cards: Any) -> str:
    """Raises `TypeError` unless `cards` is a list."""
    return " ".join(card_name(card) for card in checked_list(cards))
