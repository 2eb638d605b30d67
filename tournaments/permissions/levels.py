"""The levels of access: the roles of each, and the level that each URL declares.

Views declare their levels with `door.requires`, operations of the API with `auth=Requires(...)`.
The list at /api/urls and the tests' matrix are generated from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ROLES = ("anonymous", "elsewhere", "table", "scorekeeper", "director", "owner")


class Level(Enum):
    """A level of access, with its code and the roles that have it.

    The role `elsewhere` is an account without a role in this tournament; the `owner` of the
    installation directs every tournament. With `SEE`, published tournaments are visible to
    everybody. With `APPLY`, so are unpublished tournaments whose registration was ever set. `HOST`
    is the staff, or at a club table, which has no staff, its players.
    """

    ANYBODY = "anybody", ROLES
    SEE = "see", ROLES[2:]
    SEATS = "seats", ROLES[2:]  # and everybody where the seats are public
    APPLY = "apply", ROLES
    RECORD = "record", ROLES[2:]
    PHONE = "phone", ("table",)
    ACCOUNT = "account", ("elsewhere", *ROLES[3:])
    STAFF = "staff", ROLES[3:]
    HOST = "host", ROLES[3:]
    DIRECT = "direct", ROLES[4:]
    CREATE = "create", ROLES[5:]  # and accounts that the owner allows to
    SERIES = "series", ROLES[5:]  # and the accounts that may edit the series
    OWNER = "owner", ROLES[5:]

    @property
    def roles(self) -> tuple[str, ...]:
        roles: tuple[str, ...] = self.value[1]
        return roles

    @property
    def roles_once_published(self) -> tuple[str, ...]:
        """Return the roles that have the level in a published tournament, seats included."""
        return ROLES if self in {Level.SEE, Level.SEATS} else self.roles


def levels_by_url_name() -> dict[str, dict[str, Level]]:
    """Return the declared levels by URL name, then by method.

    A view that declares no level has an empty dictionary.
    """
    return {name: levels_of(pattern.callback) for name, pattern, _route in addresses()}


def levels_of(view: Callable[..., object]) -> dict[str, Level]:
    """Return the declared levels of a view by method; empty if it declares none."""
    levels: dict[str, Level] = getattr(view, "levels", {})
    return levels


def addresses() -> Iterator[tuple[str, URLPattern, str]]:
    """Yield every URL pattern, as (URL name, pattern, route)."""
    return _walk_patterns(get_resolver().url_patterns, "/")


def _walk_patterns(patterns: list[Any], prefix: str) -> Iterator[tuple[str, URLPattern, str]]:
    """Yield every URL pattern below the route `prefix`, including those of included URLconfs.

    A pattern is (URL name, pattern, route); the name is empty if the pattern has none.
    """
    for pattern in patterns:
        route = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk_patterns(pattern.url_patterns, route)
        else:
            yield pattern.name or "", pattern, route
