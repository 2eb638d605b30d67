"""A snapshot: the committed state of the database in memory, checked, and what it says of itself.

A snapshot *continues* an earlier one if it has the last audit entry of each of its tournaments, or
if its epoch is higher: then somebody has restored a backup, or gone on from a copy.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tournaments import __version__
from tournaments.standby.pages import digest_of, hashes_of

SECONDS_TO_WAIT_FOR_A_WRITER = 5
# The bytes of a database's head that name its journal mode. A copy has no write-ahead log.
JOURNAL_MODE, ROLLBACK_JOURNAL = slice(18, 20), b"\x01\x01"

# `tournaments_act` has the audit entries.
HEADS = """
SELECT t.id, a.number, a.digest FROM tournaments_tournament t JOIN tournaments_act a
ON a.id = (SELECT id FROM tournaments_act WHERE tournament_id = t.id
           ORDER BY number DESC LIMIT 1)
"""
ENTRY = "SELECT digest FROM tournaments_act WHERE tournament_id = ? AND number = ?"
SEQUENCES = """
SELECT name, seq FROM sqlite_sequence
WHERE name IN ('tournaments_tournament', 'tournaments_act')
"""
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table'"
MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"
# Not those of another computer that goes on (`models.Epoch`).
EPOCH = "SELECT coalesce(max(number), 0) FROM tournaments_epoch WHERE reason <> 'elsewhere'"


class DamagedContent(Exception):
    """The content fails SQLite's own check, or is no database of ours."""


class Header(NamedTuple):
    """What a copy says of itself.

    `made_at` is a Unix time. `heads` has the number and digest of the last audit entry by the
    tournament's primary key, `sequences` the highest primary key ever used, by table. `version` is
    Makiyaku's.
    """

    made_at: float
    length: int
    page_size: int
    digest: str
    epoch: int
    heads: dict[str, tuple[int, str]]
    sequences: dict[str, int]
    migrations: tuple[str, ...]
    version: str

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Header:
        """Raises `KeyError`, `TypeError` or `ValueError` for an invalid document."""
        return cls(
            made_at=float(document["made_at"]),
            length=int(document["length"]),
            page_size=int(document["page_size"]),
            digest=str(document["digest"]),
            epoch=int(document["epoch"]),
            heads={str(key): (int(n), str(d)) for key, (n, d) in document["heads"].items()},
            sequences={str(key): int(seq) for key, seq in document["sequences"].items()},
            migrations=tuple(map(str, document["migrations"])),
            version=str(document["version"]),
        )


class Snapshot(NamedTuple):
    """The content of a database and the hashes of its pages.

    `secrets` are the texts of files that a server needs to go on with log-ins, phones and links: by
    their names in the data folder.
    """

    header: Header
    content: bytes
    hashes: list[bytes]
    secrets: dict[str, str]


def read_database(path: Path) -> bytes:
    """Return the committed state of a database file. Raises `sqlite3.Error`."""
    address = f"{path.absolute().as_uri()}?mode=rw"  # a journal that a crash left is rolled back
    timeout = SECONDS_TO_WAIT_FOR_A_WRITER
    with closing(sqlite3.connect(address, timeout, isolation_level=None, uri=True)) as live:
        live.execute("PRAGMA query_only = ON")
        live.execute("BEGIN")
        live.execute(TABLES).fetchall()  # takes the read lock, and waits for it
        content = live.serialize()
        live.execute("COMMIT")
    if content[JOURNAL_MODE] == ROLLBACK_JOURNAL:
        return content  # without two more copies in memory
    return content[: JOURNAL_MODE.start] + ROLLBACK_JOURNAL + content[JOURNAL_MODE.stop :]


def make(
    content: bytes,
    secrets: dict[str, str],
    *,
    made_at: float | None = None,
    earlier: Snapshot | None = None,
    is_quick: bool = False,
) -> Snapshot:
    """Check a database's content and describe it. Raises `DamagedContent`.

    `earlier` is a snapshot whose hashes are used again. A quick check does not compare indexes with
    their tables, which takes three times as long.
    """
    check = "PRAGMA quick_check(1)" if is_quick else "PRAGMA integrity_check(1)"
    with opened(content) as copy:
        try:
            # They parse all JSON again, which takes as long as all the rest.
            copy.execute("PRAGMA ignore_check_constraints = ON")
            if copy.execute(check).fetchone() != ("ok",):
                raise DamagedContent
            facts = _facts(copy)
            page_size = copy.execute("PRAGMA page_size").fetchone()[0]
        except sqlite3.Error as error:
            raise DamagedContent(str(error)) from error
    if earlier and earlier.header.page_size == page_size:
        hashes = hashes_of(content, page_size, earlier.content, earlier.hashes)
    else:
        hashes = hashes_of(content, page_size)
    header = Header(
        made_at=time.time() if made_at is None else made_at,
        length=len(content),
        page_size=page_size,
        digest=digest_of(hashes),
        version=__version__,
        **facts,
    )
    return Snapshot(header, content, hashes, secrets)


def does_continue(snapshot: Snapshot, earlier: Header) -> bool:
    """Return whether nothing in the trails of `earlier` is missing, or a new epoch has begun.

    A tournament may be missing, as club tables nobody played are removed; but no primary key may
    be lower than before.
    """
    header = snapshot.header
    if header.digest == earlier.digest or header.epoch != earlier.epoch:
        return header.epoch >= earlier.epoch
    if any(header.sequences.get(name, 0) < seq for name, seq in earlier.sequences.items()):
        return False
    behind = {key: head for key, head in earlier.heads.items() if header.heads.get(key) != head}
    with opened(snapshot.content) as copy:
        return all(
            copy.execute(ENTRY, (key, number)).fetchone() == (digest,)
            for key, (number, digest) in behind.items()
            if key in header.heads
        )


@contextmanager
def opened(content: bytes) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a copy of the content in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(content)
        yield connection


def _facts(copy: sqlite3.Connection) -> dict[str, Any]:
    """Return the fields of the header that are read from the database."""
    tables = {row[0] for row in copy.execute(TABLES)}
    has_trails = {"tournaments_tournament", "tournaments_act"} <= tables
    has_epochs = "tournaments_epoch" in tables
    if "django_migrations" not in tables:
        raise DamagedContent
    return {
        "epoch": copy.execute(EPOCH).fetchone()[0] if has_epochs else 0,
        "heads": {str(key): (n, d) for key, n, d in copy.execute(HEADS)} if has_trails else {},
        "sequences": dict(copy.execute(SEQUENCES)),
        "migrations": tuple(row[0] for row in copy.execute(MIGRATIONS)),
    }
