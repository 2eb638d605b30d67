"""Who goes on from one stage to the next, by quotas that the director has chosen beforehand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from scoring.ranking.tie_breaks import order_by_lot


class AtLine(StrEnum):
    """What happens to players who share the rank at the line, if not all of them fit."""

    OPEN = "open"  # the director decides, or they play it off
    ALL = "all"  # all of them go on
    NOBODY = "nobody"  # none of them goes on
    LOT = "lot"  # as many as fit, by a lot that the seed repeats


class Candidate(NamedTuple):
    """A player who may go on. Players with the same `rank` are tied."""

    who: str
    rank: int
    points: int
    division: str = ""


class Quota(NamedTuple):
    """How many players of a division go on, and to which group of the next stage.

    - `division`: empty for players of every division
    - `places`: how many players go on; None: all who have `at_least` points
    - `at_least`: the points that a player needs to go on; None: any
    """

    group: str
    division: str
    places: int | None
    at_least: int | None = None


class TieAtLine(NamedTuple):
    """Players who share the rank at a quota's line, and the number of places left for them."""

    quota: Quota
    tied: tuple[str, ...]
    open_places: int


class Selection(NamedTuple):
    """Who goes on: the players of each group, in the order of their ranks.

    With `ties` that are to be decided, the quota of each is filled down to the tied players, and
    the quotas after it that depend on how it is decided are still empty. `undecided` are the
    players who may go on or not: those tied, and those whom such a quota may take. `settled` are
    the ties that a decision or the lot has settled.
    """

    groups: dict[str, tuple[str, ...]]
    ties: tuple[TieAtLine, ...] = ()
    undecided: frozenset[str] = frozenset()
    settled: tuple[TieAtLine, ...] = ()

    @property
    def tie(self) -> TieAtLine | None:
        """Return the first of the ties, which is decided first."""
        return self.ties[0] if self.ties else None


def select(
    candidates: Iterable[Candidate],
    quotas: Sequence[Quota],
    at_line: AtLine = AtLine.OPEN,
    seed: int = 0,
    decided: Collection[str] = (),
) -> Selection:
    """Return who goes on. Quotas are filled in order, each from the players not yet selected.

    A last quota for every division gives wild cards. `at_line` says what happens to players tied
    at a quota's line, if not all of them fit. With `AtLine.OPEN` those in `decided` go on, if they
    are exactly as many as fit.

    >>> ranked = [Candidate("A", 1, 9, "dan"), Candidate("B", 2, 7), Candidate("C", 3, 5, "dan")]
    >>> select(ranked, [Quota("", "dan", 1), Quota("", "", places=1)]).groups
    {'': ('A', 'B')}
    """
    remaining = sorted(candidates, key=lambda candidate: candidate.rank)
    selected: dict[str, list[Candidate]] = {quota.group: [] for quota in quotas}
    ties: list[TieAtLine] = []
    settled: list[TieAtLine] = []
    undecided: list[Candidate] = []  # those whom an earlier quota takes or not
    for quota in quotas:
        if any(_may_take(quota, each) for each in undecided):
            undecided += [each for each in remaining if _may_take(quota, each)]
            continue
        above, tied, open_places = _split_at_line(remaining, quota)
        chosen = _chosen_of_tied(tied, open_places, at_line, seed, decided)
        tie = TieAtLine(quota, tuple(each.who for each in tied), open_places)
        if chosen is None:
            ties.append(tie)
            undecided += tied
        elif tied and at_line in {AtLine.OPEN, AtLine.LOT}:
            settled.append(tie)
        selected[quota.group] += [*above, *(chosen or ())]
        taken = {*selected[quota.group]}
        remaining = [each for each in remaining if each not in taken]
    groups = {
        group: tuple(each.who for each in sorted(members, key=lambda each: each.rank))
        for group, members in selected.items()
    }
    may_go_on = frozenset(each.who for each in undecided)
    return Selection(groups, tuple(ties), may_go_on, tuple(settled))


class _SplitAtLine(NamedTuple):
    """The players who fit in a quota above its line, and those tied at the line.

    `open_places` is the number of tied players who fit. Nobody is tied if all of them fit.
    """

    above: list[Candidate]
    tied: list[Candidate]
    open_places: int


def _chosen_of_tied(
    tied: list[Candidate],
    open_places: int,
    at_line: AtLine,
    seed: int,
    decided: Collection[str],
) -> list[Candidate] | None:
    """Return which of the players tied at the line go on; None if this is not decided yet."""
    if at_line == AtLine.ALL:
        return tied
    if at_line == AtLine.NOBODY:
        return []
    if at_line == AtLine.LOT:
        first = order_by_lot([each.who for each in tied], str(seed))[:open_places]
        return [each for each in tied if each.who in first]
    chosen = [each for each in tied if each.who in decided]
    return chosen if len(chosen) == open_places else None


def _may_take(quota: Quota, candidate: Candidate) -> bool:
    """Return whether a quota is for a player, who has the division and the points."""
    return quota.division in ("", candidate.division) and (
        quota.at_least is None or candidate.points >= quota.at_least
    )


def _split_at_line(candidates: Iterable[Candidate], quota: Quota) -> _SplitAtLine:
    """Return the eligible players above the quota's line, and those tied at it.

    `candidates` are in the order of their ranks.
    """
    eligible = [each for each in candidates if _may_take(quota, each)]
    if quota.places is None or len(eligible) <= quota.places:
        return _SplitAtLine(eligible, [], 0)
    first_out = eligible[quota.places]
    above = [each for each in eligible if each.rank < first_out.rank]
    if len(above) == quota.places:
        return _SplitAtLine(above, [], 0)
    tied = [each for each in eligible if each.rank == first_out.rank]
    return _SplitAtLine(above, tied, quota.places - len(above))
