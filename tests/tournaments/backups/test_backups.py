"""Taking, listing and uploading backups."""

from __future__ import annotations

import stat
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import translation
from pytest_django import Settings

from tests.backup_files import LONG_AGO, write
from tournaments import backups
from tournaments.backups import Contents, Reason, creation, files, postgresql, storage
from tournaments.models import Tournament


def test_manifest_describes_the_database(played: Tournament) -> None:
    made = backups.take(Reason.BY_HAND, who="director")
    read = files.read(made.path)
    assert read == made.manifest
    assert (read.reason, read.who, read.vendor) == ("by-hand", "director", connection.vendor)
    assert (read.contents.tournaments, read.contents.rounds) == (1, 1)
    assert "tournaments.0001_initial" in read.contents.migrations
    assert backups.current_contents() == read.contents


def test_file_is_readable_by_its_owner_only(played: Tournament) -> None:
    made = backups.take(Reason.BY_HAND)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700


def test_no_temporary_file_is_left(played: Tournament, settings: Settings) -> None:
    made = backups.take(Reason.BY_HAND)
    left = {path.name for path in settings.BACKUPS_DIR.iterdir()}
    assert left == {made.path.name, ".lock"}


def test_backups_of_one_second_get_different_names(played: Tournament) -> None:
    made = {backups.take(Reason.BY_HAND).path for _ in range(3)}
    assert {each.path for each in backups.all_backups()} == made
    assert len(made) == 3


def test_backup_that_cannot_be_read_back_is_refused(
    played: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_badly(path: Path, *what: Any) -> None:
        written(path, *what)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)

    written = files.write
    monkeypatch.setattr(files, "write", write_badly)
    with pytest.raises(backups.BackupNotTaken):
        backups.take(Reason.BY_HAND)
    assert [path.name for path in settings.BACKUPS_DIR.iterdir()] == [".lock"]


def test_remains_of_a_crash_are_deleted(played: Tournament, settings: Settings) -> None:
    left = settings.BACKUPS_DIR / ".unfinished-x"
    left.mkdir(parents=True)
    (left / "database").write_text("half")
    backups.take(Reason.BY_HAND)
    assert not left.exists()


def test_old_automatic_backups_are_deleted_by_reason(
    played: Tournament, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many backups for one reason do not displace those for another."""
    monkeypatch.setattr(storage, "MOST_PER_REASON", 2)
    reasons = [Reason.BY_HAND, Reason.AFTER_SESSION, *[Reason.BY_HAND, Reason.BEFORE_IMPORT] * 3]
    settings.BACKUPS_DIR.mkdir()
    for day, reason in enumerate(reasons):
        write(storage.new_path(settings.BACKUPS_DIR, reason, LONG_AGO - timedelta(days=9 - day)))
    backups.take(Reason.BEFORE_IMPORT)
    names = [each.path.name[25:-4] for each in backups.all_backups()]
    assert sorted(names) == sorted(
        ["before-import"] * 2 + ["by-hand"] * 4 + ["after-session"],
    )


def test_concurrently_deleted_backup_is_listed_safely(played: Tournament) -> None:
    backups.take(Reason.BY_HAND)
    (listed,) = backups.all_backups()
    length = listed.path.stat().st_size
    listed.path.unlink()
    assert listed.size == length
    assert backups.all_backups() == []


def test_upload_does_not_clear_the_missing_mark(played: Tournament, tmp_path: Path) -> None:
    made = backups.take(Reason.BY_HAND, to=tmp_path / "stick.zip")
    storage.mark_due()
    storage.mark_failed()
    backups.add_upload([made.path.read_bytes()])
    assert backups.is_automatic_backup_missing()
    assert storage.newest_local_manifest() is None
    backups.take(Reason.BY_HAND)
    assert not backups.is_automatic_backup_missing()


def test_missing_pg_dump_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(postgresql, "DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(backups.BackupNotTaken, match="postgresql-client"):
        postgresql.check(tmp_path / "database", Contents((), 0, 0))


def test_existing_file_is_not_replaced(played: Tournament, tmp_path: Path) -> None:
    taken = tmp_path / "taken.zip"
    taken.write_text("mine")
    with pytest.raises(backups.AlreadyExists, match=r"taken\.zip"):
        backups.take(Reason.BY_HAND, to=taken)
    with pytest.raises(CommandError) as told, translation.override("en"):
        call_command("backup", to=taken)
    assert "disk" not in str(told.value)
    assert taken.read_text() == "mine"


def test_upload_is_listed(played: Tournament, tmp_path: Path) -> None:
    made = backups.take(Reason.BY_HAND, to=tmp_path / "stick.zip")
    assert backups.all_backups() == []
    brought = backups.add_upload([made.path.read_bytes()])
    assert backups.all_backups() == [brought]
    assert brought.name.endswith("-brought")
    assert stat.S_IMODE(brought.path.stat().st_mode) == 0o600
    assert brought.path.read_bytes() == made.path.read_bytes()


def test_copy_and_live_database_count_the_same(played: Tournament, tmp_path: Path) -> None:
    copied = creation.engine().copy(tmp_path / "copy")
    assert copied == backups.current_contents()
