"""Long lists in parts: each answer names the address of what follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.http import urlencode

Row = TypeVar("Row", bound=Model)


def page_of(
    request: HttpRequest, rows: QuerySet[Row], limit: int, name: Callable[[Row], int | str]
) -> tuple[list[Row], str | None]:
    """Return the first of these rows, and where to ask for those behind them: None at the end.

    `name` is how `after` names a row.
    """
    some = list(rows[: limit + 1])
    if len(some) <= limit:
        return some, None
    del some[limit:]
    return some, f"{request.path}?{urlencode({'after': name(some[-1]), 'limit': limit})}"
