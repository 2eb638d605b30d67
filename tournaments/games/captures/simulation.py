"""Simulates deals of Gong Zhu."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import scoring
from scoring.variants.gong_zhu import EXPOSABLE, PIG, SHEEP, GongZhuGame, scoring_cards
from tournaments.game_kinds import SimulatedTable


def simulate(
    rng: Random, _game: GongZhuGame, _rounds: Sequence[Any], table: SimulatedTable
) -> scoring.Captures:
    """Return the facts of a deal.

    Few players take most hearts. Weak players often take the pig (♠Q), strong ones the sheep (♦J).
    """
    players, strengths, _planned_rounds = table
    captured: dict[str, set[str]] = {player: set() for player in players}
    luck = [rng.expovariate(strengths[player]) for player in players]
    for card in scoring_cards(len(players)):
        if card == PIG:
            weights = [1 / strengths[player] for player in players]
        elif card == SHEEP:
            weights = [strengths[player] for player in players]
        else:
            weights = luck
        captured[rng.choices(players, weights)[0]].add(card)
    return scoring.Captures(
        {player: frozenset(cards) for player, cards in captured.items()},
        frozenset(card for card in EXPOSABLE if rng.random() < 0.15),
    )


def as_recorded(facts: scoring.Captures) -> list[dict[str, Any]]:
    in_order = scoring_cards(4).index  # with four, every scoring card is in play
    captured = {
        player: sorted(cards, key=in_order) for player, cards in facts.captured.items() if cards
    }
    return [{"captured": captured, "exposed": sorted(facts.exposed)}]
