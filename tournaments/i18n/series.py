"""Season tables in words: how a season is counted, points, and the changes of a series."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from scoring.season.rules import BY_PLACES, SeasonRules, read_season_rules
from tournaments.i18n.sentences import isolated, listed, signed
from tournaments.queries.player_names import number_words
from tournaments.queries.season import Season

COUNTING = {
    "points": gettext_lazy("The points of each tournament, without those of a final"),
    "places": gettext_lazy("Points for the place in each tournament"),
}
STEPS = {
    "firsts": gettext_lazy("More first places"),
    "best_place": gettext_lazy("Best single place"),
    "latest": gettext_lazy("The higher place in the latest tournament"),
}
STATES = {
    "final": pgettext_lazy("of an event", "counts"),
    "provisional": gettext_lazy("counts as last published; these results are not final yet"),
    "staff": gettext_lazy("not published: counts only in what its staff sees"),
    "waiting": gettext_lazy("does not count yet: no results are published"),
}


def season_points(points: Fraction, rules: SeasonRules) -> str:
    """Return season points: with a sign if points of events count, else with up to two decimals.

    >>> season_points(Fraction(17, 2), SeasonRules(counting="places"))
    '8.5'
    """
    if rules.counting != BY_PLACES:
        return signed(int(points))
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def numbers_in_words(season: Season) -> dict[str, str]:
    """Return `Season.numbers_of_namesakes` in words, by key of the person."""
    return {
        who: f"{isolated(event.name)} {number_words(number)}"
        for who, (event, number) in season.numbers_of_namesakes.items()
    }


def rules_in_words(rules: SeasonRules) -> list[str]:
    sentences = [_counting_sentence(rules)]
    if rules.counting == BY_PLACES or rules.tie_breaks:
        sentences.append(
            gettext(
                "Where there was a final for each class, a finalist’s place is the one in that "
                "class, so that the winner of each class is first; others have their place among "
                "all."
            )
        )
    if rules.best:
        words = gettext("Of each player’s results, the best %(number)s count.")
        sentences.append(words % {"number": rules.best})
    if rules.least > 1:
        words = gettext(
            "Players with fewer than %(number)s tournaments are listed without a place."
        )
        sentences.append(words % {"number": rules.least})
    if rules.tie_breaks:
        words = gettext("Tie-breaks for equal totals, in this order: %(steps)s.")
        steps = listed([str(STEPS[code]) for code in rules.tie_breaks])
        sentences.append(words % {"steps": steps})
    sentences.append(gettext("Players who are equal in everything share the place."))
    return sentences


def _counting_sentence(rules: SeasonRules) -> str:
    if rules.counting != BY_PLACES:
        return gettext(
            "Each player’s points in the tournaments are added up. Where there was a final, the "
            "points before it count, so that nobody loses points by reaching it."
        )
    words = gettext(
        "Points for the places from the first on: %(points)s; none for later ones. Players who "
        "share a place split the points of the places they take up equally; sums are exact and "
        "shown with up to two decimals."
    )
    return words % {"points": "–".join(number_format(each) for each in rules.place_points)}


def facts_in_words(facts: Mapping[str, Any]) -> str:
    """Return the facts of a change of a series: same players, season rules, or a name."""
    if "pairs" in facts:
        return listed([" = ".join(isolated(each) for each in pair) for pair in facts["pairs"]])
    if "rules" in facts:
        title = " ".join(filter(None, (facts["name"], facts["season"])))
        return "  ".join([isolated(title), *rules_in_words(read_season_rules(facts["rules"]))])
    return isolated(facts.get("account") or facts.get("name") or "")
