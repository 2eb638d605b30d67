"""What the tests of jobs let a job do."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from django.db import OperationalError
from django.utils import translation

from tournaments.server import jobs


def prepare() -> None:
    """Load nothing."""


def process() -> dict[str, Any]:
    """Return what is known of the process of the job."""
    import resource  # noqa: PLC0415  not on Windows

    return {
        "number": os.getpid(),
        "nice": os.getpriority(os.PRIO_PROCESS, 0),
        "policy": os.sched_getscheduler(0),
        "memory": resource.getrlimit(resource.RLIMIT_AS)[0],
        "seconds": resource.getrlimit(resource.RLIMIT_CPU)[0],
        "oom": Path("/proc/self/oom_score_adj").read_text().strip(),
        "threads": threading.active_count(),
        "language": translation.get_language(),
        "is_served": jobs.is_served(),
    }


def describe(words: str, *, upper: bool = False) -> str:
    return words.upper() if upper else words


def wait_for(file: Path, started: Path) -> str:
    """Write the number of the process, and wait until a file is there."""
    draft = started.with_suffix(".new")
    draft.write_text(str(os.getpid()))
    draft.rename(started)
    while not file.exists():
        time.sleep(0.01)
    return "done"


def allocate(size: int) -> int:
    return len(bytearray(size))


def fill_the_disk() -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def lock_the_database() -> NoReturn:
    cause = sqlite3.OperationalError("busy")
    cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
    raise OperationalError("cannot tell") from cause


class Unpicklable(Exception):
    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def fail_oddly() -> NoReturn:
    raise Unpicklable("odd", "failure")


def count(total: int) -> int:
    for done in range(total):
        jobs.report(done, total)
    return total


@jobs.lowers_priority_itself
def priorities() -> list[int]:
    """Return the priority at first, in a part that is lowered, and after it."""

    def now() -> int:
        return os.getpriority(os.PRIO_PROCESS, 0)

    return [now(), jobs.at_low_priority(now), now()]
