"""Limits how many threads wait for SQLite's write lock, so that others can go on reading.

SQLite has one writer at a time; others wait in their threads. While transactions are short this is
no problem. When no thread of the process got the lock for `SECONDS_WITHOUT_PROGRESS`, because
another program holds it, `MAX_WAITING` threads go on waiting, and other writes answer 503 at once.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

MAX_WAITING = 3  # threads of a process
SECONDS_WITHOUT_PROGRESS = 2.0
# Statements that take the write lock, outside a transaction.
LOCKING_STATEMENTS = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class WriteQueue:
    """The threads of this process that wait for the write lock."""

    def __init__(
        self,
        max_waiting: int = MAX_WAITING,
        seconds_without_progress: float = SECONDS_WITHOUT_PROGRESS,
    ) -> None:
        self.max_waiting = max_waiting
        self.seconds_without_progress = seconds_without_progress
        self._changed = threading.Condition()
        self._waiting = 0
        self._last_progress = 0.0

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the `max_waiting` slots while the statement waits for the lock and runs.

        Raises `OperationalError` if all slots are taken and none of their statements has succeeded
        for `seconds_without_progress`.
        """
        self._wait_for_slot()
        succeeded = False
        try:
            yield
            succeeded = True
        finally:
            with self._changed:
                self._waiting -= 1
                if succeeded:
                    self._last_progress = time.monotonic()
                self._changed.notify()

    def _wait_for_slot(self) -> None:
        """Take a slot, or raise `OperationalError` as `slot` does."""
        with self._changed:
            if self._waiting == 0:
                self._last_progress = time.monotonic()
            while self._waiting >= self.max_waiting:
                seconds_left = (
                    self._last_progress + self.seconds_without_progress - time.monotonic()
                )
                if seconds_left <= 0:
                    raise OperationalError("database is locked, and enough wait for it")
                self._changed.wait(seconds_left)
            self._waiting += 1


QUEUE = WriteQueue()


def queue_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Execute a statement, in a slot if it takes the write lock.

    Django calls this with the arguments of an execute wrapper. Within a transaction the lock is
    taken already, by its BEGIN IMMEDIATE.
    """
    if context["connection"].in_atomic_block or not sql.startswith(LOCKING_STATEMENTS):
        return execute(sql, params, many, context)
    with QUEUE.slot():
        return execute(sql, params, many, context)


def add_wrapper(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Add `queue_statement` to a connection, once, if it is to SQLite."""
    if connection.vendor == "sqlite" and queue_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(queue_statement)


def enable() -> None:
    """Queue the writes of every SQLite connection that this process opens from now on."""
    connection_created.connect(add_wrapper, dispatch_uid="write_queue")
