"""Backups of older versions are migrated, and invalid ones are refused.

Real processes on SQLite and PostgreSQL.
"""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing

import psycopg
import pytest

from tests.faults.installations import MIGRATE, Installation, Installer, make_older

NEXT = "0045_list_layouts"  # after that of `make_older`


@pytest.fixture
def older(install: Installer) -> Installation:
    """An installation with a full database of an earlier version."""
    return install(make_older)


def test_migrate_plan_takes_no_backup(older: Installation) -> None:
    older.manage(*MIGRATE, "--plan")
    older.manage(*MIGRATE, "--check")
    assert older.backups() == []


def test_migration_is_refused_without_a_backup(older: Installation) -> None:
    migrations = older.ask("SELECT count(*) FROM django_migrations")
    (older.data / "backups").touch()  # so that it cannot become a folder
    done = older.manage(*MIGRATE)
    assert done.returncode == 1
    assert "migrate --no-backup" in done.stdout
    assert older.ask("SELECT count(*) FROM django_migrations") == migrations
    older.surely(*MIGRATE, "--no-backup", "tournaments", NEXT)
    assert older.ask("SELECT count(*) FROM django_migrations") > migrations


def test_migration_takes_one_backup_which_is_migrated_when_restored(
    older: Installation, install: Installer
) -> None:
    older.surely("migrate")  # as it is typed
    (backup,) = older.backups("before-migration")
    older.surely(*MIGRATE)
    assert older.backups() == [backup]
    here = install()
    here.surely("restore", "--yes", backup)
    names = "SELECT app, name FROM django_migrations ORDER BY 1, 2"
    assert here.ask(names) == older.ask(names)
    assert here.rounds() == older.rounds()
    assert "everything fits" in here.surely("verify")
    guarded = "SELECT 1 FROM tournaments_round WHERE number > 0"
    assert here.ask(guarded)
    with pytest.raises((sqlite3.IntegrityError, psycopg.errors.IntegrityError)):
        here.ask("DELETE FROM tournaments_round")


def test_migration_of_an_empty_database_takes_no_backup(install: Installer) -> None:
    here = install()
    here.surely(*MIGRATE, "contenttypes")
    assert here.backups() == []
    if here.database.exists():  # on SQLite, as a file
        assert stat.S_IMODE(here.database.stat().st_mode) == 0o600


def test_backup_needs_no_secret_key(install: Installer) -> None:
    backup = install.served().back_up()
    fresh = install()
    fresh.environment["SECRET_KEY"] = ""
    assert "Restored" in fresh.surely("restore", "--yes", backup)


# Refused restores


def test_refused_restore_changes_nothing(install: Installer) -> None:
    here, newer = install.served(), install.served()
    insert = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_x', "
    asked = f"{insert} '2026-11-21 09:00:00+00') RETURNING id"
    commit(newer, asked)
    good, later = here.back_up(), newer.back_up()
    content = good.read_bytes()
    cases = {
        "damaged": content[:-1000] + bytes(10) + content[-990:],
        "cut": content[: len(content) // 2],
        "foreign": b"PK\x03\x04 something else",
        "later": later.read_bytes(),
    }
    before = here.state(), here.database.read_bytes() if here.database.exists() else b""
    for name, wrong in cases.items():
        path = here.data / f"{name}.zip"
        path.write_bytes(wrong)
        done = here.manage("restore", "--yes", path)
        assert done.returncode == 1, name
        assert "Nothing was changed" in done.stdout
    assert (here.state(), here.database.read_bytes() if here.database.exists() else b"") == before
    assert here.backups("before-restore") == []


def commit(installation: Installation, statement: str) -> None:
    url = installation.environment.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        with psycopg.connect(url) as server:
            server.execute(statement.encode())
        return
    with closing(sqlite3.connect(installation.database)) as opened:
        opened.execute(statement).fetchall()
        opened.commit()
