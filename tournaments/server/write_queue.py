"""Queues the threads that wait for SQLite's write lock, so that it is never free while they wait.

SQLite has one writer at a time. It lets others try again, after sleeping up to 100 ms: of several
that wait, all may sleep while the lock is free, and one may never get it. Therefore only one thread
of all processes waits for SQLite itself; the others wait for their turn.

When no thread of the process got the lock for `SECONDS_WITHOUT_PROGRESS`, because another program
holds it, `MAX_WAITING` threads go on waiting, and other writes answer 503 at once.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

MAX_WAITING = 1  # threads of a process
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


@contextmanager
def turnstile(database: str | Path) -> Iterator[None]:
    """Let one thread of all processes pass at a time: it holds a lock file beside the database.

    The system ends the lock of a process that is killed. Nobody waits where the file cannot be
    opened, as on a full disk.
    """
    try:
        file = os.open(f"{database}-queue", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        yield
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)  # ends the lock


def queue_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Execute a statement, in a slot if it takes the write lock.

    Django calls this with the arguments of an execute wrapper. Within a transaction the lock is
    taken already, by its BEGIN IMMEDIATE.
    """
    if context["connection"].in_atomic_block or not sql.startswith(LOCKING_STATEMENTS):
        return execute(sql, params, many, context)
    connection = context["connection"]
    is_file = not connection.is_in_memory_db()
    with QUEUE.slot(), turnstile(connection.settings_dict["NAME"]) if is_file else nullcontext():
        return execute(sql, params, many, context)


def add_wrapper(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Add `queue_statement` to a connection, once, if it is to SQLite."""
    if connection.vendor == "sqlite" and queue_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(queue_statement)


def enable() -> None:
    """Queue the writes of every SQLite connection that this process opens from now on."""
    connection_created.connect(add_wrapper, dispatch_uid="write_queue")
