"""Locks of files, between all processes that open them: flock, or on Windows the first byte's.

The system releases the lock of a process that was killed. The libraries for this do not serve:
filelock looks for a free lock only every 50 ms and opens files for writing; portalocker brings
pywin32.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class Locked(Exception):
    """Another process, or another descriptor of this one, has the lock."""


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    SECONDS_BETWEEN = 0.005  # two attempts; Windows itself would make one a second

    def _try(descriptor: int) -> None:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError as error:
            raise Locked from error

    def _lock(descriptor: int) -> None:
        while True:
            with suppress(Locked):
                return _try(descriptor)
            time.sleep(SECONDS_BETWEEN)

else:

    def _try(descriptor: int) -> None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked from error

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def take(path: str | Path, *, waits: bool = True) -> int:
    """Take the lock of a file, which is made if missing, and return the file's descriptor.

    Closing it, as the end of the process does, releases the lock. It is open for reading only: a
    disk with a file open for writing cannot be made read-only. Raises `OSError`, and `Locked`
    unless it waits.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT, 0o600)
    try:
        (_lock if waits else _try)(descriptor)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Hold the lock of a file in the block, after waiting for it. Raises `OSError`."""
    descriptor = take(path)
    try:
        yield
    finally:
        os.close(descriptor)
