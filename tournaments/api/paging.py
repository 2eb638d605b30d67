"""Pagination: each answer names the address of the next page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.http import urlencode

Row = TypeVar("Row", bound=Model)


def page_of(
    request: HttpRequest,
    rows: QuerySet[Row],
    limit: int,
    *,
    after_value: Callable[[Row], int | str],
) -> tuple[list[Row], str | None]:
    """Return the first `limit` rows, and the URL of the next page or None on the last page.

    `after_value` returns the value of the query parameter `after` for the last row of a page: the
    next page begins behind that row.
    """
    page = list(rows[: limit + 1])
    if len(page) <= limit:
        return page, None
    del page[limit:]
    return page, f"{request.path}?{urlencode({'after': after_value(page[-1]), 'limit': limit})}"
