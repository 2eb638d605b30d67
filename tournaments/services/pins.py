"""Table PINs: six random digits, shown once and stored hashed."""

from __future__ import annotations

import secrets
from functools import cache
from typing import NamedTuple

from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password

DIGITS = 6


class Hasher(PBKDF2PasswordHasher):
    """Django's PBKDF2 hasher with fewer iterations, because a hall's PINs are all made at once.

    More iterations would not help: anybody with the database can try all six-digit PINs, and all
    other guessers are rate limited by `services.guesses`.
    """

    iterations = 20_000


class Pin(NamedTuple):
    """A PIN, `plain` to be shown once and `hashed` to be stored."""

    plain: str
    hashed: str


def generate_pin() -> Pin:
    """Return a random PIN. Hashing takes 5 ms: call it before taking a lock."""
    plain = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    return Pin(plain, make_password(plain, hasher=Hasher()))


@cache
def dummy_hash() -> str:
    """Return a hash to compare a typed PIN with if a table has none, for constant time. Cached."""
    return generate_pin().hashed


def matches(pin: str, hashed: str) -> bool:
    """Return whether a typed PIN is the hashed one; takes 5 ms in either case."""
    return Hasher().verify(pin, hashed)
