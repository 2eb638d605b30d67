"""Copying and replacing a database that is a file of SQLite, while others read and write it."""

from __future__ import annotations

import os
import secrets
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError, connection

from tournaments.backups import contents, files
from tournaments.backups.contents import Contents
from tournaments.backups.errors import Damaged, NotRestored, Tampered
from tournaments.server.sqlite import SECONDS_TO_WAIT_FOR_A_WRITER, journal_mode, options

Keep = Callable[[Callable[[Path], Contents]], None]
BEGIN = "BEGIN EXCLUSIVE"
ALL_AT_ONCE = -1  # pages: a copy in several steps would begin anew whenever somebody writes


def is_in_memory() -> bool:
    """Return whether the database is in memory, where only its own connections can see it."""
    name = str(connection.settings_dict["NAME"])
    return connection.vendor == "sqlite" and (":memory:" in name or "mode=memory" in name)


def copy(to: Path) -> Contents:
    """Copy the database as it was last committed to a new file. Writers wait a moment."""
    if is_in_memory():
        connection.ensure_connection()
        return _pour(connection.connection, to)
    with closing(_open(_live(), must_exist=True)) as live:
        return _copy(live, to)


def check(payload: Path, expected: Contents) -> None:
    """Raise `Damaged` if a copy is not a sound database, or holds something else than it says."""
    try:
        with closing(sqlite3.connect(payload, isolation_level=None)) as opened:
            is_sound = opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            if not is_sound or opened.execute("PRAGMA foreign_key_check").fetchone():
                raise Damaged
            if contents_of(opened) != expected:
                raise Damaged
    except sqlite3.DatabaseError as error:
        raise Damaged(str(error)) from error


def present() -> Contents:
    """Return what is in the database now."""
    if is_in_memory():
        connection.ensure_connection()
        return contents_of(connection.connection)
    if not _live().exists():
        return contents.NOTHING
    with closing(_open(_live(), must_exist=True)) as live:
        return contents_of(live)


def contents_of(opened: sqlite3.Connection) -> Contents:
    """Return what is in an open database."""
    tables = opened.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return contents.contents(
        lambda statement: opened.execute(statement).fetchall(), {row[0] for row in tables}
    )


def prove(payload: Path) -> None:
    """Bring a copy up to date, end all log-ins and phones in it, and verify its trails.

    Raises `Foreign`, `Tampered`, `NotRestored`.

    In processes of their own: what is open here stays what it is.
    """
    plainly = ("--no-input", "--no-backup", "--skip-checks", "--verbosity=0")
    migrated = _manage(payload, "migrate", *plainly)
    if migrated.returncode:
        raise NotRestored(_last_line(migrated.stderr))
    ended = _manage(payload, "end_log_ins")
    if ended.returncode:
        raise NotRestored(_last_line(ended.stderr))
    verified = _manage(payload, "verify")
    if verified.returncode == 1 and verified.stdout:
        raise Tampered(verified.stdout.strip().splitlines()[0])
    if verified.returncode:
        raise NotRestored(_last_line(verified.stderr))


def replace(payload: Path, _expected: Contents, keep: Keep) -> None:
    """Put a proven copy in the place of the database: wholly, or not at all.

    Nobody else reads or writes from before `keep` is given the means to copy what is there, until
    the new content is in force: nothing acknowledged in between can fall between the two.
    """
    if is_in_memory():
        raise NotRestored("memory")
    connection.close()
    with _alone() as live, closing(sqlite3.connect(payload)) as proven:
        if contents_of(live).migrations:
            keep(lambda to: _copy(live, to))
        try:
            proven.backup(live, pages=ALL_AT_ONCE, progress=_patience())
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error


def _pour(source: sqlite3.Connection, to: Path) -> Contents:
    """Copy what is in memory, even amid a transaction, as tests are."""
    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
    to.write_bytes(source.serialize())
    with closing(sqlite3.connect(to, isolation_level=None)) as target:
        return contents_of(target)


def _copy(source: sqlite3.Connection, to: Path) -> Contents:
    os.close(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, files.PRIVATE))
    try:
        with closing(sqlite3.connect(to, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous=OFF")  # who writes waits; what is packed is synced
            source.backup(target, pages=ALL_AT_ONCE, progress=_patience())
            target.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
            return contents_of(target)
    except sqlite3.Error as error:
        raise OperationalError(str(error)) from error


@contextmanager
def _alone() -> Iterator[sqlite3.Connection]:
    """Open the database, made if need be, and keep everybody else out of it."""
    with closing(_open(_live(), must_exist=False)) as live:
        try:
            live.executescript(options()["init_command"])
            # Held after the transaction, too. With a rollback journal only once we are alone: set
            # earlier, it would keep the lock whose release a writer waits for while we wait for it.
            stay_alone = "PRAGMA locking_mode=EXCLUSIVE"
            is_wal = journal_mode() == "wal"
            for statement in [stay_alone, BEGIN] if is_wal else [BEGIN, stay_alone]:
                live.execute(statement)
            live.execute("COMMIT")
        except sqlite3.Error as error:
            raise OperationalError(str(error)) from error
        yield live


def _open(path: Path, *, must_exist: bool) -> sqlite3.Connection:
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


def _live() -> Path:
    return Path(connection.settings_dict["NAME"])


def _patience() -> Callable[[int, int, int], None]:
    """Return what gives up a copy when another program holds the database for too long."""
    give_up = time.monotonic() + SECONDS_TO_WAIT_FOR_A_WRITER

    def look(status: int, _left: int, _total: int) -> None:
        if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} and time.monotonic() > give_up:
            message = "database is locked"
            raise sqlite3.OperationalError(message)

    return look


def _manage(payload: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run one of our commands on a copy, as if that were the database."""
    environment: dict[str, Any] = os.environ | {
        "BACKUPS_DIR": str(payload.parent / "backups"),
        "DATABASE_URL": f"sqlite:///{payload}",
        "DATA_DIR": str(payload.parent),
        "SECRET_KEY": secrets.token_urlsafe(),  # a fresh checkout has none, and it signs nothing
    }
    return subprocess.run(  # noqa: S603  our own program
        [sys.executable, "manage.py", *command],
        check=False,
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
    )


def _last_line(said: str) -> str:
    lines = said.strip().splitlines()
    return lines[-1] if lines else ""
