"""Schedules without repeats: transversal designs and affine planes from finite fields, and a code.

Over a field of q elements, the player of column x and row y sits in session m at table y + m·x.
Two players of different columns meet in exactly one of the q sessions, two of one column in none.
So k ≤ q columns give q sessions of q tables of k; with k = q the columns themselves are one more
session (the affine plane). Reference: Colbourn and Dinitz, Handbook of Combinatorial Designs,
III.3 (transversal designs) and VII.2 (affine planes).

A *cell* is one column and row: the player who has a cell has a table in every session.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from random import Random
from typing import NamedTuple

MOST_SESSIONS = 40  # of a design
ENOUGH_ROWS = 10  # of a difference matrix, after which no longer one is searched for
SEARCHES, TRIES = 400, 3_000  # searches, and values tried in each


class Design(NamedTuple):
    """Sessions in which no two cells share a table twice.

    ``sessions[s][cell]`` is the number of a table, from 0.
    """

    name: str
    sessions: tuple[tuple[int, ...], ...]


def prime_power(number: int) -> tuple[int, int] | None:
    """Return (p, n) with number = p**n and p prime; None if there are none.

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

    The digits of a number to the base `prime` are the coefficients of a polynomial. Polynomials are
    multiplied modulo one whose root x generates all elements but 0, so that a product is found by
    adding logarithms to the base x.
    """

    def __init__(self, prime: int, exponent: int) -> None:
        """Find a modulus with which the powers of x are all elements but 0, by trying all."""
        self.prime = prime
        self.order = int(prime**exponent)
        tried = (list(self._powers(modulus)) for modulus in range(self.order))
        self.powers = next(powers for powers in tried if len(powers) == self.order - 1)
        self.logarithms = {power: i for i, power in enumerate(self.powers)}

    def _powers(self, modulus: int) -> Iterator[int]:
        """Yield 1, x, x², … until a power repeats or is 0.

        For a field of primeⁿ elements, `modulus` is the element that xⁿ is equal to.
        """
        leading = self.order // self.prime  # the element xⁿ⁻¹
        power, seen = 1, set[int]()
        while power not in seen and power:
            seen.add(power)
            yield power
            top, rest = divmod(power, leading)
            power = rest * self.prime if leading > 1 else 0
            for _ in range(top):
                power = self.add(power, modulus)

    def add(self, left: int, right: int) -> int:
        """Add digit by digit modulo the prime, without carrying."""
        total, digit_value = 0, 1
        while left or right:
            total += (left + right) % self.prime * digit_value
            left, right, digit_value = (
                left // self.prime,
                right // self.prime,
                digit_value * self.prime,
            )
        return total

    def multiply(self, left: int, right: int) -> int:
        if not left or not right:
            return 0
        exponent = self.logarithms[left] + self.logarithms[right]
        return self.powers[exponent % (self.order - 1)]


@lru_cache(maxsize=16)
def design_for(tables: int, seats: int, players: int) -> Design | None:
    """Return the design with the most sessions known; None if it has fewer than 2 sessions.

    `seats` is the size of the largest table; `players` includes those who sit out. The same
    arguments give the same design, so that a later draw can continue it.

    >>> design_for(3, 3, 9).name, len(design_for(3, 3, 9).sessions)
    ('affine plane over GF(3)', 4)
    """
    if not 2 <= seats <= tables:
        return None
    if (tables, seats) == (6, 6) and players <= len(WORDS.split()):
        return Design("34 words of a code", tuple(zip(*_code_words(), strict=True)))
    power = prime_power(tables)
    name = f"transversal design over GF({tables})"
    if power:
        # With more players than seats, further columns have cells for those who sit out.
        columns = min(max(seats, -(-players // tables)), tables)
        sessions = _sessions_from_field(Field(*power), columns)
    else:
        name = f"difference matrix modulo {tables}"
        matrix = difference_matrix(tables, seats)
        sessions = [
            tuple((y + shift) % tables for shift in row for y in range(tables)) for row in matrix
        ]
    # Players of one column have not met: if a column fills whole tables, it is one more session.
    if tables % seats == 0 and len(sessions[0]) == tables * seats:
        name = f"affine plane over GF({tables})" if power and tables == seats else name
        sessions.append(
            tuple(x * tables // seats + y // seats for x in range(seats) for y in range(tables))
        )
    return Design(name, tuple(sessions)) if len(sessions) > 1 else None


def _sessions_from_field(field: Field, column_count: int) -> list[tuple[int, ...]]:
    """Return the tables by cell of each session m: y + m·x for column x and row y.

    There are as many sessions as the field has elements, but at most `MOST_SESSIONS`.
    """
    order = field.order
    # Column 0 comes last: its players sit at the same table in every session.
    columns = [(x + 1) % order for x in range(column_count)]
    return [
        tuple(field.add(y, field.multiply(slope, x)) for x in columns for y in range(order))
        for slope in range(min(order, MOST_SESSIONS))
    ]


def difference_matrix(tables: int, seats: int) -> list[list[int]]:
    """Return the rows of a matrix of numbers modulo `tables`, with a column for each seat.

    The difference between any two columns is different in every row. The player of column x and row
    y of a design sits in session m at table y + matrix[m][x]. Of a matrix of multiples, and several
    found by a search, the longest is returned.
    """
    most_rows = min(tables, MOST_SESSIONS)
    multiples = [[row * (x + 1) % tables for x in range(seats)] for row in range(most_rows)]
    # Row m repeats the differences of row 0 if m times a difference of two columns is 0.
    legal_rows = next(
        row
        for row in count(1)
        if row == most_rows or any(row * x % tables == 0 for x in range(seats)[1:])
    )
    best = multiples[:legal_rows]
    for seed in range(SEARCHES):
        if len(best) >= min(most_rows, ENOUGH_ROWS):
            break
        best = max(best, _RowSearch(tables, seats, most_rows, seed).run(), key=len)
    return best


class _RowSearch:
    """Searches the rows of a difference matrix one by one, and tries at most `TRIES` values.

    The same seed finds the same rows.
    """

    def __init__(self, tables: int, seats: int, most_rows: int, seed: int) -> None:
        self.tables, self.seats, self.most_rows = tables, seats, most_rows
        self.rng = Random(seed)  # noqa: S311  the same matrix every time
        self.tries = TRIES
        self.used: set[tuple[int, int, int]] = set()  # two columns and their difference

    def run(self) -> list[list[int]]:
        """Return the rows that were found before the tries ended, at most `most_rows`."""
        rows: list[list[int]] = []
        while len(rows) < self.most_rows and (row := self._complete([0])):
            self.used.update(self._differences(row))
            rows.append(row)
        return rows

    def _differences(self, row: list[int]) -> list[tuple[int, int, int]]:
        """Return (i, j, difference in this row) for each two columns i < j."""
        return [(i, j, (row[j] - row[i]) % self.tables) for j in range(len(row)) for i in range(j)]

    def _complete(self, row: list[int]) -> list[int] | None:
        """Return the row with values for all columns, by backtracking; `used` is unchanged.

        Each new value makes differences that no row has used. None if there are no such values,
        or no tries left.
        """
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
                complete := self._complete(longer)
            ):
                return complete
        return None


# 34 words of 4 letters from 6, two of which agree in one letter at most: the most there can be, as
# Euler's 36 officers cannot be arranged. One word a player, one letter a session. No word has more
# than two of the letters 4 and 5, whose tables are the small ones: `docs/draws.md` on fairness.
WORDS = """
    0014 0102 0243 0335 0420 0551 1053 1144 1232 1310 1401 1525
    2040 2155 2221 2303 2434 2512 3005 3111 3250 3324 3442 3533
    4022 4130 4204 4341 4413 5031 5123 5215 5352 5500
"""


def _code_words() -> list[list[int]]:
    """Return, for each cell, its tables by session: the letters of its word."""
    return [[int(letter) for letter in word] for word in WORDS.split()]
