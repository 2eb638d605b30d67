"""A player's result: points by round, and the values that tie-breaks compare."""

from __future__ import annotations

from typing import NamedTuple

from scoring.ranking.absence import Absence

MISSED, ADJUSTMENT = "missed", "adjustment"


class SumLine(NamedTuple):
    """A part of a player's points beside rounds: a missed session, or an adjustment.

    `item` is `MISSED` with the number of the `session` and the `reason` of the absence, or
    `ADJUSTMENT` with its number.
    """

    item: str
    points: int
    session: int | None = None
    adjustment: int | None = None
    reason: Absence | None = None


class Result(NamedTuple):
    """A player's points in every round that counts, in the order played (`rounds`).

    - `beside_rounds`: points that are not from rounds: typed totals, missed sessions, adjustments,
      points carried over from the stage before. They count for the points, but not for rounds won,
      the best round or the worst.
    - `lines`: explain the points of missed sessions and adjustments in `beside_rounds`
    - `deducted`: the sum of the adjustments below 0

    Values that are 0 or empty unless a chosen tie-break needs them:

    - `sessions`: points by session
    - `three_deals`, `skunks`, `juroku`: see `DealCounts`
    - `place_before`: the place in the stage before, negated so that the first is the highest value;
      None without a rank there
    - `points_before`: the points in the stage before; None without a result there
    """

    who: str
    rounds: tuple[int, ...]
    beside_rounds: int = 0
    sessions: tuple[int, ...] = ()
    three_deals: int = 0
    skunks: int = 0
    juroku: int = 0
    deducted: int = 0
    place_before: int | None = None
    points_before: int | None = None
    lines: tuple[SumLine, ...] = ()
