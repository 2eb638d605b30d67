"""Go on from a standby copy: it becomes the database of this data folder.

Unlike the restoration of a backup this ends no log-in and no phone: whoever was at work before the
other computer failed goes on here.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

from tournaments.backups import Backup, Contents, NotRestored, Reason, creation, sqlite, storage
from tournaments.backups.errors import Damaged, Newer
from tournaments.backups.restoration import numbers_in_use, unknown_migrations
from tournaments.standby import disks, snapshots, targets
from tournaments.standby.folders import Folder, Sidecar, write_atomically


class Found(NamedTuple):
    """The newest whole copy in a folder."""

    sidecar: Sidecar
    content: bytes

    @property
    def contents(self) -> Contents:
        """Return what the database has. Raises `Damaged`."""
        with snapshots.opened(self.content) as connection:
            return sqlite.count_contents(connection)


def find(folder: Folder) -> Found:
    """Return the newest copy that can be gone on with. Raises `RestoreRefused`.

    Its audit trails are not verified, which takes seconds: the copier does that soon afterwards.
    """
    newest = folder.newest()
    if newest is None:
        raise Damaged
    found = Found(*newest)
    try:
        snapshots.make(found.content, {})
        contents = found.contents
    except (snapshots.DamagedContent, sqlite3.Error) as error:
        raise Damaged(str(error)) from error
    if unknown_migrations(contents):
        raise Newer
    return found


def go_on(found: Found) -> Backup | None:
    """Replace the database by a copy, and put its secrets in the data folder.

    Returns the backup taken of the database that was here, or None if there was none. Raises
    `RestoreRefused` and the exceptions of `backups.take`; the database is then unchanged.
    """
    if sqlite.is_in_memory():
        raise NotRestored
    taken: list[Backup] = []
    with storage.locked() as folder, storage.temporary_folder(folder) as temporary:
        database = temporary / "database"
        write_atomically(database, found.content)

        def back_up(copy: creation.Copy) -> None:
            taken.append(
                creation.take_while_locked(folder, Reason.BEFORE_RESTORE, who="", copy=copy)
            )

        _move_damaged_database_away()
        steps = ["--continues", "--sends-again"]
        steps += [f"--{name}={number}" for name, number in numbers_in_use().items()]
        sqlite.prepare(database, steps)
        sqlite.replace(database, found.contents, back_up, steps)
    for name, text in found.sidecar.secrets.items():
        write_atomically(settings.DATA_DIR / name, text.encode("ascii"))
    return taken[0] if taken else None


def _move_damaged_database_away() -> None:
    """Rename the files of a database that SQLite cannot read any more: no backup can be taken."""
    try:
        sqlite.current_contents()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        path = sqlite.database_path()
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for suffix in ("", "-journal", "-wal", "-shm"):
            file = path.with_name(path.name + suffix)
            if file.exists():
                file.rename(path.with_name(f"damaged-{stamp}-{path.name}{suffix}"))


def folders_with_copies() -> list[Path]:
    """Return where to look if no folder is named.

    That is the folder of the computer that is followed, else our own, else those on other disks.
    """
    for folder in (settings.FOLLOWING_DIR, settings.STANDBY_DIR / "copies"):
        if targets.has_copies(folder):
            return [folder]
    found = (disk.path / targets.ON_DISK for disk in disks.other_disks(settings.DATA_DIR))
    return [folder for folder in found if targets.has_copies(folder)]
