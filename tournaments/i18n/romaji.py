"""Kana as romaji, so that a player is found by typing `narita`, `Shōji` or `syouzi`.

All usual spellings of a name are folded to the same letters; the beginning of a spelling is folded
to the beginning of these letters. Pages pass `PAGE_FOLDS` to their script, which folds typed text
as `fold` and `search_key` do.
"""

from __future__ import annotations

import json
import re
import unicodedata

from tournaments.models.name_variants import USUAL_FIRST
from tournaments.models.people import search_key

VOWELS = "aiueo"
ROWS = {
    "": "アイウエオ",
    "k": "カキクケコ",
    "s": "サシスセソ",
    "t": "タチツテト",
    "n": "ナニヌネノ",
    "h": "ハヒフヘホ",
    "m": "マミムメモ",
    "y": "ヤ ユ ヨ",
    "r": "ラリルレロ",
    "w": "ワヰ ヱヲ",
    "g": "ガギグゲゴ",
    "z": "ザジズゼゾ",
    "d": "ダヂヅデド",
    "b": "バビブベボ",
    "p": "パピプペポ",
}
SOUNDS = {
    kana: row + vowel
    for row, each in ROWS.items()
    for kana, vowel in zip(each, VOWELS, strict=True)
} | {"ヂ": "zi", "ヅ": "zu", "ヲ": "o", "ン": "n", "ヴ": "bu", "ッ": "", "ー": ""}
SMALL = dict(zip("ァィゥェォャュョ", ("a", "i", "u", "e", "o", "ya", "yu", "yo"), strict=True))
# Replaced in this order, in spellings of Hepburn and other systems.
FOLDS = (
    *(("ch", "t"), ("c", "t"), ("sh", "s"), ("sy", "s"), ("ts", "t"), ("ty", "t")),
    *(("j", "z"), ("zy", "z"), ("f", "h"), ("mb", "nb"), ("mp", "np"), ("ou", "o")),
)
PAGE_FOLDS = json.dumps({"romaji": FOLDS, "letters": " ".join(USUAL_FIRST)}, ensure_ascii=False)
LATIN = re.compile(r"[a-z][a-z'’ -]*")


def romaji_of(reading: str) -> str:
    """Return a reading in kana as folded romaji; empty if the reading has any other character.

    >>> romaji_of("なりた きよ"), romaji_of("ショウジ イッペイ"), romaji_of("大野")
    ('naritakiyo', 'sozipei', '')
    """
    letters = ""
    for kana in search_key(reading):
        if kana in SMALL:
            letters = letters.rstrip(VOWELS) + SMALL[kana]
        elif kana in SOUNDS:
            letters += SOUNDS[kana]
        else:
            return ""
    return fold(letters)


def fold(typed: str) -> str:
    """Return romaji of any spelling as folded romaji; empty for text that is not in Latin letters.

    >>> fold("Shōji Ippei"), fold("syouzi ipp"), fold("庄司")
    ('sozipei', 'sozip', '')
    """
    letters = unicodedata.normalize("NFKD", typed).casefold()
    letters = "".join(each for each in letters if not unicodedata.combining(each)).strip()
    if not LATIN.fullmatch(letters):
        return ""
    letters = re.sub(r"[^a-z]", "", letters)
    for spelling, folded in FOLDS:
        letters = letters.replace(spelling, folded)
    return re.sub(r"(.)\1+", r"\1", letters)
