"""A clock that can be set while the programs that read it run.

It differs from the system's by the seconds in a file. What cannot be set on a real machine stays as
it is: the monotonic clocks. The times of files do, too.

    set_clock(clock, 0)
    Server(data, environment=environment(clock))
    set_clock(clock, 1500)
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

NAME = "SET_CLOCK"
HERE = Path(__file__).parent


def set_clock(clock: Path, seconds: float) -> None:
    """Set the clock so many seconds from the system's. The file is never truncated."""
    with os.fdopen(os.open(clock, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(struct.pack("d", seconds))


def environment(clock: Path) -> dict[str, str]:
    """Return variables with which Python programs, and those that they start, read the clock."""
    folders = [HERE / "set_clock_at_start", HERE.parent.parent]
    return {"PYTHONPATH": os.pathsep.join(map(str, folders)), NAME: str(clock)}


def follow() -> None:
    """Let this program read the clock, by `time.time` and `timezone.now`: the app uses no other."""
    from django.utils import timezone  # noqa: PLC0415  not needed by programs that set it

    with Path(os.environ[NAME]).open("rb") as file:
        shared = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    read = time.time

    def seconds() -> float:
        return float(struct.unpack_from("d", shared)[0])

    class SetClock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.now(tz) + timedelta(seconds=seconds())

    time.time = lambda: read() + seconds()
    timezone.datetime = SetClock  # type: ignore[attr-defined]
