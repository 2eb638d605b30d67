"""The shorthand for a deal of Gong Zhu: takers in the printed order, then the exposed cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.variants.gong_zhu import GongZhuGame
from tournaments.i18n.sentences import card_name
from tournaments.paper_entry.line_shorthand import Unreadable, player_at, seat_digits, split_words

# Exposed cards by their mark: a letter, or the number of their box on the printed sheet.
EXPOSED = {"q": "SQ", "j": "DJ", "t": "C10", "a": "HA", "1": "SQ", "2": "DJ", "3": "C10", "4": "HA"}


def read_line(
    line: str, game: GongZhuGame, players: Sequence[str], _dealer: str | None = None
) -> dict[str, Any]:
    """Parse a line of Gong Zhu: takers of the cards in printed order, then exposed cards.

    A dash after a taker means that this player took all following cards, too. Exposed cards are
    given by their marks in `EXPOSED`. Raises `Unreadable`.

    >>> import scoring
    >>> game = scoring.choose(scoring.get_rule_set("gong-zhu")).game
    >>> read_line("1342- 14", game, "ABCD")["captured"]["A"]
    ['SQ']
    >>> read_line("1342- qa", game, "ABCD")["exposed"]
    ['SQ', 'HA']
    >>> read_line("2-", game, "ABCD")["exposed"]
    []
    """
    words, cards = split_words(line), game.scoring_cards(len(players))
    if not words or len(words) > 2:
        raise Unreadable(
            _("Type who took each card, in the printed order; then a space and what was exposed.")
        )
    takers = words[0]  # a seat number for each card
    if takers.endswith("-") and len(takers) > 1:
        takers = takers[:-1].ljust(len(cards), takers[-2])
    if len(takers) != len(cards):
        raise Unreadable(
            _("The number of takers is %(typed)s, but there are %(cards)s cards."),
            typed=len(takers),
            cards=len(cards),
        )
    captured: dict[str, list[str]] = {}
    for card, digit in zip(cards, takers, strict=True):
        captured.setdefault(player_at(digit, players), []).append(card)
    return {"captured": captured, "exposed": _read_exposed(words[1] if len(words) == 2 else "")}


def _read_exposed(marks: str) -> list[str]:
    """Return the exposed cards that the marks stand for, in the printed order.

    Raises `Unreadable` for an unknown mark.
    """
    unknown = [mark for mark in marks if mark not in EXPOSED]
    if unknown:
        raise Unreadable(
            _("“%(word)s” is not a card that can be exposed: 1 or q, 2 or j, 3 or t, 4 or a."),
            word=unknown[0],
        )
    exposed = {EXPOSED[mark] for mark in marks}
    return [card for card in ("SQ", "DJ", "C10", "HA") if card in exposed]


def format_line(facts: Mapping[str, Any], game: GongZhuGame, players: Sequence[str]) -> str:
    """Return a deal in shorthand.

    If it is shorter, a dash stands for all but the first of the last cards that one player took.
    """
    taker_of = {card: player for player, cards in facts["captured"].items() for card in cards}
    takers = seat_digits([taker_of[card] for card in game.scoring_cards(len(players))], players)
    shortened = takers.rstrip(takers[-1]) + takers[-1] + "-"
    if len(shortened) < len(takers):
        takers = shortened
    exposed = (mark for mark in "1234" if EXPOSED[mark] in facts.get("exposed", ()))
    return f"{takers} {''.join(exposed)}".rstrip()


def help_context(game: GongZhuGame, player_count: int) -> dict[str, Any]:
    """Return an example line, and the cards in the printed order."""
    cards = [card_name(card) for card in game.scoring_cards(player_count)]
    return {"example": "1342- 14", "cards": cards}
