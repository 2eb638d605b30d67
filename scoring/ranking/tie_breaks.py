"""Tie-breaks: the steps by which players are ranked. The first one is usually the points.

Most are a value of each player alone (`OwnValue`), None where nothing is recorded for it: below
every value, and equal to each other. Counts are 0 then. `head_to_head`, `play_off`, `decision` and
`lot` are a `Comparison`: values of the players who are tied in all steps before, in their order, or
None for each of them if it decides nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from scoring.game import Kind
from scoring.ranking.results import Result
from scoring.translation import gettext_noop as _

LOT_DIGITS = 12  # hexadecimal digits of a lot: a number that every JSON parser reads exactly


class TieDecision(NamedTuple):
    """The order of tied players, the first place first, as decided by the director or by lot.

    `seed` is the text from which the lot was derived; empty if the director decided. `stage` is the
    number of the stage whose places were decided, 1 for the first; None if that is not known: then
    the decision counts in every stage.
    """

    order: Sequence[str]
    seed: str = ""
    stage: int | None = None


class TiedContext(NamedTuple):
    """The data that comparisons of tied players need.

    - `tables`: for each table, the points by player, of all its rounds together
    - `play_offs`: for each play-off, the newest first, the points of the tied players
    - `decisions`: the decisions on ties, the newest first
    - `lot_seed`: the text from which the lots of all players are derived; empty without such lots
    """

    tables: Sequence[Mapping[str, int]] = ()
    play_offs: Sequence[Mapping[str, int]] = ()
    decisions: Sequence[TieDecision] = ()
    lot_seed: str = ""


OwnValue = Callable[[Result], "int | None"]
Comparison = Callable[[Sequence[str], TiedContext], "Sequence[int | None]"]


class TieBreak(NamedTuple):
    """A step by which players are ranked, the highest value first. `title` is shown to users.

    - `value`, `compare`: one of them is set, see the module
    - `is_count`: the value is a number of something, not points
    - `is_place`: the value is a negated place
    - `kinds`: the kinds of games that have this tie-break
    """

    code: str
    title: str
    value: OwnValue | None = None
    compare: Comparison | None = None
    is_count: bool = False
    is_place: bool = False
    kinds: tuple[Kind, ...] = ("kankei", "captures", "finish")


def points(result: Result) -> int:
    """Return the sum of the points, those that are not from rounds included.

    >>> points(Result("A", (13, -1, 4))), points(Result("A", (13, -1, 4), beside_rounds=-6))
    (16, 10)
    """
    return sum(result.rounds) + result.beside_rounds


def rounds_won(result: Result) -> int:
    """Return the number of rounds with more than 0 points.

    >>> rounds_won(Result("A", (13, -1, 0, 4)))
    2
    """
    return len([points for points in result.rounds if points > 0])


def best_round(result: Result) -> int | None:
    """Return the points of the best round; None before the first.

    >>> best_round(Result("A", (13, -1, 4)))
    13
    """
    return max(result.rounds, default=None)


def worst_round(result: Result) -> int | None:
    """Return the points of the worst round; None before the first.

    >>> worst_round(Result("A", (13, -1, 4)))
    -1
    """
    return min(result.rounds, default=None)


def best_session(result: Result) -> int | None:
    """Return the points of the best session; None before the first.

    >>> best_session(Result("A", (13, -1, 4), sessions=(12, 4)))
    12
    """
    return max(result.sessions, default=None)


def head_to_head(tied: Sequence[str], context: TiedContext) -> Sequence[int | None]:
    """Return each player's points at the tables where all tied players sat together.

    Decides nothing if there is no such table.

    >>> tables = [{"A": 5, "B": -5, "C": 1}, {"A": 9, "C": 9}]
    >>> head_to_head(["A", "B"], TiedContext(tables)), head_to_head(["A", "D"], TiedContext(tables))
    ([5, -5], [None, None])
    """
    shared = [table for table in context.tables if all(player in table for player in tied)]
    if not shared:
        return [None] * len(tied)
    return [sum(table[player] for table in shared) for player in tied]


def play_off(tied: Sequence[str], context: TiedContext) -> Sequence[int | None]:
    """Return each player's points in the newest play-off in which all tied players took part.

    Decides nothing if there is no such play-off.

    >>> context = TiedContext(play_offs=[{"A": 4, "B": -1}])
    >>> play_off(["A", "B"], context), play_off(["A", "B", "C"], context)
    ([4, -1], [None, None, None])
    """
    for points_by_player in context.play_offs:
        if set(tied) <= points_by_player.keys():
            return [points_by_player[player] for player in tied]
    return [None] * len(tied)


def decision(tied: Sequence[str], context: TiedContext) -> Sequence[int | None]:
    """Return each player's place, counted from the last, in the newest decision on these players.

    Decides nothing if there is none, or if the newest one is a lot.

    >>> context = TiedContext(decisions=[TieDecision("CA"), TieDecision("BA")])
    >>> decision(["A", "B"], context), decision(["A", "B", "C"], context)
    ([1, 2], [None, None, None])
    """
    newest = _newest_decision(tied, context)
    if newest is None or newest.seed:
        return [None] * len(tied)
    return [len(newest.order) - newest.order.index(player) for player in tied]


def _newest_decision(tied: Sequence[str], context: TiedContext) -> TieDecision | None:
    """Return the newest decision that names all tied players, perhaps among others, if any."""
    players = set(tied)
    return next((each for each in context.decisions if players <= set(each.order)), None)


def lot(tied: Sequence[str], context: TiedContext) -> Sequence[int | None]:
    """Return each player's lot, from the seed of the newest decision on these players.

    Without such a decision, or if it has no seed, the seed of `context.lot_seed` is used. Decides
    nothing without any seed.

    >>> decisions = [TieDecision(["2", "1"], seed="2026")]
    >>> lot(["1", "2"], TiedContext(decisions=decisions)) == lots(["1", "2"], "2026")
    True
    >>> lot(["1", "2", "3"], TiedContext(decisions=decisions))
    [None, None, None]
    """
    newest = _newest_decision(tied, context)
    seed = (newest.seed if newest else "") or context.lot_seed
    return lots(tied, seed) if seed else [None] * len(tied)


def lots(players: Sequence[str], seed: str) -> list[int]:
    """Return each player's lot: the first digits of the SHA-256 of seed and player, as a number.

    The highest comes first. Anybody who knows the seed can compute it:
    ``printf '%s %s' SEED NUMBER | sha256sum``.

    >>> [f"{each:012x}" for each in lots(["1", "2"], "2026")]
    ['93deb60d8ba8', 'a8ab3d20fd7f']
    """
    digests = [hashlib.sha256(f"{seed} {player}".encode()).hexdigest() for player in players]
    return [int(digest[:LOT_DIGITS], 16) for digest in digests]


def order_by_lot(players: Sequence[str], seed: str) -> list[str]:
    """Return the players in the order of their lots, the first place first.

    >>> order_by_lot(["1", "2"], "2026")
    ['2', '1']
    """
    lot_of = dict(zip(players, lots(players, seed), strict=True))
    return sorted(players, key=lot_of.__getitem__, reverse=True)


POINTS = TieBreak("points", _("Points"), points)
ROUNDS_WON = TieBreak("rounds_won", _("Rounds won"), rounds_won, is_count=True)
THREE_DEALS = TieBreak(
    "three_deals",
    _("Rounds with all three deals won"),
    lambda result: result.three_deals,
    is_count=True,
    kinds=("kankei",),
)
SKUNKS = TieBreak(
    "skunks", _("Number of skunks"), lambda result: result.skunks, is_count=True, kinds=("kankei",)
)
JUROKU = TieBreak(
    "juroku", _("Number of juroku"), lambda result: result.juroku, is_count=True, kinds=("kankei",)
)
BEST_ROUND = TieBreak("best_round", _("Best round"), best_round)
WORST_ROUND = TieBreak("worst_round", _("Worst round"), worst_round)
BEST_SESSION = TieBreak("best_session", _("Best session"), best_session)
HEAD_TO_HEAD = TieBreak("head_to_head", _("Points at shared tables"), compare=head_to_head)
PENALTIES = TieBreak("penalties", _("Fewest points deducted"), lambda result: result.deducted)
PLACE_BEFORE = TieBreak(
    "place_before",
    _("Place in the stage before"),
    lambda result: result.place_before,
    is_place=True,
)
POINTS_BEFORE = TieBreak(
    "points_before", _("Points in the stage before"), lambda result: result.points_before
)
PLAY_OFF = TieBreak("play_off", _("Play-off"), compare=play_off)
DECISION = TieBreak("decision", _("Director’s decision"), compare=decision)
LOT = TieBreak("lot", _("Lot"), compare=lot)

# All tie-breaks, as they are offered, and the default ones.
TIE_BREAKS = (
    *(POINTS, ROUNDS_WON, THREE_DEALS, SKUNKS, JUROKU, BEST_ROUND, WORST_ROUND),
    *(BEST_SESSION, HEAD_TO_HEAD, PENALTIES, PLACE_BEFORE, POINTS_BEFORE),
    *(PLAY_OFF, DECISION, LOT),
)
USUAL_TIE_BREAKS = (POINTS, ROUNDS_WON, BEST_ROUND)
BY_CODE = {each.code: each for each in TIE_BREAKS}


def offered_tie_breaks(kind: Kind) -> tuple[TieBreak, ...]:
    """Return the tie-breaks that a kind of game can have.

    >>> [each.code for each in offered_tie_breaks("captures")][:3]
    ['points', 'rounds_won', 'best_round']
    """
    return tuple(each for each in TIE_BREAKS if kind in each.kinds)
