"""Copy and replace a SQLite database while other processes read and write it."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection

from tournaments.backups import contents, files
from tournaments.backups.contents import Contents
from tournaments.backups.errors import Damaged, NotRestored, Tampered
from tournaments.server import jobs
from tournaments.server.sqlite import SECONDS_TO_WAIT_FOR_A_WRITER, journal_mode, options
from tournaments.system import processes

BackUp = Callable[[Callable[[Path], Contents]], None]
BEGIN = "BEGIN EXCLUSIVE"
ALL_PAGES = -1  # in one step: a copy in several steps would start again at every write


def is_in_memory() -> bool:
    name = str(connection.settings_dict["NAME"])
    return connection.vendor == "sqlite" and (":memory:" in name or "mode=memory" in name)


def copy(to: Path) -> Contents:
    """Copy the committed state of the database to the new file `to`, and return its contents.

    Writers wait until the copy is made. Raises `OperationalError`, and `OSError` on a full disk.
    """
    if is_in_memory():
        connection.ensure_connection()
        return _copy_from_memory(connection.connection, to)
    with closing(_open(database_path(), must_exist=True)) as live:
        is_alone = jobs.is_a_job() and not connection.in_atomic_block
        return _copy_file(live, to) if is_alone else _copy(live, to)


def compact() -> None:
    """Write the database's file anew, without the remains of deleted values in its free space.

    Writers wait meanwhile. Raises `OperationalError`.
    """
    with closing(_open(database_path(), must_exist=True)) as live:
        try:
            live.executescript(options()["init_command"])
            live.execute("VACUUM")
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error


def check(copied_file: Path, expected: Contents) -> None:
    """Raise `Damaged` if a copy fails SQLite's checks, or its contents differ from the manifest."""
    try:
        with closing(sqlite3.connect(copied_file, isolation_level=None)) as opened:
            is_intact = opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if not is_intact or opened.execute("PRAGMA foreign_key_check").fetchone():
                raise Damaged
            if count_contents(opened) != expected:
                raise Damaged
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from error


def current_contents() -> Contents:
    """Return the contents of the live database; `NOTHING` without a file."""
    if is_in_memory():
        connection.ensure_connection()
        return count_contents(connection.connection)
    if not database_path().exists():
        return contents.NOTHING
    with closing(_open(database_path(), must_exist=True)) as live:
        return count_contents(live)


def count_contents(opened: sqlite3.Connection) -> Contents:
    """Return the migrations of a database and its numbers of tournaments and rounds.

    A copy is complete if it has the same. `opened` is the live database or a copy.
    """
    tables = opened.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return contents.count_contents(
        lambda statement: opened.execute(statement).fetchall(), {row[0] for row in tables}
    )


def prepare(copied_file: Path, steps: Sequence[str]) -> None:
    """Migrate a copy, begin an epoch in it, and verify it, in a separate process.

    `steps` are options of `migrate_and_verify`. Raises `Tampered` if the verification fails,
    `NotRestored` if the process fails otherwise.
    """
    command = _run_command(copied_file, "migrate_and_verify", *steps)
    if command.returncode == 1 and command.stdout:
        raise Tampered(command.stdout.strip().splitlines()[0])
    if command.returncode:
        raise NotRestored(_last_line(command.stderr))


def replace(copied_file: Path, _expected: Contents, back_up: BackUp, _steps: Sequence[str]) -> None:
    """Replace the database by a prepared copy, atomically.

    `back_up` is called with the function that copies the old database, unless the database has no
    tables. From then on until the new content is committed, an exclusive lock is held, so that the
    backup has every acknowledged write. Raises `NotRestored` for a database in memory, and
    `OperationalError`.
    """
    if is_in_memory():
        raise NotRestored("memory")
    connection.close()
    with _open_exclusively() as live, closing(sqlite3.connect(copied_file)) as prepared:
        if count_contents(live).migrations:
            back_up(lambda to: _copy(live, to))
        try:
            prepared.backup(live, pages=ALL_PAGES, progress=_give_up_when_locked())
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error


def _copy_from_memory(source: sqlite3.Connection, to: Path) -> Contents:
    """Copy a database in memory to a new file, even inside a transaction, as in tests."""
    _create(to)
    to.write_bytes(source.serialize())
    with closing(sqlite3.connect(to, isolation_level=None)) as target:
        return count_contents(target)


