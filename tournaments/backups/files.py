"""The file: a manifest and the database, sealed as `sealed_files` tells. Knows no database."""

from __future__ import annotations

import hashlib
import json
import os
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

KIND = sealed_files.SealedFormat("makiyaku-backup", 1, 1_000_000, Foreign, Damaged, Newer)
DATABASE = "database"
PRIVATE = 0o600
QUICK = 1  # of zlib: a database shrinks to a fifth as it is
NO_TIME = (1980, 1, 1, 0, 0, 0)  # as zips say it; the manifest has the time


class Reason(StrEnum):
    """Why a backup was made, as its name says."""

    BY_HAND = "by-hand"
    BEFORE_IMPORT = "before-import"
    BEFORE_RESTORE = "before-restore"
    BEFORE_MIGRATION = "before-migration"
    AFTER_SESSION = "after-session"
    AFTER_CLOSING = "after-closing"
    BROUGHT = "brought"  # uploaded; its manifest says why it was made


class Manifest(NamedTuple):
    """What a backup says of itself. `length` and `sha256` are those of the database's copy."""

    vendor: str
    made_at: datetime
    reason: str
    who: str
    contents: Contents
    length: int
    sha256: str

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as it stands in the file."""
        return {
            "format": KIND.format,
            "version": KIND.version,
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
    """A file, what it says of itself (None where nothing can be read), and its length in bytes.

    The length is of when the file was looked at: another process may let it go at any moment.
    """

    path: Path
    manifest: Manifest | None
    size: int

    @property
    def name(self) -> str:
        """Return what addresses and people call it."""
        return self.path.stem


def write(path: Path, database: Path, manifest: Manifest) -> None:
    """Write a new file that only its owner can read, down to the disk."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "w+b") as file:
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=QUICK) as archive:
            archive.comment = sealed_files.UNSEALED
            said = json.dumps(manifest.as_json(), ensure_ascii=False, indent=1)
            archive.writestr(ZipInfo(MANIFEST, NO_TIME), said)  # not compressed
            member = ZipInfo(DATABASE, NO_TIME)
            member.compress_type, member.file_size = ZIP_DEFLATED, manifest.length
            with database.open("rb") as content, archive.open(member, "w") as kept:
                while chunk := content.read(CHUNK):
                    kept.write(chunk)
        sealed_files.write_seal(file)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> Manifest:
    """Return what a file says of itself, once it is sure to be as it was written.

    Raises `Foreign` for a file that was never ours, `Damaged` for one that was, and `Newer`.
    """
    with path.open("rb") as file:
        KIND.check_seal(file)
    return glance(path)


def glance(path: Path) -> Manifest:
    """Return what a file says of itself, without reading all of it. Raises as `read` does."""
    try:
        with path.open("rb") as file:
            return _manifest(json.loads(KIND.manifest(file)))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Damaged from error


def unpack(path: Path, manifest: Manifest, to: Path) -> None:
    """Write the database's copy to a new file. Raises `Damaged` if it is not what was packed."""
    digest, length = hashlib.sha256(), 0
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as out, path.open("rb") as file:
        try:
            for chunk in KIND.member(file, DATABASE, manifest.length):
                length += len(chunk)
                digest.update(chunk)
                out.write(chunk)
        except sealed_files.MemberTooLong as error:
            raise Damaged from error
    if length != manifest.length or digest.hexdigest() != manifest.sha256:
        raise Damaged


def digest_of(path: Path) -> tuple[int, str]:
    """Return length and SHA-256 of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return path.stat().st_size, digest


def _manifest(said: Mapping[str, Any]) -> Manifest:
    made_at = datetime.fromisoformat(said["made_at"])
    if timezone.is_naive(made_at):
        raise ValueError(said["made_at"])
    migrations = tuple(str(each) for each in said["migrations"])
    return Manifest(
        str(said["vendor"]),
        made_at,
        str(said["reason"]),
        str(said["who"]),
        Contents(migrations, int(said["tournaments"]), int(said["rounds"])),
        int(said["length"]),
        str(said["sha256"]),
    )
