"""Threads that run requests by priority: those of tables and staff before those of spectators.

A hall of spectators may send requests faster than a process can answer them. A table's request then
waits only until a thread is free, not for the requests of spectators that came before. A health
check comes first: otherwise a supervisor would take a busy server for a dead one.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from tournaments.server import sqlite


class Priority(IntEnum):
    """The priority of a request, by its sender and kind. The lowest number gets a thread first."""

    HEALTH_CHECK = 0
    TABLE_OR_STAFF = 1
    REFUSED = 2  # a spectator's, while too many wait
    SPECTATOR = 3
    SPECTATORS_FILE = 4  # a PDF or a workbook, which may take seconds


# How many requests of a priority a process runs at the same time, in its eight threads. Health
# checks are limited because anybody may send them, spectators' pages because Python runs one thread
# at a time: two pages at the same time are made no sooner, and delay deals.
MAX_RUNNING = {Priority.HEALTH_CHECK: 1, Priority.SPECTATOR: 1, Priority.SPECTATORS_FILE: 2}
# How many requests of a priority may wait. More spectators would be answered after several seconds.
MAX_WAITING = {Priority.SPECTATOR: 400, Priority.SPECTATORS_FILE: 50}
# How long no page for spectators is begun beside a request of a table or the staff: longer than a
# deal, which a page beside it would delay.
SECONDS_ALONE = 0.2
SECONDS_IDLE = 1.0  # until a thread without a request closes its SQLite file


class RequestQueue:
    """Connections whose requests wait for a thread, sorted by priority and then by arrival.

    A request waits longer if `max_running` requests of its priority are running. The length of the
    queue is the number of requests that may run now. Not thread-safe: callers hold the dispatcher's
    lock. Has the methods of a deque that waitress calls.
    """

    def __init__(self, max_running: Mapping[Priority, int] = MAX_RUNNING) -> None:
        self._max_running = max_running
        self._waiting: dict[Priority, deque[Any]] = {priority: deque() for priority in Priority}
        # By connection, the priority and the monotonic time of the start.
        self._running: dict[Any, tuple[Priority, float]] = {}

    def append(self, connection: Any) -> None:
        """Add a connection; its request is refused if too many of its priority wait."""
        priority = connection.priority()
        if len(self._waiting[priority]) >= MAX_WAITING.get(priority, math.inf):
            connection.refuse()
            priority = Priority.REFUSED
        self._waiting[priority].append(connection)

    def popleft(self) -> Any:
        """Remove and return the next connection whose request may run.

        The queue must not have length 0. The caller runs the request, and then calls `finish`.
        """
        priority = next(priority for priority in Priority if self._count_runnable(priority))
        connection = self._waiting[priority].popleft()
        self._running[connection] = priority, time.monotonic()
        return connection

    def finish(self, connection: Any) -> None:
        """Count the connection's request as running no longer."""
        self._running.pop(connection, None)

    def _count_runnable(self, priority: Priority) -> int:
        """Return how many waiting requests of a priority may run now within its limit."""
        waiting = len(self._waiting[priority])
        if not waiting or priority not in self._max_running:
            return waiting
        if priority >= Priority.SPECTATOR and self._has_short_request():
            return 0
        running = sum(each == priority for each, _since in self._running.values())
        return max(0, min(waiting, self._max_running[priority] - running))

    def _has_short_request(self) -> bool:
        """Return whether a table's or the staff's request runs that has only begun."""
        begun = time.monotonic() - SECONDS_ALONE
        return any(
            priority == Priority.TABLE_OR_STAFF and since > begun
            for priority, since in self._running.values()
        )

    def __len__(self) -> int:
        return sum(map(self._count_runnable, Priority))


class IdleCondition(threading.Condition):
    """The condition for which waitress's threads wait: a request that may run.

    A thread that was idle for `SECONDS_IDLE` closes its SQLite files.
    """

    def wait(self, timeout: float | None = None) -> bool:
        """Wait as `threading.Condition` does, but by default for at most `SECONDS_IDLE`.

        waitress tolerates an early return: it checks its queue again.
        """
        is_notified = super().wait(SECONDS_IDLE if timeout is None else timeout)
        if not is_notified:
            sqlite.close_files()
        return is_notified


class Dispatcher(ThreadedTaskDispatcher):
    """waitress's threads, with a queue by priority."""

    queue: RequestQueue

    def __init__(self) -> None:
        super().__init__()
        self.queue = RequestQueue()
        self.queue_cv = IdleCondition(self.lock)

    def finish(self, connection: Any) -> None:
        """Let the next request of this priority run. Connections call it after an answer."""
        with self.lock:
            self.queue.finish(connection)
            self.queue_cv.notify()
