"""Small databases with what a standby copy reads of ours, changed by statements."""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from pathlib import Path

from tournaments.standby import snapshots
from tournaments.standby.snapshots import Snapshot

SCHEMA = """
CREATE TABLE django_migrations (app TEXT, name TEXT);
INSERT INTO django_migrations VALUES ('tournaments', '0001_initial');
CREATE TABLE tournaments_tournament (id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT);
CREATE TABLE tournaments_act (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tournament_id INT, number INT, digest TEXT
);
CREATE TABLE tournaments_epoch (number INT, reason TEXT DEFAULT 'restored');
CREATE TABLE filler (id INTEGER PRIMARY KEY, content TEXT);
"""


def create(path: Path, rows: int = 100) -> Path:
    """Create a database with a tournament and rows of 1 kB each."""
    execute(path, SCHEMA)
    execute(path, "INSERT INTO tournaments_tournament (slug) VALUES ('cup')")
    with closing(sqlite3.connect(path)) as opened, opened:
        filler = [(secrets.token_hex(500),) for _ in range(rows)]
        opened.executemany("INSERT INTO filler (content) VALUES (?)", filler)
    append(path)
    return path


def execute(path: Path, script: str) -> None:
    with closing(sqlite3.connect(path, timeout=60)) as opened:
        opened.executescript(script)


def append(path: Path, tournament: int = 1) -> None:
    """Append an audit entry."""
    last = "SELECT coalesce(max(number), 0) + 1 FROM tournaments_act WHERE tournament_id"
    execute(
        path,
        "INSERT INTO tournaments_act (tournament_id, number, digest) "
        f"VALUES ({tournament}, ({last} = {tournament}), '{secrets.token_hex(32)}')",
    )


def rewrite(path: Path) -> None:
    """Change nearly every page."""
    execute(path, "UPDATE filler SET content = hex(randomblob(500))")
    append(path)


def snapshot_of(path: Path, **options: object) -> Snapshot:
    return snapshots.make(snapshots.read_database(path), {"secret-key": "a secret\n"}, **options)  # type: ignore[arg-type]
