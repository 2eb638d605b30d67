"""Names in the narrow columns of a score sheet: all of a sheet in one size, in whole words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

# A word of a name, with what it may end with at the end of a line.
WORD = re.compile(r"[^\s・·‐–-]*[・·‐–-]+|[^\s・·‐–-]+|\s+")
WIDE_LETTERS = frozenset("mwMW@%ЖжМмШшЩщЮюЫыФф")


class NameSize(NamedTuple):
    """The size of the names on a sheet: a CSS class, and the lines that fit, with their width."""

    css: str
    ems: float
    lines: int


NARROW = "is-narrow"
# The CSS classes, with the width of an em in points and the lines that fit. Letters of the last one
# are as high as those of the one before.
SIZES = (
    ("", 12, 2),
    ("is-medium", 10, 2),
    ("is-long", 8.6, 3),
    ("is-longest", 7, 4),
    (NARROW, 7 * 0.72, 4),
)


@lru_cache(64)  # asked for each seat of a sheet
def size_for(names: tuple[str, ...], width: float) -> NameSize:
    """Return the largest size in which all names fit a width in points.

    Only words too long for the narrowest size are broken.
    """
    *sizes, last = [NameSize(css, width / points, lines) for css, points, lines in SIZES]
    return next(
        (size for size in sizes if all(_fits(name, size, last.ems) for name in names)), last
    )


def own_size(name: str, size: NameSize) -> NameSize:
    """Return the size of one name on a sheet of this size: narrow letters only if it needs them."""
    if size.css != NARROW:
        return size
    wide = NameSize(*SIZES[-2])._replace(ems=size.ems * SIZES[-1][1] / SIZES[-2][1])
    return wide if _fits(name, wide, size.ems) else size


def _fits(name: str, size: NameSize, most: float) -> bool:
    """Return whether a name fits without a broken word but those wider than `most`."""
    widths = map(ems, WORD.findall(name))
    return all(width <= size.ems or width > most for width in widths) and (
        sum(1 for _line in _lines(name, size)) <= size.lines
    )


def lines_of(name: str, size: NameSize) -> list[str]:
    """Return the lines of a name. What is left of an endless name is shown as “…”.

    >>> lines_of("Екатерина Вознесенская-Достоевская", NameSize("is-long", 9, 3))
    ['Екатерина', 'Вознесенская-', 'Достоевская']
    >>> lines_of("勅使河原 健太郎之介", NameSize("", 10, 2))
    ['勅使河原 健太郎之介']
    >>> lines_of("勅使河原 健太郎之介", NameSize("", 9, 2))
    ['勅使河原', '健太郎之介']
    """
    lines = list(_lines(name, size))
    if len(lines) > size.lines:
        lines[size.lines - 1 :] = [lines[size.lines - 1][:-1] + "…"]
    return lines


def _lines(name: str, size: NameSize) -> Iterator[str]:
    """Yield the lines of a name, each with as many words as fit; longer words are broken."""
    line = ""
    for word in WORD.findall(name):
        if line and ems((line + word).rstrip()) > size.ems:
            yield line.rstrip()
            line = ""
        for part in _parts(word, size.ems):
            if line and len(part) < len(word):
                yield line.rstrip()
                line = ""
            line += part
        line = line.lstrip()
    if line:
        yield line.rstrip()


def _parts(word: str, most: float) -> Iterator[str]:
    """Yield a word, in several parts if it is wider than a line; no part begins with an accent."""
    part = ""
    for sign in word:
        if part and ems(part + sign) > most and not is_mark(sign):
            yield part
            part = ""
        part += sign
    yield part


def ems(text: str) -> float:
    """Return the approximate width of a text in ems, rather too much than too little."""
    return sum(map(_ems, text))


def is_mark(sign: str) -> bool:
    """Return whether a character is drawn with the one before it: an accent, a variant."""
    return unicodedata.category(sign) in {"Mn", "Me", "Cf"}


@cache
def _ems(sign: str) -> float:
    if is_mark(sign):
        return 0.0
    width = unicodedata.east_asian_width(sign)
    if width in "WF" or (width == "A" and not sign.isalpha()):  # ambiguous are “①”, “…”, also “é”
        return 1.0
    if sign in WIDE_LETTERS:
        return 0.94
    return 0.72 if sign.isupper() else 0.58
