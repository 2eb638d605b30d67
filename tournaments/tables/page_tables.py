"""Tables of pages, whose rows are made without the general machinery of django-tables2.

Its rows look up the column, the arguments of the method and the attributes of the value again for
each cell, which was a third of the time of a page of standings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import django_tables2
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from tournaments.tables.signatures import signature


class PageRow(NamedTuple):
    """A row of a page: its CSS classes, and its cells with their elements."""

    css: str
    cells: SafeString


class PageTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """A table with `page_rows`. Columns have `css`, and none of them links by itself."""

    def page_rows(self) -> Iterator[PageRow]:
        """Return the rows of the current page, as those of django-tables2 would be shown."""
        columns = [(_opening_tag(column), _renderer(self, column)) for column in self.columns]
        for row in self.paginated_rows:
            cells = (f"{tag}{_escaped(render(row.record))}</td>" for tag, render in columns)
            yield PageRow(row.attrs["class"], mark_safe("".join(cells)))  # noqa: S308  escaped


def _opening_tag(column: Any) -> str:
    return f'<td class="{conditional_escape(column.column.css)}">'


def _escaped(cell: object) -> str:
    """Return a cell as a template shows it."""
    return conditional_escape(cell if isinstance(cell, str) else str(localize(cell)))


def _renderer(table: PageTable, column: Any) -> Callable[[Any], object]:
    """Return the function that makes the cell of a record in this column of a table."""
    path = [int(bit) if bit.isdigit() else bit for bit in column.accessor.split("__")]
    names, _keywords = signature(column.render)
    known = {"table": table, "column": column.column, "bound_column": column}

    def render(record: Any) -> object:
        """Return the cell, or the column's default for an empty value."""
        value = _value_at(path, record)
        if value in column.column.empty_values:
            return column.default
        arguments = {**known, "value": value, "record": record}
        return column.render(**{name: arguments[name] for name in names})

    return render


def _value_at(path: list[int | str], record: Any) -> Any:
    """Return what is found by attributes and indexes, one after the other; None if one is missing.

    Methods are called.
    """
    value = record
    for step in path:
        try:
            value = value[step] if isinstance(step, int) else getattr(value, step)
        except (AttributeError, IndexError, TypeError):
            return None
        value = value() if callable(value) else value
    return value
