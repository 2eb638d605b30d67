"""Which roles a level stands for, and the level that each address declares.

Views declare it by `door.requires`, operations of the API by `auth=Requires(...)`. The list at
/api/urls and what the tests ask for are made of these declarations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ROLES = ("anonymous", "elsewhere", "table", "scorekeeper", "director", "owner")


class Level(Enum):
    """Which roles may: `elsewhere` has an account but nothing to do in this tournament.

    The `owner` of the installation directs every tournament.

    What those who may `SEE` a tournament see, everybody sees once it is published. `HOST` is who
    runs a table: the staff, or at a club's one table, which has no staff, whoever plays there.
    """

    ANYBODY = "anybody", ROLES
    SEE = "see", ROLES[2:]
    RECORD = "record", ROLES[2:]
    PHONE = "phone", ("table",)
    ACCOUNT = "account", ("elsewhere", *ROLES[3:])
    STAFF = "staff", ROLES[3:]
    HOST = "host", ROLES[3:]
    DIRECT = "direct", ROLES[4:]
    CREATE = "create", ROLES[5:]  # and accounts to which the owner gives the right
    OWNER = "owner", ROLES[5:]

    @property
    def roles(self) -> tuple[str, ...]:
        """Return the roles, in the usual order."""
        roles: tuple[str, ...] = self.value[1]
        return roles


def declared() -> dict[str, dict[str, Level]]:
    """Return the level of every method by the name of its address, as views declare it."""
    return {name: of(pattern.callback) for name, pattern, _route in addresses()}


def of(view: Callable[..., object]) -> dict[str, Level]:
    """Return the level of every method of a view; nothing where it declares none."""
    levels: dict[str, Level] = getattr(view, "levels", {})
    return levels


def addresses() -> Iterator[tuple[str, URLPattern, str]]:
    """Return name, pattern and route of every address there is."""
    return _walk(get_resolver().url_patterns, "/")


def _walk(patterns: list[Any], above: str) -> Iterator[tuple[str, URLPattern, str]]:
    for pattern in patterns:
        route = f"{above}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield pattern.name or "", pattern, route
