"""Who goes on from one stage to the next, by quotas that the director has chosen beforehand."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple


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
    """How many of whom go on, and to which group of the next stage.

    `places` None means everybody with `at_least` points; with both, at most so many of them. An
    empty `division` takes players of every division.
    """

    group: str
    division: str
    places: int | None
    at_least: int | None = None


class TieAtLine(NamedTuple):
    """Players who share the rank at a quota's line, and how many of them may go on."""

    quota: Quota
    tied: tuple[str, ...]
    open_places: int


class Selection(NamedTuple):
    """Who goes on, by group, in the order of their ranks.

    With a `tie`, the quotas after it are not filled yet: they take from those who are left.
    """

    groups: dict[str, tuple[str, ...]]
    tie: TieAtLine | None = None


def select(
    candidates: Iterable[Candidate],
    quotas: Sequence[Quota],
    at_line: AtLine = AtLine.OPEN,
    seed: int = 0,
    decided: Collection[str] = (),
) -> Selection:
    """Return who goes on. Quotas are filled in order, each from those whom none has taken.

    A last quota for every division gives out wild cards. Of players tied at an open line, those in
    `decided` go on, if they are as many as fit.

    >>> ranked = [Candidate("A", 1, 9, "dan"), Candidate("B", 2, 7), Candidate("C", 3, 5, "dan")]
    >>> select(ranked, [Quota("", "dan", 1), Quota("", "", places=1)]).groups
    {'': ('A', 'B')}
    """
    left = sorted(candidates, key=lambda candidate: candidate.rank)
    taken: dict[str, list[Candidate]] = {quota.group: [] for quota in quotas}
    tie = None
    for quota in quotas:
        chosen, tied, open_places = _split_at_line(left, quota)
        settled = _settled(tied, open_places, at_line, seed, decided)
        if settled is None:
            tie = TieAtLine(quota, tuple(each.who for each in tied), open_places)
        taken[quota.group] += [*chosen, *(settled or ())]
        left = [each for each in left if each not in taken[quota.group]]
        if tie:
            break
    groups = {
        group: tuple(each.who for each in sorted(members, key=lambda each: each.rank))
        for group, members in taken.items()
    }
    return Selection(groups, tie)


def _settled(
    tied: list[Candidate],
    open_places: int,
    at_line: AtLine,
    seed: int,
    decided: Collection[str],
) -> list[Candidate] | None:
    """Return who of the players tied at the line goes on; None if that is open."""
    if at_line == AtLine.ALL:
        return tied
    if at_line == AtLine.NOBODY or not tied:
        return []
    if at_line == AtLine.LOT:
        return sorted(tied, key=lambda each: lot(seed, each.who))[:open_places]
    chosen = [each for each in tied if each.who in decided]
    return chosen if len(chosen) == open_places else None


def _split_at_line(
    left: Iterable[Candidate], quota: Quota
) -> tuple[list[Candidate], list[Candidate], int]:
    """Return who is above the quota's line, who is tied at it, and how many of these fit.

    Nobody is tied at the line if all of them fit.
    """
    eligible = [
        each
        for each in left
        if quota.division in ("", each.division)
        and (quota.at_least is None or each.points >= quota.at_least)
    ]
    if quota.places is None or len(eligible) <= quota.places:
        return eligible, [], 0
    first_out = eligible[quota.places]
    above = [each for each in eligible if each.rank < first_out.rank]
    if len(above) == quota.places:
        return above, [], 0
    tied = [each for each in eligible if each.rank == first_out.rank]
    return above, tied, quota.places - len(above)


def lot(seed: int, who: str) -> str:
    """Return a player's lot: the same seed gives the same; the lowest comes first."""
    return hashlib.sha256(f"{seed} {who}".encode()).hexdigest()
