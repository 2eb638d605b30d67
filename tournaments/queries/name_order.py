"""The order of names in lists that people look themselves up in, and the headings of such lists."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right

from django.utils.translation import get_language

from tournaments.models import Entry
from tournaments.models.people import search_key

# The headings of a Japanese list of names, each after the first kana under it.
KANA_ROWS = tuple(zip("アカサタナハマヤラワ", "あかさたなはまやらわ", strict=True))
SMALL_KANA = dict(zip("ァィゥェォッャュョヮヵヶ", "アイウエオツヤユヨワカケ", strict=True))
# In other languages than Japanese, names in Latin letters stand before kana.
LATIN, LATIN_AFTER_KANA, NO_READING = -1, len(KANA_ROWS), len(KANA_ROWS) + 1


def reading_order(entry: Entry) -> tuple[int, str, str]:
    """Return the key by which lists of players are sorted: the reading, or else the name.

    Kana stand in the order of the syllabary, voiced and small ones beside the others. Kanji
    without a reading come last, in the order of JIS, in which spreadsheets sort them, too: by the
    usual Chinese reading of each character. In Chinese they stand in the order of pinyin, which is
    that of the common characters in GB 18030.

    >>> from django.utils.translation import override
    >>> entries = [Entry(name=name) for name in ("何平", "周涛", "王建国", "陈静")]
    >>> with override("zh-hans"):
    ...     [entry.name for entry in sorted(entries, key=reading_order)]
    ['陈静', '何平', '王建国', '周涛']
    >>> entries = [Entry(name=name) for name in ("今", "Lee", "佐藤", "かわ", "一戸", "がもう")]
    >>> with override("ja"):
    ...     [entry.name for entry in sorted(entries, key=reading_order)]
    ['がもう', 'かわ', 'Lee', '一戸', '今', '佐藤']
    """
    key = search_key(entry.reading or entry.name)
    row = _row_of(key)
    if row == NO_READING:
        return row, _without_reading(key), key
    letters = (SMALL_KANA.get(each, each) for each in unicodedata.normalize("NFD", key))
    return row, "".join(each for each in letters if not unicodedata.combining(each)), key


def initial_of(entry: Entry) -> str:
    """Return the heading under which a name stands in a list: か, K; empty without a reading.

    >>> from django.utils.translation import override
    >>> with override("ja"):
    ...     [initial_of(Entry(name=name)) for name in ("がもう", "Lee", "今")]
    ['か', 'A–Z', '']
    >>> with override("en"):
    ...     initial_of(Entry(name="Lee"))
    'L'
    """
    row, letters, _key = reading_order(entry)
    if row == LATIN:
        return letters[0].upper()
    if row == LATIN_AFTER_KANA:
        return "A–Z"
    return "" if row == NO_READING else KANA_ROWS[row][1]


def _row_of(key: str) -> int:
    """Return the place of a name's first letter among the headings of a list."""
    first = unicodedata.normalize("NFD", key)[:1]
    if "a" <= first <= "z":
        return LATIN_AFTER_KANA if get_language() == "ja" else LATIN
    first = SMALL_KANA.get(first, first)
    if "ア" <= first <= "ン":
        return bisect_right(KANA_ROWS, (first, "ん")) - 1
    return NO_READING


def _without_reading(key: str) -> str:
    """Return the key of a name in kanji; what the standard lacks comes last."""
    encoding = "gb18030" if get_language() == "zh-hans" else "euc_jis_2004"
    return "".join(
        each.encode(encoding, "replace").replace(b"?", b"\xff").decode("latin-1") for each in key
    )
