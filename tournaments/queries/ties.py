"""Ties (同順位): who shares a place, in what they are equal, and what was not recorded of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import scoring
from scoring.ranking.contest import CODES_ABOUT_STAGES, CODES_NEEDING_ROUNDS
from tournaments.models import Entry, TieDecision
from tournaments.queries.play_offs import decided_among, open_ties
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.standings import Standing


class Tie(NamedTuple):
    """Players whose order is open, from `rank` on, and the codes of steps, in their order.

    - `compared`: those in which the players are equal
    - `unrecorded`: those that need rounds, where only totals are recorded of some of the players
    - `totals_of`: the numbers of the sessions with these totals
    - `has_rounds`: whether rounds of some of the players are recorded, in which they are equal
    - `former`: the decisions in force on several of them, to be taken back before another
    - `is_shared`: whether some of them share a place; else later steps part all of them unless they
      play off, and an order or a lot would change nothing
    """

    rank: int
    players: list[Entry]
    compared: tuple[str, ...]
    unrecorded: tuple[str, ...] = ()
    totals_of: tuple[int, ...] = ()
    has_rounds: bool = True
    is_shared: bool = True
    former: Sequence[TieDecision] = ()


def ties_of(rows: Sequence[Standing], facts: RankingFacts) -> list[Tie]:
    """Return who may play off a place, as `open_ties`, with the steps that compared them."""
    return [_tie(tied, facts) for tied in open_ties(rows, facts)]


def _tie(tied: Sequence[Standing], facts: RankingFacts) -> Tie:
    players = [row.entry for row in tied]
    keys = {entry.key for entry in players}
    sheets = [each for each in facts.counting_sheets if not keys.isdisjoint(each.players)]
    typed = {each.sitting.session.number for each in sheets if each.is_totals_only}
    compared = [step.code for i, step in enumerate(facts.steps) if _is_compared(tied, i, facts)]
    places = [row.place for row in tied if row.place]
    return Tie(
        rank=places[0].rank or 0,
        players=players,
        compared=tuple(code for code in compared if not typed or code not in CODES_NEEDING_ROUNDS),
        unrecorded=tuple(code for code in compared if typed and code in CODES_NEEDING_ROUNDS),
        totals_of=tuple(sorted(typed)),
        has_rounds=any(not each.is_totals_only for each in sheets),
        is_shared=any(place.tied for place in places),
        former=decided_among([entry.number for entry in players], facts.decisions),
    )


def _is_compared(tied: Sequence[Standing], index: int, facts: RankingFacts) -> bool:
    """Return whether a step, by its index, has compared these players, who are equal in it."""
    step: scoring.TieBreak = facts.steps[index]
    if step.code in CODES_ABOUT_STAGES and not facts.played_stages:
        return False
    values = {row.place.values[index] for row in tied if row.place}
    return len(values) == 1 and None not in values
