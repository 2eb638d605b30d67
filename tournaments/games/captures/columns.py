"""The facts of a deal of Gong Zhu in the workbook, whose rows are the players of a round."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.game_kinds import Cells
from tournaments.i18n.sentences import card_name
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.tables.columns import Column


def columns() -> list[tuple[str, Column]]:
    return [("cards", Column(_("Cards taken"))), ("exposed", Column(_("Exposed cards")))]


def cells(played: PlayedRound, sheet: Sheet) -> dict[str, Cells]:
    """Return each player's cells: the cards that the player took, and the exposed ones."""
    facts = played.facts
    return {
        player: {
            "cards": _card_names(facts.captured.get(player, frozenset())),
            "exposed": _card_names(facts.exposed),
        }
        for player in sheet.players
    }


def _card_names(cards: frozenset[str]) -> str | None:
    """By suit, the highest first; None for no cards."""
    ordered = sorted(cards, key=lambda card: (card[0], "AKQJ1098765432".index(card[1])))
    return " ".join(card_name(card) for card in ordered) or None
