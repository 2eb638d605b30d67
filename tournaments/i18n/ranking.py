"""Ranking rules in words: for the form, the workbook and the history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy

import scoring
from scoring.ranking.absence import Absence
from scoring.ranking.contest import CODES_NEEDING_ROUNDS
from scoring.ranking.rules import OTHER_ABSENCES
from tournaments.i18n.facts_in_words import labelled
from tournaments.i18n.sentences import isolated, listed, signed
from tournaments.i18n.units import unit_words

TITLES = {each.code: each.title for each in scoring.TIE_BREAKS}
LABELS = {
    "tie_breaks": gettext_lazy("Places are decided by"),
    "withdrawn": gettext_lazy("Players who have withdrawn"),
    "missed": gettext_lazy("A session missed through absence counts as"),
    "missed_points": gettext_lazy("Points for a missed session"),
    "absences": gettext_lazy("A session missed for another reason counts as"),
    "substitutes": gettext_lazy("A substitute’s points count for"),
    "lot_seed": gettext_lazy("Seed of the lots"),
    "teams": gettext_lazy("Members whose points count for the team"),
    "team_members": gettext_lazy("Number of members that count"),
}
CHOICES = {
    "withdrawn": {
        "ranked": gettext_lazy("Keep their place in the standings"),
        "listed": gettext_lazy("Are listed below everybody else, without a place"),
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
        "all": gettext_lazy("All members"),
        "best": gettext_lazy("The members with the most points at the end"),
        "by_session": gettext_lazy("In each session, the members with the most points in it"),
    },
}


ABSENCES = {
    Absence.ABSENT: pgettext_lazy("roll call", "Absent"),
    Absence.LATE: pgettext_lazy("roll call", "Late"),
    Absence.SAT_OUT: gettext_lazy("Sat out"),
    Absence.TABLE_NOT_PLAYED: gettext_lazy("Seated, but no record"),
    Absence.REPLACED: gettext_lazy("A substitute played"),
    Absence.JOINED_LATER: gettext_lazy("Joined later"),
    Absence.WITHDRAWN: pgettext_lazy("roll call", "Withdrawn"),
    Absence.NOT_IN_STAGE: gettext_lazy("Not in this stage"),
    Absence.UNKNOWN: gettext_lazy("No seat (sat out, or absent)"),
}


def step_title(code: str, rules: scoring.Rules) -> str:
    """Return the title of a tie-break. Raises `KeyError` for an unknown code."""
    return unit_words(TITLES[code], rules)


def step_value(value: int | None, step: scoring.TieBreak) -> str:
    """Return a player's value in a tie-break; “–” for None.

    A lot is shown as the first digits of its SHA-256, a decision as the place counted from the last
    in the decided order.
    """
    if value is None:
        return "–"
    if step.code == "lot":
        return f"{value:012x}"
    if step.is_place:
        return str(-value)
    if step.code == "decision":
        return pgettext("decided order", "%(place)s from last") % {"place": value}
    return str(value) if step.is_count else signed(value)


def steps_in_words(codes: Any, rules: scoring.Rules, *, totals_only: bool = False) -> str:
    """Return the titles of tie-breaks in their order. Raises `LookupError` for an unknown code.

    With `totals_only`, tie-breaks that compare rounds follow in brackets: sessions of which only
    totals are recorded have none.
    """
    about_rounds = [code for code in codes if totals_only and code in CODES_NEEDING_ROUNDS]
    steps = " → ".join(step_title(code, rules) for code in codes if code not in about_rounds)
    if not about_rounds:
        return steps
    further = " → ".join(step_title(code, rules) for code in about_rounds)
    words = unit_words("%(steps)s (over recorded rounds alone: %(further)s)", rules)
    return words % {"steps": steps, "further": further}


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
    if key == "absences":
        parts = [
            labelled(str(ABSENCES[reason]), counts_as_words(value[reason]))
            for reason in OTHER_ABSENCES
            if reason in value
        ]
        return listed(parts)
    return signed(value) if key == "missed_points" else isolated(value)


def credit_words(credit: str) -> str:
    """Return for whom a substitute's points count; `credit` is a value of `rules.substitutes`."""
    return labelled(str(LABELS["substitutes"]), str(CHOICES["substitutes"][credit]))


def counts_as_words(counts_as: str | int) -> str:
    """Return what a missed session counts as, such as “Nothing” or “−5”."""
    if isinstance(counts_as, int):
        return signed(counts_as)
    return str(CHOICES["missed"][counts_as])


def ranking_in_words(ranking: Mapping[str, Any], rules: scoring.Rules) -> str:
    """Return ranking rules, as `RankingRules.as_json` has them; “As usual” if there are none."""
    parts = [
        gettext("%(what)s: %(said)s")
        % {"what": label, "said": ranking_rule_words(key, ranking[key], rules)}
        for key, label in LABELS.items()
        if key in ranking
    ]
    return " / ".join(parts) or gettext("Default")
