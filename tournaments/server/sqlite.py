"""How SQLite is opened, so that a power cut loses no acknowledged write.

The write-ahead log (WAL) is the faster journal, but a library without the WAL-reset fix can lose
commits when the log is reset at an unlucky moment. Such a library uses a rollback journal,
truncated at each commit. With either, `synchronous=FULL` waits for the disk.
"""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

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
    """Return the fastest safe journal mode of this version, by default the one in use."""
    return "wal" if is_wal_safe(version or sqlite3.sqlite_version_info) else "truncate"


def options() -> dict[str, Any]:
    """Return the OPTIONS of Django's setting for a SQLite database.

    Transactions are IMMEDIATE: one that reads first and writes later would fail at once if another
    has written meanwhile, whatever the timeout.
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
    """Change the settings of a database so that opening it never creates its file: `migrate` does.

    A server whose file is moved away answers 503 instead of using an empty one.
    """
    if settings["ENGINE"].endswith(".sqlite3") and settings["NAME"] != ":memory:":
        address = f"{Path(settings['NAME']).resolve().as_uri()}?mode=rw"
        settings["OPTIONS"] = {**settings["OPTIONS"], "database": address}


def has_room(connection: BaseDatabaseWrapper) -> bool:
    """Return whether the disk of a database file has room for a round; True for PostgreSQL."""
    if connection.vendor != "sqlite":
        return True
    folder = Path(connection.settings_dict["NAME"]).parent
    return shutil.disk_usage(folder).free >= ROOM_FOR_A_ROUND


def weaknesses(connection: BaseDatabaseWrapper) -> list[str]:
    """Return those of an open database's settings that could lose writes, as `name=value`."""
    found = []
    with connection.cursor() as cursor:
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if journal not in {"truncate", journal_mode()}:
        found.append(f"journal_mode={journal}")
    if synchronous < FULL:
        found.append(f"synchronous={synchronous}")
    return found
