"""Types of columns. Numbers are formatted on the page and stay numbers in a workbook."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Self

from tournaments.i18n.sentences import signed
from tournaments.tables.library import django_tables2


class Total(int):
    """A number that is the sum of other cells of its row, which a workbook computes itself.

    `parts` are ranges of columns: pairs of the names of the first and the last.
    """

    parts: Sequence[tuple[str, str]]

    def __new__(cls, value: int, parts: Sequence[tuple[str, str]]) -> Self:
        total = super().__new__(cls, value)
        total.parts = parts
        return total


class PlainTable(django_tables2.Table):  # type: ignore[misc]  # django-tables2 ships no types
    """A table only for workbooks: its rows are dictionaries by column name, exported unformatted.

    The export takes half the time of other tables, which matters for ten thousand rows.
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], *, extra_columns: Sequence[tuple[str, Column]] = ()
    ) -> None:
        """Columns that are empty in all rows are left out."""
        names = [*type(self).base_columns, *(name for name, _column in extra_columns)]
        empty = [name for name in names if all(row.get(name) in (None, "") for row in rows)]
        super().__init__(rows, extra_columns=extra_columns, exclude=empty if rows else ())

    def keep_players(self, numbers: Container[int]) -> None:
        self.data.data = [row for row in self.data.data if row["number"] in numbers]

    def as_values(self) -> Iterator[list[Any]]:
        """Yield the header, then the values of every row."""
        columns = list(self.columns.iterall())
        yield [str(column.header) for column in columns]
        for row in self.data:
            yield [row.get(column.name) for column in columns]


class Column(django_tables2.Column):  # type: ignore[misc]  # django-tables2 ships no types
    """A column of text. `css` are the CSS classes of its cells."""

    css = ""
    orderable_by_default = False

    def __init__(self, label: Any, *, css: str = "", **options: Any) -> None:
        """Unlike in django-tables2, columns are not sortable by default."""
        options.setdefault("orderable", self.orderable_by_default)
        super().__init__(verbose_name=label, **options)
        self.css = f"{self.css} {css}".strip()


class NumberColumn(Column):
    css = "num"


class PlaceColumn(NumberColumn):
    """A column of places stored as negative numbers, so that a higher value is better; 0: none."""

    def render(self, value: int) -> str:
        return str(-value) if value else ""

    def value(self, value: int) -> int | None:
        return -value or None


class PointsColumn(NumberColumn):
    """A column of points: with a sign on the page, plain numbers in a workbook."""

    css = "num points"

    def render(self, value: int) -> str:
        return signed(value)

    def value(self, value: int | None) -> int | None:
        return value
