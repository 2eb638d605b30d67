"""Whether what is typed finds a player; `player-search.js` has the same rule."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.i18n import romaji
from tournaments.models.people import search_key

# Of a player's number, the text that is searched and the reading as folded romaji.
Finder = Callable[[str, str, str], bool]


def finder_of(typed: str) -> Finder:
    """Return a function that tells whether the typed text finds a player.

    Digits are compared with the beginning of the number, other texts with the text and the romaji.

    >>> finds = finder_of("Narita")
    >>> finds("7", "成田 キヨ", "naritakiyo"), finds("8", "工藤 正", "")
    (True, False)
    """
    key, folded = search_key(typed), romaji.fold(typed)
    if key.isdecimal():
        return lambda number, _text, _romaji: number.startswith(key)
    return lambda _number, text, reading: (
        key in search_key(text) or bool(folded and folded in reading)
    )
