"""Whether results can be stored right now, for supervisors and load balancers."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.views.decorators.cache import never_cache

from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level

SECONDS_KEPT = 1.0


class Check:
    """A check whose answer is kept for a second, and which one thread of a process makes at a time.

    Only writing shows that a database can be written: that a disk is full, or a file locked, is
    seen by nothing else. So the check takes the write lock for a moment, once a second at most
    however many ask. Whoever asks during a check gets the answer before it; if that check does not
    get the lock within a second, neither would a result, and the answer is no.
    """

    def __init__(self, can_write: Callable[[], bool]) -> None:
        """Keep no answer yet."""
        self._can_write = can_write
        self._lock = Lock()
        self._answer, self._made_at = False, -SECONDS_KEPT
        self._begun_at = 0.0

    def answer(self) -> bool:
        """Return whether the database can be written, as of a second ago at most."""
        if time.monotonic() - self._made_at < SECONDS_KEPT:
            return self._answer
        if self._lock.acquire(blocking=False):
            try:
                self._begun_at = time.monotonic()
                self._answer = self._can_write()
                self._made_at = time.monotonic()
            finally:
                self._lock.release()
        elif time.monotonic() - self._begun_at >= SECONDS_KEPT:
            return False
        return self._answer

    def forget(self) -> None:
        """Let the next who asks find out anew."""
        self._made_at = -SECONDS_KEPT


def can_write() -> bool:
    """Write a row and take it back."""
    try:
        with transaction.atomic():
            Session.objects.create(session_key=get_random_string(32), expire_date=timezone.now())
            transaction.set_rollback(True)
    except DatabaseError:
        return False
    return True


check = Check(can_write)


@never_cache
@requires(GET=Level.ANYBODY)
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 only when the database can be written: see `Check`."""
    if check.answer():
        return HttpResponse("ok", "text/plain")
    return HttpResponse("The database cannot be written.", "text/plain", status=503)
