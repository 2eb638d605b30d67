"""Comparing and merging a typed line with the stored version of the same round.

A line may omit facts that a phone has recorded, such as the chosen trump.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.queries.corrections import differing_parts


def merge_with_stored(stored: Mapping[str, Any], typed: dict[str, Any]) -> dict[str, Any]:
    """Return a face-card round's typed facts, completed by the stored facts that the line omits.

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


def matches_stored(stored: Mapping[str, Any], typed: dict[str, Any]) -> bool:
    """Return whether typed facts agree with a stored round.

    The order of the kankei, and stored facts that the line omits, do not count as differences.

    >>> deal = {"kankei": 5, "mukankei": 9}
    >>> typed = {"dealer": "A", "kankei": ["B", "D"], "deals": [deal]}
    >>> matches_stored({"trump": "clubs", **typed, "kankei": ["D", "B"]}, typed)
    True
    >>> matches_stored({**typed, "dealer": "B"}, typed)
    False
    """
    if "deals" in typed:
        typed = merge_with_stored(stored, typed)
    return not differing_parts(stored, typed) and all(
        stored.get(key) == typed.get(key) for key in ("finish", "teams")
    )
