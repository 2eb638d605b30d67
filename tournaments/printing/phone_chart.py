"""The chart for a phone: narrow tables one below the other, of the same rows as on paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import scoring
from scoring.charts import Cell, Heading, Label, Row, Section
from scoring.kankei import KankeiGame

MOST_COLUMNS = 3  # of one table, on a small phone


class Block(NamedTuple):
    """One narrow table, or the sentences of a section.

    `group` is that of its columns; `is_folded`: one of many, which is opened by a tap.
    """

    title: Label
    headings: tuple[Heading, ...] = ()  # what tells this table from others of its section
    columns: tuple[Heading, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[Label, ...] = ()
    group: str = ""
    is_folded: bool = False

    @property
    def has_points(self) -> bool:
        """Return whether its cells are points, and not counts of cards."""
        return any(isinstance(cell, Cell) for row in self.rows for cell in row.cells)


def blocks(rules: scoring.Rules) -> tuple[Block, ...]:
    """Return a rule set's chart as tables that fit a phone."""
    return tuple(block for section in scoring.reference_chart(rules) for block in _blocks(section))


def trumps(rules: scoring.Rules, planned: int | None) -> tuple[str, ...]:
    """Return the trump of each round planned, where the rules fix it."""
    game = rules.game
    if not isinstance(game, KankeiGame) or planned is None:
        return ()
    return tuple(game.trump(number, planned) for number in range(1, planned + 1))


def _blocks(section: Section) -> Iterator[Block]:
    if section.code == "deals":
        yield from _of_columns(section)
    elif section.code == "rounds":
        yield from _of_rows(section)
    elif section.code == "examples":
        total = section.columns[-1:]
        yield _block(section, total, [row._replace(cells=row.cells[-1:]) for row in section.rows])
    elif len(section.rows) == 1 and not section.rows[0].headings:
        yield _block(section, (), _turned(section.columns, section.rows[0].cells))
    elif len(section.columns) > MOST_COLUMNS:
        yield from _of_groups(section)
    else:
        yield _block(section, section.columns, section.rows)


def _block(section: Section, columns: Sequence[Heading], rows: Sequence[Row]) -> Block:
    return Block(section.title, (), tuple(columns), tuple(rows), section.notes)


def _turned(columns: Sequence[Heading], cells: Sequence[Cell | int | None]) -> list[Row]:
    """Return a row for each column, but for what cannot be."""
    pairs = zip(columns, cells, strict=True)
    return [Row((column,), (cell,)) for column, cell in pairs if cell is not None]


def _of_columns(section: Section) -> Iterator[Block]:
    """Return a table for each column, of the rows that can be there."""
    for i, column in enumerate(section.columns):
        rows = [row._replace(cells=row.cells[i : i + 1]) for row in section.rows]
        known = tuple(row for row in rows if row.cells[0] is not None)
        yield Block(section.title, (column,), (), known)


def _of_rows(section: Section) -> Iterator[Block]:
    """Return a table for each row, with its columns below each other."""
    for row in section.rows:
        turned = tuple(_turned(section.columns, row.cells))
        yield Block(section.title, row.headings, (), turned, is_folded=True)


def _of_groups(section: Section) -> Iterator[Block]:
    """Return a table for each group of columns."""
    places = list(enumerate(section.columns))
    for group, found in groupby(places, key=lambda place: place[1].group):
        of_group = list(found)
        columns = tuple(column for _, column in of_group)
        rows = [
            row._replace(cells=tuple(row.cells[i] for i, _ in of_group)) for row in section.rows
        ]
        yield Block(section.title, (), columns, tuple(rows), group=group)
