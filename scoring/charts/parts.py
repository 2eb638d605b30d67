"""What a chart is made of: sections of rows of cells, with words that a page translates."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

# How cards are printed, by the letter with which records name a suit.
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Label(NamedTuple):
    """Words: an English template and its parameters, which may be labels themselves."""

    template: str
    params: Mapping[str, Any] = MappingProxyType({})

    def __str__(self) -> str:
        """Return the words in English.

        >>> str(Label("Deal {number}", {"number": 2}))
        'Deal 2'
        """
        return self.template.format(**self.params)


class Cell(NamedTuple):
    """The points of one outcome, and the facts that were scored to find them.

    They are added to what the round has earned, unless `is_round`: then they are the round's whole
    score. `goes_on` tells that the round is not over. Face-card games give each kankei player's.
    """

    points: int
    facts: Any = None
    is_round: bool = False
    goes_on: bool = False

    @property
    def opposite(self) -> int:
        """Return what the other side gets: each mukankei player."""
        return -self.points


class Heading(NamedTuple):
    """What a row or column is about: its name, a sentence about it, and the group it belongs to."""

    name: Label
    note: Label | None = None
    group: str = ""


class Row(NamedTuple):
    """Headings, and a cell for each column: points, a plain count, or None for the impossible."""

    headings: tuple[Heading, ...]
    cells: tuple[Cell | int | None, ...]


class Section(NamedTuple):
    """A part of a chart: a table, the sentences below it, or both."""

    code: str
    title: Label
    columns: tuple[Heading, ...] = ()
    rows: tuple[Row, ...] = ()
    notes: tuple[Label, ...] = ()

    @property
    def cells(self) -> Iterator[Cell]:
        """Return every cell that carries points."""
        return (cell for row in self.rows for cell in row.cells if isinstance(cell, Cell))
