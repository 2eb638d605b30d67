"""What the face-card games share; no rule set's numbers.

A round (役) is one to three deals (戦) by one dealer with the same two sides. Facts are face cards:
how many of the sixteen each side held when play stopped, and at most one declaration. A variant
gives its targets, its legal declarations, what each item is worth and which an outcome scores.
"""

from scoring.kankei.advice import both_key_cards_advice, chooser_advice, seat_change_advice
from scoring.kankei.facts import (
    DECLARATIONS,
    FACE_CARDS,
    KANKEI_DECLARATIONS,
    LAST_DEAL,
    MUKANKEI_DECLARATIONS,
    TRUMPS,
    Deal,
    Round,
)
from scoring.kankei.game import KankeiGame, TableState
from scoring.kankei.items import (
    ITEM_NAMES,
    besides_missed_juroku,
    besides_reverse_skunk,
    goninkan_items,
    key_card_option,
    later_option,
    option,
    rule,
    taking_back,
    won_items,
)
from scoring.kankei.judging import Refusal, Verdict

__all__ = [
    "DECLARATIONS",
    "FACE_CARDS",
    "ITEM_NAMES",
    "KANKEI_DECLARATIONS",
    "LAST_DEAL",
    "MUKANKEI_DECLARATIONS",
    "TRUMPS",
    "Deal",
    "KankeiGame",
    "Refusal",
    "Round",
    "TableState",
    "Verdict",
    "besides_missed_juroku",
    "besides_reverse_skunk",
    "both_key_cards_advice",
    "chooser_advice",
    "goninkan_items",
    "key_card_option",
    "later_option",
    "option",
    "rule",
    "seat_change_advice",
    "taking_back",
    "won_items",
]
