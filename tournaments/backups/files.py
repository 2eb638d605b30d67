"""The file: a zip of a manifest and the database, sealed at its end. Knows no database.

The manifest comes first and in plain text, so that a damaged file can be told from a foreign one.
The last 64 bytes, the zip's comment, are the SHA-256 of all before them: no byte of the file can
change unnoticed, not even one that unzipping would not look at.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, NamedTuple
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from django.utils import timezone

from tournaments.backups.contents import Contents
from tournaments.backups.errors import Damaged, Foreign, Newer

FORMAT, VERSION = "makiyaku-backup", 1
MANIFEST, DATABASE = "manifest.json", "database"
PRIVATE = 0o600
SEAL = 64  # hexadecimal digits
LONGEST_MANIFEST = 1_000_000
CHUNK = 1 << 20
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
            "format": FORMAT,
            "version": VERSION,
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
    """A file and what it says of itself; None where it says nothing that can be read."""

    path: Path
    manifest: Manifest | None

    @property
    def name(self) -> str:
        """Return what addresses and people call it."""
        return self.path.stem

    @property
    def size(self) -> int:
        """Return its length in bytes."""
        return self.path.stat().st_size


def write(path: Path, database: Path, manifest: Manifest) -> None:
    """Write a new file that only its owner can read, down to the disk."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "w+b") as file:
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=QUICK) as archive:
            archive.comment = b"0" * SEAL
            said = json.dumps(manifest.as_json(), ensure_ascii=False, indent=1)
            archive.writestr(ZipInfo(MANIFEST, NO_TIME), said)  # not compressed
            member = ZipInfo(DATABASE, NO_TIME)
            member.compress_type, member.file_size = ZIP_DEFLATED, manifest.length
            with database.open("rb") as content, archive.open(member, "w") as kept:
                while chunk := content.read(CHUNK):
                    kept.write(chunk)
        seal = _seal(file)
        file.seek(-SEAL, os.SEEK_END)
        file.write(seal)
        file.flush()
        os.fsync(file.fileno())


def read(path: Path) -> Manifest:
    """Return what a file says of itself, once it is sure to be as it was written.

    Raises `Foreign` for a file that was never ours, `Damaged` for one that was, and `Newer`.
    """
    with path.open("rb") as file:
        if not _is_sealed(file):
            file.seek(0)
            raise Damaged if FORMAT.encode() in file.read(4096) else Foreign
    return glance(path)


def glance(path: Path) -> Manifest:
    """Return what a file says of itself, without reading all of it. Raises as `read` does."""
    try:
        with ZipFile(path) as archive, archive.open(MANIFEST) as member:
            said = json.loads(member.read(LONGEST_MANIFEST))
    except (BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        raise Foreign from error
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Foreign
    if said.get("version") != VERSION:
        raise Newer
    try:
        return _manifest(said)
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged from error


def unpack(path: Path, manifest: Manifest, to: Path) -> None:
    """Write the database's copy to a new file. Raises `Damaged` if it is not what was packed."""
    digest, left = hashlib.sha256(), manifest.length
    descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with (
            os.fdopen(descriptor, "wb") as out,
            ZipFile(path) as archive,
            archive.open(DATABASE) as member,
        ):
            while left >= 0 and (chunk := member.read(CHUNK)):
                left -= len(chunk)
                digest.update(chunk)
                out.write(chunk)
    except (BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError, EOFError) as error:
        raise Damaged from error
    if left or digest.hexdigest() != manifest.sha256:
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


def _is_sealed(file: IO[bytes]) -> bool:
    if file.seek(0, os.SEEK_END) <= SEAL:
        return False
    seal = _seal(file)
    file.seek(-SEAL, os.SEEK_END)
    return file.read() == seal


def _seal(file: IO[bytes]) -> bytes:
    """Return the digest of all but the last bytes of a file."""
    left = file.seek(0, os.SEEK_END) - SEAL
    file.seek(0)
    digest = hashlib.sha256()
    while left:
        chunk = file.read(min(CHUNK, left))
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest().encode()
