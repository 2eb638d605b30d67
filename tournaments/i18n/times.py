"""When something was, as pages tell people: the reader's long date, and the clock of the place.

Files, exports and the API keep ISO 8601.
"""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localdate, localtime


def moment(at: datetime) -> str:
    """Return date, hours and minutes, such as 2026年11月21日 16:03."""
    return _formatted(at, "%H:%M")


def exact_moment(at: datetime) -> str:
    """Return the same to the second, for what tells a history."""
    return _formatted(at, "%H:%M:%S")


def moment_in_a_list(at: datetime) -> str:
    """Return the same for a narrow column: without the year, unless it is another than ours."""
    there = localtime(at)
    if there.year != localdate().year:
        return exact_moment(at)
    return f"{date_format(there, 'MONTH_DAY_FORMAT')} {there.strftime('%H:%M:%S')}"


def _formatted(at: datetime, clock: str) -> str:
    there = localtime(at)
    return f"{date_format(there, 'DATE_FORMAT')} {there.strftime(clock)}"
