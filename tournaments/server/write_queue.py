"""Queue the threads that wait for SQLite's write lock, so that the lock is never free meanwhile.

SQLite has one writer at a time. Other writers retry after sleeping up to 100 ms: all of them may
sleep while the lock is free, and one may never get the lock. Therefore only one thread of all
processes waits for SQLite itself; the other threads wait for that one.

If no thread of the process has got the lock for `SECONDS_WITHOUT_PROGRESS`, because another program
holds it, `MAX_WAITING` threads keep waiting, and other writes are answered 503 at once.
"""

from __future__ import annotations

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

from tournaments.system import locks

MAX_WAITING = 1  # threads of a process that execute a locking statement
SECONDS_WITHOUT_PROGRESS = 2.0
# Statements that take the write lock, outside a transaction.
LOCKING_STATEMENTS = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class WriteQueue:
    """Limits the threads of this process that wait for the write lock to `max_waiting`."""

    def __init__(
        self,
        max_waiting: int = MAX_WAITING,
        seconds_without_progress: float = SECONDS_WITHOUT_PROGRESS,
    ) -> None:
        """Tests pass other limits than the server's."""
        self.max_waiting = max_waiting
        self.seconds_without_progress = seconds_without_progress
        self._changed = threading.Condition()
        self._waiting = 0
        self._last_progress = 0.0

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold one of the `max_waiting` slots in the block, in which a statement is executed.

        Waits for a free slot. Raises `OperationalError` if all slots are taken and no statement has
        succeeded for `seconds_without_progress`.
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
        """Take a slot, waiting if all are taken. Raises `OperationalError` as `slot` does."""
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
def wait_for_turn(database: str | Path) -> Iterator[None]:
    """Let one thread of all processes execute the block at a time, by locking a file.

    The file is beside the database. The system releases the lock of a killed process. If the file
    cannot be opened, as on a full disk, the block is executed without waiting.
    """
    try:
        file = locks.take(f"{database}-queue")
    except OSError:
        yield
        return
    try:
        yield
    finally:
        os.close(file)  # releases the lock


def queue_statement(
    execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
) -> Any:
    """Execute a statement; if it takes the write lock, wait for a slot and for the other processes.

    Django calls this with the arguments of an execute wrapper. Within a transaction no statement
    takes the lock: its BEGIN IMMEDIATE has taken it.
    """
    if context["connection"].in_atomic_block or not sql.startswith(LOCKING_STATEMENTS):
        return execute(sql, params, many, context)
    connection = context["connection"]
    is_file = not connection.is_in_memory_db()
    with (
        QUEUE.slot(),
        wait_for_turn(connection.settings_dict["NAME"]) if is_file else nullcontext(),
    ):
        return execute(sql, params, many, context)


def add_wrapper(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Add `queue_statement` to a connection if it is to SQLite. Idempotent."""
    if connection.vendor == "sqlite" and queue_statement not in connection.execute_wrappers:
        connection.execute_wrappers.append(queue_statement)


def enable() -> None:
    """Queue the writes of every SQLite connection that this process opens from now on."""
    connection_created.connect(add_wrapper, dispatch_uid="write_queue")
