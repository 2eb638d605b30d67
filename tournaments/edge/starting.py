"""How many tables one browser starts: nobody has to be known for that, and each stays for good."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MOST_A_DAY = 20  # more games than a table plays in a night
A_DAY = timedelta(days=1)
SENTENCE = _(
    "This browser has started %(most)s tables within a day. Go on at one of them, or start this one"
    " on another phone."
)
# Where a browser's session keeps when it started tables: seconds, the latest last.
STARTED_KEY = "started"


def seconds_to_wait(request: HttpRequest) -> int:
    """Return after how many seconds this browser may start another table: 0 where it may now."""
    lately = _lately(request)
    if len(lately) < MOST_A_DAY:
        return 0
    return ceil(lately[-MOST_A_DAY] + A_DAY.total_seconds() - timezone.now().timestamp())


def note(request: HttpRequest) -> None:
    """Keep that this browser has just started a table."""
    request.session[STARTED_KEY] = [*_lately(request), timezone.now().timestamp()]


def _lately(request: HttpRequest) -> list[float]:
    """Return when this browser started tables within a day."""
    since = (timezone.now() - A_DAY).timestamp()
    return [at for at in request.session.get(STARTED_KEY, []) if at > since]
