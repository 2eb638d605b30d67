"""Read one consistent state of the database for a long time, without blocking writers.

On PostgreSQL this is a transaction with REPEATABLE READ. With SQLite's rollback journal a long
read would block every commit, so a temporary copy is read, which takes a few milliseconds to make.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.backups import sqlite

REPEATABLE_READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

# SQLite writes no journal file beside a file that was deleted.
WITHOUT_A_JOURNAL_FILE = "PRAGMA journal_mode=MEMORY;PRAGMA synchronous=OFF"


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Let all queries of this thread in the block see the database as it is now.

    The thread must not write in the block. Within a transaction or another snapshot, or with a
    database in memory, this does nothing.
    """
    if connection.in_atomic_block or sqlite.is_in_memory() or _is_in_snapshot():
        yield
    elif connection.vendor == "sqlite":
        with scratch_copy():
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(REPEATABLE_READ)
            yield


@contextmanager
def scratch_copy() -> Iterator[None]:
    """Let all queries of this thread in the block use a copy of SQLite's file; writes are lost.

    With PostgreSQL, or a database in memory, this does nothing.
    """
    if connection.vendor == "sqlite" and not sqlite.is_in_memory():
        with temporary_folder() as folder, _redirect_queries(_connect_to_copy(folder)):
            shutil.rmtree(folder, ignore_errors=True)  # at once, unless Windows refuses it
            yield
    else:
        yield


def _is_in_snapshot() -> bool:
    return "is_copy" in vars(connections[DEFAULT_DB_ALIAS])


def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that may be gone by the end of its block."""
    return tempfile.TemporaryDirectory(prefix="makiyaku-", ignore_cleanup_errors=True)


def _connect_to_copy(folder: str) -> BaseDatabaseWrapper:
    """Copy the database to a file in a folder, and return a connection to the copy.

    The file can be deleted; the open connection still uses it.
    """
    file = Path(folder) / "moment.sqlite3"
    sqlite.copy(file)
    connection_to_copy: BaseDatabaseWrapper = connection.copy()
    connection_to_copy.settings_dict["NAME"] = str(file)
    options = connection_to_copy.settings_dict["OPTIONS"]
    options.pop("database", None)  # it names the live file
    options["init_command"] = WITHOUT_A_JOURNAL_FILE
    vars(connection_to_copy)["is_copy"] = True
    connection_to_copy.connect()
    return connection_to_copy


@contextmanager
def _redirect_queries(connection_to_copy: BaseDatabaseWrapper) -> Iterator[None]:
    """Use this connection as the thread's default connection in the block, and close it then."""
    live = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = connection_to_copy
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = live
        connection_to_copy.close()
