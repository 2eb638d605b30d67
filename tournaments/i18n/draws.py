"""Texts of `draws` in the reader's language: how a draw was found, and problems of a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from django.utils.translation import gettext_lazy

from scoring.problems import Problem
from tournaments.i18n.sentences import isolated, listed, translated
from tournaments.models import Entry

METHODS = {
    "fewest_repeats": gettext_lazy("Meet as many others as possible"),
    "lot": gettext_lazy("By lot"),
    "level": gettext_lazy("By standing: equals play equals"),
    "mixed": gettext_lazy("By standing: strong and weak at every table"),
    "fixed": gettext_lazy("As typed"),
}
# Regular expressions of the parts of `Draw.how`, and their names.
PARTS_OF_HOW = (
    (r"lot", gettext_lazy("by lot")),
    (r"annealing", gettext_lazy("simulated annealing")),
    (r"([\d,]+) steps", gettext_lazy("%s steps")),
    (r"([\d.]+) s", gettext_lazy("%s seconds")),
    (r"standing", gettext_lazy("filled from the top of the standings")),
    (r"pots", gettext_lazy("one of each pot at every table")),
    (r"transversal design over GF\((\d+)\)", gettext_lazy("transversal design over GF(%s)")),
    (r"affine plane over GF\((\d+)\)", gettext_lazy("affine plane over GF(%s)")),
    (r"difference matrix modulo (\d+)", gettext_lazy("difference matrix modulo %s")),
    (r"([\d,]+) words of a code", gettext_lazy("a code of %s words")),
)
PLAYER_PARAMS = ("id", "one", "two")  # parameters of problems that are players' keys


def how_in_words(how: str) -> str:
    """Return `Draw.how` in the active language; unknown parts stay as they are."""
    return " · ".join(_part_in_words(part) for part in how.split(", "))


def _part_in_words(part: str) -> str:
    """Return one part of `Draw.how` in the active language; unchanged if it is unknown."""
    for pattern, words in PARTS_OF_HOW:
        if match := re.fullmatch(pattern, part):
            return str(words) % match.groups()
    return part


def problems_in_words(problems: Iterable[Problem], entries: Mapping[str, Entry]) -> list[str]:
    """Return the problems of a request as sentences with the players' names.

    `entries` are by key.
    """
    return [
        translated(each.template).format(**_with_names(each.params, entries)) for each in problems
    ]


def _with_names(params: Mapping[str, object], entries: Mapping[str, Entry]) -> dict[str, object]:
    """Return the parameters of a problem, with number and name in place of each player's key.

    A key without an entry stays as it is.
    """

    def named(key: str) -> str:
        return f"{key} {isolated(entries[key].name)}" if key in entries else key

    named_params = {name: named(str(params[name])) for name in PLAYER_PARAMS if name in params}
    if "ids" in params:
        named_params["ids"] = listed([named(key) for key in str(params["ids"]).split(", ")])
    return {**params, **named_params}
