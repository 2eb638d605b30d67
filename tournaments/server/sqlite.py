"""How SQLite is opened, so that a power cut loses no acknowledged write.

The write-ahead log (WAL) is the faster journal, but a library without the WAL-reset fix can lose
commits when the log is reset at an unlucky moment. Such a library uses a rollback journal, which is
truncated at each commit. With both journals, `synchronous=FULL` waits for the disk.
"""

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from django.core.signals import request_started
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

Version = tuple[int, int, int]

WAL_RESET_FIXED: Version = (3, 51, 3)
WAL_RESET_FIXED_IN_OLDER_SERIES: tuple[Version, ...] = ((3, 44, 6), (3, 50, 7))
FULL = 2  # value of `PRAGMA synchronous`; EXTRA is 3

ROOM_FOR_A_ROUND = 256 * 1024  # bytes; the journal and the new pages of a round take about 80 kB

# Longer than it takes to store rounds of 200 phones sent at the same instant.
SECONDS_TO_WAIT_FOR_A_WRITER = 30


def is_wal_safe(version: Version) -> bool:
    """Return whether this version of SQLite has the WAL-reset fix.

    >>> is_wal_safe((3, 40, 1)), is_wal_safe((3, 50, 7)), is_wal_safe((3, 51, 2))
    (False, True, False)
    """
    return version >= WAL_RESET_FIXED or any(
        version[:2] == fixed[:2] and version >= fixed for fixed in WAL_RESET_FIXED_IN_OLDER_SERIES
    )


def journal_mode(version: Version | None = None) -> str:
    """Return the fastest safe journal mode of a version of SQLite, by default the one in use."""
    return "wal" if is_wal_safe(version or sqlite3.sqlite_version_info) else "truncate"


def options() -> dict[str, Any]:
    """Return the OPTIONS of Django's setting for a SQLite database.

    Transactions are IMMEDIATE: they take the write lock when they begin. A transaction that read
    first would fail at once, whatever the timeout, if another one wrote before it does.
    """
    return {
        "init_command": (
            f"PRAGMA journal_mode={journal_mode()};"
            "PRAGMA synchronous=FULL;"
            "PRAGMA fullfsync=ON"  # on macOS fsync alone does not reach the disk
        ),
        "timeout": SECONDS_TO_WAIT_FOR_A_WRITER,
        "transaction_mode": "IMMEDIATE",
    }


def require_existing_file(settings: dict[str, Any]) -> None:
    """Change the settings of a database so that opening it never creates its file.

    If the file is moved away, the server then answers 503 instead of using an empty database. Only
    `migrate` creates the file.
    """
    if settings["ENGINE"].endswith(".sqlite3") and settings["NAME"] != ":memory:":
        address = f"{Path(settings['NAME']).resolve().as_uri()}?mode=rw"
        settings["OPTIONS"] = {**settings["OPTIONS"], "database": address}


def keep_connections(settings: dict[str, Any]) -> None:
    """Let each thread keep its connection open from one request to the next, except with WAL.

    Opening a file and reading its schema takes as long as three queries. The connection is opened
    anew after an error, and if the file was replaced; an idle thread closes it (`close_files`).
    With WAL an open connection holds a lock, for which the restoration of a backup would wait.
    """
    if settings["ENGINE"].endswith(".sqlite3") and journal_mode() != "wal":
        settings["CONN_MAX_AGE"] = None
        connection_created.connect(_store_identity, dispatch_uid="keep_connections")
        request_started.connect(_close_replaced_files, dispatch_uid="keep_connections")


def close_files() -> None:
    """Close this thread's connections to SQLite, unless they are in a transaction."""
    for connection in connections.all(initialized_only=True):
        if connection.vendor == "sqlite" and not connection.in_atomic_block:
            connection.close()


def _store_identity(connection: BaseDatabaseWrapper, **_: Any) -> None:
    vars(connection)["opened_file"] = _identity(connection)


def _close_replaced_files(**_: Any) -> None:
    """Close this thread's connections that had an error, or whose files are not the same any more.

    Connections in a transaction stay open.
    """
    for connection in connections.all(initialized_only=True):
        if connection.connection is not None and not connection.in_atomic_block:
            is_same = vars(connection).get("opened_file") == _identity(connection)
            if connection.errors_occurred or not is_same:
                connection.close()


def _identity(connection: BaseDatabaseWrapper) -> tuple[int, int, bool] | None:
    """Return the device, inode and writability of a connection's file; None without a file.

    Writability is part of the identity: a file opened on a read-only disk stays read-only for its
    connection, even if the disk becomes writable.
    """
    path = Path(connection.settings_dict["NAME"])
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino, os.access(path, os.W_OK)


def has_room(connection: BaseDatabaseWrapper) -> bool:
    """Return whether the disk of a database file has room for a round; True for PostgreSQL."""
    if connection.vendor != "sqlite":
        return True
    folder = Path(connection.settings_dict["NAME"]).parent
    return shutil.disk_usage(folder).free >= ROOM_FOR_A_ROUND


def weaknesses(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the settings of a SQLite database that could lose writes, as `name=value`."""
    unsafe_settings = []
    with connection.cursor() as cursor:
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if journal not in {"truncate", journal_mode()}:
        unsafe_settings.append(f"journal_mode={journal}")
    if synchronous < FULL:
        unsafe_settings.append(f"synchronous={synchronous}")
    return unsafe_settings
