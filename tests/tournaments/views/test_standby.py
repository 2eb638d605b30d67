"""Standby copies on the page of backups, and what the desk is told of them."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tournaments.models import Tournament
from tournaments.standby import disks, status, targets
from tournaments.system import files

BACKUPS = "/backups/"


@pytest.fixture
def owner(db: None) -> Client:
    """In English."""
    return cast.in_english(cast.browser_of(User.objects.create_superuser("owner")))


@pytest.fixture
def stick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Path:
    """A folder that counts as another disk, with a name of its own."""
    settings.DATA_DIR = tmp_path
    stick = tmp_path / "まき役 USB"
    stick.mkdir()
    monkeypatch.setattr(disks, "_mounted_at", lambda: [stick, tmp_path, tmp_path / "gone"])
    monkeypatch.setattr(disks, "is_elsewhere", lambda path, _data: path == stick)
    return stick


def report(*changed: dict[str, Any], database: str = "", silent_for: float = 0) -> None:
    """Write the copier's report: of this computer, and of targets with these changes."""
    now = time.time()
    usual = {"id": "here", "name": "", "state": "copied", "made_at": now - 3}
    usual |= {"current_until": now, "digest": "", "bytes": 1, "seconds": 0.1}
    from django.conf import settings  # noqa: PLC0415  as the fixtures have changed it

    settings.STANDBY_DIR.mkdir(parents=True, exist_ok=True)
    status.write(
        settings.STANDBY_DIR,
        checked_at=now - silent_for,
        database=database,
        targets=[usual, *(usual | each for each in changed)],
        verified_at=None,
        fault="",
    )


def choose(owner: Client, **fields: str) -> Any:
    return owner.post(reverse("choose-standby"), fields, follow=True)


def test_page_offers_other_disks_and_takes_one(
    owner: Client, stick: Path, settings: Settings
) -> None:
    page = owner.get(BACKUPS).text
    assert "The copies are on this computer’s own disk only." in page
    assert page.count("free)</option>") == 1
    page = choose(owner, disk=str(stick)).text
    assert "The disk has been chosen." in page
    assert "The first copy is being made." in page
    assert "not encrypted: anyone who finds it can log in" in page
    (target,) = targets.chosen(settings.STANDBY_DIR)
    assert (target.path, target.name, target.key) == (stick / "makiyaku-standby", stick.name, "")
    assert target.is_present
    assert "has standby copies already" in choose(owner, disk=str(stick)).text


def test_passphrase_is_stored_nowhere(owner: Client, stick: Path, settings: Settings) -> None:
    words = "seven green cushions"
    page = choose(owner, path=str(stick), passphrase=words).text
    assert "encrypted" in page
    assert "not encrypted" not in page
    (target,) = targets.chosen(settings.STANDBY_DIR)
    assert target.folder().cipher.overhead
    stored = [*settings.STANDBY_DIR.rglob("*"), *stick.rglob("*")]
    assert not any(words.encode() in each.read_bytes() for each in stored if each.is_file())
    assert targets.needs_passphrase(target.path)
    opened = targets.open_folder(target.path, words)
    assert opened.cipher.unseal("1", target.folder().cipher.seal("1", b"page")) == b"page"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "Choose a disk, or type the path of a folder."),
        ({"disk": "/nowhere"}, "/nowhere"),
        ({"path": "/nowhere"}, "There is no folder here that can be written to."),
        ({"path": "relative"}, "There is no folder here that can be written to."),
        ({"path": "/tmp"}, "This is on the same disk as the database."),  # noqa: S108
        ({"path": "/tmp", "passphrase": "short"}, "8"),  # noqa: S108
    ],
)
def test_unfit_choice_is_refused(
    owner: Client, stick: Path, fields: dict[str, str], words: str, settings: Settings
) -> None:
    answer = choose(owner, **fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert targets.chosen(settings.STANDBY_DIR) == []


def test_folder_that_cannot_be_prepared_is_told(owner: Client, stick: Path) -> None:
    (stick / "makiyaku-standby").write_text("a file in the way")
    answer = choose(owner, disk=str(stick))
    assert answer.status_code == 422
    assert "The folder could not be prepared" in answer.text


def test_removed_disk_is_no_target_any_more(owner: Client, stick: Path, settings: Settings) -> None:
    choose(owner, disk=str(stick))
    (target,) = targets.chosen(settings.STANDBY_DIR)
    page = owner.post(reverse("remove-standby"), {"target": target.id}, follow=True).text
    assert "The copies made so far stay." in page
    assert targets.chosen(settings.STANDBY_DIR) == []
    assert target.path.exists()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("missing", "Plug it in again, and copying continues."),
        ("full", "It is full."),
        ("read_only", "It cannot be written to."),
        ("damaged", "It reports errors."),
        ("other", "It has copies of other data"),
        ("failed", "It could not be written."),
    ],
)
def test_state_of_a_disk_is_named_on_page_and_board(
    owner: Client, stick: Path, settings: Settings, tournament: Tournament, state: str, words: str
) -> None:
    cast.make_sitting(tournament)
    choose(owner, disk=str(stick))
    (target,) = targets.chosen(settings.STANDBY_DIR)
    report({"id": target.id, "name": target.name, "state": state})
    board = reverse("board", args=[tournament.slug])
    for page in (BACKUPS, board, tournament.get_absolute_url()):
        assert words in owner.get(page).text
    assert f'<a href="{BACKUPS}">Backups</a>' in owner.get(board).text


