"""A snapshot is one committed state, checked, and continues the one before."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest
from django.db import connection

from tests import cast
from tests.tournaments.standby.databases import append, create, execute, rewrite, snapshot_of
from tournaments.models import Tournament
from tournaments.standby import pages, snapshots
from tournaments.standby.snapshots import DamagedContent, Header, does_continue


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return create(tmp_path / "database.sqlite3")


def test_reading_beside_writers_gives_committed_states(database: Path) -> None:
    """Two counters that every transaction raises together are equal in each state."""
    execute(database, "CREATE TABLE counters (a INT, b INT); INSERT INTO counters VALUES (0, 0)")
    is_over = Event()

    def write() -> None:
        while not is_over.wait(0.002):  # without a pause the reader may wait for 5 s in vain
            execute(
                database,
                "BEGIN IMMEDIATE; UPDATE counters SET a = a + 1; UPDATE filler SET content = "
                "hex(randomblob(500)) WHERE id % 7 = 0; UPDATE counters SET b = b + 1; COMMIT",
            )

    threads = [Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        counted = [_counters(snapshots.read_database(database)) for _ in range(25)]
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    assert all(a == b for a, b in counted)
    assert counted == sorted(counted)


def _counters(content: bytes) -> tuple[int, int]:
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(content)
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        found: tuple[int, int] = opened.execute("SELECT a, b FROM counters").fetchone()
        return found


def test_write_ahead_log_is_in_the_snapshot(database: Path) -> None:
    with closing(sqlite3.connect(database)) as opened:
        opened.execute("PRAGMA journal_mode = WAL")
        opened.execute("PRAGMA wal_autocheckpoint = 0")
        opened.execute("INSERT INTO filler (content) VALUES ('only in the log')")
        opened.commit()
        content = snapshots.read_database(database)
    with closing(sqlite3.connect(":memory:")) as copied:
        copied.deserialize(content)
        last = copied.execute("SELECT content FROM filler ORDER BY id DESC").fetchone()
    assert last == ("only in the log",)


def test_damaged_content_is_refused(database: Path) -> None:
    content = bytearray(snapshots.read_database(database))
    content[4096:8192] = bytes(range(256)) * 16
    with pytest.raises(DamagedContent):
        snapshots.make(bytes(content), {})
    with pytest.raises(DamagedContent):
        snapshots.make(b"no database", {})


def test_hashes_that_are_used_again_are_those_of_the_pages(database: Path) -> None:
    before = snapshot_of(database)
    execute(database, "DELETE FROM filler WHERE id > 60; VACUUM")
    append(database)
    after = snapshot_of(database, earlier=before)
    assert after.hashes == pages.hashes_of(after.content, after.header.page_size)
    assert after.header.digest != before.header.digest


def test_later_state_continues_an_earlier_one(database: Path) -> None:
    before = snapshot_of(database)
    rewrite(database)
    after = snapshot_of(database)
    assert does_continue(after, before.header)
    assert does_continue(after, after.header)
    assert not does_continue(before, after.header)


def test_state_that_went_another_way_does_not_continue(database: Path, tmp_path: Path) -> None:
    """The other database has as many entries, with other digests."""
    content = snapshots.read_database(database)
    append(database)
    one = snapshot_of(database)
    other_path = tmp_path / "other.sqlite3"
    other_path.write_bytes(content)
    append(other_path)
    append(other_path)
    assert not does_continue(snapshot_of(other_path), one.header)


def test_higher_epoch_continues_and_a_lower_one_does_not(database: Path) -> None:
    before = snapshot_of(database)
    execute(
        database, "DELETE FROM tournaments_act; INSERT INTO tournaments_epoch (number) VALUES (1)"
    )
    after = snapshot_of(database)
    assert does_continue(after, before.header)
    assert not does_continue(before, after.header)


def test_removed_tournament_may_be_missing(database: Path) -> None:
    execute(database, "INSERT INTO tournaments_tournament (slug) VALUES ('club')")
    append(database, tournament=2)
    before = snapshot_of(database)
    execute(database, "DELETE FROM tournaments_act WHERE tournament_id = 2")
    execute(database, "DELETE FROM tournaments_tournament WHERE id = 2")
    assert does_continue(snapshot_of(database), before.header)


def test_header_survives_json(database: Path) -> None:
    header = snapshot_of(database).header
    assert Header.from_json(header._asdict()) == header


@pytest.mark.alike  # there are no copies of PostgreSQL
def test_header_has_the_heads_of_the_real_tables(
    transactional_db: None, shared_database: None
) -> None:
    tournament = cast.make_tournament()
    path = Path(str(connection.settings_dict["NAME"]))
    before = snapshot_of(path)
    cast.record(cast.make_sitting(tournament))
    after = snapshot_of(path, earlier=before)
    digest = Tournament.every.get().last_act
    assert after.header.heads[str(tournament.pk)][1] == digest
    assert "tournaments.0001_initial" in after.header.migrations
    assert after.header.sequences.keys() == {"tournaments_tournament", "tournaments_act"}
    assert does_continue(after, before.header)
    assert not does_continue(before, after.header)
