"""The columns of a list of players: what their headings mean, and lines that name no player."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import get_language

from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.spreadsheets.workbooks import Formula

MOST_TITLES = 10  # lines above the heading
NUMBER = "number"  # a column of consecutive numbers, which is not read
NUMBER_HEADINGS = {"no", "no.", "#", "番号", "通し番号", "通番", "連番", "序号", "编号", "number"}
# A line of totals, in cells without spaces: its word, perhaps with a number, and numbers.
TOTAL = re.compile("(合計|総計|小計|計|以上|总计|合计|共计|小计|total)[:：]?([0-9]*)(名|人|位)?")
COUNT = re.compile("[0-9.]+(名|人|位)?")


class Row(NamedTuple):
    """A line of the file that is not empty."""

    line: int  # counted from 1
    cells: list[Any]


def field_with_heading(heading: Any) -> str:
    """Return the name of the field with this heading in any language, `NUMBER`, or "".

    >>> field_with_heading("選手名"), field_with_heading("Ｎｏ．"), field_with_heading("帽子")
    ('name', 'number', '')
    """
    normalised = _without_spaces(heading)
    if normalised in NUMBER_HEADINGS:
        return NUMBER
    return next((name for name, field in ENTRY_FIELDS.items() if normalised in field.headings), "")


def heading_of(field_name: str) -> str:
    """Return the heading of a field in the active language; English is the default."""
    language = get_language() or ""
    headings = ENTRY_FIELDS[field_name].headings  # English first, Japanese second, Chinese last
    return headings[{"ja": 1, "zh-hans": -1}.get(language, 0)]


def has_names(cells: Iterable[Any]) -> bool:
    """Return whether one of the cells is the heading of a column for names."""
    return "name" in map(field_with_heading, cells)


def heading_index(rows: Sequence[Row]) -> int:
    """Return the index of the heading: the first line with a column for names, or 0."""
    for index, row in enumerate(rows[: MOST_TITLES + 1]):
        if has_names(row.cells):
            return index
    return 0


def is_filled(cell: Any) -> bool:
    """Return whether there is more than white space in a cell."""
    return cell is not None and bool(str(cell).strip())


def is_total(row: Row) -> bool:
    """Return whether a line has a word for a total, and besides it only numbers and formulas.

    >>> is_total(Row(9, ["合　計", None, "34名"])), is_total(Row(9, ["計 太郎", 34]))
    (True, False)
    """
    cells = [
        _without_spaces(cell)
        for cell in row.cells
        if is_filled(cell) and not isinstance(cell, Formula)
    ]
    return any(map(TOTAL.fullmatch, cells)) and all(
        TOTAL.fullmatch(cell) or COUNT.fullmatch(cell) for cell in cells
    )


def text_of(row: Row) -> str:
    """Return what a line says, without its formulas."""
    return " ".join(
        str(cell) for cell in row.cells if is_filled(cell) and not isinstance(cell, Formula)
    )


def _without_spaces(cell: Any) -> str:
    return "".join(unicodedata.normalize("NFKC", str(cell or "")[:200]).lower().split())
