"""Which threads wait for SQLite's write lock, and which are refused at once."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import OperationalError

from tournaments.server.write_queue import WriteQueue, wait_for_turn
from tournaments.system import locks
from tournaments.web import storage_errors

FOR_EVER = 3600.0


@contextmanager
def holding(queue: WriteQueue, times: int) -> Iterator[None]:
    """Occupy so many slots until the end, as if another program held the lock."""
    over, here = threading.Event(), threading.Barrier(times + 1)

    def hold() -> None:
        with queue.slot():
            here.wait()
            over.wait()

    threads = [threading.Thread(target=hold) for _ in range(times)]
    for thread in threads:
        thread.start()
    here.wait()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_full_queue_without_progress_refuses_at_once() -> None:
    queue = WriteQueue(max_waiting=3, seconds_without_progress=0)
    with holding(queue, 3):
        for _ in range(20):
            with pytest.raises(OperationalError) as refused, queue.slot():
                pass
    assert storage_errors.status_of(refused.value) == storage_errors.AWAY


def test_everybody_waits_while_there_is_progress() -> None:
    queue, written = WriteQueue(max_waiting=1, seconds_without_progress=FOR_EVER), []

    def write(number: int) -> None:
        with queue.slot():
            written.append(number)

    with holding(queue, 1):
        threads = [threading.Thread(target=write, args=[number]) for number in range(20)]
        for thread in threads:
            thread.start()
        assert written == []
    for thread in threads:
        thread.join()
    assert sorted(written) == list(range(20))


def test_failure_frees_its_slot() -> None:
    queue = WriteQueue(max_waiting=1, seconds_without_progress=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), queue.slot():
            raise ZeroDivisionError
    with queue.slot():
        pass


def is_held(path: Path) -> bool:
    """Return whether another process would have to wait for a lock file."""
    try:
        os.close(locks.take(path, waits=False))
    except locks.Locked:
        return True
    return False


def test_one_process_waits_for_sqlite_at_a_time(tmp_path: Path) -> None:
    database = tmp_path / "makiyaku.sqlite3"
    lock_file = tmp_path / "makiyaku.sqlite3-queue"
    with wait_for_turn(str(database)):
        assert is_held(lock_file)
    assert not is_held(lock_file)
    with pytest.raises(ZeroDivisionError), wait_for_turn(str(database)):
        raise ZeroDivisionError
    assert not is_held(lock_file)
    assert lock_file.stat().st_mode & 0o077 == 0


def test_database_without_a_folder_has_no_lock_file() -> None:
    with wait_for_turn("/nowhere/makiyaku.sqlite3"):
        pass
