"""Explanations of the terms of the face-card games for readers who do not know them."""

from __future__ import annotations

from django.utils.translation import get_language, gettext

import scoring

FACE_CARDS = "A K Q J"
FACE_CARDS_IN_A_LINE = FACE_CARDS.replace(" ", "\N{NO-BREAK SPACE}")


def terms_of(rules: scoring.Rules) -> str:
    """Return an explanation of kankei, mukankei, skunk and juroku."""
    words = gettext(
        "Kankei: the side with the joker and the {card} of trumps in deal 1; mukankei: the other "
        "side. Skunk: a win before the other side takes a face card (A K Q J); juroku: going on "
        "to take all 16. Reverse: by the mukankei."
    )
    return words.format(card=rules.options.get("key_card", "A")).replace(
        FACE_CARDS, FACE_CARDS_IN_A_LINE
    )


def terms_unless_ja(rules: scoring.Rules) -> str:
    """Return `terms_of`; empty if the active language is Japanese, whose readers know the terms."""
    return "" if get_language() == "ja" else terms_of(rules)
