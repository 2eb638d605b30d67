"""Draws within a request, one at a time for a process, so that they delay no phone.

A draw keeps a core busy for up to a second. In the server's own process it would take turns with
the threads that answer phones, so it is a job (`server.jobs`).
An event may have one draw running or waiting in a process, and few events may wait: the others are
told to come back, so that threads stay free.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from tournaments import draws
from tournaments.exceptions import Busy
from tournaments.server import jobs

MOST_EVENTS = 3  # with a draw that runs or waits, in the eight threads of a process
SECONDS_TO_WAIT = 5.0  # more than the draws before it take

_events: set[int] = set()  # by primary key
_events_lock, _drawing = Lock(), Lock()


@contextmanager
def turn(event: int) -> Iterator[Callable[[draws.Request], draws.Draw]]:
    """Yield a function that draws, alone for this process. Raises `Busy`, at once or later.

    The function raises what `draws.draw` does, and `JobEnded`.
    """
    with _events_lock:
        if event in _events or len(_events) >= MOST_EVENTS:
            raise Busy
        _events.add(event)
    try:
        if not _drawing.acquire(timeout=SECONDS_TO_WAIT):
            raise Busy
        try:
            yield lambda request: jobs.run_short(draws.draw, request, time.monotonic)
        finally:
            _drawing.release()
    finally:
        with _events_lock:
            _events.discard(event)
