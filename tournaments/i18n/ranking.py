"""Ranking rules in words: for the form, the workbook and the history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

import scoring
from scoring.ranking.contest import CODES_NEEDING_ROUNDS
from scoring.ranking.rules import FIXED
from tournaments.i18n.sentences import isolated, signed
from tournaments.i18n.units import unit_words

TITLES = {each.code: each.title for each in scoring.TIE_BREAKS}
LABELS = {
    "tie_breaks": gettext_lazy("Places are decided by"),
    "withdrawn": gettext_lazy("Players who withdrew"),
    "missed": gettext_lazy("A session that a player missed counts as"),
    "missed_points": gettext_lazy("Points for a missed session"),
    "substitutes": gettext_lazy("What a substitute plays counts for"),
    "lot_seed": gettext_lazy("Seed of the lots"),
    "teams": gettext_lazy("Whose points count for a team"),
    "team_members": gettext_lazy("Number of members that count"),
}
CHOICES = {
    "withdrawn": {
        "ranked": gettext_lazy("Keep their place among all"),
        "listed": gettext_lazy("Are listed below all, without a place"),
    },
    "missed": {
        "nothing": gettext_lazy("Nothing"),
        "own_average": gettext_lazy("The player’s own average per session"),
        "session_average": gettext_lazy("The average of all who played the session"),
        "fixed": gettext_lazy("A fixed number of points"),
    },
    "substitutes": {
        "substitute": gettext_lazy("The substitute"),
        "place": gettext_lazy("The player who is absent"),
        "nobody": pgettext_lazy("who is credited", "Nobody"),
    },
    "teams": {
        "all": gettext_lazy("Those of all members"),
        "best": gettext_lazy("Those of the members with the most points in the end"),
        "by_session": gettext_lazy(
            "In each session, those of the members with the most points in it"
        ),
    },
}


def step_title(code: str, rules: scoring.Rules) -> str:
    """Return the title of a tie-break. Raises `KeyError` for an unknown code."""
    return unit_words(TITLES[code], rules)


def step_value(value: int | None, step: scoring.TieBreak) -> str:
    """Return a player's value in a tie-break; “–” for None, and for no place in the stage before.

    A lot is shown as the first digits of its SHA-256, a decision as the place from the last.
    """
    if value is None or (step.is_place and not value):
        return "–"
    if step.code == "lot":
        return f"{value:012x}"
    if step.is_place:
        return str(-value)
    return str(value) if step.is_count or step.code == "decision" else signed(value)


def steps_in_words(codes: Any, rules: scoring.Rules, *, totals_only: bool = False) -> str:
    """Return the titles of tie-breaks in their order. Raises `LookupError` for an unknown code.

    With `totals_only`, tie-breaks that compare rounds follow in brackets: they are not compared.
    """
    not_compared = [code for code in codes if totals_only and code in CODES_NEEDING_ROUNDS]
    steps = " → ".join(step_title(code, rules) for code in codes if code not in not_compared)
    if not not_compared:
        return steps
    further = " → ".join(step_title(code, rules) for code in not_compared)
    return gettext("%(steps)s (not compared with totals only: %(further)s)") % {
        "steps": steps,
        "further": further,
    }


def ranking_rule_words(key: str, value: Any, rules: scoring.Rules) -> str:
    """Return the value of one ranking rule. `key` is a field of `RankingRules`.

    Raises `LookupError` or `TypeError` for a value of an unknown shape.
    """
    if key == "tie_breaks":
        return steps_in_words(value, rules)
    if key in CHOICES:
        return str(CHOICES[key][value])
    if key == "team_members":
        return str(value)
    return signed(value) if key == "missed_points" else isolated(value)


def missed_counts(ranking: scoring.RankingRules) -> str:
    """Return the points that a missed session counts as, such as “Nothing” or “−5”."""
    if ranking.missed == FIXED:
        return signed(ranking.missed_points)
    return str(CHOICES["missed"][ranking.missed])


def ranking_in_words(ranking: Mapping[str, Any], rules: scoring.Rules) -> str:
    """Return ranking rules, as `RankingRules.as_json` has them; “As usual” if there are none."""
    parts = [
        gettext("%(what)s: %(said)s")
        % {"what": label, "said": ranking_rule_words(key, ranking[key], rules)}
        for key, label in LABELS.items()
        if key in ranking
    ]
    return " / ".join(parts) or gettext("As usual")