def _create(file: Path) -> None:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))


def _copy_file(live: sqlite3.Connection, to: Path) -> Contents:
    """Copy the file of the live database. Raises `OperationalError`, and `OSError` on a full disk.

    Writers wait a fifth of the time that SQLite's own copy takes. With a write-ahead log that copy
    is made. Only for a process that does nothing else with the database: when it closes a file, all
    its locks on that file are released.
    """
    try:
        live.execute("BEGIN")
        live.execute("SELECT 1 FROM sqlite_schema").fetchone()  # takes the read lock
        if live.execute("PRAGMA journal_mode").fetchone() == ("wal",):
            live.execute("COMMIT")
            return _copy(live, to)
        _create(to)
        shutil.copyfile(database_path(), to)
        live.execute("COMMIT")
        with closing(sqlite3.connect(to, isolation_level=None)) as target:
            return count_contents(target)
    except sqlite3.Error as error:
        raise OperationalError(str(error)) from error


def _copy(source: sqlite3.Connection, to: Path) -> Contents:
    """Copy a database to a new file. Raises `OperationalError`, also if it stays locked."""
    _create(to)
    try:
        with closing(sqlite3.connect(to, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous=OFF")  # the packed file is synced instead
            source.backup(target, pages=ALL_PAGES, progress=_give_up_when_locked())
            target.execute("PRAGMA journal_mode=DELETE")  # no -wal file beside it
            return count_contents(target)
    except sqlite3.Error as error:
        raise OperationalError(str(error)) from error


@contextmanager
def _open_exclusively() -> Iterator[sqlite3.Connection]:
    """Yield a connection to the database that holds its exclusive lock until the end of the block.

    A missing file is created. Raises `OperationalError`, also if the database stays locked.
    """
    with closing(_open(database_path(), must_exist=False)) as live:
        try:
            live.executescript(options()["init_command"])
            # The locking mode keeps the lock after the transaction. With a rollback journal it must
            # be set inside the transaction: before it, we would keep a read lock, which deadlocks
            # with a writer.
            keep_lock = "PRAGMA locking_mode=EXCLUSIVE"
            is_wal = journal_mode() == "wal"
            for statement in [keep_lock, BEGIN] if is_wal else [BEGIN, keep_lock]:
                live.execute(statement)
            live.execute("COMMIT")
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error
        yield live


def _open(path: Path, *, must_exist: bool) -> sqlite3.Connection:
    """Return a connection without implicit transactions. Raises `OperationalError`.

    A missing file is created, readable by its owner only, unless it `must_exist`.
    """
    mode = "rw" if must_exist else "rwc"
    if not must_exist and not path.exists():
        path.touch(mode=files.PRIVATE)
    timeout = connection.settings_dict["OPTIONS"].get("timeout", SECONDS_TO_WAIT_FOR_A_WRITER)
    try:
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            timeout=float(timeout),
            isolation_level=None,
            uri=True,
        )
    except sqlite3.Error as error:
        raise OperationalError(str(error)) from error


def database_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def _give_up_when_locked() -> Callable[[int, int, int], None]:
    """Return a progress callback that ends a copy if the database stays locked."""
    give_up_at = time.monotonic() + SECONDS_TO_WAIT_FOR_A_WRITER

    def check_time(status: int, _left: int, _total: int) -> None:
        if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} and time.monotonic() > give_up_at:
            message = "database is locked"
            raise sqlite3.OperationalError(message)

    return check_time


def _run_command(copied_file: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a management command on a copy of the database, and return the finished process.

    Its output is captured. Its other settings do not touch live data.
    """
    environment: dict[str, Any] = os.environ | {
        "BACKUPS_DIR": str(copied_file.parent / "backups"),
        "DATABASE_URL": processes.sqlite_url(copied_file),
        "DATA_DIR": str(copied_file.parent),
        "SECRET_KEY": secrets.token_urlsafe(),  # signs nothing
    }
    return subprocess.run(  # noqa: S603  our own program
        processes.manage(*command),
        check=False,
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
    )


def _last_line(output: str) -> str:
    """Return the last line of a program's output, which is the exception if it is a traceback."""
    lines = output.strip().splitlines()
    return lines[-1] if lines else ""
