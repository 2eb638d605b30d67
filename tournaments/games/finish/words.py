"""The facts of a deal of Gouji as text in the active language, for the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

import scoring
from tournaments.i18n.facts_in_words import checked_list, labelled
from tournaments.i18n.sentences import listed


def explanations(_rules: scoring.Rules) -> tuple[str, ...]:
    """Return whose points the items are."""
    return (gettext("Points go to the team of the player who takes the place."),)


def facts_in_words(
    facts: Mapping[str, Any], name: Callable[[Any], str], _rules: scoring.Rules
) -> Iterator[str]:
    """Yield the order of going out, then the teams if they are given."""
    yield " → ".join(map(name, checked_list(facts["finish"])))
    for number, team in enumerate(checked_list(facts.get("teams")), 1):
        title = gettext("Team %(number)s") % {"number": number}
        yield labelled(title, listed(list(map(name, checked_list(team)))))
