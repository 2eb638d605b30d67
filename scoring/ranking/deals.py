"""What single deals of face-card games contribute to tie-breaks: skunks, juroku, three deals won.

Other games have none of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.game import RoundScore
from scoring.kankei.facts import LAST_DEAL, Round
from scoring.kankei.game import KankeiGame
from scoring.kankei.judging import Verdict
from scoring.record import Record

SKUNKS = frozenset({"skunk", "called_skunk", "reverse_skunk", "called_reverse_skunk"})
JUROKU = frozenset({"juroku", "called_juroku", "reverse_juroku", "called_reverse_juroku"})


class DealCounts(NamedTuple):
    """A player's number of rounds with three deals won, of skunks and of juroku by the own side."""

    three_deals: int = 0
    skunks: int = 0
    juroku: int = 0


NO_COUNTS = DealCounts()


def deal_counts(record: Record, scores: tuple[RoundScore, ...]) -> dict[str, DealCounts]:
    """Return the counts of the players of a table, over its complete rounds.

    A deal counts for the players who score with the side that won it. A player without any count is
    left out. Empty for games that are no face-card games.
    """
    game = record.rules.game
    if not isinstance(game, KankeiGame):
        return {}
    counts: dict[str, DealCounts] = {}
    for facts, score in zip(record.rounds, scores, strict=True):
        if not score.complete:
            continue
        kankei = game.kankei_side(facts, record.players)
        for is_for_kankei, added in _counts_by_side(game, facts):
            for player in record.players:
                if (player in kankei) == is_for_kankei:
                    before = counts.get(player, NO_COUNTS)
                    counts[player] = DealCounts(*map(sum, zip(before, added, strict=True)))
    return counts


def _counts_by_side(game: KankeiGame, facts: Round) -> Iterator[tuple[bool, DealCounts]]:
    """Yield pairs: whether the kankei get these counts (else the mukankei), and the counts."""
    verdicts = [
        game.verdict(number, deal.kankei, deal.mukankei, deal.declaration)
        for number, deal in enumerate(facts.deals, 1)
    ]
    judged = [each for each in verdicts if isinstance(each, Verdict)]
    for verdict in judged:
        if verdict.outcome in SKUNKS:
            yield verdict.kankei_won, DealCounts(skunks=1)
        elif verdict.outcome in JUROKU:
            yield verdict.kankei_won, DealCounts(juroku=1)
    if len(judged) == LAST_DEAL and all(verdict.kankei_won for verdict in judged):
        yield True, DealCounts(three_deals=1)
