"""Whether names of players and accounts can be read, and distinguished from others.

Players' names may be anything that can be seen. Names of accounts may in addition not resemble one
that exists. Of Unicode's confusables only the letters count that look like Latin ones in every
font, since a name may not mix alphabets anyway.
"""

from __future__ import annotations

import unicodedata

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol without any ink
UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})  # Unicode categories
# Characters after which neighbouring text runs the other way, until it is ended.
TURNING = ("\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068")
ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})
LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеоѕіјрсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο",
    "ABESIJKMHOPCTYXaeosijpcyxABEZHIKMNOPTYXo",
)


def is_readable(name: str) -> bool:
    r"""Return whether something of a name can be seen, and nothing at its start turns it around.

    >>> is_readable("成田"), is_readable("\N{ZERO WIDTH SPACE}")
    (True, False)
    """
    is_seen = any(
        unicodedata.category(letter) not in UNSEEN and letter not in BLANK for letter in name
    )
    return is_seen and not name.lstrip().startswith(TURNING)


def mixes_alphabets(name: str) -> bool:
    r"""Return whether a name has letters of several alphabets of similar letters.

    >>> mixes_alphabets("dirB"), mixes_alphabets("dir\N{CYRILLIC CAPITAL LETTER VE}")
    (False, True)
    """
    words = {unicodedata.name(letter, "").partition(" ")[0] for letter in name}
    return len(words & ALPHABETS) > 1


def resembling_key(name: str) -> str:
    """Return a key that names have in common which look alike, but for capitals.

    >>> resembling_key("DIRB") == resembling_key("dirb")
    True
    """
    return unicodedata.normalize("NFKC", name).translate(LOOKALIKES).casefold()
