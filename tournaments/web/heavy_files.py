"""A cache of files that take a second to make, such as charts and workbooks, with a limit.

Each process has its own cache. Making files, and waiting for them, may occupy half of its threads,
so that the others can record rounds; half of that half is reserved for the staff.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from enum import IntEnum
from threading import Lock

from django.http import HttpRequest

from tournaments.exceptions import Busy

__all__ = ["Busy", "FileCache", "Quota", "cache", "quota_of"]

MOST_FILES = 48  # files: a chart has some 100 kB, the workbook of a thousand players 1 MB
SECONDS_TO_WAIT = "5"


class Quota(IntEnum):
    """How many threads of a process a group of readers may occupy with files.

    The value is the limit for the group together with the groups before it. A process has eight
    threads (`gunicorn.py`).
    """

    CLUB_TABLE = 1  # anybody can start tables, each with its own chart
    ANYBODY = 2
    STAFF = 4


def quota_of(request: HttpRequest) -> Quota:
    """Return `STAFF` for authenticated users, `ANYBODY` for others."""
    return Quota.STAFF if request.user.is_authenticated else Quota.ANYBODY


class FileCache:
    """A thread-safe LRU cache of files, which makes each file once for concurrent requests."""

    def __init__(self, most_files: int = MOST_FILES, at_once: int = Quota.STAFF) -> None:
        self._most_files, self._at_once = most_files, at_once
        self._files: OrderedDict[Hashable, Future[bytes]] = OrderedDict()
        self._used_threads: Counter[Quota] = Counter()
        self._lock = Lock()

    def get(
        self,
        key: Callable[[], Hashable],
        make: Callable[[], bytes],
        quota: Quota = Quota.ANYBODY,
    ) -> bytes:
        """Return the cached file of a key, or make the file.

        If another thread is making the file, wait for its result. `key` is called again after
        making the file: if the key has changed meanwhile, or is None, the file is not cached.
        Raises `Busy`, and any exception of `make`.
        """
        key_at_start = key()
        if key_at_start is None:
            key_at_start = object()  # equals no other key
        with self._lock:
            file = self._files.get(key_at_start)
            if file is not None and file.done():
                self._files.move_to_end(key_at_start)
                return file.result()
            if not self._has_free_thread(quota):
                raise Busy
            self._used_threads[quota] += 1
            is_maker = file is None
            if file is None:
                file = self._files[key_at_start] = Future()
        try:
            if is_maker:
                self._make_and_store(file, key_at_start, key, make)
            return file.result()
        finally:
            with self._lock:
                self._used_threads[quota] -= 1

    def _has_free_thread(self, quota: Quota) -> bool:
        """Return whether this quota, and each larger one that includes it, has a free thread."""
        return all(
            sum(self._used_threads[part] for part in Quota if part <= whole)
            < min(whole, self._at_once)
            for whole in Quota
            if whole >= quota
        )

    def _make_and_store(
        self,
        file: Future[bytes],
        key_at_start: Hashable,
        key: Callable[[], Hashable],
        make: Callable[[], bytes],
    ) -> None:
        """Make a file and complete its future, which is in the cache under `key_at_start`.

        If `make` raises an exception, the future gets it. The future is removed from the cache
        after an exception, and if the key has changed meanwhile. Then the least recently used
        files above the limit are removed.
        """
        is_current = False
        try:
            content = make()
            is_current = key() == key_at_start
            file.set_result(content)
        except BaseException as error:  # noqa: BLE001  raised in all waiting threads
            file.set_exception(error)
        finally:
            with self._lock:
                if not is_current:
                    self._files.pop(key_at_start, None)
                while len(self._files) > self._most_files:
                    self._files.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._files.clear()


cache = FileCache()
