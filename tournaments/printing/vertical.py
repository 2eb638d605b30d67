"""Texts in columns from top to bottom (縦書き), which WeasyPrint does not set.

Each sign is a line of its own, in the form that its font has for such columns. A number of two
digits stands upright; a word of narrow letters is turned by a right angle.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple

from tournaments.printing.names import ems, is_mark

LEADING = 1.14  # ems from one sign to the next
SPACE = 0.5
# Of the kinds of signs (`_kind`): what stands in one cell.
PART = re.compile(r"(?<!d)dd(?!d)|n[nmd]*|s+|[wd]m*|m")


class Cell(NamedTuple):
    """What stands in a column, with its height in ems."""

    text: str
    height: float
    is_turned: bool = False


class Column(NamedTuple):
    """Cells from top to bottom, in a size in points."""

    points: int
    cells: tuple[Cell, ...]


def columns(text: str, height: float, sizes: Mapping[int, int]) -> list[Column]:
    """Return a text in columns of a height in points, in the first size in which they are few.

    `sizes` has, by size in points, how many columns there may be, in the last size at least. A
    column may end after each cell.
    """
    for points, most in sizes.items():
        found = _wrapped(cells(text), height / points)
        if len(found) <= most:
            break
    return [Column(points, tuple(each)) for each in found]


def _wrapped(found: list[Cell], most: float) -> list[list[Cell]]:
    wrapped: list[list[Cell]] = [[]]
    for cell in found:
        if wrapped[-1] and sum(each.height for each in wrapped[-1]) + cell.height > most:
            wrapped.append([])
        if wrapped[-1] or cell.text:  # no column begins with a space
            wrapped[-1].append(cell)
    return wrapped


def cells(text: str) -> list[Cell]:
    """Return the cells of a text; the text of a space is empty.

    >>> [cell.text for cell in cells("第31回 Apple杯2026")]
    ['第', '31', '回', '', 'Apple', '杯', '2', '0', '2', '6']
    """
    kinds = "".join(map(_kind, text))
    return [_cell(text[part.start() : part.end()], part[0]) for part in PART.finditer(kinds)]


def _cell(text: str, kinds: str) -> Cell:
    match kinds[0]:
        case "s":
            return Cell("", SPACE)
        case "n":
            return Cell(text, ems(text) + 0.2, is_turned=True)
        case "d":
            return Cell(unicodedata.normalize("NFKC", text), LEADING)
    return Cell(text, LEADING)


def _kind(sign: str) -> str:
    """Return `m` for a mark of the sign before it, `s`pace, `d`igit, `w`ide or `n`arrow."""
    if is_mark(sign):
        return "m"
    if sign.isspace():
        return "s"
    if sign.isdecimal():
        return "d"
    return "w" if ems(sign) == 1 else "n"
