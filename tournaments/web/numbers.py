"""Numbers as people and programs send them: no larger than every database takes."""

from __future__ import annotations

HIGHEST = 10**9


def number_named(text: str) -> int | None:
    """Return the number that a text names, None where it names none that there can be.

    >>> number_named("12"), number_named("-1"), number_named("x"), number_named("9" * 30)
    (12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) < len(str(HIGHEST)) else None
