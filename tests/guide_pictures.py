"""The pictures of the guides: where they are, and which words of the pages can be seen on them."""

from __future__ import annotations

from functools import cache

from babel.messages.pofile import read_po

from tests.serving import ROOT

FOLDER = ROOT / "static" / "img" / "guides"
CATALOGUES = ROOT / "tournaments" / "locale"
NAMES = {"ja": "ja", "en": "ja", "zh-hans": "zh_Hans"}  # English words are the ids of a catalogue


@cache
def words_of_pages(language: str) -> frozenset[str]:
    """Return every sentence of the pages in a language."""
    path = CATALOGUES / NAMES[language] / "LC_MESSAGES" / "django.po"
    with path.open("rb") as lines:
        messages = [each for each in read_po(lines) if each.id]
    texts = [each.id if language == "en" else each.string for each in messages]
    return frozenset(
        form for text in texts for form in ([text] if isinstance(text, str) else text or ())
    )
