"""The pages that take, list, download, upload and restore backups."""

from __future__ import annotations

import errno
import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import cast
from tournaments import backups
from tournaments.backups import Contents, Manifest, Reason, creation, files, storage
from tournaments.models import Round, Tournament
from tournaments.web import body_sizes

BACKUPS = "/backups/"


@pytest.fixture
def owner(db: None) -> Client:
    """In English."""
    return cast.in_english(cast.browser_of(User.objects.create_superuser("owner")))


def made() -> backups.Backup:
    return backups.take(Reason.BY_HAND)


def send(client: Client, content: bytes) -> Any:
    file = SimpleUploadedFile("backup.zip", content)
    return client.post(reverse("upload-backup"), {"file": file})


def test_empty_page_says_what_to_do(owner: Client) -> None:
    assert "There is no backup yet. Make the first one above" in owner.get(BACKUPS).text


def test_owner_takes_a_backup(owner: Client, tournament: Tournament) -> None:
    cast.record(cast.make_sitting(tournament))
    page = owner.post(BACKUPS, follow=True).text
    assert "The backup has been made and verified." in page
    assert "by hand" in page
    (backup,) = backups.all_backups()
    assert backup.manifest is not None
    assert backup.manifest.who == "owner"
    assert reverse("restore-backup", args=[backup.name]) in page


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (OSError(errno.ENOSPC, "full"), 507, "the server’s disk is full"),
        (backups.BackupNotTaken("away"), 200, "No backup could be made"),
    ],
)
def test_failure_is_shown(
    owner: Client, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, words: str
) -> None:
    def copy(_to: Path) -> Contents:
        raise error

    monkeypatch.setattr(creation.engine(), "copy", copy)
    answer = owner.post(BACKUPS, follow=True)
    assert answer.status_code == status
    assert words in answer.text
    assert backups.all_backups() == []


def test_owner_downloads_a_backup(owner: Client) -> None:
    backup = made()
    answer = owner.get(reverse("download-backup", args=[backup.name]))
    assert b"".join(answer) == backup.path.read_bytes()
    assert backup.path.name in answer["Content-Disposition"]
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("name", ["makiyaku", "secret-key", "makiyaku-20260101-000000-by-hand"])
def test_other_names_answer_404(owner: Client, settings: Settings, name: str) -> None:
    made()
    (settings.BACKUPS_DIR / "makiyaku.zip").write_text("not one of ours")
    for address in ("download-backup", "restore-backup"):
        assert owner.get(reverse(address, args=[name])).status_code == 404


def test_front_page_links_to_backups_for_the_owner(owner: Client, director: Client) -> None:
    assert f'href="{BACKUPS}"' in owner.get("/").text
    assert f'href="{BACKUPS}"' not in director.get("/").text
    assert director.get(BACKUPS).status_code == 404


def test_damaged_backup_is_listed_as_damaged(owner: Client) -> None:
    path = made().path
    path.write_bytes(path.read_bytes()[:100])
    assert "damaged" in owner.get(BACKUPS).text
    page = owner.get(reverse("restore-backup", args=[path.stem])).text
    assert "This backup is damaged" in page
    assert "Replace everything with this backup" not in page


# Uploading


def test_upload_is_shown_before_it_is_restored(owner: Client) -> None:
    content = made().path.read_bytes()
    answer = send(owner, content)
    (brought,) = (each for each in backups.all_backups() if Reason.UPLOADED in each.name)
    assert answer["Location"] == reverse("restore-backup", args=[brought.name])
    assert "Replace everything with this backup" in owner.get(answer["Location"]).text
    assert "from elsewhere: by hand" in owner.get(BACKUPS).text


def backup_file(tmp_path: Path, **changed: Any) -> bytes:
    """Return a sealed backup whose manifest has these fields changed."""
    database, path = tmp_path / "database", tmp_path / "backup.zip"
    database.write_bytes(b"content")
    usual = Manifest("sqlite", timezone.now(), "by-hand", "", Contents((), 0, 0), 7, "")
    files.write(path, database, usual._replace(**changed))
    return path.read_bytes()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"vendor": "oracle"}, "the other kind of database"),
        ({"contents": Contents(("tournaments.9999_later",), 0, 0)}, "newer version"),
    ],
)
def test_unsuitable_upload_is_refused(
    owner: Client, tmp_path: Path, changed: dict[str, Any], words: str
) -> None:
    usual = {"vendor": connection.vendor}
    answer = send(owner, backup_file(tmp_path, **(usual | changed)))
    assert answer.status_code == 422
    assert words in answer.text
    assert backups.all_backups() == []


