"""A table's PIN: drawn by lot, printed once, kept hashed."""

from __future__ import annotations

import secrets

from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

DIGITS = 6


class Hasher(PBKDF2PasswordHasher):
    """Django's hasher with fewer rounds: a hall's PINs are printed at once, and live for a day.

    Six digits are soon tried out by whoever holds the database, however slow each try; whoever
    does not is kept off by `guesses`.
    """

    iterations = 20_000


def drawn() -> str:
    """Return a PIN by lot."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def hashed(pin: str) -> str:
    """Return a PIN as it is kept."""
    return make_password(pin, hasher=Hasher())


def fits(pin: str, kept: str) -> bool:
    """Return whether this is the PIN that is kept so."""
    return Hasher().verify(pin, kept)
