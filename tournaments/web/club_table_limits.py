"""Rate limit for starting club tables, which needs no account.

Tables are counted in Django's session of the browser, and by network address where addresses tell
phones apart, since a script discards its cookies. Each process counts addresses in memory.
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
# Key in Django's session: the Unix times at which the browser started tables, the latest last.
STARTED_KEY = "started"

_by_address: defaultdict[str, list[float]] = defaultdict(list)
_lock = Lock()


def seconds_to_wait(request: HttpRequest) -> int:
    """Return the seconds after which this phone may start another table; 0 if it may now.

    Counts nothing: `count_started` does.
    """
    times_counted = [_within_a_day(request.session.get(STARTED_KEY, []))]
    if peer := peers.peer_of(request):
        with _lock:
            times_counted.append(_within_a_day(_by_address.get(peer, [])))
    return max(_seconds_until_allowed(started) for started in times_counted)


def count_started(request: HttpRequest) -> None:
    """Count a table that this phone has just started."""
    now = timezone.now().timestamp()
    request.session[STARTED_KEY] = [*_within_a_day(request.session.get(STARTED_KEY, [])), now]
    if peer := peers.peer_of(request):
        with _lock:
            _by_address[peer].append(now)
            for address, started in list(_by_address.items()):
                _by_address[address] = _within_a_day(started)
                if not _by_address[address]:
                    del _by_address[address]


def reset_counts() -> None:
    """Reset this process's counts by address, for tests."""
    _by_address.clear()


def _seconds_until_allowed(started: list[float]) -> int:
    """Return the seconds until fewer than `MOST_A_DAY` of these times are within the last day.

    `started` are Unix times within the last day, the latest last.
    """
    if len(started) < MOST_A_DAY:
        return 0
    return ceil(started[-MOST_A_DAY] + A_DAY.total_seconds() - timezone.now().timestamp())


def _within_a_day(started: list[float]) -> list[float]:
    """Return the times within the last day."""
    a_day_ago = (timezone.now() - A_DAY).timestamp()
    return [started_at for started_at in started if started_at > a_day_ago]
