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
from random import Random
from typing import NamedTuple

MOST_PLANNED = 40  # sessions
ENOUGH_ROWS = 10  # sessions for which no longer matrix is searched for
SEARCHES, TRIES = 400, 3_000


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
def design_for(tables: int, seats: int, players: int) -> Design | None:
    """Return the longest design known for so many tables and seats; None for fewer than 2 sessions.

    It depends on nothing else, so that sessions can be drawn one after the other.

    >>> design_for(3, 3, 9).name, len(design_for(3, 3, 9).sessions)
    ('affine plane over GF(3)', 4)
    """
    if not 2 <= seats <= tables:
        return None
    if (tables, seats) == (6, 6) and players <= len(WORDS.split()):
        return Design("34 words of a code", tuple(zip(*_words(), strict=True)))
    power = prime_power(tables)
    name = f"transversal design over GF({tables})"
    if power:
        columns = min(max(seats, -(-players // tables)), tables)  # also for some who sit out
        played = _from_field(Field(*power), columns)
    else:
        name = f"difference matrix modulo {tables}"
        matrix = difference_matrix(tables, seats)
        played = [
            tuple((y + shift) % tables for shift in row for y in range(tables)) for row in matrix
        ]
    if tables % seats == 0 and len(played[0]) == tables * seats:  # a column fills whole tables
        name = f"affine plane over GF({tables})" if power and tables == seats else name
        played.append(
            tuple(x * tables // seats + y // seats for x in range(seats) for y in range(tables))
        )
    return Design(name, tuple(played)) if len(played) > 1 else None


def _from_field(field: Field, width: int) -> list[tuple[int, ...]]:
    """Return as many sessions as the field has elements, but at most `MOST_PLANNED`."""
    order = field.order
    columns = [(x + 1) % order for x in range(width)]  # that of 0 never changes tables: the last
    return [
        tuple(field.add(y, field.multiply(slope, x)) for x in columns for y in range(order))
        for slope in range(min(order, MOST_PLANNED))
    ]


def difference_matrix(tables: int, seats: int) -> list[list[int]]:
    """Return rows of numbers modulo `tables`, the differences of any two columns all different.

    The player of column x and row y sits in session m at table y + matrix[m][x]. Multiples give as
    many rows as there are differences of products other than 0; a search may give more.
    """
    most = min(tables, MOST_PLANNED)
    multiples = [[row * (x + 1) % tables for x in range(seats)] for row in range(most)]
    sessions = next(
        row
        for row in count(1)
        if row == most or any(row * x % tables == 0 for x in range(seats)[1:])
    )
    best = multiples[:sessions]
    for seed in range(SEARCHES):
        if len(best) >= min(most, ENOUGH_ROWS):
            break
        best = max(best, _RowSearch(tables, seats, most, seed).run(), key=len)
    return best


class _RowSearch:
    """Looks for the rows of a difference matrix one by one, with a fixed seed and few tries."""

    def __init__(self, tables: int, seats: int, most: int, seed: int) -> None:
        self.tables, self.seats, self.most = tables, seats, most
        self.rng = Random(seed)  # noqa: S311  the same matrix every time
        self.tries = TRIES
        self.used: set[tuple[int, int, int]] = set()  # two columns and their difference

    def run(self) -> list[list[int]]:
        """Return as many rows as could be found."""
        rows: list[list[int]] = []
        while len(rows) < self.most and (row := self._extended([0])):
            self.used.update(self._differences(row))
            rows.append(row)
        return rows

    def _differences(self, row: list[int]) -> list[tuple[int, int, int]]:
        return [(i, j, (row[j] - row[i]) % self.tables) for j in range(len(row)) for i in range(j)]

    def _extended(self, row: list[int]) -> list[int] | None:
        """Return the row completed to all columns, or None."""
        if len(row) == self.seats:
            return row
        values = list(range(self.tables))
        self.rng.shuffle(values)
        for value in values:
            self.tries -= 1
            if self.tries < 0:
                return None
            longer, j = [*row, value], len(row)
            if not any((i, j, (value - row[i]) % self.tables) in self.used for i in range(j)) and (
                done := self._extended(longer)
            ):
                return done
        return None


# 34 words of 4 letters from 6, two of which agree in one place at most: the most there can be, as
# Euler's 36 officers cannot be arranged. One word a player, one letter a session. No word has more
# than two of the letters 4 and 5, whose tables are the small ones: `docs/draws.md` on fairness.
WORDS = """
    0014 0102 0243 0335 0420 0551 1053 1144 1232 1310 1401 1525
    2040 2155 2221 2303 2434 2512 3005 3111 3250 3324 3442 3533
    4022 4130 4204 4341 4413 5031 5123 5215 5352 5500
"""


def _words() -> list[list[int]]:
    return [[int(letter) for letter in word] for word in WORDS.split()]
