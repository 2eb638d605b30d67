"""Comparing two versions of a round, and merging a typed line with the stored version.

A line may omit facts that a phone has recorded, such as the chosen trump.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any


def differing_parts(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str | int]:
    """Return where two versions differ: keys of facts, deal numbers, and `2 trump` for its trump.

    >>> deals = [{"kankei": 9, "mukankei": 4}, {"kankei": 8, "mukankei": 8}]
    >>> one, other = {"kankei": ["1", "2"]}, {"kankei": ["2", "1"]}
    >>> differing_parts(one | {"deals": deals}, other | {"deals": deals[:1]})
    {2}
    """
    parts: set[str | int] = {
        key for key in ("trump", "dealer", "cut_off") if one.get(key) != other.get(key)
    }
    if set(one.get("kankei", ())) != set(other.get("kankei", ())):
        parts.add("kankei")
    nothing: dict[str, Any] = {}
    deals = zip_longest(one.get("deals", ()), other.get("deals", ()), fillvalue=nothing)
    for number, (mine, theirs) in enumerate(deals, 1):
        if mine != theirs:
            parts.add(number)
        if mine.get("trump") != theirs.get("trump"):
            parts.add(f"{number} trump")
    return parts


def merge_with_stored(stored: Mapping[str, Any], typed: dict[str, Any]) -> dict[str, Any]:
    """Return a round's typed facts, completed by the stored facts that the line omits.

    If the same players are kankei, they have the stored order. A deal that is typed without a trump
    and otherwise equals the stored one gets the stored trump.

    >>> deal = {"kankei": 9, "mukankei": 4}
    >>> stored = {"trump": "clubs", "kankei": ["D", "B"], "deals": [deal]}
    >>> merge_with_stored(stored, {"kankei": ["B", "D"], "deals": [deal, deal]})["kankei"]
    ['D', 'B']
    """
    deals = list(typed.get("deals", ()))
    for i, deal in enumerate(stored.get("deals", ())[: len(deals)]):
        if {key: value for key, value in deal.items() if key != "trump"} == deals[i]:
            deals[i] = dict(deal)
    other_facts = {key: value for key, value in stored.items() if key not in ("deals", "cut_off")}
    if set(other_facts.get("kankei", ())) == set(typed.get("kankei", ())):
        typed = typed | {"kankei": other_facts["kankei"]}
    return other_facts | typed | {"deals": deals}
