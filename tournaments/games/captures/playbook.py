"""What the phones of a table of Gong Zhu look up: hands, the end of the game, who leads next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from scoring.variants.gong_zhu import PIG, Captures, GongZhuGame
from tournaments.game_kinds import TableShape
from tournaments.games.captures.hands import hand_scores
from tournaments.i18n import sentences
from tournaments.queries.sheets import Sheet


def playbook(game: GongZhuGame, table: TableShape) -> dict[str, Any]:
    """Return the scores of all hands, what ends the game, the sides, and who leads next.

    The game ends when the total of any group of `watched` seats, from 0, reaches the `limit`.
    """
    seats = table.seats
    watched = game.limited_groups(seats, table.partners)
    return {
        "hands": hand_scores(game.rules, table.player_count),
        "ending": {"limit": game.limit, "watched": _seat_numbers(watched)},
        "sides": _seat_numbers(game.sides(seats, table.partners)),
        "next": _next_deal(game, seats),
    }


def limited_totals(game: GongZhuGame, sheet: Sheet) -> list[int]:
    """Return the total before the sheet of each seat or pair that can end the game."""
    partners = sheet.record.partners
    before = game.limited_totals(Counter(), sheet.players, partners, sheet.start)
    return [before[group] for group in game.limited_groups(sheet.players, partners)]


def _seat_numbers(groups: Iterable[Iterable[str]]) -> list[list[int]]:
    """Return groups of players as groups of seats, from 0."""
    return [[int(seat) for seat in group] for group in groups]


def _next_deal(game: GongZhuGame, seats: Sequence[str]) -> dict[str, Any]:
    """Return what follows a deal of Gong Zhu: `card` and `sentences`.

    The player who took `card` leads the next deal; {0} in the sentences is that player.
    """
    taken = Captures(captured={"0": frozenset({PIG})}, exposed=frozenset())
    advice = game.advice([taken], seats, planned_rounds=None)
    leads = [each for each in advice if each.code == "leads"]
    return {
        "card": PIG,
        "sentences": [sentences.advice_sentence(each, {"0": "{0}"}, game.rules) for each in leads],
    }
