"""Statements of the database that fail, and the rows to compare afterwards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.db.models import Model

from tournaments.models import Guesses

WRITE = re.compile("INSERT|UPDATE|DELETE|REPLACE")


class FailingDisk:
    """Executes so many statements; then fails one, or with `permanent` all others.

    With `only_writes`, it executes reads until the first failure.
    """

    def __init__(self, after: int, *, permanent: bool, only_writes: bool) -> None:
        self.after = after
        self.permanent = permanent
        self.only_writes = only_writes
        self.executed: list[str] = []
        self.failed = False
        self.refused = ""  # the first statement that failed

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if self.permanent if self.failed else self.is_due(sql):
            self.refused = self.refused or sql
            self.failed = True
            raise OperationalError("disk I/O error")
        if not self.failed:
            self.executed.append(sql)
        return execute(sql, *arguments)

    def is_due(self, sql: str) -> bool:
        """Return whether this statement fails, if none has failed before."""
        return len(self.executed) >= self.after and (is_write(sql) or not self.only_writes)


def is_write(sql: str) -> bool:
    return WRITE.match(sql) is not None


def contents() -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of our tables and of second factors, by model.

    Rows are tuples, which is faster than model instances.
    """
    rights: type[Model] = User.user_permissions.through
    models: list[type[Model]] = [User, rights]
    for app in ("tournaments", "otp_totp", "otp_static"):
        models += apps.get_app_config(app).get_models()
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


class FailingAtWrite(FailingDisk):
    """Executes so many writes, however much is read between them, then fails the next one."""

    def is_due(self, sql: str) -> bool:
        return is_write(sql) and sum(map(is_write, self.executed)) >= self.after


@contextmanager
def failing(after: int, *, permanent: bool) -> Iterator[FailingDisk]:
    """Use a `FailingDisk` for the statements of the block; return it."""
    disk = FailingDisk(after, permanent=permanent, only_writes=False)
    with connection.execute_wrapper(disk):
        yield disk


def fail_each_statement(
    act: Callable[[], object],
    check: Callable[[Any], None],
    *,
    permanent: bool,
    and_permanently: bool = False,
    step: int = 1,
) -> list[str]:
    """Call a function repeatedly: its first statement fails, then one after the other from a write.

    What is read between leaves nothing that the failing write would not leave. With `permanent`,
    only writes fail first, for the same reason; with `and_permanently`, each write that has failed
    alone fails once more, with all statements after it. With a `step`, only every so many
    statements fail.

    A failed call must leave no row changed; `check` is called with its result or exception. Ends
    when no statement fails, and returns the statements.
    """
    before, after = contents_except_guesses(), 0

    def attempt(disk: FailingDisk) -> FailingDisk:
        with connection.execute_wrapper(disk):
            try:
                answer = act()
            except Exception as refusal:  # noqa: BLE001  the test checks it
                answer = refusal
        if not disk.failed:
            assert not isinstance(answer, Exception), answer
            assert contents_except_guesses() != before
            return disk
        check(answer)
        assert contents_except_guesses() == before, (
            f"statement {len(disk.executed) + 1} failed and left something, {disk.permanent=}"
        )
        return disk

    for turn in count():
        only_writes = permanent or turn == 1
        disk = attempt(FailingDisk(after, permanent=permanent, only_writes=only_writes))
        if not disk.failed:
            break
        if and_permanently and is_write(disk.refused):
            # The first call may have cached what it read, so writes are counted.
            writes = sum(map(is_write, disk.executed))
            again = attempt(FailingAtWrite(writes, permanent=True, only_writes=True))
            assert again.refused == disk.refused
        after = len(disk.executed) + (step if turn else 1)
    return disk.executed
