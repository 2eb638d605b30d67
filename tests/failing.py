"""A database of which one statement fails, and what stands in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import Model

from tournaments.models import Guesses

ONCE_AND_FOR_GOOD = pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])


class FailingDisk:
    """Lets so many statements through; then fails one, or this and every one after it."""

    def __init__(self, after: int, *, for_good: bool) -> None:
        self.left = after
        self.for_good = for_good
        self.failed = False

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.left -= 1
        if self.left == -1 or (self.left < 0 and self.for_good):
            self.failed = True
            raise OperationalError("disk I/O error")
        return execute(*arguments)


def contents() -> dict[str, list[tuple[Any, ...]]]:
    """Return all there is in the database of ours, as the database gives it.

    Making models of the rows would take many times as long.
    """
    rights: type[Model] = User.user_permissions.through
    models: list[type[Model]] = [User, rights, *apps.get_app_config("tournaments").get_models()]
    found = {}
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {model._meta.pk.column}")
            found[model.__name__] = cursor.fetchall()
    return found


def contents_but_guesses() -> dict[str, list[tuple[Any, ...]]]:
    """Return all there is but how often somebody guessed.

    A guess counts whatever comes of it: it is a transaction of its own.
    """
    found = contents()
    del found[Guesses.__name__]
    return found


@contextmanager
def failing(after: int, *, for_good: bool) -> Iterator[FailingDisk]:
    """Let so many statements through and then fail."""
    disk = FailingDisk(after, for_good=for_good)
    with connection.execute_wrapper(disk):
        yield disk


def each_statement_failing(
    act: Callable[[], object], check: Callable[[Any], None], *, for_good: bool
) -> int:
    """Do something again and again, another statement of it failing each time, until none does.

    `check` is given what came of each attempt that met a failure. Return the statements it takes.
    """
    before = contents_but_guesses()
    for statements in count():
        with failing(statements, for_good=for_good) as disk:
            try:
                answer = act()
            except Exception as refusal:  # noqa: BLE001  whatever it is, the test looks at it
                answer = refusal
        if not disk.failed:
            assert not isinstance(answer, Exception), answer
            assert contents_but_guesses() != before
            return statements
        check(answer)
        assert contents_but_guesses() == before, (
            f"statement {statements + 1} failed and left something"
        )
    raise AssertionError
