"""The folder of backups: file names, its lock, and which old backups are deleted.

A marker file is written when an automatic backup is due, and removed by the backup. A marker that
stays shows that the backup failed.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from tournaments.backups import files
from tournaments.backups.errors import RestoreRefused
from tournaments.backups.files import AUTOMATIC, Backup, Manifest, Reason, reason_in_name
from tournaments.system import locks
from tournaments.system.files import sync

MOST_PER_REASON = 30  # counted by reason, so that imports do not displace backups of sessions
LOCK, UNFINISHED, DUE_MARKER = ".lock", ".unfinished-", ".wanted"
SECONDS_UNTIL_OVERDUE = 300


def backup_folder() -> Path:
    """Return the folder of backups, created if missing; only its owner can read it."""
    path: Path = settings.BACKUPS_DIR
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


@contextmanager
def locked() -> Iterator[Path]:
    """Wait for the lock of the folder of backups, hold it, and yield the folder's path.

    Backups are taken and restored under this lock. Deletes unfinished files that a crash left.
    """
    folder = backup_folder()
    with locks.locked(folder / LOCK):
        for unfinished in folder.glob(f"{UNFINISHED}*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        yield folder


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder inside `folder`, on the same disk: files are moved by renaming."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED) as name:
        yield Path(name)


def all_backups() -> list[Backup]:
    """Return all backups in the folder, the newest first; none without the folder."""
    with suppress(FileNotFoundError, NotADirectoryError):
        paths = [path for path in Path(settings.BACKUPS_DIR).iterdir() if _is_backup(path)]
        return [backup for path in sorted(paths, reverse=True) if (backup := _backup_at(path))]
    return []


def find(name: str) -> Backup | None:
    path = Path(settings.BACKUPS_DIR) / f"{name}.zip"
    return _backup_at(path) if _is_backup(path) and path.is_file() else None


def add(finished: Path, folder: Path, manifest: Manifest, reason: Reason) -> Backup:
    """Move a finished file into the folder and sync. The caller holds the folder's lock.

    Deletes all but the newest `MOST_PER_REASON` automatic backups with this reason. Clears the
    marker of a due backup, unless the file was uploaded: then it may be from another computer.
    """
    size = finished.stat().st_size
    path = new_path(folder, reason, manifest.made_at)
    finished.rename(path)
    sync(folder)
    if reason != Reason.UPLOADED:
        _clear_marker(folder, manifest.made_at)
    if reason in AUTOMATIC:
        same_reason = [path for path in sorted(folder.iterdir()) if reason_in_name(path) == reason]
        for old in same_reason[:-MOST_PER_REASON]:
            old.unlink(missing_ok=True)
    return Backup(path, manifest, size)


def delete_automatic(*, made_before: datetime) -> None:
    """Delete the automatic backups from before a time, if there is a newer one made here.

    Backups that were made by hand or uploaded, and those that cannot be read, stay.
    """
    with locked():
        newest = newest_local_manifest()
        if newest is None or newest.made_at < made_before:
            return
        for backup in all_backups():
            manifest = backup.manifest
            if backup.is_automatic and manifest and manifest.made_at < made_before:
                backup.path.unlink(missing_ok=True)


def newest_local_manifest() -> Manifest | None:
    """Return the manifest of the newest readable backup that was not uploaded, or None."""
    manifests = (
        backup.manifest
        for backup in all_backups()
        if reason_in_name(backup.path) != Reason.UPLOADED
    )
    return max(filter(None, manifests), key=lambda manifest: manifest.made_at, default=None)


def new_path(folder: Path, reason: Reason, made_at: datetime | None = None) -> Path:
    """Return an unused path in a folder for a backup made at this time, by default now.

    >>> nine = datetime.fromisoformat("2026-11-21T09:00+09:00")
    >>> new_path(Path("/nowhere"), Reason.BY_HAND, nine).name
    'makiyaku-20261121-090000-by-hand.zip'
    """
    stem = f"makiyaku-{timezone.localtime(made_at):%Y%m%d-%H%M%S}-{reason}"
    numbered_stems = (f"{stem}-{number}" for number in count(2))
    path = folder / f"{stem}.zip"
    while path.exists():
        path = folder / f"{next(numbered_stems)}.zip"
    return path


def mark_due() -> None:
    """Write the marker that an automatic backup is due. The next backup removes it."""
    (backup_folder() / DUE_MARKER).touch()


def mark_failed() -> None:
    """Set the marker's time to 1970: the due backup has failed. This works on a full disk."""
    os.utime(Path(settings.BACKUPS_DIR) / DUE_MARKER, (0, 0))


def is_automatic_backup_missing() -> bool:
    """Return whether the last automatic backup failed or is overdue, or the folder is unusable.

    A missing folder without a due backup is no failure.
    """
    folder = Path(settings.BACKUPS_DIR)
    try:
        due_since = (folder / DUE_MARKER).stat().st_mtime
    except FileNotFoundError:
        return folder.exists() and not os.access(folder, os.W_OK)
    except OSError:
        return True
    return time.time() - due_since > SECONDS_UNTIL_OVERDUE


def _clear_marker(folder: Path, made_at: datetime) -> None:
    """Remove the marker, unless it was written after the backup of this time was made."""
    with suppress(FileNotFoundError):
        if (folder / DUE_MARKER).stat().st_mtime <= made_at.timestamp():
            (folder / DUE_MARKER).unlink()


def _backup_at(path: Path) -> Backup | None:
    """Return the backup in a file, or None if the file is gone.

    The backup has no manifest if the file cannot be read.
    """
    try:
        size = path.stat().st_size
    except OSError:
        return None
    try:
        return Backup(path, files.read_manifest(path), size)
    except (RestoreRefused, OSError):
        return Backup(path, None, size)


def _is_backup(path: Path) -> bool:
    return bool(reason_in_name(path))
