"""The facts of a round: face cards each side held, who was kankei, and what was declared."""

from __future__ import annotations

from typing import NamedTuple

FACE_CARDS = 16
LAST_DEAL = 3
TRUMPS = ("clubs", "diamonds", "hearts", "spades")
KANKEI_DECLARATIONS = ("juroku", "called_skunk", "called_juroku")
MUKANKEI_DECLARATIONS = ("reverse_juroku", "called_reverse_skunk", "called_reverse_juroku")
DECLARATIONS = KANKEI_DECLARATIONS + MUKANKEI_DECLARATIONS


class Deal(NamedTuple):
    """The facts of a deal: face cards each side held when play stopped, and what was declared."""

    kankei: int
    mukankei: int
    declaration: str | None = None
    trump: str | None = None


class Round(NamedTuple):
    """The facts of a round. `kankei` are the two declared players; the dealer of six is a third."""

    kankei: tuple[str, ...]
    deals: tuple[Deal, ...]
    dealer: str | None = None
    trump: str | None = None
    cut_off: bool = False
