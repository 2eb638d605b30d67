"""What a table does before its next deal, as sentences that a phone looks up by the last deal.

Sentences contain numbers in braces, such as ``"{0} and {1} shuffle."``, which the phone replaces by
names.
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
    """Return the card whose taker leads the next deal, and sentences in which {0} is the taker."""
    taken = Captures(captured={"0": frozenset({PIG})}, exposed=frozenset())
    advice = game.advice([taken], SEATS[:player_count], planned_rounds=None)
    leads = [each for each in advice if each.code == "leads"]
    return {"card": PIG, "sentences": _sentences(leads, placeholders={"0": "{0}"})}


def next_after_finish(game: GoujiGame) -> dict[str, Any]:
    """Return the sentences after a deal of Gouji.

    `swept`: after a sweep, by the seats of the first three, such as ``"0,2,4"``; {0} is the player
    in the first seat. `plain`: after any other deal; {0} is the first player who went out.
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
    """Return what a table does after a deal of Gouji."""
    return game.advice([facts], SEATS, planned_rounds=None)


def _sentences(advice: Sequence[scoring.Advice], placeholders: dict[str, str]) -> list[str]:
    """Return the advice as sentences; `placeholders`, by player, stand for the names."""
    return [sentences.advice_sentence(each, placeholders) for each in advice]
