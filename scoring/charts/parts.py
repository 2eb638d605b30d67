"""The parts of a chart: sections, rows, cells, and labels that a page translates."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

# The printed sign of a suit, by its letter in records.
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Label(NamedTuple):
    """An English template and its parameters, which may be labels themselves."""

    template: str
    params: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        """Return the English text.

        >>> str(Label("Deal {number}", {"number": 2}))
        'Deal 2'
        """
        return self.template.format(**self.params)


class Cell(NamedTuple):
    """The points of one outcome, and the facts that were scored to find them.

    In face-card games the points are each kankei player's.

    - `is_whole_round`: they are the whole round's points, else added to those of earlier deals
    - `goes_on`: another deal of the round follows
    """

    points: int
    facts: Any = None
    is_whole_round: bool = False
    goes_on: bool = False

    @property
    def opposite(self) -> int:
        """Return each mukankei player's points, in face-card games."""
        return -self.points


class Heading(NamedTuple):
    """The heading of a row or column: its name, a sentence about it, and a group for its style."""

    name: Label
    note: Label | None = None
    group: str = ""


class Row(NamedTuple):
    """Headings, and for each column a cell, a count, or None where the outcome is impossible."""

    headings: tuple[Heading, ...]
    cells: tuple[Cell | int | None, ...]


class Section(NamedTuple):
    """A part of a chart: a table, notes, or both. Templates select it by its `code`."""

    code: str
    title: Label
    columns: tuple[Heading, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[Label, ...] = ()

    @property
    def cells(self) -> Iterator[Cell]:
        """Row by row; counts and None are left out."""
        return (cell for row in self.rows for cell in row.cells if isinstance(cell, Cell))
