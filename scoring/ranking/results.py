"""What a player has: points by round, and the values that tie-breaks compare."""

from __future__ import annotations

from typing import NamedTuple

MISSED, ADJUSTMENT = "missed", "adjustment"


class SumLine(NamedTuple):
    """A line of a player's sum beside those of rounds: a missed session, or an adjustment.

    It names the `session` or the number of the adjustment.
    """

    item: str
    points: int
    session: int | None = None
    adjustment: int | None = None


class Result(NamedTuple):
    """An entry's points in every round that counts, in the order played.

    `carried` are points beside those of rounds: typed totals, missed sessions and adjustments. They
    count for the points, but not for rounds won, the best round or the worst.

    `lines` explain what is carried, but for typed totals.

    The other values are 0 or empty unless a tie-break needs them: points by session; rounds with
    all three deals won, deals won with a skunk and with a juroku; points deducted, at most 0; the
    place in the stage before, below 0 so that the first is the highest, and the points there.
    """

    who: str
    rounds: tuple[int, ...]
    carried: int = 0
    sessions: tuple[int, ...] = ()
    three_deals: int = 0
    skunks: int = 0
    juroku: int = 0
    deducted: int = 0
    place_before: int = 0
    points_before: int = 0
    lines: tuple[SumLine, ...] = ()
