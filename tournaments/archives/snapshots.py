"""Read one consistent state of the database for a long time, without blocking writers.

On PostgreSQL this is a transaction with REPEATABLE READ. With SQLite's rollback journal a long
read would block every commit, so a temporary copy is read, which takes a few milliseconds to make.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.backups import sqlite

REPEATABLE_READ = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Let all queries of this thread in the block see the database as it is now.

    The thread must not write in the block. Within a transaction, or with a database in memory, this
    does nothing.
    """
    if connection.in_atomic_block or sqlite.is_in_memory():
        yield
    elif connection.vendor == "sqlite":
        with _redirect_queries(_connect_to_copy()):
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(REPEATABLE_READ)
            yield


def _connect_to_copy() -> BaseDatabaseWrapper:
    """Copy the database file, and return a connection to the copy.

    The copy's file is deleted at once; the open connection still reads it.
    """
    with tempfile.TemporaryDirectory(prefix="makiyaku-") as folder:
        file = Path(folder) / "moment.sqlite3"
        sqlite.copy(file)
        connection_to_copy: BaseDatabaseWrapper = connection.copy()
        connection_to_copy.settings_dict["NAME"] = str(file)
        connection_to_copy.settings_dict["OPTIONS"].pop("database", None)  # it names the live file
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
