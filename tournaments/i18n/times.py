"""Dates and times on pages: in the active language's long format and the server's time zone.

Files, exports and the API use ISO 8601.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime
from django.utils.translation import gettext


def moment(at: datetime) -> str:
    """Return date, hours and minutes, such as 2026年11月21日 16:03."""
    return _formatted(at, "%H:%M")


def exact_moment(at: datetime) -> str:
    """Return date and time to the second."""
    return _formatted(at, "%H:%M:%S")


def short_moment(at: datetime) -> str:
    """Return date and time to the second; the year only if it is not the current one."""
    local = localtime(at)
    if local.year != localdate().year:
        return exact_moment(at)
    return f"{date_format(local, 'MONTH_DAY_FORMAT')} {local.strftime('%H:%M:%S')}"


def minutes(seconds: int, *, is_extra: bool = False) -> str:
    """Return a length of time, such as 90分 or 1分30秒.

    With `is_extra` it is preceded by + or −. Other lengths must not be below 0.
    """
    sign = ("−" if seconds < 0 else "+") if is_extra else ""
    whole, rest = divmod(abs(seconds), 60)
    words = gettext("%(minutes)s min %(seconds)s s") if rest else gettext("%(minutes)s min")
    return sign + words % {"minutes": whole, "seconds": rest}


def jump_in_words(seconds: int) -> str:
    words = gettext("put forward by %(time)s") if seconds > 0 else gettext("put back by %(time)s")
    return words % {"time": minutes(abs(seconds))}


def _formatted(at: datetime, clock_format: str) -> str:
    local = localtime(at)
    return f"{date_format(local, 'DATE_FORMAT')} {local.strftime(clock_format)}"
