"""Comparing two versions of a deal of Gong Zhu."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def differing_parts(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str | int]:
    """Return where two versions differ: keys of players, or ``exposed``."""
    mine = {**one.get("captured", {}), "exposed": one.get("exposed", ())}
    theirs = {**other.get("captured", {}), "exposed": other.get("exposed", ())}
    return {key for key in {*mine, *theirs} if set(mine.get(key, ())) != set(theirs.get(key, ()))}
