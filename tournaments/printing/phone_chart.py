"""The chart for a phone: narrow tables one below the other, with the same rows as on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import scoring
from scoring.charts import Cell, Heading, Label, Row, Section

MOST_COLUMNS = 3  # of one table, on a small phone


class Block(NamedTuple):
    """One narrow table, or the notes of a section without a table.

    `headings` distinguish the table from the others of its section. `group` is that of its columns.
    With `is_collapsed`, the table opens by a tap on its headings.
    """

    title: Label
    headings: tuple[Heading, ...] = ()
    columns: tuple[Heading, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[Label, ...] = ()
    group: str = ""
    is_collapsed: bool = False

    @property
    def has_points(self) -> bool:
        return any(isinstance(cell, Cell) for row in self.rows for cell in row.cells)


def blocks(rules: scoring.Rules) -> tuple[Block, ...]:
    """Return the points chart of these rules as tables that fit a phone."""
    return tuple(block for section in scoring.reference_chart(rules) for block in _blocks(section))


def trumps(rules: scoring.Rules, planned_rounds: int | None) -> tuple[str, ...]:
    """Return the trump of each planned round; empty without planned rounds or for other games."""
    trumps = (rules.game.trump(n, planned_rounds) for n in range(1, (planned_rounds or 0) + 1))
    return tuple(filter(None, trumps))


def _blocks(section: Section) -> Iterator[Block]:
    """Yield the narrow tables of a section: one for each column, row or group, or a single one.

    Examples show only the total, which is the last column. A single row without headings is turned
    into a column.
    """
    if section.code == "deals":
        yield from _block_per_column(section)
    elif section.code == "rounds":
        yield from _block_per_row(section)
    elif section.code == "examples":
        total = section.columns[-1:]
        yield _whole_block(
            section, total, [row._replace(cells=row.cells[-1:]) for row in section.rows]
        )
    elif len(section.rows) == 1 and not section.rows[0].headings:
        yield _whole_block(section, (), _rows_of_columns(section.columns, section.rows[0].cells))
    elif len(section.columns) > MOST_COLUMNS:
        yield from _block_per_group(section)
    else:
        yield _whole_block(section, section.columns, section.rows)


def _whole_block(section: Section, columns: Sequence[Heading], rows: Sequence[Row]) -> Block:
    return Block(section.title, columns=tuple(columns), rows=tuple(rows), notes=section.notes)


def _rows_of_columns(columns: Sequence[Heading], cells: Sequence[Cell | int | None]) -> list[Row]:
    """Return a row for each column, with its heading and its cell; empty columns are left out."""
    pairs = zip(columns, cells, strict=True)
    return [Row((column,), (cell,)) for column, cell in pairs if cell is not None]


def _block_per_column(section: Section) -> Iterator[Block]:
    """Yield a table for each column, with the rows that have a cell there."""
    for i, column in enumerate(section.columns):
        rows = [row._replace(cells=row.cells[i : i + 1]) for row in section.rows]
        filled = tuple(row for row in rows if row.cells[0] is not None)
        yield Block(section.title, headings=(column,), rows=filled)


def _block_per_row(section: Section) -> Iterator[Block]:
    """Yield a collapsed table for each row, with its columns below each other."""
    for row in section.rows:
        rows = tuple(_rows_of_columns(section.columns, row.cells))
        yield Block(section.title, headings=row.headings, rows=rows, is_collapsed=True)


def _block_per_group(section: Section) -> Iterator[Block]:
    numbered = list(enumerate(section.columns))
    for group, pairs in groupby(numbered, key=lambda pair: pair[1].group):
        indexes, columns = zip(*pairs, strict=True)
        rows = [row._replace(cells=tuple(row.cells[i] for i in indexes)) for row in section.rows]
        yield Block(section.title, columns=columns, rows=tuple(rows), group=group)
