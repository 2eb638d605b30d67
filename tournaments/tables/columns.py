"""Types of columns. Numbers are formatted on the page and stay numbers in a workbook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import django_tables2

from tournaments.i18n.sentences import signed


class PlainTable(django_tables2.Table):  # type: ignore[misc]  # django-tables2 ships no types
    """A table only for workbooks: its rows are dictionaries by column name, exported unformatted.

    The export takes half the time of other tables, which matters for ten thousand rows.
    """

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
        """Set up with the label. Unlike in django-tables2, columns are not sortable by default."""
        options.setdefault("orderable", self.orderable_by_default)
        super().__init__(verbose_name=label, **options)
        self.css = f"{self.css} {css}".strip()


class NumberColumn(Column):
    """A column of whole numbers."""

    css = "num"


class PlaceColumn(NumberColumn):
    """A column of places stored as negative numbers, so that a higher value is better; 0: none."""

    def render(self, value: int) -> str:
        """Return the place as text; empty if there is none."""
        return str(-value) if value else ""

    def value(self, value: int) -> int | None:
        """Return the place as a number; None if there is none."""
        return -value or None


class PointsColumn(NumberColumn):
    """A column of points: with a sign on the page, plain numbers in a workbook."""

    css = "num points"

    def render(self, value: int) -> str:
        """Return the points with their sign."""
        return signed(value)

    def value(self, value: int) -> int:
        """Return the points as a number."""
        return value
