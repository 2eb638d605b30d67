"""Statements of the database that fail, and the rows to compare afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import Model

from tournaments.models import Guesses

WRITE = re.compile("INSERT|UPDATE|DELETE|REPLACE")


class FailingDisk:
    """Executes so many statements; then fails one, or with `permanent` all others."""

    def __init__(self, after: int, *, permanent: bool) -> None:
        self.after = after
        self.permanent = permanent
        self.executed = 0
        self.has_written = False
        self.failed = False

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if self.permanent if self.failed else self.is_due(sql):
            self.failed = True
            raise OperationalError("disk I/O error")
        self.executed += not self.failed
        self.has_written = self.has_written or is_write(sql)
        return execute(sql, *arguments)

    def is_due(self, _sql: str) -> bool:
        """Return whether this statement is the first that fails."""
        return self.executed >= self.after


class DiskFailingWrites(FailingDisk):
    """Executes more statements if their failure leaves as much as that of the next one.

    If all later statements fail, too, only the next write makes a difference. If they are executed,
    each may write; before the first write only every third fails.
    """

    def is_due(self, sql: str) -> bool:
        if is_write(sql) or not super().is_due(sql):
            return super().is_due(sql)
        return not self.permanent and (self.has_written or self.executed >= self.after + 2)


def is_write(sql: str) -> bool:
    return WRITE.match(sql) is not None


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
def failing(
    after: int, *, permanent: bool, kind: type[FailingDisk] = FailingDisk
) -> Iterator[FailingDisk]:
    """Fail after so many statements."""
    disk = kind(after, permanent=permanent)
    with connection.execute_wrapper(disk):
        yield disk


def fail_each_statement(
    act: Callable[[], object], check: Callable[[Any], None], *, permanent: bool, step: int = 1
) -> int:
    """Call a function repeatedly, with its first statement failing, then a later one, and so on.

    `DiskFailingWrites` chooses them; with a `step`, it skips so many more.

    A failed call must leave no row changed; `check` is called with its result or exception. Ends
    when no statement fails, and returns the number of statements.
    """
    before, after = contents_except_guesses(), 0
    while True:
        with failing(after, permanent=permanent, kind=DiskFailingWrites) as disk:
            try:
                answer = act()
            except Exception as refusal:  # noqa: BLE001  the test checks it
                answer = refusal
        if not disk.failed:
            assert not isinstance(answer, Exception), answer
            assert contents_except_guesses() != before
            return disk.executed
        check(answer)
        assert contents_except_guesses() == before, (
            f"statement {disk.executed + 1} failed and left something"
        )
        after = disk.executed + step
