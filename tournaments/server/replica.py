"""A read replica for spectators' pages: a second PostgreSQL that replays the primary's changes.

The middleware (`web.replica_reads`) chooses for each request; everything that it does not choose,
and every write, goes to the primary. A replica that is behind, or cannot be reached, is not used.
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
SECONDS_BEHIND = 1.0  # at most, of what a request reads

_is_reading: ContextVar[bool] = ContextVar("_is_reading", default=False)


@contextmanager
def reading_from_replica() -> Iterator[None]:
    """Read from the replica within this block, in this thread, until something is written."""
    token = _is_reading.set(True)
    try:
        yield
    finally:
        _is_reading.reset(token)


def is_reading() -> bool:
    """Return whether this thread reads from the replica now."""
    return _is_reading.get()


class Router:
    """Django's database router."""

    def db_for_read(self, _model: object, **_hints: object) -> str:
        return REPLICA if is_reading() else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: object, **_hints: object) -> str:
        """Return the primary; what the request reads afterwards comes from there, too."""
        _is_reading.set(False)
        return DEFAULT_DB_ALIAS

    def allow_relation(self, *_objects: object, **_hints: object) -> bool:
        """Return True: both databases have the same rows."""
        return True

    def allow_migrate(self, db: str, _app_label: str, **_hints: object) -> bool:
        return db != REPLICA


class Mark(NamedTuple):
    """A position in the primary's log, and the monotonic time at which everything was before it."""

    at: float
    position: str


def _ask(alias: str, statement: str, values: Any = None) -> tuple[Any, ...]:
    """Return the row that a statement selects."""
    with connections[alias].cursor() as cursor:
        cursor.execute(statement, values)
        row: tuple[Any, ...] = cursor.fetchone()
    return row


class Replica:
    """How current the replica is, checked by one thread of a process at a time.

    Under load a replica is always some milliseconds behind. Therefore a check asks it also for the
    position that the primary had at the check before.
    """

    def __init__(
        self,
        ask: Callable[..., tuple[Any, ...]] = _ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with nothing known. `ask` returns the row that a database selects."""
        self._ask, self._clock = ask, clock
        self._lock = Lock()
        self._mark: Mark | None = None  # of the last check
        self._checked_at = self._current_at = float("-inf")

    def is_current(self) -> bool:
        """Return whether the replica has everything that was committed `SECONDS_BEHIND` ago.

        False while another thread makes a check that is due, and the last one is too old.
        """
        is_due = self._clock() - self._checked_at >= SECONDS_BETWEEN_CHECKS
        if is_due and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        return self._clock() - self._current_at <= SECONDS_BEHIND

    def distrust(self) -> None:
        """Use the primary until the next check."""
        self._current_at = float("-inf")

    def _check(self) -> None:
        """Compare the log positions of both. Without a primary the replica counts as current."""
        before, self._mark = self._mark, Mark(self._clock(), "")
        self._checked_at = self._mark.at
        try:
            [position] = self._ask(DEFAULT_DB_ALIAS, "SELECT pg_current_wal_lsn()::text")
            self._mark = self._mark._replace(position=position)
        except Error:
            self._mark = None
        marks = [each for each in (self._mark, before) if each is not None]
        try:
            has_replayed = self._ask(REPLICA, *_question(marks))
        except Error:
            self.distrust()
            return
        if self._mark is None:
            self._current_at = self._checked_at
            return
        reached = [mark.at for mark, has in zip(marks, has_replayed, strict=True) if has]
        self._current_at = max([self._current_at, *reached])


def _question(marks: list[Mark]) -> tuple[str, list[str]]:
    """Return the statement that asks a replica whether it has replayed up to each mark.

    Of a server that is no replica, such as one promoted to primary, it answers NULL.
    """
    answers = ["pg_last_wal_replay_lsn() >= %s::text::pg_lsn"] * len(marks)
    return f"SELECT {', '.join(answers or ['TRUE'])}", [each.position for each in marks]


replica = Replica()
