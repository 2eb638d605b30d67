"""Limits how many tables one phone starts in a day, since no account is needed for it.

Counted in the browser's session, and by network address where addresses tell phones apart, since a
script discards its cookies. Addresses are counted in memory, by each process of the server.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from math import ceil
from threading import Lock

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.web import peers

MOST_A_DAY = 20  # more games than a table plays in a night
A_DAY = timedelta(days=1)
SENTENCE = _(
    "This phone has started %(most)s tables within a day. Go on at one of them, or start this one"
    " on another phone."
)
# Where a browser's session keeps when it started tables: seconds, the latest last.
STARTED_KEY = "started"

_by_address: defaultdict[str, list[float]] = defaultdict(list)
_lock = Lock()


def seconds_to_wait(request: HttpRequest) -> int:
    """Return after how many seconds this phone may start another table: 0 where it may now."""
    counted = [_lately(request.session.get(STARTED_KEY, []))]
    if peer := peers.peer_of(request):
        with _lock:
            counted.append(_lately(_by_address.get(peer, [])))
    return max(_wait(started) for started in counted)


def note(request: HttpRequest) -> None:
    """Keep that this phone has just started a table."""
    now = timezone.now().timestamp()
    request.session[STARTED_KEY] = [*_lately(request.session.get(STARTED_KEY, [])), now]
    if peer := peers.peer_of(request):
        with _lock:
            _by_address[peer].append(now)
            for address, started in list(_by_address.items()):
                _by_address[address] = _lately(started)
                if not _by_address[address]:
                    del _by_address[address]


def forget() -> None:
    """Forget what was counted by address."""
    _by_address.clear()


def _wait(started: list[float]) -> int:
    if len(started) < MOST_A_DAY:
        return 0
    return ceil(started[-MOST_A_DAY] + A_DAY.total_seconds() - timezone.now().timestamp())


def _lately(started: list[float]) -> list[float]:
    """Return which of these were within a day."""
    since = (timezone.now() - A_DAY).timestamp()
    return [at for at in started if at > since]
