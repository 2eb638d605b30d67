"""A file that cannot be restored here is refused, and nothing changes."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from tests.backup_files import CONTENT, everything, sealed, write, zip_of
from tournaments import backups
from tournaments import sealed_files as seals
from tournaments.backups import Contents, Reason, files, storage
from tournaments.models import Tournament

FOREIGN = {
    "empty": b"",
    "text": b"No backup at all." * 20,
    "another zip": zip_of(readme="x" * 100),
    "a zip with another manifest": zip_of(manifest_json='{"format": "other"}'),
    "sealed without manifest": sealed(zip_of(readme="x")),
    "sealed with another manifest": sealed(zip_of(manifest_json='{"format": "other"}')),
    "sealed with a list": sealed(zip_of(manifest_json="[]")),
    "sealed with no JSON": sealed(zip_of(manifest_json="{")),
}


@pytest.mark.django_db
def test_data_of_a_newer_version_are_not_migrated() -> None:
    MigrationRecorder(connection).record_applied("tournaments", "9999_newer")
    with pytest.raises(CommandError, match="restore"):
        call_command("migrate")


def test_every_changed_byte_is_detected(tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        with pytest.raises((backups.Damaged, backups.Foreign)):
            files.read(path)


def test_every_truncation_is_detected(tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises((backups.Damaged, backups.Foreign)):
            files.read(path)
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(backups.Damaged):
        files.read(path)


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN)
def test_foreign_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign.zip"
    path.write_bytes(content)
    with pytest.raises(backups.Foreign):
        files.read(path)


def test_incomplete_manifest_is_refused(tmp_path: Path) -> None:
    said = {"format": files.BACKUP.format, "version": files.BACKUP.version, "vendor": "sqlite"}
    path = tmp_path / "half.zip"
    path.write_bytes(sealed(zip_of(manifest_json=json.dumps(said))))
    with pytest.raises(backups.Damaged):
        files.read(path)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 100_000])
def test_deeply_nested_manifest_is_refused(text: str, tmp_path: Path, settings: Settings) -> None:
    settings.BACKUPS_DIR = tmp_path
    path = storage.new_path(tmp_path, Reason.BY_HAND)
    path.write_bytes(sealed(zip_of(manifest_json=text)))
    with pytest.raises(backups.Foreign):
        files.read(path)
    assert [each.manifest for each in backups.all_backups()] == [None]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unbounded_compression_method_is_refused(method: int, tmp_path: Path) -> None:
    path = write(tmp_path / "whole.zip")
    known, stream = files.read(path), BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(seals.MANIFEST, json.dumps(known.as_json()))
        archive.writestr(files.DATABASE, CONTENT, method)
    path.write_bytes(sealed(stream.getvalue()))
    assert files.read(path) == known
    with pytest.raises(backups.Damaged):
        files.unpack(path, known, tmp_path / "database")


@pytest.mark.parametrize(("more", "is_accepted"), [(0, True), (1, False), (30_000_000, False)])
def test_length_of_manifest_is_limited(tmp_path: Path, more: int, *, is_accepted: bool) -> None:
    known = files.read(write(tmp_path / "known.zip"))
    told = json.dumps(known.as_json())
    text = told + " " * (files.BACKUP.longest_manifest - len(told) + more)
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(seals.MANIFEST, text)
    path = tmp_path / "long.zip"
    path.write_bytes(sealed(stream.getvalue()))
    if is_accepted:
        assert files.read(path) == known
    else:
        with pytest.raises(backups.Damaged):
            files.read(path)


def test_later_format_is_refused(tmp_path: Path) -> None:
    said = {"format": files.BACKUP.format, "version": files.BACKUP.version + 1}
    path = tmp_path / "later.zip"
    path.write_bytes(sealed(zip_of(manifest_json=json.dumps(said))))
    with pytest.raises(backups.Newer):
        files.read(path)


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"vendor": "oracle"}, backups.OtherDatabase),
        ({"contents": Contents(("tournaments.9999_later",), 1, 2)}, backups.Newer),
        ({"sha256": "0" * 64}, backups.Damaged),
        ({"length": 5}, backups.Damaged),
        ({"length": 10**12}, backups.Damaged),
        ({}, backups.Damaged),  # the content is no database
    ],
)
def test_refused_backup_changes_nothing(
    played: Tournament,
    tmp_path: Path,
    changed: dict[str, Any],
    refusal: type[backups.RestoreRefused],
) -> None:
    path, before = write(tmp_path / "other.zip", **changed), everything()
    for use in (backups.examine, backups.restore):
        with pytest.raises(refusal):
            use(path)
    with pytest.raises(refusal):
        backups.add_upload([path.read_bytes()])
    assert everything() == before
    assert backups.all_backups() == []
