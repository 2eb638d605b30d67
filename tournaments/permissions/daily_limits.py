"""Rate limits for writes that need no account: starting club tables, and applying to play.

Writes are counted in Django's session of the browser, and by network address where addresses
distinguish people (`web.peers`), since a script discards its cookies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from tournaments.services import daily_counts
from tournaments.services.daily_counts import A_DAY, TooManyToday
from tournaments.web import peers


class DailyLimit:
    """How many writes of one kind a browser or an address may make within a day."""

    def __init__(self, kind: str, limit: int) -> None:
        """Set up a limit of writes a day.

        Under `kind` the session has the Unix times of the browser's writes, the latest last.
        """
        self.kind = kind
        self.limit = limit

    @contextmanager
    def counting(self, request: HttpRequest, *, has_session: bool = True) -> Iterator[None]:
        """Count the write that the block makes, in one transaction with it.

        Raises `TooManyToday` instead if this client has to wait. Requests of the API have no
        session (`has_session`), and so are counted by address only.
        """
        times = self._times_of(request) if has_session else []
        if seconds := self._seconds_until_allowed(times):
            raise TooManyToday(seconds)
        with transaction.atomic():
            if peer := peers.peer_of(request):
                daily_counts.count(self.kind, peer, self.limit)
            yield
        if has_session:
            request.session[self.kind] = [*times, timezone.now().timestamp()]

    def _times_of(self, request: HttpRequest) -> list[float]:
        """Return the Unix times of this browser's writes within the last day."""
        a_day_ago = (timezone.now() - A_DAY).timestamp()
        return [time for time in request.session.get(self.kind, []) if time > a_day_ago]

    def _seconds_until_allowed(self, times: list[float]) -> int:
        """Return the seconds until fewer than `limit` of these times are within the last day.

        `times` are Unix times within the last day, the latest last.
        """
        if len(times) < self.limit:
            return 0
        return ceil(times[-self.limit] + A_DAY.total_seconds() - timezone.now().timestamp())


CLUB_TABLES = DailyLimit("started", 20)  # more games than a table plays in a night
REGISTRATIONS = DailyLimit("registered", 50)  # more players than a club sends
