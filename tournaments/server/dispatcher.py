"""Threads that run requests: those of tables and staff first, those of spectators in the rest.

A hall of spectators may ask faster than a process can answer. What a table sends then waits behind
the requests that run, and not behind those that wait. A health check waits for neither: a
supervisor would take a busy server for a dead one.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from tournaments.server import sqlite


class Lane(IntEnum):
    """Whose request it is, in the order in which they get a thread."""

    HEALTH_CHECK = 0
    TABLE_OR_STAFF = 1
    SPECTATOR = 2
    SPECTATORS_FILE = 3  # a PDF or a workbook, which may take seconds


# Requests that a process runs at once, of eight threads. Anybody may send a health check. Threads
# take turns in Python: a second spectator's page would not be made sooner, and delays deals.
MAX_RUNNING = {Lane.HEALTH_CHECK: 1, Lane.SPECTATOR: 1, Lane.SPECTATORS_FILE: 2}
SECONDS_IDLE = 1.0  # until a thread without a request closes its SQLite file


class RequestQueue:
    """Connections whose requests wait for a thread, first come first served in each lane.

    A lane waits while those before it do, and while as many of it run as `max_running` allows.
    `len` is the number of requests that may run now. Not thread-safe: the dispatcher's lock guards
    it.
    """

    def __init__(self, max_running: Mapping[Lane, int] = MAX_RUNNING) -> None:
        self._max_running = max_running
        self._waiting: dict[Lane, deque[Any]] = {lane: deque() for lane in Lane}
        self._running: dict[Any, Lane] = {}  # connections in lanes with a limit

    def append(self, connection: Any) -> None:
        """Add a connection that has received a request."""
        self._waiting[connection.lane()].append(connection)

    def popleft(self) -> Any:
        """Remove and return the connection that is next, of a queue whose length is not 0."""
        lane = next(lane for lane in Lane if self._ready(lane))
        connection = self._waiting[lane].popleft()
        if lane in self._max_running:
            self._running[connection] = lane
        return connection

    def finish(self, connection: Any) -> None:
        """Tell the queue that a connection's request no longer runs."""
        self._running.pop(connection, None)

    def _ready(self, lane: Lane) -> int:
        """Return how many waiting requests of a lane are within its limit of running ones."""
        waiting = len(self._waiting[lane])
        if lane not in self._max_running:
            return waiting
        running = sum(each == lane for each in self._running.values())
        return max(0, min(waiting, self._max_running[lane] - running))

    def __len__(self) -> int:
        return sum(map(self._ready, Lane))


class IdleCondition(threading.Condition):
    """What a thread without a request waits for: it is woken, or has been idle for a moment."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait as `threading.Condition` does; waitress looks at its queue again in any case."""
        is_notified = super().wait(SECONDS_IDLE if timeout is None else timeout)
        if not is_notified:
            sqlite.close_files()
        return is_notified


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # brings no types
    """waitress's threads, with lanes."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = RequestQueue()
        self.queue_cv = IdleCondition(self.lock)

    def finish(self, connection: Any) -> None:
        """Let the next one of a lane run; a connection calls this when its request is answered."""
        with self.lock:
            self.queue.finish(connection)
            self.queue_cv.notify()
