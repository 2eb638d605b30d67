"""The columns of a list of players: what their headings mean, and lines that name no player."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import get_language

from tournaments.models.entry_fields import ENTRY_FIELDS, PUBLIC_FIELDS
from tournaments.spreadsheets.workbooks import Formula

MOST_TITLES = 10  # lines above the heading
MOST_COLUMNS = 100
MOST_SAMPLES, LONGEST_SAMPLE = 3, 30  # cells of a column that the page shows, and their characters
NUMBER = "number"  # a column of consecutive numbers, which is not read
NUMBER_HEADINGS = {"no", "no.", "#", "番号", "通し番号", "通番", "連番", "序号", "编号", "number"}
# A line of totals, in cells without spaces: its word, perhaps with a number, and numbers.
TOTAL = re.compile("(合計|総計|小計|計|以上|总计|合计|共计|小计|total)[:：]?([0-9]*)(名|人|位)?")
COUNT = re.compile("[0-9.]+(名|人|位)?")
KANA = re.compile("[\u3041-\u309f\u30a0-\u30ff]+")
FEWEST_READINGS = 3  # cells in kana, without which a column may be of clubs or classes


class TooManyColumns(Exception):
    """There are more than `MOST_COLUMNS`."""


class Column(NamedTuple):
    """A column of a list.

    - `known`: the field that its heading names, `NUMBER`, or ""
    - `field`: the field that it is read as; "" if it is not read
    - `samples`: its first cells that are filled
    """

    heading: str
    known: str
    field: str
    samples: list[str]

    @property
    def is_empty(self) -> bool:
        return not self.heading.strip() and not self.samples


class Row(NamedTuple):
    """A line of the file that is not empty."""

    line: int  # counted from 1
    cells: list[Any]


def field_with_heading(heading: Any) -> str:
    """Return the name of the field with this heading in any language, `NUMBER`, or "".

    >>> field_with_heading("選手名"), field_with_heading("Ｎｏ．"), field_with_heading("帽子")
    ('name', 'number', '')
    """
    normalised = _normalised(heading)
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
    """Return the index of the heading: the first line with a column for names.

    Without one it is the line with most known headings, or else the first with several cells.
    """
    beginning = rows[: MOST_TITLES + 1]
    for index, row in enumerate(beginning):
        if has_names(row.cells):
            return index
    known = [sum(map(bool, map(field_with_heading, row.cells))) for row in beginning]
    if any(known):
        return known.index(max(known))
    wide = (index for index, row in enumerate(beginning) if sum(map(is_filled, row.cells)) > 1)
    return next(wide, 0)


def likely_field(heading: Any) -> str:
    """Return the field whose longest heading stands within an unknown one, or "".

    >>> likely_field("参加者氏名"), likely_field("携帯電話（緊急）"), likely_field("成田 キヨ")
    ('name', 'contact', '')
    """
    text = _normalised(heading)
    likely = [
        (len(each), name)
        for name, field in ENTRY_FIELDS.items()
        for each in field.headings
        if not each.isascii() and len(each) > 1 and each in text
    ]
    return max(likely, default=(0, ""))[1]


def headings_key(cells: Sequence[Any]) -> str:
    """Return what identifies a line of headings, however it is spaced: a digest.

    >>> headings_key(["氏 名", "ｸﾗｽ", None]) == headings_key(["氏名", "クラス"])
    True
    """
    headings = [_normalised(cell) for cell in cells[:MOST_COLUMNS]]
    while headings and not headings[-1]:
        headings.pop()
    return hashlib.sha256(json.dumps(headings).encode()).hexdigest()


def columns_of(
    heading: Row | None, lines: Sequence[Row], chosen: Mapping[int, str]
) -> list[Column]:
    """Return the columns of a list, without empty ones at the end.

    `chosen` has the field of a column by index, "" if it is not to be read; the others are read as
    the fields that their headings name, or are likely to mean. Without a heading columns have
    numbers, and the first are the public fields of a player, except that one before the readings
    may be likely to have them.
    """
    if heading is None:
        width = max((len(row.cells) for row in lines), default=0)
        cells: list[Any] = [str(number) for number in range(1, min(width, MOST_COLUMNS + 1) + 1)]
    else:
        cells = [*heading.cells]
        while cells and not is_filled(cells[-1]):
            cells.pop()
    if len(cells) > MOST_COLUMNS:
        raise TooManyColumns
    known = [field_with_heading(cell) for cell in cells]
    if heading is None:
        known = _fields_by_place(len(cells), lines)
    fields = [name if name in ENTRY_FIELDS else "" for name in known]
    for index, cell in enumerate(cells):
        if not known[index] and (likely := likely_field(cell)) not in fields:
            fields[index] = likely
    if heading is None and "reading" not in fields and "" in known[: len(PUBLIC_FIELDS)]:
        fields[known.index("")] = "reading"
    samples = _samples(len(cells), lines)
    return [
        Column(
            heading=str(cell or ""),
            known=name,
            field=chosen.get(index, fields[index]),
            samples=samples[index],
        )
        for index, (cell, name) in enumerate(zip(cells, known, strict=True))
    ]


def _samples(width: int, lines: Sequence[Row]) -> list[list[str]]:
    """Return the first filled cells of each column."""
    samples: list[list[str]] = [[] for _column in range(width)]
    for row in lines:
        for found, cell in zip(samples, row.cells, strict=False):
            if len(found) < MOST_SAMPLES and is_filled(cell):
                found.append(str(cell)[:LONGEST_SAMPLE])
    return samples


def _fields_by_place(width: int, lines: Sequence[Row]) -> list[str]:
    """Return the public fields in their order, "" for the others and in place of readings.

    Where nobody has a class, readings stand next to the clubs, or to the names.
    """
    fields = [*PUBLIC_FIELDS[:width], *[""] * (width - len(PUBLIC_FIELDS))]
    if "reading" not in fields:
        for index in range(1, width):
            if has_readings(row.cells[index] for row in lines if index < len(row.cells)):
                fields[index] = ""
                break
    return fields


def has_readings(cells: Iterable[Any]) -> bool:
    """Return whether cells are likely readings: all in kana, and hardly two the same.

    >>> has_readings(["ナリタ ショウイチ", "ｸﾄﾞｳ ﾊﾂ", "みかみ ただお"])
    True
    >>> has_readings(["シニア", "ジュニア", "シニア", "シニア"]), has_readings(["つがる", "ねぶた"])
    (False, False)
    """
    filled = [_normalised(cell) for cell in cells if is_filled(cell)]
    return (
        len(filled) >= FEWEST_READINGS
        and all(map(KANA.fullmatch, filled))
        and 2 * len({*filled}) > len(filled)
    )


def is_filled(cell: Any) -> bool:
    """Return whether there is more than white space in a cell."""
    return cell is not None and bool(str(cell).strip())


def is_total(row: Row) -> bool:
    """Return whether a line has a word for a total, and besides it only numbers and formulas.

    >>> is_total(Row(9, ["合　計", None, "34名"])), is_total(Row(9, ["計 太郎", 34]))
    (True, False)
    """
    cells = [
        _normalised(cell) for cell in row.cells if is_filled(cell) and not isinstance(cell, Formula)
    ]
    return any(map(TOTAL.fullmatch, cells)) and all(
        TOTAL.fullmatch(cell) or COUNT.fullmatch(cell) for cell in cells
    )


def text_of(row: Row) -> str:
    """Return the text of a line, without its formulas."""
    return " ".join(
        str(cell) for cell in row.cells if is_filled(cell) and not isinstance(cell, Formula)
    )


def _normalised(cell: Any) -> str:
    """Return the first 200 characters in NFKC and lower case, without white space."""
    return "".join(unicodedata.normalize("NFKC", str(cell or "")[:200]).lower().split())
