"""Parsing numbers in requests, limited to what every database can store."""

from __future__ import annotations

MAX_NUMBER = 10**9


def parse_number(text: str) -> int | None:
    """Return the number that a text of at most nine digits shows; None for any other text.

    >>> parse_number("12"), parse_number("-1"), parse_number("x"), parse_number("9" * 30)
    (12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) < len(str(MAX_NUMBER)) else None
