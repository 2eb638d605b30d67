"""The health check for supervisors and load balancers: can the database be written?"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from django.contrib.sessions.models import Session as LogIn
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.server import sqlite

SECONDS_CACHED = 1.0


class WriteCheck:
    """A check whose result is cached for a second, made by one thread of a process at a time.

    Only a write shows a full disk or a locked file. The check therefore takes the write lock for a
    moment, at most once a second whatever the number of requests. A request that comes during a
    check gets the previous result, or False if the check has waited for a second: a round would
    not get the lock either.
    """

    def __init__(self, can_write: Callable[[], bool]) -> None:
        self._can_write = can_write
        self._lock = Lock()
        self._result, self._finished_at = False, -SECONDS_CACHED
        self._begun_at = 0.0

    def answer(self) -> bool:
        """Return whether the database can be written: the result of a check at most a second old.

        While another thread makes the check, return the previous result; return False if that check
        has already taken a second.
        """
        if time.monotonic() - self._finished_at < SECONDS_CACHED:
            return self._result
        if self._lock.acquire(blocking=False):
            try:
                self._begun_at = time.monotonic()
                self._result = self._can_write()
                self._finished_at = time.monotonic()
            finally:
                self._lock.release()
        elif time.monotonic() - self._begun_at >= SECONDS_CACHED:
            return False
        return self._result

    def clear_cache(self) -> None:
        self._finished_at = -SECONDS_CACHED


def can_write() -> bool:
    """Return whether a row can be written and the disk has room for a round.

    The row is rolled back. The room is checked as well, as a row may fit when a round does not.
    """
    try:
        if not sqlite.has_room(connection):
            return False
        with transaction.atomic():
            LogIn.objects.create(session_key=get_random_string(32), expire_date=timezone.now())
            transaction.set_rollback(True)
    except (DatabaseError, OSError):
        return False
    return True


check = WriteCheck(can_write)


@never_cache
@requires(GET=Level.ANYBODY)
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 only when the database can be written: see `WriteCheck`."""
    if check.answer():
        return HttpResponse("ok", "text/plain")
    return HttpResponse("The database cannot be written.", "text/plain", status=503)
