"""Threads that run requests: those of tables and staff first, those of spectators in the rest.

A hall of spectators may ask faster than a process can answer. What a table sends then waits behind
the requests that run, and not behind those that wait.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from waitress.task import ThreadedTaskDispatcher

MAX_SPECTATORS = 2  # requests of spectators that a process runs at once, of eight threads


class RequestQueue:
    """Connections whose requests wait for a thread, first come first served in each of two lanes.

    Spectators wait while others do, and while `max_spectators` of them run. `len` is the number
    of requests that may run now. Not thread-safe: the dispatcher's lock guards it.
    """

    def __init__(self, max_spectators: int = MAX_SPECTATORS) -> None:
        self._max_spectators = max_spectators
        self._others: deque[Any] = deque()
        self._spectators: deque[Any] = deque()
        self._running: set[Any] = set()  # connections of spectators

    def append(self, connection: Any) -> None:
        """Add a connection that has received a request."""
        lane = self._spectators if connection.is_of_a_spectator() else self._others
        lane.append(connection)

    def popleft(self) -> Any:
        """Remove and return the connection that is next, of a queue whose length is not 0."""
        if self._others:
            return self._others.popleft()
        connection = self._spectators.popleft()
        self._running.add(connection)
        return connection

    def finish(self, connection: Any) -> None:
        """Tell the queue that a connection's request no longer runs."""
        self._running.discard(connection)

    def __len__(self) -> int:
        free = self._max_spectators - len(self._running)
        return len(self._others) + max(0, min(free, len(self._spectators)))


class Dispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # brings no types
    """waitress's threads, with two lanes."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = RequestQueue()

    def finish(self, connection: Any) -> None:
        """Let the next spectator run; a connection calls this when its request is answered."""
        with self.lock:
            self.queue.finish(connection)
            self.queue_cv.notify()