def test_age_stands_on_board_and_run_sheet(
    scorekeeper: Client, owner: Client, tournament: Tournament
) -> None:
    cast.make_sitting(tournament)
    pages = [reverse("board", args=[tournament.slug]), tournament.get_absolute_url()]
    report()
    assert not any("控え" in scorekeeper.get(page).text for page in pages)  # no other disk
    report({"id": "stick", "name": "USB", "current_until": time.time() - 12})
    for page in pages:
        assert "控え：15秒以内・" in scorekeeper.get(page).text
        assert f'href="{BACKUPS}"' not in scorekeeper.get(page).text
        assert "Standby copy: at most 15 s old, " in owner.get(page).text


def test_copy_behind_and_a_silent_copier_are_warned_of(
    scorekeeper: Client, tournament: Tournament
) -> None:
    board = reverse("board", args=[tournament.slug])
    cast.make_sitting(tournament)
    browser = cast.in_english(scorekeeper)
    report({"id": "stick", "name": "USB", "current_until": time.time() - 70})
    assert "It has not been written for more than a minute." in browser.get(board).text
    assert "Tell the person who looks after this computer." in browser.get(board).text
    report({"id": "stick", "name": "USB"}, silent_for=60)
    assert "No standby copies are made at present." in browser.get(board).text


def test_polled_board_changes_with_the_state_of_the_copies(
    scorekeeper: Client, tournament: Tournament
) -> None:
    cast.make_sitting(tournament)
    address = reverse("board-tables", args=[tournament.slug])
    report({"id": "stick", "name": "USB"})
    etag = scorekeeper.get(address).headers["ETag"]
    report({"id": "stick", "name": "USB", "current_until": time.time() - 9})
    assert scorekeeper.get(address, headers={"If-None-Match": etag}).status_code in {200, 304}
    assert scorekeeper.get(address).headers["ETag"].rsplit("-", 2)[1] == etag.rsplit("-", 2)[1]
    report({"id": "stick", "name": "USB", "state": "missing"})
    changed = scorekeeper.get(address, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert "差し" in changed.text


def test_owner_lets_copies_begin_again(owner: Client, settings: Settings) -> None:
    report(database="other")
    page = owner.get(BACKUPS).text
    assert "The database does not match the copies" in page
    assert reverse("begin-standby-again") in page
    owner.post(reverse("begin-standby-again"))
    assert targets.take_request_to_begin_again(settings.STANDBY_DIR)
    report(database="missing")
    assert "no copies are made" in owner.get(BACKUPS).text
    assert reverse("begin-standby-again") not in owner.get(BACKUPS).text


def test_disks_of_the_system_and_of_the_data_are_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        f"/dev/sda1 {tmp_path} ext4 rw 0 0",
        "/dev/sda2 /boot/efi vfat rw 0 0",
        "proc /proc proc rw 0 0",
        f"/dev/sdb1 {tmp_path}/two\\040words vfat rw 0 0",
        "server:/share /mnt/share nfs4 rw 0 0",
        "/dev/sdc1 /run/media/owner/STICK vfat rw 0 0",
        "tmpfs /run/user/0 tmpfs rw 0 0",
    ]
    mounts = tmp_path / "mounts"
    mounts.write_text("\n".join(lines))
    monkeypatch.setattr(disks, "MOUNTS", mounts)
    paths = [tmp_path, tmp_path / "two words", Path("/mnt/share"), Path("/run/media/owner/STICK")]
    assert disks._mounted_at() == paths
    assert disks.other_disks(tmp_path) == []
    monkeypatch.setattr(disks, "is_elsewhere", lambda *_: True)
    (tmp_path / "two words").mkdir()
    [found] = disks.other_disks(tmp_path)
    size = os.statvfs(tmp_path)
    assert found.path == tmp_path / "two words"
    assert 0 < found.free <= size.f_blocks * size.f_frsize
    monkeypatch.setattr(files, "IS_WINDOWS", True)
    assert Path("E:\\") in disks._mounted_at()
    assert disks.other_disks(tmp_path) == []  # none of these is there
