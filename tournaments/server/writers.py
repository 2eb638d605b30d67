"""How many may wait for SQLite's file at once, so that reading goes on while somebody holds it.

Only one writes at a time, and the others wait in threads that could be reading meanwhile. That is
nobody's trouble while turns are short. Where no turn comes for a while, because another program
holds the file, a few go on waiting, and the others are told at once to come again: 503.
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

MOST = 3  # of a process's threads
PATIENCE = 2.0  # seconds without a turn for anybody of this process
# What takes the file for itself when no transaction has it yet.
TAKES_IT = ("BEGIN", "INSERT", "UPDATE", "DELETE", "REPLACE")


class Line:
    """Those of one process who wait for the file."""

    def __init__(self, most: int = MOST, patience: float = PATIENCE) -> None:
        """Let `most` wait as long as SQLite does, others while turns come within `patience`."""
        self.most = most
        self.patience = patience
        self._changed = threading.Condition()
        self._waiting = 0
        self._moved = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait here until one of few may ask for the file. Raises `OperationalError`."""
        self._enter()
        got_it = False
        try:
            yield
            got_it = True
        finally:
            with self._changed:
                self._waiting -= 1
                if got_it:
                    self._moved = time.monotonic()
                self._changed.notify()

    def _enter(self) -> None:
        with self._changed:
            if self._waiting == 0:
                self._moved = time.monotonic()
            while self._waiting >= self.most:
                left = self._moved + self.patience - time.monotonic()
                if left <= 0:
                    raise OperationalError("database is locked, and enough wait for it")
                self._changed.wait(left)
            self._waiting += 1


LINE = Line()


def in_line(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Carry out a statement; one that takes the file waits in line for it."""
    if context["connection"].in_atomic_block or not sql.startswith(TAKES_IT):
        return execute(sql, params, many, context)
    with LINE.turn():
        return execute(sql, params, many, context)


def stand_in_line(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Let what writes to a file of SQLite stand in line from now on."""
    if connection.vendor == "sqlite" and in_line not in connection.execute_wrappers:
        connection.execute_wrappers.append(in_line)


def serve() -> None:
    """Let everybody whom this process serves stand in line."""
    connection_created.connect(stand_in_line, dispatch_uid="writers")
