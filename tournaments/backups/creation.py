"""Take a backup: copy, pack, read back and compare; only then is the file moved to its folder."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from django.db import connection
from django.utils import timezone

from tournaments.backups import files, postgresql, sqlite, storage
from tournaments.backups.contents import Contents
from tournaments.backups.errors import AlreadyExists, BackupNotTaken, RestoreRefused
from tournaments.backups.files import Backup, Manifest, Reason
from tournaments.server import jobs
from tournaments.system.files import sync

logger = logging.getLogger(__name__)

Copy = Callable[[Path], Contents]


@jobs.lowers_priority_itself  # once it has copied the database
def take(reason: Reason, *, who: str = "", to: Path | None = None) -> Backup:
    """Back up the committed state of the database, to the folder of backups or a new file `to`.

    Raises `BackupNotTaken`, `AlreadyExists` if the file `to` exists, `OSError` if the disk is full,
    `DatabaseError` and `JobEnded`. No partial file is left.
    """
    return jobs.run(_take, reason, who=who, to=to)


@jobs.lowers_priority_itself
def _take(reason: Reason, *, who: str, to: Path | None) -> Backup:
    """As `take`, in a job."""
    if to is not None and to.exists():
        raise AlreadyExists(str(to))
    try:
        with storage.locked() as folder:
            return take_while_locked(folder, reason, who=who, copy=engine().copy, to=to)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise BackupNotTaken(str(error)) from error  # the folder is missing or not writable


def take_while_locked(
    folder: Path, reason: Reason, *, who: str, copy: Copy, to: Path | None = None
) -> Backup:
    """Take a backup. `folder` comes from `storage.locked`, whose lock the caller holds.

    `copy` writes the database to a new file and returns its contents. `to` as in `take`. Raises
    `BackupNotTaken` and the exceptions of `copy`.
    """
    with storage.temporary_folder(to.parent if to else folder) as temporary:
        made_at = timezone.now()
        database, finished = temporary / "database", temporary / "finished.zip"
        contents = copy(database)
        jobs.lower_priority()
        length, digest = files.length_and_digest(database)
        manifest = Manifest(
            vendor=connection.vendor,
            made_at=made_at,
            reason=reason,
            who=who,
            contents=contents,
            length=length,
            sha256=digest,
        )
        files.write(finished, database, manifest)
        database.unlink()
        _check_readable(finished, manifest, temporary / "read-back")
        if to is not None:
            finished.rename(to)
            sync(to.parent)
            return Backup(to, manifest, to.stat().st_size)
        return storage.add(finished, folder, manifest, reason)


def current_contents() -> Contents:
    contents: Contents = engine().current_contents()
    return contents


def engine() -> ModuleType:
    """Return the module for the database in use: `sqlite` or `postgresql`.

    Both have the functions `copy`, `compact`, `check`, `current_contents`, `prepare` and
    `replace`.
    """
    return sqlite if connection.vendor == "sqlite" else postgresql


def _check_readable(finished: Path, manifest: Manifest, to: Path) -> None:
    """Raise `BackupNotTaken` unless the file has this manifest and an intact copy of the database.

    The copy is unpacked to the new file `to`.
    """
    try:
        if files.read(finished) != manifest:
            raise BackupNotTaken
        files.unpack(finished, manifest, to)
        engine().check(to, manifest.contents)
    except RestoreRefused as error:
        logger.exception("A backup could not be read back")
        raise BackupNotTaken(str(error)) from error
