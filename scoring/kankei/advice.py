"""The sentences that tell the table of a face-card game what to do next."""

from __future__ import annotations

from scoring.rules import Advice
from scoring.translation import gettext_noop as _


def finished_advice(planned: int) -> Advice:
    """Return the sentence that all planned rounds are played."""
    return Advice("finished", _("All {planned} rounds are played."), values={"planned": planned})


def next_round_advice(number: int, trump: str, dealer: str | None) -> tuple[Advice, ...]:
    """Return who deals the next round (None: drawn by lot), and the trump of its first deal."""
    return (
        Advice("dealer", _("{dealer} deals next."), {"dealer": dealer})
        if dealer
        else Advice("draw_dealer", _("Whoever draws the lowest card deals first.")),
        Advice(
            "trump",
            _("Round {round}: {trump} are trump in the first deal."),
            values={"round": number, "trump": trump},
        ),
    )


def next_deal_advice(
    number: int, move: tuple[str, str] | None, key_card: str
) -> tuple[Advice, ...]:
    """Return who changes places and who chooses the trump, before deal `number`, 2 or 3.

    `move` are the two players who change places, if any; `key_card` is a rank, such as ``A``.
    """
    same_sides = Advice(
        "same_sides", _("Deal {deal} follows, same dealer and sides."), values={"deal": number}
    )
    moves = (seat_change_advice(move),) if move else ()
    return (same_sides, *moves, chooser_advice(number, key_card))


def chooser_advice(number: int, key_card: str) -> Advice:
    """Return who chooses the trump of deal `number`, 2 or 3; `key_card` is a rank, as ``A``."""
    if number == 2:
        return Advice(
            "joker_holder_chooses",
            _(
                "Whoever held the joker in the first deal chooses the trump and leads, "
                "after seeing two of the partner’s cards."
            ),
        )
    return Advice(
        "key_card_holder_chooses",
        _(
            "Whoever held the {card} of trumps in the first deal chooses the trump and "
            "leads, after seeing two of the partner’s cards."
        ),
        values={"card": key_card},
    )


def seat_change_advice(move: tuple[str, str]) -> Advice:
    """Return the sentence that two players change places; the first one is the mover."""
    mover, other = move
    return Advice(
        "seat_change", _("{mover} changes places with {other}."), {"mover": mover, "other": other}
    )


def both_key_cards_advice(player: str, partner: str) -> Advice:
    """Return the sentence that names the partner of a player holding both key cards (二重関)."""
    return Advice(
        "both_key_cards",
        _("If {player} holds both key cards, {partner} is the partner: the second to the right."),
        {"player": player, "partner": partner},
    )
