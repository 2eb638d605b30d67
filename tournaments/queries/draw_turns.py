"""Draws within a request, one at a time in a process, so that they delay no phone.

A draw keeps a core busy for up to a second. In the server's own process it would take turns with
the threads that answer phones, so each process of the server starts another one that draws for it.
An event may have one draw running or waiting in a process, and few events may wait: the others are
told to come back, so that threads stay free.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from django.conf import settings

from tournaments import draws
from tournaments.draws import serving
from tournaments.exceptions import Busy

MOST_EVENTS = 3  # with a draw that runs or waits, in the eight threads of a process
SECONDS_TO_WAIT = 5.0  # more than the draws before it take

_events: set[int] = set()  # by primary key
_events_lock, _drawing = Lock(), Lock()
_processes: list[subprocess.Popen[bytes]] = []  # at most one, that of `_drawing`


@contextmanager
def turn(event: int) -> Iterator[Callable[[draws.Request], draws.Draw]]:
    """Yield a function that draws, alone for this process. Raises `Busy`, at once or later."""
    with _events_lock:
        if event in _events or len(_events) >= MOST_EVENTS:
            raise Busy
        _events.add(event)
    try:
        if not _drawing.acquire(timeout=SECONDS_TO_WAIT):
            raise Busy
        try:
            yield _draw
        finally:
            _drawing.release()
    finally:
        with _events_lock:
            _events.discard(event)


def _draw(request: draws.Request) -> draws.Draw:
    """Draw in the other process. Raises what `draws.draw` does.

    Raises `Busy` if that process has ended, such as by running out of memory: the next draw starts
    another one.
    """
    process = _processes.pop() if _processes else _start()
    requests, answers = process.stdin, process.stdout
    assert requests is not None  # noqa: S101  for the types
    assert answers is not None  # noqa: S101
    try:
        pickle.dump(request, requests)
        requests.flush()
        answer: draws.Draw | Exception = pickle.load(answers)  # noqa: S301  our own program's
    except (EOFError, OSError):
        with suppress(OSError), process:  # which closes its pipes
            process.kill()
        raise Busy from None
    _processes.append(process)
    if isinstance(answer, Exception):
        raise answer
    return answer


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603  our own program
        [sys.executable, "-m", serving.__name__],
        cwd=settings.BASE_DIR,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