@pytest.mark.parametrize("content", [b"nothing of ours" * 9, b""])
def test_foreign_file_is_refused(owner: Client, content: bytes) -> None:
    answer = send(owner, content)
    assert answer.status_code == 422
    assert 'id="error-summary"' in answer.text
    assert backups.all_backups() == []


def test_only_the_owner_may_upload_large_files(
    owner: Client, director: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("USUAL", "ENTRIES"):
        monkeypatch.setattr(body_sizes, name, 1000)
    content = made().path.read_bytes()
    assert send(owner, content).status_code == 302
    assert send(director, content).status_code == 413
    assert send(Client(), content).headers["Location"].startswith("/log-in/")
    assert owner.post("/log-in/", {"file": BytesIO(content)}).status_code == 413


# Restoring


@pytest.mark.django_db(transaction=True)  # pg_dump reads what is committed
def test_restore_page_compares_and_changes_nothing(
    shared_database: None, owner: Client, tournament: Tournament
) -> None:
    cast.record(cast.make_sitting(tournament))
    backup = made()
    cast.make_tournament()
    cast.record(cast.make_sitting(tournament))
    cast.record(cast.make_sitting(tournament))
    page = owner.get(reverse("restore-backup", args=[backup.name])).text
    head = re.findall(r'<th class="num" scope="col">([^<]*)</th>', page)
    assert head == ["Here now", "In the backup"]
    rows = dict(re.findall(r'scope="row">([^<]*)</th>(.*?)</tr>', page, re.DOTALL))
    counts = {name: re.findall(r'<td class="num">(\d+)</td>', row) for name, row in rows.items()}
    assert counts["Tournaments"] == ["2", "1"]
    assert counts["Rounds and deals on record"] == ["3", "1"]
    assert Tournament.objects.count() == 2


@pytest.mark.parametrize("posted", [{}, {"restore": ""}, {"restore": "yes"}])
def test_restore_needs_confirmation(owner: Client, posted: dict[str, str]) -> None:
    answer = owner.post(reverse("restore-backup", args=[made().name]), posted)
    assert answer.status_code == 422
    assert len(backups.all_backups()) == 1


@pytest.mark.django_db(transaction=True)
def test_owner_restores_a_backup(shared_database: None) -> None:
    user = User.objects.create_superuser("owner")
    owner = cast.in_english(cast.browser_of(user))
    backup = made()
    cast.record(cast.make_sitting())
    stranger = cast.browser_of(User.objects.create_superuser("later"))
    address = reverse("restore-backup", args=[backup.name])
    answer = cast.in_english(stranger).post(address, {"sends_again": "no"})
    assert answer.status_code == 200
    assert "Restored." in answer.text
    assert "tournaments 0, rounds 0." in answer.text
    assert not Round.objects.exists()
    assert [each.username for each in User.objects.all()] == ["owner"]
    assert owner.get(BACKUPS).status_code == 404  # log-ins of that time have ended, too
    assert stranger.get(BACKUPS).status_code == 404
    owner = cast.in_english(cast.browser_of(User.objects.get()))
    assert "before a restore" in owner.get(BACKUPS).text


# The board


def test_board_reports_a_missing_backup(
    owner: Client, scorekeeper: Client, tournament: Tournament
) -> None:
    cast.make_sitting(tournament)
    board = reverse("board", args=[tournament.slug])
    tables = reverse("board-tables", args=[tournament.slug])
    known = scorekeeper.get(tables)["ETag"]
    sentence = "The last automatic backup could not be made."
    assert sentence not in cast.in_english(scorekeeper).get(board).text
    storage.mark_due()
    storage.mark_failed()
    assert sentence in scorekeeper.get(board).text
    assert f'href="{BACKUPS}"' not in scorekeeper.get(board).text
    assert scorekeeper.get(tables, headers={"If-None-Match": known}).status_code == 200
    assert sentence in owner.get(BACKUPS).text
    owner.post(BACKUPS)
    assert sentence not in scorekeeper.get(board).text
