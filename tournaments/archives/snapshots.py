"""Reading at leisure what the database held at one moment, while others go on writing.

PostgreSQL shows a transaction one moment for as long as it lasts, and nobody waits for it. With
SQLite's rollback journal whoever commits waits until nobody reads: there a copy is read, which
takes a few milliseconds to make and which nobody else sees.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from tournaments.backups import sqlite

OF_ONE_MOMENT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def one_moment() -> Iterator[None]:
    """Let this thread read the database as it stands now. It must not write meanwhile.

    Amid a transaction, or where the database is in memory, it is read as it is.
    """
    if connection.in_atomic_block or sqlite.is_in_memory():
        yield
    elif connection.vendor == "sqlite":
        with _reading(_copied()):
            yield
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(OF_ONE_MOMENT)
            yield


def _copied() -> BaseDatabaseWrapper:
    """Return a connection to a copy of the file. It has no name any more, so that nothing stays."""
    with tempfile.TemporaryDirectory(prefix="makiyaku-") as folder:
        file = Path(folder) / "moment.sqlite3"
        sqlite.copy(file)
        copied: BaseDatabaseWrapper = connection.copy()
        copied.settings_dict["NAME"] = str(file)
        copied.settings_dict["OPTIONS"].pop("database", None)  # it would lead to the live one
        copied.connect()
    return copied


@contextmanager
def _reading(copied: BaseDatabaseWrapper) -> Iterator[None]:
    """Let whatever this thread asks be asked of the copy."""
    live = connections[DEFAULT_DB_ALIAS]
    connections[DEFAULT_DB_ALIAS] = copied
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = live
        copied.close()
