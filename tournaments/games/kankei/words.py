"""The facts of a round as text in the active language, for the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

import scoring
from tournaments.i18n.facts_in_words import checked_list, labelled
from tournaments.i18n.sentences import declaration_name, listed, suit_name
from tournaments.i18n.terms import terms_of


def explanations(rules: scoring.Rules) -> tuple[str, ...]:
    """Return what the words of the game mean, and whose points the items are."""
    sides = gettext("Each kankei player gets these points; each mukankei player gets the opposite.")
    return terms_of(rules), sides


def facts_in_words(
    facts: Mapping[str, Any], name: Callable[[Any], str], rules: scoring.Rules
) -> Iterator[str]:
    """Yield trump, dealer, kankei and deals, as far as they are given."""
    if facts.get("trump"):
        yield labelled(gettext("Trump"), suit_name(facts["trump"]))
    if facts.get("dealer"):
        yield labelled(gettext("Dealer"), name(facts["dealer"]))
    yield labelled(gettext("Kankei"), listed(list(map(name, checked_list(facts["kankei"])))))
    deals = checked_list(facts.get("deals"))
    yield from (_format_deal(deal, rules) for deal in deals if isinstance(deal, Mapping))
    if facts.get("cut_off"):
        yield gettext("Cut off")


def _format_deal(deal: Mapping[str, Any], rules: scoring.Rules) -> str:
    """Return a deal, such as “9–4 hearts Called skunk”."""
    parts = [f"{deal.get('kankei', '')}–{deal.get('mukankei', '')}"]
    if deal.get("trump"):
        parts.append(suit_name(deal["trump"]))
    parts.append(declaration_name(deal.get("declaration"), rules))
    return " ".join(parts).strip()
