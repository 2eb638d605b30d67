"""Tables of pages that render their rows without the general machinery of django-tables2.

For each cell, django-tables2 looks up the column, the arguments of its method and the attributes of
the value again, which took a third of the time of a page of standings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from tournaments.tables.library import django_tables2
from tournaments.tables.signatures import signature


class PageRow(NamedTuple):
    """A row of a page: its CSS classes, the HTML of its cells, and of a heading above it if any."""

    css: str
    cells: SafeString
    heading: str = ""


class PageTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """A table with `page_rows`. All its columns are of `tables.columns`, none with `linkify`."""

    def page_rows(self) -> Iterator[PageRow]:
        """Yield the rows of the current page, with the same cells as in django-tables2."""
        columns = [(_opening_tag(column), _renderer(self, column)) for column in self.columns]
        heading_above = ""
        for row in self.paginated_rows:
            heading = self.heading_of(row.record)
            cells = (f"{tag}{_escaped(render(row.record))}</td>" for tag, render in columns)
            yield PageRow(
                row.attrs["class"],
                mark_safe("".join(cells)),  # noqa: S308  escaped
                heading if heading != heading_above else "",
            )
            heading_above = heading or heading_above

    def heading_of(self, record: Any) -> str:
        """Return the heading of the section of a record; it is shown above its first row."""
        return ""


def _opening_tag(column: Any) -> str:
    return f'<td class="{conditional_escape(column.column.css)}">'


def _escaped(cell: object) -> str:
    """Return the content of a cell, localised and escaped as in a template."""
    return conditional_escape(cell if isinstance(cell, str) else str(localize(cell)))


def _renderer(table: PageTable, column: Any) -> Callable[[Any], object]:
    path = [int(part) if part.isdigit() else part for part in column.accessor.split("__")]
    names, _keywords = signature(column.render)
    fixed_arguments = {"table": table, "column": column.column, "bound_column": column}

    def render(record: Any) -> object:
        """Return the content of the cell: the column's default for an empty value."""
        value = _value_at(path, record)
        if value in column.column.empty_values:
            return column.default
        arguments = {**fixed_arguments, "value": value, "record": record}
        return column.render(**{name: arguments[name] for name in names})

    return render


def _value_at(path: list[int | str], record: Any) -> Any:
    """Return the value reached by attributes and indexes in this order; None if one is missing.

    Methods on the path are called.
    """
    value = record
    for step in path:
        try:
            value = value[step] if isinstance(step, int) else getattr(value, step)
        except (AttributeError, IndexError, TypeError):
            return None
        value = value() if callable(value) else value
    return value
