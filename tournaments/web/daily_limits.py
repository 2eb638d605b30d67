"""Rate limits for writes that need no account: starting club tables, and applying to play.

Writes are counted in Django's session of the browser, and also by network address where addresses
tell phones apart (`peers`), since a script discards its cookies. Each process counts addresses in
its own memory.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from math import ceil
from threading import Lock

from django.http import HttpRequest
from django.utils import timezone

from tournaments.web import peers

A_DAY = timedelta(days=1)


class DailyLimit:
    """How many writes of one kind a phone may make within a day."""

    def __init__(self, session_key: str, limit: int) -> None:
        """Set up a limit of writes a day.

        Under `session_key` the session has the Unix times of the browser's writes, the latest last.
        """
        self.session_key = session_key
        self.limit = limit
        self._by_address: defaultdict[str, list[float]] = defaultdict(list)
        self._lock = Lock()

    def seconds_to_wait(self, request: HttpRequest, *, has_session: bool = True) -> int:
        """Return how many seconds this phone must wait before its next write; 0 if it need not.

        Counts nothing: `count` does. Requests of the API have no session (`has_session`), and so
        are counted by address only.
        """
        times_counted = []
        if has_session:
            times_counted.append(_within_a_day(request.session.get(self.session_key, [])))
        if peer := peers.peer_of(request):
            with self._lock:
                times_counted.append(_within_a_day(self._by_address.get(peer, [])))
        return max(map(self._seconds_until_allowed, times_counted), default=0)

    def count(self, request: HttpRequest, *, has_session: bool = True) -> None:
        """Count a write that this phone has just made; `has_session` as in `seconds_to_wait`."""
        now = timezone.now().timestamp()
        if has_session:
            before = _within_a_day(request.session.get(self.session_key, []))
            request.session[self.session_key] = [*before, now]
        if peer := peers.peer_of(request):
            with self._lock:
                self._by_address[peer].append(now)
                for address, times in list(self._by_address.items()):
                    self._by_address[address] = _within_a_day(times)
                    if not self._by_address[address]:
                        del self._by_address[address]

    def reset(self) -> None:
        """Reset this process's counts by address, for tests."""
        self._by_address.clear()

    def _seconds_until_allowed(self, times: list[float]) -> int:
        """Return the seconds until fewer than `limit` of these times are within the last day.

        `times` are Unix times within the last day, the latest last.
        """
        if len(times) < self.limit:
            return 0
        return ceil(times[-self.limit] + A_DAY.total_seconds() - timezone.now().timestamp())


CLUB_TABLES = DailyLimit("started", 20)  # more games than a table plays in a night
REGISTRATIONS = DailyLimit("registered", 50)  # more players than a club sends


def _within_a_day(times: list[float]) -> list[float]:
    """Return the times within the last day."""
    a_day_ago = (timezone.now() - A_DAY).timestamp()
    return [time for time in times if time > a_day_ago]
