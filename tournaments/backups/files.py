"""The file of a backup: a manifest and a copy of the database in a sealed zip."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.utils import timezone

from tournaments import sealed_files
from tournaments.backups.contents import Contents
from tournaments.backups.errors import Damaged, Foreign, Newer
from tournaments.sealed_files import CHUNK, MANIFEST

BACKUP = sealed_files.SealedFormat(
    format="makiyaku-backup",
    version=1,
    longest_manifest=1_000_000,
    foreign=Foreign,
    damaged=Damaged,
    newer=Newer,
)
DATABASE = "database"
PRIVATE = 0o600
COMPRESSION_LEVEL = 1  # zlib's fastest, which makes a database five times smaller
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the manifest has the actual time


class Reason(StrEnum):
    """Why a backup was made; part of its file name."""

    BY_HAND = "by-hand"
    BEFORE_IMPORT = "before-import"
    BEFORE_RESTORE = "before-restore"
    BEFORE_MIGRATION = "before-migration"
    AFTER_SESSION = "after-session"
    AFTER_CLOSING = "after-closing"
    AFTER_ERASING = "after-erasing"
    UPLOADED = "brought"  # its manifest has the reason for which it was made


AUTOMATIC = {*Reason} - {Reason.BY_HAND, Reason.UPLOADED}
BACKUP_NAME = re.compile(r"makiyaku-\d{8}-\d{6}-(?P<reason>[a-z]+(?:-[a-z]+)*)(?:-\d+)?")


def reason_in_name(path: Path) -> str:
    """Return the reason in a file name, or "" if the file is not a backup."""
    match = BACKUP_NAME.fullmatch(path.stem) if path.suffix == ".zip" else None
    return match["reason"] if match else ""


class Manifest(NamedTuple):
    """The summary at the beginning of the file.

    `length` and `sha256` are those of the copy of the database. `reason` and `who` say why and by
    whom the backup was made.
    """

    vendor: str
    made_at: datetime
    reason: str
    who: str
    contents: Contents
    length: int
    sha256: str

    def as_json(self) -> dict[str, Any]:
        return {
            "format": BACKUP.format,
            "version": BACKUP.version,
            "vendor": self.vendor,
            "made_at": self.made_at.isoformat(),
            "reason": self.reason,
            "who": self.who,
            "tournaments": self.contents.tournaments,
            "rounds": self.contents.rounds,
            "migrations": list(self.contents.migrations),
            "length": self.length,
            "sha256": self.sha256,
        }


class Backup(NamedTuple):
    """A file, its manifest (None if unreadable), and its size in bytes when it was listed.

    Another process may delete the file at any moment.
    """

    path: Path
    manifest: Manifest | None
    size: int

    @property
    def name(self) -> str:
        """Return the file name without `.zip`, which URLs contain."""
        return self.path.stem

    @property
    def is_automatic(self) -> bool:
        """Return whether it was made automatically, as its file name says."""
        return reason_in_name(self.path) in AUTOMATIC


def write(path: Path, database: Path, manifest: Manifest) -> None:
    """Write and sync the new file `path`, sealed with a checksum, that only its owner can read.

    `database` is the path of the copy of the database that is packed.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "w+b") as file:
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL) as archive:
            archive.comment = sealed_files.UNSEALED
            text = json.dumps(manifest.as_json(), ensure_ascii=False, indent=1)
            archive.writestr(ZipInfo(MANIFEST, ZIP_TIME), text)  # uncompressed, as `ZipInfo` is
            member = ZipInfo(DATABASE, ZIP_TIME)
            member.compress_type, member.file_size = ZIP_DEFLATED, manifest.length
            with database.open("rb") as content, archive.open(member, "w") as out:
                while chunk := content.read(CHUNK):
                    out.write(chunk)
        sealed_files.write_seal(file)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> Manifest:
    """Check the seal, a checksum of the file, and return the manifest.

    Raises `Foreign`, `Damaged` or `Newer`.
    """
    with path.open("rb") as file:
        BACKUP.check_seal(file)
    return read_manifest(path)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest without checking the seal. Raises `Foreign`, `Damaged` or `Newer`."""
    try:
        with path.open("rb") as file:
            return _parse_manifest(json.loads(BACKUP.read_manifest(file)))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Damaged from error


def unpack(path: Path, manifest: Manifest, to: Path) -> None:
    """Write the copy of the database in a backup to the new file `to`.

    Raises `Damaged` if its length or digest differs from the manifest. The caller then deletes the
    file.
    """
    digest, length = hashlib.sha256(), 0
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as out, path.open("rb") as file:
        try:
            for chunk in BACKUP.read_member(file, DATABASE, longest=manifest.length):
                length += len(chunk)
                digest.update(chunk)
                out.write(chunk)
        except sealed_files.MemberTooLong as error:
            raise Damaged from error
    if length != manifest.length or digest.hexdigest() != manifest.sha256:
        raise Damaged


def length_and_digest(path: Path) -> tuple[int, str]:
    """Return the length of a file in bytes, and its SHA-256 in hexadecimal."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return path.stat().st_size, digest


def _parse_manifest(document: Mapping[str, Any]) -> Manifest:
    """Return the manifest that is stored as this JSON document.

    Raises `KeyError`, `TypeError`, `ValueError` or `OverflowError` for an invalid document.
    """
    made_at = datetime.fromisoformat(document["made_at"])
    if timezone.is_naive(made_at):
        raise ValueError(document["made_at"])
    migrations = tuple(str(name) for name in document["migrations"])
    return Manifest(
        vendor=str(document["vendor"]),
        made_at=made_at,
        reason=str(document["reason"]),
        who=str(document["who"]),
        contents=Contents(migrations, int(document["tournaments"]), int(document["rounds"])),
        length=int(document["length"]),
        sha256=str(document["sha256"]),
    )
