"""Draws within a request, one at a time in a process, so that they delay no phone.

A draw keeps a core busy for up to a second, and each thread that draws beside another takes its
share from the phones. An event may have one draw running or waiting in a process, and few events
may wait: the others are told to come back, so that threads stay free.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from tournaments.exceptions import Busy

MOST_EVENTS = 3  # with a draw that runs or waits, in the eight threads of a process
SECONDS_TO_WAIT = 5.0  # more than the draws before it take

_events: set[int] = set()  # by primary key
_events_lock, _drawing = Lock(), Lock()


@contextmanager
def turn(event: int) -> Iterator[None]:
    """Draw in the block, alone in this process. Raises `Busy`, at once or after waiting."""
    with _events_lock:
        if event in _events or len(_events) >= MOST_EVENTS:
            raise Busy
        _events.add(event)
    try:
        if not _drawing.acquire(timeout=SECONDS_TO_WAIT):
            raise Busy
        try:
            yield
        finally:
            _drawing.release()
    finally:
        with _events_lock:
            _events.discard(event)
