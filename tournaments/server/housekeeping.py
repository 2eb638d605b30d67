"""What a server does by itself from time to time, in one thread of one of its processes."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

from django.db import connections
from django.utils.module_loading import import_string

from tournaments.system import locks

logger = logging.getLogger(__name__)

Job = tuple[int, str]  # seconds between two calls, and the dotted path of a function
LOCK = "housekeeping.lock"


def start(folder: Path, jobs: Sequence[Job]) -> None:
    """Start the thread. It waits until no other process that uses this folder does these jobs."""
    Thread(target=_run, args=(folder, jobs), daemon=True, name="housekeeping").start()


def _run(folder: Path, jobs: Sequence[Job]) -> None:
    """Call each job when it is due, the first time within a minute of the start."""
    locks.take(folder / LOCK)  # until the process ends
    due = {path: time.monotonic() + min(seconds, 60) for seconds, path in jobs}
    while True:
        time.sleep(max(0.0, min(due.values()) - time.monotonic()))
        for seconds, path in jobs:
            if due[path] <= time.monotonic():
                _call(path)
                due[path] = time.monotonic() + seconds


def _call(path: str) -> None:
    """Call the function with this dotted path; exceptions are logged."""
    try:
        import_string(path)()
    except Exception:
        logger.exception("%s failed", path)
    finally:
        connections.close_all()
