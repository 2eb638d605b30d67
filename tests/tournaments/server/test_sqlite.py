"""A power cut loses nothing that was acknowledged: see also `tournaments/server/sqlite.py`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.db.backends.signals import connection_created
from django.db.utils import ConnectionHandler
from django.dispatch import Signal
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from tournaments.server import checks, sqlite
from tournaments.server.sqlite import Version
from tournaments.web import storage_errors

Opens = Callable[..., ConnectionHandler]


@pytest.fixture
def open_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> Iterator[Opens]:
    """Open SQLite files as the app does, while the checks look at them; tests have none on disk."""
    opened = []

    def open_it(name: str = "test.sqlite3", **options: str) -> ConnectionHandler:
        database = {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": tmp_path / name,
            "OPTIONS": sqlite.options() | options,
        }
        handler = ConnectionHandler({"default": database})
        opened.append(handler)
        monkeypatch.setattr(checks, "connections", handler)
        return handler

    with django_db_blocker.unblock():
        yield open_it
        for handler in opened:
            handler.close_all()


def pragma(connections: ConnectionHandler, name: str) -> object:
    with connections["default"].cursor() as cursor:
        return cursor.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("version", "is_safe"),
    [
        ((3, 40, 1), False),  # Debian 12
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 44, 7), True),
        ((3, 45, 0), False),
        ((3, 46, 1), False),  # Debian 13
        ((3, 49, 9), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 0), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 52, 0), True),
        ((4, 0, 0), True),
    ],
)
def test_only_libraries_with_the_wal_reset_fix_may_use_wal(
    version: Version, *, is_safe: bool
) -> None:
    assert sqlite.journal_mode(version) == ("wal" if is_safe else "truncate")


@pytest.mark.parametrize(
    ("version", "journal"), [((3, 40, 1), "truncate"), ((3, 51, 3), "wal")], ids=str
)
def test_file_is_opened_with_safe_settings(
    open_file: Opens, monkeypatch: pytest.MonkeyPatch, version: Version, journal: str
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", version)
    connections = open_file()
    assert pragma(connections, "journal_mode") == journal
    assert pragma(connections, "synchronous") == sqlite.FULL
    assert pragma(connections, "foreign_keys") == 1
    assert pragma(connections, "busy_timeout") == sqlite.SECONDS_TO_WAIT_FOR_A_WRITER * 1000
    assert checks.check_sqlite_durability(["default"]) == []


@pytest.mark.parametrize(
    "name",
    [
        "b#c%20.sqlite3",
        pytest.param("a?b.sqlite3", marks=pytest.mark.posix("Windows takes no such name")),
    ],
)
def test_serving_never_creates_a_file(open_file: Opens, tmp_path: Path, name: str) -> None:
    connections = open_file(name)
    assert pragma(connections, "synchronous") == sqlite.FULL
    sqlite.require_existing_file(connections.settings["default"])
    connections.close_all()
    assert pragma(connections, "synchronous") == sqlite.FULL
    connections.close_all()
    there = tmp_path / name
    there.rename(tmp_path / "away")
    with pytest.raises(OperationalError) as missed:
        pragma(connections, "synchronous")
    assert storage_errors.status_of(missed.value) == storage_errors.AWAY
    assert not there.exists()
    (tmp_path / "away").rename(there)
    assert pragma(connections, "synchronous") == sqlite.FULL


@pytest.mark.posix("an open file is moved away")
def test_kept_connection_notices_another_file(
    open_file: Opens, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = open_file("kept.sqlite3")
    monkeypatch.setattr(sqlite, "connections", connections)
    connection = connections["default"]
    sqlite.require_existing_file(connections.settings["default"])
    (tmp_path / "kept.sqlite3").touch()
    connection_created.connect(sqlite._store_identity)
    try:
        assert pragma(connections, "synchronous") == sqlite.FULL
        first = connection.connection
        sqlite._close_replaced_files()
        assert connection.connection is first
        connection.errors_occurred = True
        sqlite._close_replaced_files()
        assert connection.connection is None
        assert pragma(connections, "synchronous") == sqlite.FULL
        (tmp_path / "kept.sqlite3").rename(tmp_path / "away")
        sqlite._close_replaced_files()
        with pytest.raises(OperationalError):
            pragma(connections, "synchronous")
    finally:
        connection_created.disconnect(sqlite._store_identity)


@pytest.mark.parametrize(("version", "is_kept"), [((3, 40, 1), True), ((3, 51, 3), False)], ids=str)
def test_connections_are_kept_without_wal(
    monkeypatch: pytest.MonkeyPatch, version: Version, *, is_kept: bool
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", version)
    monkeypatch.setattr(sqlite, "connection_created", Signal())
    monkeypatch.setattr(sqlite, "request_started", Signal())
    settings = {"ENGINE": "django.db.backends.sqlite3", "CONN_MAX_AGE": 0}
    sqlite.keep_connections(settings)
    assert (settings["CONN_MAX_AGE"] is None) == is_kept


def test_transactions_are_immediate(open_file: Opens) -> None:
    connection = open_file()["default"]
    with CaptureQueriesContext(connection) as queries:
        connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    connection.rollback()
    assert [query["sql"] for query in queries] == ["BEGIN IMMEDIATE"]


@pytest.mark.parametrize(
    ("init_command", "weakness"),
    [
        ("PRAGMA journal_mode=DELETE; PRAGMA synchronous=FULL", "journal_mode=delete"),
        ("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=FULL", "journal_mode=memory"),
        ("PRAGMA journal_mode=TRUNCATE; PRAGMA synchronous=NORMAL", "synchronous=1"),
        ("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF", "journal_mode=off and synchronous=0"),
    ],
)
def test_unsafe_settings_are_refused(open_file: Opens, init_command: str, weakness: str) -> None:
    open_file(init_command=init_command)
    with pytest.raises(ImproperlyConfigured, match=f"SQLite is in {weakness}: .* local disk"):
        checks.refuse_an_unsafe_start()


def test_wal_is_refused_with_an_unsafe_library(
    open_file: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sqlite3.sqlite_version_info", (3, 40, 1))
    open_file(init_command="PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")
    with pytest.raises(ImproperlyConfigured, match="journal_mode=truncate and synchronous=FULL"):
        checks.refuse_an_unsafe_start()


def test_unreadable_file_is_reported(open_file: Opens) -> None:
    open_file("no-such-folder/test.sqlite3")
    with pytest.raises(ImproperlyConfigured, match=r"cannot be opened: .* folder exists"):
        checks.refuse_an_unsafe_start()
