"""The code that all face-card games share. The numbers are in `scoring/variants/`.

A round (役) is one to three deals (戦) by one dealer with the same two sides. The facts of a deal
are how many of the sixteen face cards each side held when play stopped, and at most one
declaration. A variant defines targets, legal declarations, points, and the items of each outcome.
"""

from scoring.kankei.advice import (
    SAME_DEALER,
    SAME_SIDES,
    both_key_cards_advice,
    chooser_customs,
    dealer_customs,
    kankei_agree_custom,
    seat_change_advice,
)
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
from scoring.kankei.game import KankeiGame
from scoring.kankei.items import (
    ITEM_NAMES,
    goninkan_items,
    items_kept_with_missed_juroku,
    items_kept_with_reverse_juroku,
    items_kept_with_reverse_skunk,
    key_card_option,
    later_option,
    option,
    rule,
    void_rule,
    won_items,
)
from scoring.kankei.judging import ImpossibleDeal, Verdict

__all__ = [
    "DECLARATIONS",
    "FACE_CARDS",
    "ITEM_NAMES",
    "KANKEI_DECLARATIONS",
    "LAST_DEAL",
    "MUKANKEI_DECLARATIONS",
    "SAME_DEALER",
    "SAME_SIDES",
    "TRUMPS",
    "Deal",
    "ImpossibleDeal",
    "KankeiGame",
    "Round",
    "Verdict",
    "both_key_cards_advice",
    "chooser_customs",
    "dealer_customs",
    "goninkan_items",
    "items_kept_with_missed_juroku",
    "items_kept_with_reverse_juroku",
    "items_kept_with_reverse_skunk",
    "kankei_agree_custom",
    "key_card_option",
    "later_option",
    "option",
    "rule",
    "seat_change_advice",
    "void_rule",
    "won_items",
]
