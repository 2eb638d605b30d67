"""Simulates deals of Gouji."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import scoring
from scoring.variants.gouji import GoujiGame
from tournaments.game_kinds import SimulatedTable


def simulate(
    rng: Random, _game: GoujiGame, _rounds: Sequence[Any], table: SimulatedTable
) -> scoring.Finish:
    """Return the facts of a deal: the order of going out, and teams of every other seat."""
    players, strengths, _planned_rounds = table
    pace = {player: rng.expovariate(strengths[player]) for player in players}
    order = tuple(sorted(players, key=pace.__getitem__))
    return scoring.Finish(order, (tuple(players[::2]), tuple(players[1::2])))


def as_recorded(facts: scoring.Finish) -> list[dict[str, Any]]:
    return [{"finish": list(facts.order)}]
