"""A table's PIN: drawn by lot, printed once, kept hashed."""

from __future__ import annotations

import secrets
from functools import cache
from typing import NamedTuple

from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

DIGITS = 6


class Hasher(PBKDF2PasswordHasher):
    """Django's hasher with fewer rounds: a hall's PINs are printed at once, and live for a day.

    Six digits are soon tried out by whoever holds the database, however slow each try; whoever
    does not is kept off by `guesses`.
    """

    iterations = 20_000


class Pin(NamedTuple):
    """A PIN, to be told once, and as it is `kept`: hashed."""

    told: str
    kept: str


def draw() -> Pin:
    """Return a PIN by lot. Hashing takes its time: draw before anybody has to wait for it."""
    told = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    return Pin(told, make_password(told, hasher=Hasher()))


@cache
def of_nothing() -> str:
    """Return what is hashed where there is no PIN, so that it takes as long as with one."""
    return draw().kept


def fits(pin: str, kept: str) -> bool:
    """Return whether this is the PIN that is kept so."""
    return Hasher().verify(pin, kept)
