"""Taking a backup: copied, packed, read back and compared, and only then given its name."""

from __future__ import annotations

import errno
import logging
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from django.db import connection
from django.utils import timezone

from tournaments.backups import files, postgresql, shelf, sqlite
from tournaments.backups.contents import Contents
from tournaments.backups.errors import NotTaken, Refused, ThereAlready
from tournaments.backups.files import Backup, Manifest, Reason

logger = logging.getLogger(__name__)

Copy = Callable[[Path], Contents]


def take(reason: Reason, *, who: str = "", to: Path | None = None) -> Backup:
    """Take a backup of what is committed now, on the shelf or as the new file `to`.

    Raises `NotTaken` (`ThereAlready` rather than replace a file), `OSError` where the disk is full,
    `DatabaseError` where the database refuses: nothing half is left.
    """
    if to is not None and to.exists():
        raise ThereAlready(str(to))
    try:
        with shelf.locked() as place:
            return take_while_locked(place, reason, who, engine().copy, to)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise NotTaken(str(error)) from error  # a folder that is away, or not ours to write


def take_while_locked(
    place: Path, reason: Reason, who: str, copy: Copy, to: Path | None = None
) -> Backup:
    """Take a backup with what copies the database, for one who holds the shelf's lock."""
    with shelf.workshop(to.parent if to else place) as workshop:
        made_at = timezone.now()
        database, finished = workshop / "database", workshop / "finished.zip"
        found = copy(database)
        length, digest = files.digest_of(database)
        manifest = Manifest(connection.vendor, made_at, reason, who, found, length, digest)
        files.write(finished, database, manifest)
        database.unlink()
        _read_back(finished, manifest, workshop / "read-back")
        if to is not None:
            finished.rename(to)
            shelf.sync(to.parent)
            return Backup(to, manifest, to.stat().st_size)
        return shelf.put(finished, place, manifest, reason)


def present() -> Contents:
    """Return what is in the database now."""
    found: Contents = engine().present()
    return found


def engine() -> ModuleType:
    """Return what copies and replaces the kind of database we have."""
    return sqlite if connection.vendor == "sqlite" else postgresql


def _read_back(finished: Path, manifest: Manifest, to: Path) -> None:
    """Raise `NotTaken` unless the file says and holds what was put into it."""
    try:
        if files.read(finished) != manifest:
            raise NotTaken
        files.unpack(finished, manifest, to)
        engine().check(to, manifest.contents)
    except Refused as error:
        logger.exception("A backup was not what had been written")
        raise NotTaken(str(error)) from error
