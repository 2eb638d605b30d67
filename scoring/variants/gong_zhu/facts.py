"""The facts of a deal of Gong Zhu, and its scoring cards."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

# Cards are written as suit and rank, as in records.
PIG, SHEEP, TEN, ACE_OF_HEARTS = "SQ", "DJ", "C10", "HA"
EXPOSABLE = (ACE_OF_HEARTS, PIG, SHEEP, TEN)
HEARTS = tuple(f"H{rank}" for rank in ("A", "K", "Q", "J", *range(10, 1, -1)))


class Captures(NamedTuple):
    """The facts of a deal: each player's scoring cards, and the cards exposed before play."""

    captured: Mapping[str, frozenset[str]]
    exposed: frozenset[str]


@cache
def scoring_cards(players: int, five_without: str = "H2") -> tuple[str, ...]:
    """Return the scoring cards for a number of players. A deal's facts must contain each card once.

    Five players play without the red two `five_without`. Only ♥2 is a scoring card, ♦2 is not.

    >>> len(scoring_cards(4)), len(scoring_cards(5)), len(scoring_cards(5, "D2"))
    (16, 15, 16)
    """
    taken_out = {five_without} if players == 5 else set()
    return (PIG, SHEEP, TEN, *(card for card in HEARTS if card not in taken_out))
