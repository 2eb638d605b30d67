"""Statements of the database that fail, and the rows to compare afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import Model

from tournaments.models import Guesses


class FailingDisk:
    """Executes so many statements; then fails one, or with `permanent` all others."""

    def __init__(self, after: int, *, permanent: bool) -> None:
        self.left = after
        self.permanent = permanent
        self.failed = False

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        self.left -= 1
        if self.left == -1 or (self.left < 0 and self.permanent):
            self.failed = True
            raise OperationalError("disk I/O error")
        return execute(*arguments)


def contents() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of our tables by model, as tuples, which is faster than model instances."""
    rights: type[Model] = User.user_permissions.through
    models: list[type[Model]] = [User, rights, *apps.get_app_config("tournaments").get_models()]
    found = {}
    with connection.cursor() as cursor:
        for model in models:
            cursor.execute(f"SELECT * FROM {model._meta.db_table} ORDER BY {model._meta.pk.column}")
            found[model.__name__] = cursor.fetchall()
    return found


def contents_except_guesses() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows except counts of guesses, which are committed in their own transaction."""
    found = contents()
    del found[Guesses.__name__]
    return found


@contextmanager
def failing(after: int, *, permanent: bool) -> Iterator[FailingDisk]:
    """Fail after so many statements."""
    disk = FailingDisk(after, permanent=permanent)
    with connection.execute_wrapper(disk):
        yield disk


def fail_each_statement(
    act: Callable[[], object], check: Callable[[Any], None], *, permanent: bool, step: int = 1
) -> int:
    """Call a function repeatedly, with its first statement failing, then its second, and so on.

    With a `step`, only every so many statements fail.

    A failed call must leave no row changed; `check` is called with its result or exception. Ends
    when no statement fails, and returns the number of statements.
    """
    before = contents_except_guesses()
    for statements in count(step=step):
        with failing(statements, permanent=permanent) as disk:
            try:
                answer = act()
            except Exception as refusal:  # noqa: BLE001  the test checks it
                answer = refusal
        if not disk.failed:
            assert not isinstance(answer, Exception), answer
            assert contents_except_guesses() != before
            return statements
        check(answer)
        assert contents_except_guesses() == before, (
            f"statement {statements + 1} failed and left something"
        )
    raise AssertionError
