"""The rows of a sheet in Excel's XML, with the values that its formulas come to.

openpyxl writes everything else of a workbook. It takes several times as long for a cell, and writes
no value of a formula, without which programs that do not calculate show nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import escape

from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel

from tournaments.tables.columns import Column, PointsColumn, Total

MAX_TEXT_LENGTH = 32_767  # characters of a cell in Excel

# Excel would read a text that starts with one of these as a formula once the cell is edited.
FORMULA_STARTS = ("=", "+", "-", "@")

# Characters that XML cannot contain, and texts that look like Excel's escapes for them.
UNWRITABLE = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")

Styles = Mapping[str, int]  # the number of each style of cells in the workbook, by its name


def sheet_data(
    rows: Sequence[Sequence[Any]],
    columns: Mapping[str, Column],
    styles: Styles,
    heights: Mapping[int, float],
) -> str:
    """Return the rows of a sheet, the first one with the labels; empty cells are left out.

    `columns` have their names as keys; `heights` are those of higher rows, by number.
    """
    letters = {name: get_column_letter(number) for number, name in enumerate(columns, 1)}
    points = [isinstance(column, PointsColumn) for column in columns.values()]
    labels = zip(letters.values(), map(with_line_break, rows[0]), strict=True)
    written = [
        _row(1, heights, (_text(letter, 1, styles["label"], text) for letter, text in labels))
    ]
    for number, row in enumerate(rows[1:], 2):
        written.append(_row(number, heights, _cells(number, row, letters, points, styles)))
    return "".join(written)


def _row(number: int, heights: Mapping[int, float], cells: Iterator[str]) -> str:
    height = f' ht="{heights[number]}" customHeight="1"' if number in heights else ""
    return f'<row r="{number}"{height}>{"".join(cells)}</row>'


def _cells(
    number: int,
    row: Sequence[Any],
    letters: Mapping[str, str],
    points: Sequence[bool],
    styles: Styles,
) -> Iterator[str]:
    """Yield the cells of a row that are not empty; `points` says which columns have points."""
    for letter, value, is_points in zip(letters.values(), row, points, strict=True):
        if value is None or value == "":
            continue
        style = styles[_style_of(value, is_points=is_points)]
        if isinstance(value, str):
            yield _text(letter, number, style, value)
        else:
            formula = _formula(value, letters, number) if isinstance(value, Total) else ""
            if isinstance(value, date):
                value = to_excel(value)  # type: ignore[no-untyped-call]  # noqa: PLW2901
            yield f'<c r="{letter}{number}" s="{style}">{formula}<v>{value}</v></c>'


def _style_of(value: Any, *, is_points: bool) -> str:
    """Return the name of the style for a value; `is_points` if its column has points."""
    if isinstance(value, str):
        return "quoted" if value.startswith(FORMULA_STARTS) else "text"
    if isinstance(value, datetime):
        return "time"
    if isinstance(value, date):
        return "date"
    if isinstance(value, float):
        return "decimal"
    return "points" if is_points else "number"


def _text(letter: str, row: int, style: int, text: str) -> str:
    """Return a cell with a text, which is no formula however it starts."""
    return f'<c r="{letter}{row}" s="{style}" t="inlineStr">{_inline(text)}</c>'


@lru_cache(10_000)  # names and suits repeat
def _inline(text: str) -> str:
    content = escape(writable(text)[:MAX_TEXT_LENGTH])
    return f'<is><t xml:space="preserve">{content}</t></is>'


def _formula(total: Total, letters: Mapping[str, str], row: int) -> str:
    ranges = (f"{letters[first]}{row}:{letters[last]}{row}" for first, last in total.parts)
    return f"<f>SUM({','.join(ranges)})</f>"


def with_line_break(label: str) -> str:
    r"""Return a column's label with a line break instead of its only space if it is Japanese.

    Without the break, Excel breaks such a label inside a word.

    >>> with_line_break("第1回戦 第2役"), with_line_break("Session 1 Round 2")
    ('第1回戦\n第2役', 'Session 1 Round 2')
    """
    is_wide = any(unicodedata.east_asian_width(sign) in "WF" for sign in label)
    return label.replace(" ", "\n") if is_wide and label.count(" ") == 1 else label


def writable(text: str) -> str:
    r"""Return a text with Excel's escapes for characters that XML cannot contain.

    >>> writable("a\x01b _x0041_ 𠮷")
    'a_x0001_b _x005F_x0041_ 𠮷'
    """
    return UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
