"""What a table of a face-card game does next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoring.kankei.facts import Round
from scoring.rules import Advice
from scoring.rules import gettext_noop as _

if TYPE_CHECKING:
    from scoring.kankei.game import KankeiGame


def advice(
    game: KankeiGame, rounds: Sequence[Round], players: Sequence[str], planned: int | None
) -> tuple[Advice, ...]:
    """Return what the table does next: the next deal of this round, or the next round."""
    if rounds and not game.is_complete(rounds[-1]):
        return _next_deal(game, rounds, players)
    if planned is not None and len(rounds) >= planned:
        return (
            Advice("finished", _("All {planned} rounds are played."), {}, {"planned": planned}),
        )
    state = game.state_after(rounds, players, planned)
    told = [
        Advice(
            "trump",
            _("Round {round}: {trump} are trump in the first deal."),
            {},
            {"round": state.number, "trump": state.trump},
        )
    ]
    if state.dealer:
        told.insert(0, Advice("dealer", _("{dealer} deals next."), {"dealer": state.dealer}))
    else:
        told.insert(0, Advice("draw_dealer", _("Whoever draws the lowest card deals first.")))
    return tuple(told)


def _next_deal(
    game: KankeiGame, rounds: Sequence[Round], players: Sequence[str]
) -> tuple[Advice, ...]:
    facts = rounds[-1]
    number = len(facts.deals) + 1
    told = [
        Advice("same_sides", _("Deal {deal} follows, same dealer and sides."), {}, {"deal": number})
    ]
    if number == game.parted_before:
        order = game.seats_after(rounds[:-1], players)
        move = game.seat_change(order, facts.kankei, facts.dealer)
        if move:
            told.append(seat_change_advice(move))
    return (*told, chooser_advice(game, number))


def chooser_advice(game: KankeiGame, number: int) -> Advice:
    """Return the sentence that tells who chooses the trump of a deal after the first."""
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
        {},
        {"card": game.key_card},
    )


def seat_change_advice(move: tuple[str, str]) -> Advice:
    """Return the sentence that tells two players to change places."""
    mover, other = move
    return Advice(
        "seat_change", _("{mover} changes places with {other}."), {"mover": mover, "other": other}
    )


def both_key_cards_advice(player: str, partner: str) -> Advice:
    """Return the sentence that tells one player with both key cards (二重関) their partner."""
    return Advice(
        "both_key_cards",
        _("If {player} holds both key cards, {partner} is the partner: the second to the right."),
        {"player": player, "partner": partner},
    )
