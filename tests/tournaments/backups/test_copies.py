"""A copy of SQLite's file is one committed state, made while other processes write."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from django.db import OperationalError, connection

from tests.tournaments.standby.databases import create, execute
from tournaments.backups import sqlite
from tournaments.server import jobs

# Two counters that every transaction raises together are equal in each committed state.
COUNTERS = "CREATE TABLE counters (a INT, b INT); INSERT INTO counters VALUES (0, 0)"
WRITER = """
import sqlite3, sys, time
live = sqlite3.connect(sys.argv[1], timeout=60)
print("ready", flush=True)
while True:
    live.executescript('''
        BEGIN IMMEDIATE;
        UPDATE counters SET a = a + 1;
        UPDATE filler SET content = hex(randomblob(500)) WHERE id % 7 = 0;
        UPDATE counters SET b = b + 1;
        COMMIT;
    ''')
    time.sleep(0.002)
"""
LOCKER = """
import sqlite3, sys
live = sqlite3.connect(sys.argv[1], timeout=0)
try:
    live.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError:
    print("locked")
"""


@pytest.fixture(params=[False, True], ids=["server", "job"])
def is_a_job(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    is_job: bool = request.param
    monkeypatch.setattr(jobs, "is_a_job", lambda: is_job)
    return is_job


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = create(tmp_path / "database.sqlite3", rows=2000)
    execute(path, COUNTERS)
    monkeypatch.setattr(sqlite, "database_path", lambda: path)
    monkeypatch.setattr(sqlite, "is_in_memory", lambda: False)
    return path


@contextmanager
def writing(database: Path) -> Iterator[None]:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(database)], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        try:
            yield
        finally:
            writer.kill()


def counted(copied: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(copied)) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found: tuple[int, int] = opened.execute("SELECT a, b FROM counters").fetchone()
        return found


@pytest.mark.usefixtures("is_a_job")
def test_copy_beside_a_writer_is_a_committed_state(database: Path, tmp_path: Path) -> None:
    found = []
    with writing(database):
        for number in range(25):
            copied = tmp_path / f"{number}.sqlite3"
            assert sqlite.copy(copied).migrations == ("tournaments.0001_initial",)
            assert stat.S_IMODE(copied.stat().st_mode) == 0o600
            found.append(counted(copied))
    assert all(a == b for a, b in found)
    assert found == sorted(found)
    assert found[-1] > found[0]


def test_write_ahead_log_is_in_the_copy(database: Path, tmp_path: Path, is_a_job: bool) -> None:
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("PRAGMA wal_autocheckpoint = 0")
        opened.execute("UPDATE counters SET a = 5, b = 5")
        opened.commit()
        sqlite.copy(tmp_path / "copied.sqlite3")
    assert counted(tmp_path / "copied.sqlite3") == (5, 5)


def test_copy_is_refused_if_the_database_stays_locked(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_a_job: bool
) -> None:
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.05)
    monkeypatch.setattr(sqlite, "SECONDS_TO_WAIT_FOR_A_WRITER", 0.05)
    with closing(sqlite3.connect(database, isolation_level=None)) as locking:
        locking.execute("BEGIN EXCLUSIVE")
        with pytest.raises(OperationalError, match="locked"):
            sqlite.copy(tmp_path / "copied.sqlite3")


def test_copy_within_the_server_keeps_the_locks_of_other_threads(
    database: Path, tmp_path: Path
) -> None:
    """When a process closes a file, it loses all its locks on it, also those of other threads."""
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        sqlite.copy(tmp_path / "copied.sqlite3")
        command = [sys.executable, "-c", LOCKER, str(database)]
        assert subprocess.check_output(command, text=True).strip() == "locked"
