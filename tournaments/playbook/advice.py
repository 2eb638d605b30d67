"""What a table does before its next deal, as sentences that a phone looks up by the last deal.

Sentences contain seats (from 0) in braces, such as ``"{0} and {1} shuffle."``. The phone replaces
them by names of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import scoring
from scoring.variants.gong_zhu import PIG, Captures, GongZhuGame
from scoring.variants.gouji import Finish, GoujiGame
from tournaments.i18n import sentences

SEATS = tuple("012345")


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
    ``"0,2,4"``; {n} is the player in seat n. `plain` has those after any other deal, by the teams
    in order, such as ``"112212"``; {n} is the player who went out as number n, from 0.
    """
    placeholders = {seat: f"{{{seat}}}" for seat in SEATS}
    swept, plain = {}, {}
    for first in permutations(SEATS, 3):
        rest = tuple(seat for seat in SEATS if seat not in first)
        facts = Finish((*first, *rest), (first, rest))
        swept[",".join(first)] = _sentences(_advice_after(game, facts), placeholders)
    for team in combinations(SEATS, 3):
        facts = Finish(SEATS, (team, tuple(seat for seat in SEATS if seat not in team)))
        if not game.is_sweep(facts):
            teams = "".join("1" if seat in team else "2" for seat in SEATS)
            plain[teams] = _sentences(_advice_after(game, facts), placeholders)
    return {"plain": plain, "swept": swept}


def _advice_after(game: GoujiGame, facts: Finish) -> tuple[scoring.Advice, ...]:
    """Return the game's advice after a single deal of Gouji."""
    return game.advice([facts], SEATS, planned_rounds=None)


def _sentences(advice: Sequence[scoring.Advice], placeholders: dict[str, str]) -> list[str]:
    """Return the advice as sentences; `placeholders`, by player, are used as names."""
    return [sentences.advice_sentence(each, placeholders) for each in advice]
