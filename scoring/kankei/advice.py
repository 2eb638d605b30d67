"""The sentences that tell the table of a face-card game what to do next."""

from __future__ import annotations

from scoring.rules import Advice
from scoring.seats import SeatChange
from scoring.translation import gettext_noop as _


def finished_advice(planned_rounds: int) -> Advice:
    """Return the advice that all planned rounds are played."""
    return Advice(
        "finished", _("All {planned} rounds are played."), values={"planned": planned_rounds}
    )


def next_round_advice(round_number: int, *, trump: str, dealer: str | None) -> tuple[Advice, ...]:
    """Return the advice on the dealer of the next round, and on the trump of its first deal.

    If `dealer` is None, the lowest card decides who deals.
    """
    return (
        Advice("dealer", _("{dealer} deals next."), {"dealer": dealer})
        if dealer
        else Advice("draw_dealer", _("Each draws a card; the lowest deals first.")),
        Advice(
            "trump",
            _("Round {round}: {trump} are trump in the first deal."),
            values={"round": round_number, "trump": trump},
        ),
    )


def next_deal_advice(
    deal_number: int, seat_change: SeatChange | None, key_card: str
) -> tuple[Advice, ...]:
    """Return the advice before deal 2 or 3: who changes seats, and who chooses the trump.

    `key_card` is a rank, such as ``A``.
    """
    same_sides = Advice(
        "same_sides", _("Deal {deal} follows, same dealer and sides."), values={"deal": deal_number}
    )
    changes = (seat_change_advice(seat_change),) if seat_change else ()
    return (same_sides, *changes, chooser_advice(deal_number, key_card))


def chooser_advice(deal_number: int, key_card: str) -> Advice:
    """Return the advice on who chooses the trump of deal 2 or 3. `key_card` is a rank, as ``A``."""
    if deal_number == 2:
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


def seat_change_advice(change: SeatChange) -> Advice:
    """Return the advice that two players change seats."""
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
