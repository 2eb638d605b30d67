"""A read replica for spectators' pages: a second PostgreSQL that replays the primary's changes.

The middleware (`web.replica_reads`) chooses the requests that read from the replica. All other
requests, and all writes, use the primary. A replica that is behind or cannot be reached is not
used.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, Error, connections

REPLICA = "replica"
SECONDS_BETWEEN_CHECKS = 0.5
SECONDS_BEHIND = 1.0  # the greatest age of data that a request reads

_is_reading: ContextVar[bool] = ContextVar("_is_reading", default=False)


@contextmanager
def reading_from_replica() -> Iterator[None]:
    """Let this thread read from the replica in the block, until it writes something."""
    token = _is_reading.set(True)
    try:
        yield
    finally:
        _is_reading.reset(token)


def is_reading() -> bool:
    return _is_reading.get()


class Router:
    """Django's database router. `is_reading` decides between the replica and the primary."""

    def db_for_read(self, _model: object, **_hints: object) -> str:
        return REPLICA if is_reading() else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: object, **_hints: object) -> str:
        """Return the primary, and let later reads of the thread use the primary, too.

        They would otherwise miss what was just written.
        """
        _is_reading.set(False)
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_objects: object, **_hints: object) -> bool:
        """Return True: both databases have the same rows."""
        return True

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool:
        return db != REPLICA


class LogPosition(NamedTuple):
    """A position in the primary's write-ahead log, which has all that was committed by `at`.

    `at` is a monotonic time.
    """

    at: float
    position: str


def _select_row(alias: str, statement: str, values: Any = None) -> tuple[Any, ...]:
    with connections[alias].cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] = cursor.fetchone()
    return row


class Replica:
    """How current the replica is, checked by one thread of a process at a time.

    A check compares the replica with the primary's log position now and at the check before: under
    load a replica is always some milliseconds behind, so that it never has the position of now.
    """

    def __init__(
        self,
        select_row: Callable[..., tuple[Any, ...]] = _select_row,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Until the first check the replica does not count as current."""
        self._select_row, self._clock = select_row, clock
        self._lock = Lock()
        self._primary: LogPosition | None = None  # at the last check
        self._checked_at = self._current_at = float("-inf")  # monotonic times

    def is_current(self) -> bool:
        """Return whether the replica has everything that was committed `SECONDS_BEHIND` ago.

        Makes a check if it is due and no other thread makes one. Without a check the result of the
        last one counts, until it is too old.
        """
        is_due = self._clock() - self._checked_at >= SECONDS_BETWEEN_CHECKS
        if is_due and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        return self._clock() - self._current_at <= SECONDS_BEHIND

    def distrust(self) -> None:
        """Count the replica as not current until the next check."""
        self._current_at = float("-inf")

    def _check(self) -> None:
        """Set `_current_at` to the latest time whose commits the replica has all replayed.

        If the primary cannot be reached, the replica counts as current; if the replica cannot be
        reached, it does not.
        """
        before, self._checked_at = self._primary, self._clock()
        try:
            [position] = self._select_row(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()::text")
            self._primary = LogPosition(self._checked_at, position)
        except Error:
            self._primary = None
        positions = [each for each in (self._primary, before) if each is not None]
        try:
            has_replayed = self._select_row(REPLICA, *_replay_statement(positions))
        except Error:
            self.distrust()
            return
        if self._primary is None:
            self._current_at = self._checked_at
            return
        reached = [each.at for each, has in zip(positions, has_replayed, strict=True) if has]
        self._current_at = max([self._current_at, *reached])


def _replay_statement(positions: list[LogPosition]) -> tuple[str, list[str]]:
    """Return a statement and its values; it selects, for each position, whether it was replayed.

    On a server that is no replica, such as one promoted to primary, it selects NULL. Without
    positions it selects TRUE, so that it only checks that the replica can be reached.
    """
    columns = ["pg_last_wal_replay_lsn() >= %s::text::pg_lsn"] * len(positions)
    return f"SELECT {', '.join(columns or ['TRUE'])}", [each.position for each in positions]


replica = Replica()
