"""The facts of a round of a face-card game, as a record holds them."""

from __future__ import annotations

from typing import NamedTuple

FACE_CARDS = 16
LAST_DEAL = 3
TRUMPS = ("clubs", "diamonds", "hearts", "spades")
KANKEI_DECLARATIONS = ("juroku", "called_skunk", "called_juroku")
MUKANKEI_DECLARATIONS = ("reverse_juroku", "called_reverse_skunk", "called_reverse_juroku")
DECLARATIONS = KANKEI_DECLARATIONS + MUKANKEI_DECLARATIONS


class Deal(NamedTuple):
    """The facts of a deal: the face cards of each side when play stopped, and the declaration.

    `trump` is None where the record leaves it out.
    """

    kankei: int
    mukankei: int
    declaration: str | None = None
    trump: str | None = None


class Round(NamedTuple):
    """The facts of a round. `kankei` has two players; with six, the dealer gets their points, too.

    `trump` is that of the first deal. Time ran out within a round that is `cut_off`.
    """

    kankei: tuple[str, ...]
    deals: tuple[Deal, ...]
    dealer: str | None = None
    trump: str | None = None
    cut_off: bool = False
