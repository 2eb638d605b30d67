"""What `draws` says of a draw, in the reader's language: how it was found, and what is wrong."""

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
# Parts of the answer's “how”, and what they are called.
HOW = (
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
IN_PROBLEMS = ("id", "one", "two")  # parameters that are players


def how_in_words(how: str) -> str:
    """Return how a draw was found; a part that is not known here as it is."""
    return " · ".join(_part_in_words(part) for part in how.split(", "))


def _part_in_words(part: str) -> str:
    for pattern, words in HOW:
        if found := re.fullmatch(pattern, part):
            return str(words) % found.groups()
    return part


def problems_in_words(problems: Iterable[Problem], entries: Mapping[str, Entry]) -> list[str]:
    """Return what is wrong with a draw, with the players' names."""
    return [
        translated(each.template).format(**_with_names(each.params, entries)) for each in problems
    ]


def _with_names(params: Mapping[str, object], entries: Mapping[str, Entry]) -> dict[str, object]:
    """Return the parameters of a problem, with number and name for each player's key."""

    def named(key: str) -> str:
        return f"{key} {isolated(entries[key].name)}" if key in entries else key

    named_params = {name: named(str(params[name])) for name in IN_PROBLEMS if name in params}
    if "ids" in params:
        named_params["ids"] = listed([named(key) for key in str(params["ids"]).split(", ")])
    return {**params, **named_params}
