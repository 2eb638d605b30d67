"""A cache of files that anybody may ask for and that take a second to make, few at a time.

Each process keeps its own. However many ask for charts and workbooks, half of its threads are left
to those who take rounds down, and half of the places to make something are left to the staff.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from enum import IntEnum
from functools import wraps
from threading import Lock

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

KEPT = 48  # files: a chart has some 100 kB, the workbook of a thousand players 1 MB
SECONDS_TO_WAIT = "5"


class Lane(IntEnum):
    """Who asks, with the number of threads that they and the lanes before may use together.

    A process has eight threads: `gunicorn.py`.
    """

    CLUB_TABLE = 1  # anybody starts tables, and each has a chart of its own
    ANYBODY = 2
    STAFF = 4


def lane_of(request: HttpRequest) -> Lane:
    """Return the lane of whoever asks."""
    return Lane.STAFF if request.user.is_authenticated else Lane.ANYBODY


class Busy(Exception):
    """Raised where as many as may are making something, or waiting for it."""


class Ready:
    """Files that have been made, the last asked for last. Threads share it."""

    def __init__(self, kept: int = KEPT, at_once: int = Lane.STAFF) -> None:
        """Begin with none."""
        self._kept, self._at_once = kept, at_once
        self._files: OrderedDict[Hashable, Future[bytes]] = OrderedDict()
        self._inside: Counter[Lane] = Counter()
        self._lock = Lock()

    def get(
        self,
        key: Callable[[], Hashable],
        make: Callable[[], bytes],
        lane: Lane = Lane.ANYBODY,
    ) -> bytes:
        """Return the file of this key, which is made if it is not there. Raises `Busy`.

        `key` is asked again after making it: what changed meanwhile is not kept. With None nothing
        is. Who asks for what is just being made waits for it.
        """
        known = key()
        if known is None:
            known = object()
        with self._lock:
            file = self._files.get(known)
            if file is not None and file.done():
                self._files.move_to_end(known)
                return file.result()
            if not self._has_room(lane):
                raise Busy
            self._inside[lane] += 1
            is_ours = file is None
            if file is None:
                file = self._files[known] = Future()
        try:
            if is_ours:
                self._fill(file, known, key, make)
            return file.result()
        finally:
            with self._lock:
                self._inside[lane] -= 1

    def _has_room(self, lane: Lane) -> bool:
        """Return whether this lane, and each lane that includes it, has a free place."""
        return all(
            sum(self._inside[part] for part in Lane if part <= whole) < min(whole, self._at_once)
            for whole in Lane
            if whole >= lane
        )

    def _fill(
        self,
        file: Future[bytes],
        known: Hashable,
        key: Callable[[], Hashable],
        make: Callable[[], bytes],
    ) -> None:
        is_kept = False
        try:
            content = make()
            is_kept = key() == known
            file.set_result(content)
        except BaseException as error:  # noqa: BLE001  told to all who wait, whatever it is
            file.set_exception(error)
        finally:
            with self._lock:
                if not is_kept:
                    self._files.pop(known, None)
                while len(self._files) > self._kept:
                    self._files.popitem(last=False)

    def forget(self) -> None:
        """Forget all of them."""
        with self._lock:
            self._files.clear()


ready = Ready()


def or_busy(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let a view answer 503 where it is `Busy`: come back in a moment."""

    @wraps(view)
    def answer(request: HttpRequest, *args: object, **named: object) -> HttpResponse:
        try:
            return view(request, *args, **named)
        except Busy:
            busy = render(request, "busy.html", status=503)
            busy.headers["Retry-After"] = SECONDS_TO_WAIT
            busy.headers["Cache-Control"] = "no-store"
            return busy

    return answer
