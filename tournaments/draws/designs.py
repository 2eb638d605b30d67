"""Schedules without repeats: transversal designs and affine planes from finite fields, and a code.

Over a field of q elements, the player of column x and row y sits in session m at table y + m·x.
Two players of different columns meet in exactly one of the q sessions, two of one column in none.
So k ≤ q columns give q sessions of q tables of k; with k = q the columns themselves are one more
session (the affine plane). Reference: Colbourn and Dinitz, Handbook of Combinatorial Designs,
III.3 (transversal designs) and VII.2 (affine planes).

A *cell* is the place of one player in a design: who has it is seated in every session.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import NamedTuple


class Design(NamedTuple):
    """Sessions in which no two cells share a table twice: ``sessions[s][cell]`` is a table."""

    name: str
    sessions: tuple[tuple[int, ...], ...]


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, n) with number = p**n and p prime, or None.

    >>> prime_power(27), prime_power(7), prime_power(12), prime_power(1)
    ((3, 3), (7, 1), None, None)
    """
    prime = next((p for p in range(2, number + 1) if number % p == 0), 0)
    exponent, rest = 0, number
    while prime and rest % prime == 0:
        rest //= prime
        exponent += 1
    return (prime, exponent) if prime and rest == 1 else None


class Field:
    """The finite field of prime**exponent elements, which are numbered from 0.

    The digits of a number to the base `prime` are the coefficients of a polynomial, modulo one
    whose root generates all elements but 0; so products are sums of logarithms.
    """

    def __init__(self, prime: int, exponent: int) -> None:
        """Find such a polynomial by trying all, in order."""
        self.prime = prime
        self.order = int(prime**exponent)
        for modulus in range(self.order):
            self.powers = list(self._powers(modulus))
            if len(self.powers) == self.order - 1:
                break
        self.logarithms = {power: i for i, power in enumerate(self.powers)}

    def _powers(self, modulus: int) -> Iterator[int]:
        """Yield 1, x, x², … until one returns. `modulus`: xⁿ, with its sign changed."""
        leading, power, seen = self.order // self.prime, 1, set[int]()
        while power not in seen and power:
            seen.add(power)
            yield power
            top, rest = divmod(power, leading)
            power = rest * self.prime if leading > 1 else 0
            for _ in range(top):
                power = self.add(power, modulus)

    def add(self, left: int, right: int) -> int:
        """Return the sum: digit by digit, without carrying."""
        total, place = 0, 1
        while left or right:
            total += (left + right) % self.prime * place
            left, right, place = left // self.prime, right // self.prime, place * self.prime
        return total

    def multiply(self, left: int, right: int) -> int:
        """Return the product."""
        if not left or not right:
            return 0
        exponent = self.logarithms[left] + self.logarithms[right]
        return self.powers[exponent % (self.order - 1)]


@lru_cache(maxsize=16)
def design_for(tables: int, seats: int, sessions: int) -> Design | None:
    """Return a design with as many of the sessions as one is known for; None for fewer than two.

    >>> design_for(3, 3, 4).name, len(design_for(3, 3, 9).sessions)
    ('affine plane over GF(3)', 4)
    """
    if seats < 2:
        return None
    if (tables, seats) == (6, 6) and sessions == 4:
        return Design("34 words of a code", tuple(zip(*_words(), strict=True)))
    power = prime_power(tables)
    if power is None or seats > tables:
        return _cyclic_design(tables, seats, sessions)
    return _field_design(Field(*power), seats, sessions)


def _field_design(field: Field, seats: int, sessions: int) -> Design:
    """Return up to as many sessions as the field has elements, with full columns one more."""
    order = field.order
    columns = [(x + 1) % order for x in range(seats)]  # that of 0 never changes tables: the last
    played = [
        tuple(field.add(y, field.multiply(slope, x)) for x in columns for y in range(order))
        for slope in range(min(sessions, order))
    ]
    if sessions <= order or seats < order:
        return Design(f"transversal design over GF({order})", tuple(played))
    return Design(
        f"affine plane over GF({order})", (*played, tuple(x for x in columns for _ in columns))
    )


def _cyclic_design(tables: int, seats: int, sessions: int) -> Design | None:
    """Return sessions by numbers modulo `tables`: as long as no product of differences is 0."""
    most = next(
        s for s in count(1) if s == sessions or any(s * x % tables == 0 for x in range(1, seats))
    )
    if most < 2:
        return None
    played = (
        tuple((y + s * (x + 1)) % tables for x in range(seats) for y in range(tables))
        for s in range(most)
    )
    return Design(f"transversal design modulo {tables}", tuple(played))


# 34 words of 4 letters from 6, two of which agree in one place at most: the most there can be, as
# Euler's 36 officers cannot be arranged. One word a player, one letter a session.
WORDS = """
    0035 0100 0252 0314 0441 0523 1043 1115 1234 1321 1402 1550
    2004 2122 2240 2355 2433 2511 3051 3144 3225 3303 3410 3532
    4012 4153 4201 4330 4424 5020 5131 5213 5342 5505
"""


def _words() -> list[list[int]]:
    return [[int(letter) for letter in word] for word in WORDS.split()]
