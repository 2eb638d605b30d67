"""The sentences that tell the table of a face-card game what to do next.

Customs are what a text says: who draws, deals and leads. Each variant names the words of its text.
"""

from __future__ import annotations

from scoring.game import Advice
from scoring.rules import Custom, Rule
from scoring.seats import SeatChange
from scoring.sources import Source
from scoring.translation import gettext_noop as _

SAME_DEALER = _("Deal {deal} follows, same dealer and sides.")
SAME_SIDES = _("Deal {deal} follows, same sides.")


def dealer_customs(*, first: Source, following: Source) -> tuple[Custom, ...]:
    """Return the customs of a game with dealers: a draw for the first, then each to the right."""
    return (
        Custom("draw_dealer", _("Each draws a card; the lowest deals first."), first),
        Custom(
            "dealer",
            _("{dealer} deals next."),
            following,
            meaning=_("The player to the right of the dealer deals the next round."),
        ),
    )


def kankei_agree_custom(source: Source) -> Custom:
    """Return the custom that the kankei, who know each other, agree who leads the first deal."""
    return Custom(
        "first_lead", _("The two kankei agree which of them leads the first deal."), source
    )


def chooser_customs(*, joker: Source, key_card: Source) -> tuple[Custom, ...]:
    """Return the customs on who chooses the trump of deals 2 and 3, and leads."""
    return (
        Custom(
            "joker_holder_chooses",
            _(
                "The player who held the joker in the first deal chooses the trump and "
                "leads, after seeing two of the partner’s cards."
            ),
            joker,
            meaning=_(
                "Deal 2: the player who held the joker in the first deal chooses the trump "
                "and leads, after seeing two of the partner’s cards."
            ),
        ),
        Custom(
            "key_card_holder_chooses",
            _(
                "The player who held the {card} of trumps in the first deal chooses the "
                "trump and leads, after seeing two of the partner’s cards."
            ),
            key_card,
            meaning=_(
                "Deal 3: the player who held the other key card in the first deal chooses "
                "the trump and leads, after seeing two of the partner’s cards."
            ),
        ),
    )


def finished_advice(planned_rounds: int) -> Advice:
    return Advice(
        "finished",
        _("All rounds have been played ({planned})."),
        values={"planned": planned_rounds},
    )


def trump_advice(round_number: int, trump: str) -> Advice:
    return Advice(
        "trump",
        _("Round {round}: {trump} are trump in the first deal."),
        values={"round": round_number, "trump": trump},
    )


def same_sides_advice(deal_number: int, *, has_dealer: bool) -> Advice:
    sentence = SAME_DEALER if has_dealer else SAME_SIDES
    return Advice("same_sides", sentence, values={"deal": deal_number})


def note_advice(rule: Rule) -> Advice:
    """Return the note of a rule, for a table that has just scored its item."""
    return Advice("note", rule.note, source=rule.source)


def seat_change_advice(change: SeatChange) -> Advice:
    mover, other = change
    return Advice(
        "seat_change", _("{mover} changes places with {other}."), {"mover": mover, "other": other}
    )


def both_key_cards_advice(player: str, partner: str) -> Advice:
    """Return the advice that names the partner of a player holding both key cards (二重関)."""
    return Advice(
        "both_key_cards",
        _("If {player} holds both key cards, {partner} is the partner: the second to the right."),
        {"player": player, "partner": partner},
    )
