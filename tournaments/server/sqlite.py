"""How SQLite is opened, so that a power cut loses nothing which was acknowledged.

The write-ahead log (WAL) is the quicker journal, but a library without the WAL-reset fix can lose
what it committed when the log starts anew at an unlucky moment. Such a library gets a rollback
journal, truncated at each commit. With either of them `synchronous=FULL` waits for the disk.
"""

import sqlite3
from pathlib import Path
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

Version = tuple[int, int, int]

WAL_RESET_FIXED: Version = (3, 51, 3)
WAL_RESET_FIXED_IN_OLDER_SERIES: tuple[Version, ...] = ((3, 44, 6), (3, 50, 7))
FULL = 2  # what `PRAGMA synchronous` answers; EXTRA is 3

# Longer than 200 phones sending at the same instant take to be stored, one after the other.
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
    """Return the quickest journal that loses nothing with this version (the one in use)."""
    return "wal" if is_wal_safe(version or sqlite3.sqlite_version_info) else "truncate"


def options() -> dict[str, Any]:
    """Return the OPTIONS of Django's database setting.

    IMMEDIATE, because a transaction that reads first and wants to write later cannot wait for its
    turn: SQLite would fail it at once, whatever the timeout.
    """
    return {
        "init_command": (
            f"PRAGMA journal_mode={journal_mode()};"
            "PRAGMA synchronous=FULL;"
            "PRAGMA fullfsync=ON"  # on a Mac an ordinary fsync stops short of the disk
        ),
        "timeout": SECONDS_TO_WAIT_FOR_A_WRITER,
        "transaction_mode": "IMMEDIATE",
    }


def never_create(settings: dict[str, Any]) -> None:
    """Let a database's file be opened only where there is one: serving makes none, migrating does.

    A file that is moved away meanwhile is missed (503), instead of an empty one taking its place.
    """
    if settings["ENGINE"].endswith(".sqlite3") and settings["NAME"] != ":memory:":
        address = f"{Path(settings['NAME']).resolve().as_uri()}?mode=rw"
        settings["OPTIONS"] = {**settings["OPTIONS"], "database": address}


def weaknesses(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the settings in force on an open database that are weaker than promised."""
    found = []
    with connection.cursor() as cursor:
        journal = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if journal not in {"truncate", journal_mode()}:
        found.append(f"journal_mode={journal}")
    if synchronous < FULL:
        found.append(f"synchronous={synchronous}")
    return found
