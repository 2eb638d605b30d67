"""Classes that are written differently, such as Ａ beside A. They are only proposed as one."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tournaments.models import Tournament


class Spellings(NamedTuple):
    """The spellings of a class in a list: `usual`, and the `others`."""

    usual: str
    others: list[str]


def spelling_key(name: str) -> str:
    """Return what is alike for classes or clubs that differ only in width, case and spaces.

    >>> spelling_key("Ａ 級") == spelling_key("a級"), spelling_key("A") == spelling_key("B")
    (True, False)
    """
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def class_spellings(tournament: Tournament, people: Sequence[Mapping[str, Any]]) -> list[Spellings]:
    """Return the classes of a list that are not always written alike.

    The usual spelling is the most frequent one of the tournament's players, or else of the list.
    """
    in_list = Counter(person["division"] for person in people if person.get("division"))
    stored = Counter(tournament.entries.exclude(division="").values_list("division", flat=True))
    by_key: dict[str, list[str]] = defaultdict(list)
    for name in {**in_list, **stored}:
        by_key[spelling_key(name)].append(name)
    found = []
    for names in by_key.values():
        usual = max(names, key=lambda name: (stored[name], in_list[name]))
        if others := [name for name in names if name != usual and name in in_list]:
            found.append(Spellings(usual, others))
    return found
