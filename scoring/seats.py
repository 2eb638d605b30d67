"""Seats of the face-card games: seat changes, the next dealer, partners by position.

Seats are listed anticlockwise, in the direction of play: seat i+1 is to the right of seat i. With
six players the dealer sits out of the round, and the two neighbours of the dealer sit side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

# With this many players the dealer of a round does not play.
DEALER_SITS_OUT_AT = 6


class SeatChange(NamedTuple):
    """Two players who change seats: a kankei player, and the player on the right."""

    mover: str
    other: str


def seat_change_of(
    seats: Sequence[str], kankei: Collection[str], sitting_out: str | None = None
) -> SeatChange | None:
    """Return who changes seats if the two kankei sit side by side, otherwise None.

    The kankei player on the right changes seats with the next player to the right (000: 右側に
    座っているプレイヤーがその右隣のプレイヤーと席を交替します).

    >>> seat_change_of("ABCDE", {"B", "C"})
    SeatChange(mover='C', other='D')
    >>> seat_change_of("ABCDEF", {"A", "E"}, sitting_out="F")
    SeatChange(mover='A', other='B')
    """
    playing = [player for player in seats if player != sitting_out]
    for player in playing:
        right = to_the_right(playing, player)
        if player in kankei and right in kankei:
            return SeatChange(mover=right, other=to_the_right(playing, right))
    return None


def swapped(seats: Sequence[str], first: str, second: str) -> tuple[str, ...]:
    """Return the seats after two players have changed seats.

    >>> swapped("ABCD", "B", "C")
    ('A', 'C', 'B', 'D')
    """
    replacements = {first: second, second: first}
    return tuple(replacements.get(player, player) for player in seats)


def to_the_right(seats: Sequence[str], player: str, steps: int = 1) -> str:
    """Return the player who sits `steps` seats to the right of a player.

    >>> to_the_right("ABCDEF", "F")
    'A'
    """
    return seats[(seats.index(player) + steps) % len(seats)]


def next_opener(seats: Sequence[str], due: str, next_seats: Sequence[str]) -> str | None:
    """Return who deals next when players have joined or left; None if nobody has stayed.

    `due` was the next dealer. That is now the player to the right of the last dealer. If the last
    dealer has left, and as many play as before, it is who sits on the seat whose turn it is.

    >>> next_opener("ABCDE", "D", "ABCXE")
    'X'
    >>> next_opener("ABCDE", "D", "ABXDE")
    'D'
    >>> next_opener("ABCDEF", "D", "ABEF")
    'E'
    """
    last_dealer = to_the_right(seats, due, steps=-1)
    if last_dealer in next_seats:
        return to_the_right(next_seats, last_dealer)
    if len(seats) == len(next_seats):
        return next_seats[seats.index(due)]
    following = (to_the_right(seats, due, steps) for steps in range(len(seats)))
    return next((player for player in following if player in next_seats), None)


def seats_going_on(
    seats: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> tuple[str, ...]:
    """Return the seats of who goes on at a table, now known to have been left as `after`.

    `seats` were taken when the table seemed to be left as `before`, by the same players. Who took a
    seat has it wherever it is now; who sat down beside a player sits there. Seats in which those
    who stay sit in another order than `before` were given by somebody, and are returned unchanged.

    >>> seats_going_on("ABXDE", "ABCDE", "CBADE")
    ('X', 'B', 'A', 'D', 'E')
    >>> seats_going_on("ABXCDE", "ABCDE", "CBADE")
    ('C', 'B', 'X', 'A', 'D', 'E')
    >>> seats_going_on("ABDE", "ABCDE", "CBADE")
    ('B', 'A', 'D', 'E')
    >>> seats_going_on("BACDE", "ABCDE", "CBADE")
    ('B', 'A', 'C', 'D', 'E')
    """
    if [each for each in before if each in seats] != [each for each in seats if each in before]:
        return tuple(seats)
    taken = {
        old: new
        for old, new in zip(before, seats, strict=False)
        if old not in seats and new not in before
    }
    following = [taken.get(player, player) for player in after]
    following = [player for player in following if player in seats]
    for position, player in enumerate(seats):
        if player not in following:
            right_of = following.index(seats[position - 1]) + 1 if position else 0
            following.insert(right_of, player)
    return tuple(following)


def partner_of_both_key_cards(
    seats: Sequence[str], player: str, sitting_out: str | None = None
) -> str:
    """Return the partner of a player who holds both key cards (二重関): the second to the right.

    Raises `ValueError` if the player is `sitting_out`.

    >>> partner_of_both_key_cards("ABCDEF", "E", sitting_out="A")
    'B'
    """
    playing = [seated for seated in seats if seated != sitting_out]
    return to_the_right(playing, player, steps=2)
