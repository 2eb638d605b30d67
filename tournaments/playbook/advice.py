"""What a table does before its next deal, as sentences that a phone looks up by the last deal.

Sentences contain seats (from 0) in braces, such as ``"{0} and {1} shuffle."``. The phone replaces
them by names of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import scoring
from scoring.variants.gong_zhu import PIG, Captures, GongZhuGame
from scoring.variants.gouji import Finish, GoujiGame
from tournaments.i18n import sentences

SEATS = tuple("012345")
TEAMS = ("0", "2", "4"), ("1", "3", "5")


def next_after_captures(game: GongZhuGame, player_count: int) -> dict[str, Any]:
    """Return what follows a deal of Gong Zhu: `card` and `sentences`.

    The player who took `card` leads the next deal; {0} in the sentences is that player.
    """
    taken = Captures(captured={"0": frozenset({PIG})}, exposed=frozenset())
    advice = game.advice([taken], SEATS[:player_count], planned_rounds=None)
    leads = [each for each in advice if each.code == "leads"]
    return {"card": PIG, "sentences": _sentences(leads, placeholders={"0": "{0}"})}


def next_after_finish(game: GoujiGame) -> dict[str, Any]:
    """Return the sentences that follow a deal of Gouji: `swept` and `plain`.

    `swept` has those after a sweep, by the seats of the first three players to go out, such as
    ``"0,2,4"``; {n} is the player in seat n. `plain` are those after any other deal; {n} is the
    player who went out as number n, from 0.
    """
    plain = Finish(("0", "1", "2", "3", "4", "5"), TEAMS)
    placeholders = {seat: f"{{{seat}}}" for seat in SEATS}
    swept = {}
    for first in permutations(SEATS, 3):
        rest = tuple(seat for seat in SEATS if seat not in first)
        facts = Finish((*first, *rest), (first, rest))
        swept[",".join(first)] = _sentences(_advice_after(game, facts), placeholders)
    return {"plain": _sentences(_advice_after(game, plain), placeholders), "swept": swept}


def _advice_after(game: GoujiGame, facts: Finish) -> tuple[scoring.Advice, ...]:
    """Return the game's advice after a single deal of Gouji."""
    return game.advice([facts], SEATS, planned_rounds=None)


def _sentences(advice: Sequence[scoring.Advice], placeholders: dict[str, str]) -> list[str]:
    """Return the advice as sentences; `placeholders`, by player, are used as names."""
    return [sentences.advice_sentence(each, placeholders) for each in advice]
