"""Going on from a copy: what is refused, and what is done with the database that was here."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import translation
from pytest_django import Settings

from tests import cast
from tests.tournaments.standby.databases import execute, snapshot_of
from tournaments.backups import all_backups, current_contents
from tournaments.backups.errors import Damaged, Newer
from tournaments.models import Epoch, Sitting, Tournament
from tournaments.standby import disks, going_on, targets
from tournaments.standby.disks import Disk
from tournaments.standby.folders import Folder

pytestmark = pytest.mark.alike  # there are no copies of PostgreSQL


@pytest.fixture
def copies(tmp_path: Path, transactional_db: None, shared_database: None) -> Folder:
    """A folder with a copy of a database with one round."""
    cast.record(cast.make_sitting(cast.make_tournament()))
    folder = Folder(tmp_path)
    folder.write(snapshot_of(database()))
    return folder


def database() -> Path:
    return Path(str(connection.settings_dict["NAME"]))


def test_database_that_was_here_is_backed_up(copies: Folder, settings: Settings) -> None:
    settings.DATA_DIR = copies.path
    cast.record(cast.make_sitting(Tournament.objects.get()))
    last = Sitting.objects.order_by("pk").last()
    before = going_on.go_on(going_on.find(copies))
    assert before is not None
    assert before.manifest is not None
    assert before.manifest.contents.rounds == 2
    assert before.name in {each.name for each in all_backups()}
    assert current_contents().rounds == 1
    epoch = Epoch.objects.get()
    assert (epoch.number, epoch.reason, epoch.sends_again) == (1, "continued", True)
    assert last is not None
    assert cast.make_sitting(Tournament.objects.get()).pk > last.pk + 90_000
    assert (copies.path / "secret-key").read_text() == "a secret\n"


def test_epoch_is_above_that_of_both_databases(copies: Folder, settings: Settings) -> None:
    settings.DATA_DIR = copies.path
    Epoch.objects.create(number=7, reason=Epoch.Reason.RESTORED)
    going_on.go_on(going_on.find(copies))
    assert [each.number for each in Epoch.objects.all()] == [8]


def test_copy_of_a_newer_version_is_refused(copies: Folder) -> None:
    execute(
        database(),
        "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_new', '')",
    )
    copies.write(snapshot_of(database()))
    with pytest.raises(Newer):
        going_on.find(copies)


def test_folder_without_a_whole_copy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Damaged):
        going_on.find(Folder(tmp_path))


def test_copies_are_looked_for_on_other_disks(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty folder is not called damaged, and of several disks none is taken."""
    settings.DATA_DIR = tmp_path
    settings.FOLLOWING_DIR = settings.STANDBY_DIR = tmp_path / "none"
    sticks = [tmp_path / "old", tmp_path / "new"]
    monkeypatch.setattr(disks, "other_disks", lambda _folder: [Disk(each, 1) for each in sticks])
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    with pytest.raises(CommandError, match="No copies were found"):
        call_command("go_on", "--no-serve")
    with pytest.raises(CommandError, match="There are no copies in"):
        call_command("go_on", str(sticks[1]), "--no-serve")
    for number, stick in enumerate(sticks):
        assert len(going_on.folders_with_copies()) == number
        folder = stick / targets.ON_DISK
        folder.mkdir(parents=True)
        (folder / "copy-1.json").touch()
    with pytest.raises(CommandError, match="Several disks have copies") as refused:
        call_command("go_on", "--no-serve")
    assert all(str(stick) in str(refused.value) for stick in sticks)


def test_nothing_is_changed_without_a_yes(
    copies: Folder, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = copies.path
    monkeypatch.setattr("builtins.input", lambda _question: "no")
    with translation.override("en"), pytest.raises(CommandError):
        call_command("go_on", str(copies.path), "--no-serve")
    assert not Epoch.objects.exists()
