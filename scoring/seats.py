"""Seats of the face-card games: who changes places, who deals next.

Seats are listed to the right: the player in seat i+1 sits to the right of the player in seat i, as
play runs anticlockwise. With six the round's dealer sits out, and does not count as sitting
between.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

# With this many players the dealer of a round deals and keeps score, and sits out of the play.
DEALER_SITS_OUT_AT = 6


def neighbours_to_part(
    seats: Sequence[str], kankei: Collection[str], sitting_out: str | None = None
) -> tuple[str, str] | None:
    """Return who changes places with whom so that the kankei no longer sit side by side.

    The right-hand one of the two moves to the seat of the player on their right (000: 右側に座って
    いるプレイヤーがその右隣のプレイヤーと席を交替します). None when they do not sit side by side.

    >>> neighbours_to_part("ABCDE", {"B", "C"})
    ('C', 'D')
    >>> neighbours_to_part("ABCDEF", {"A", "E"}, sitting_out="F")
    ('A', 'B')
    """
    ring = [player for player in seats if player != sitting_out]
    for i, player in enumerate(ring):
        right, second = ring[(i + 1) % len(ring)], ring[(i + 2) % len(ring)]
        if player in kankei and right in kankei:
            return right, second
    return None


def swapped(seats: Sequence[str], one: str, other: str) -> tuple[str, ...]:
    """Return the seats after two players have changed places.

    >>> swapped("ABCD", "B", "C")
    ('A', 'C', 'B', 'D')
    """
    places = {one: other, other: one}
    return tuple(places.get(player, player) for player in seats)


def to_the_right(seats: Sequence[str], player: str, steps: int = 1) -> str:
    """Return who sits so many places to a player's right.

    >>> to_the_right("ABCDEF", "F")
    'A'
    """
    return seats[(seats.index(player) + steps) % len(seats)]


def partner_of_both_key_cards(
    seats: Sequence[str], player: str, sitting_out: str | None = None
) -> str:
    """Return the partner of one player holding both key cards (二重関): the second to the right.

    >>> partner_of_both_key_cards("ABCDEF", "E", sitting_out="A")
    'B'
    """
    return to_the_right([p for p in seats if p != sitting_out], player, 2)
