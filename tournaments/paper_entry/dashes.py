"""The characters that people type for a minus sign or a hyphen.

With Japanese input the minus key types the long vowel mark ー (U+30FC), which NFKC keeps.
"""

from __future__ import annotations

import unicodedata

DASHES = "-‐‑‒–—―−─━ー⁻"
HYPHENS = str.maketrans(dict.fromkeys(DASHES, "-"))


def narrow(text: str) -> str:
    """Return a text with wide characters made narrow and every dash a hyphen.

    >>> [narrow(text) for text in ("ー５", "ｰ5", "－5", "–5", "７ー１２")]
    ['-5', '-5', '-5', '-5', '7-12']
    """
    return unicodedata.normalize("NFKC", text).translate(HYPHENS)
