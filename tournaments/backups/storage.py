"""The folder of backups: file names, its lock, and which old backups are deleted.

A marker file says that an automatic backup is wanted. The backup removes it; a marker that remains
shows that one failed.
"""

from __future__ import annotations

import fcntl
import os
import re
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
from tournaments.backups.files import Backup, Manifest, Reason

BACKUP_NAME = re.compile(r"makiyaku-\d{8}-\d{6}-(?P<reason>[a-z]+(?:-[a-z]+)*)(?:-\d+)?")
AUTOMATIC = {*Reason} - {Reason.BY_HAND, Reason.UPLOADED}
MOST_PER_REASON = 30  # counted by reason, so that imports do not push out backups of sessions
LOCK, UNFINISHED, WANTED = ".lock", ".unfinished-", ".wanted"
SECONDS_UNTIL_MISSING = 300


def backup_folder() -> Path:
    """Return the folder of backups, created if missing; only its owner can read it."""
    path: Path = settings.BACKUPS_DIR
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


@contextmanager
def locked() -> Iterator[Path]:
    """Hold the lock of the folder of backups and yield its path. Taking and restoring need it.

    Waits for the lock. Deletes unfinished files that a crash left.
    """
    folder = backup_folder()
    with (folder / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for unfinished in folder.glob(f"{UNFINISHED}*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        yield folder


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder inside this one, so that files can be moved by renaming."""
    with tempfile.TemporaryDirectory(dir=folder, prefix=UNFINISHED) as name:
        yield Path(name)


def all_backups() -> list[Backup]:
    """Return every backup, the newest first."""
    with suppress(FileNotFoundError, NotADirectoryError):
        paths = [path for path in Path(settings.BACKUPS_DIR).iterdir() if _is_backup(path)]
        return [backup for path in sorted(paths, reverse=True) if (backup := _backup_at(path))]
    return []


def find(name: str) -> Backup | None:
    """Return the backup of this name, or None."""
    path = Path(settings.BACKUPS_DIR) / f"{name}.zip"
    return _backup_at(path) if _is_backup(path) and path.is_file() else None


def add(finished: Path, folder: Path, manifest: Manifest, reason: Reason) -> Backup:
    """Move a finished file into the folder and sync; the caller holds the lock.

    Of automatic backups only the newest `MOST_PER_REASON` with this reason are kept.
    """
    size = finished.stat().st_size
    path = new_path(folder, reason, manifest.made_at)
    finished.rename(path)
    fsync(folder)
    if reason != Reason.UPLOADED:  # it may be of another computer
        _clear_mark(folder, manifest.made_at)
    if reason in AUTOMATIC:
        same_reason = [path for path in sorted(folder.iterdir()) if _reason_in_name(path) == reason]
        for old in same_reason[:-MOST_PER_REASON]:
            old.unlink(missing_ok=True)
    return Backup(path, manifest, size)


def newest_local_manifest() -> Manifest | None:
    """Return the manifest of the newest readable backup that was not uploaded, or None."""
    manifests = (
        backup.manifest
        for backup in all_backups()
        if _reason_in_name(backup.path) != Reason.UPLOADED
    )
    return max(filter(None, manifests), key=lambda manifest: manifest.made_at, default=None)


def new_path(folder: Path, reason: Reason, made_at: datetime | None = None) -> Path:
    """Return an unused path in a folder for a backup made at this time, by default now."""
    stem = f"makiyaku-{timezone.localtime(made_at):%Y%m%d-%H%M%S}-{reason}"
    others = (f"{stem}-{number}" for number in count(2))
    path = folder / f"{stem}.zip"
    while path.exists():
        path = folder / f"{next(others)}.zip"
    return path


def fsync(path: Path) -> None:
    """Sync a folder's entries, or a file's content, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def mark_wanted() -> None:
    """Write the marker that an automatic backup is wanted. The next backup removes it."""
    (backup_folder() / WANTED).touch()


def mark_failed() -> None:
    """Set the marker's time to 1970: the wanted backup failed. This works on a full disk."""
    os.utime(Path(settings.BACKUPS_DIR) / WANTED, (0, 0))


def is_automatic_backup_missing() -> bool:
    """Return whether the last automatic backup failed or is overdue, or the folder is unusable."""
    folder = Path(settings.BACKUPS_DIR)
    try:
        wanted_since = (folder / WANTED).stat().st_mtime
    except FileNotFoundError:
        return folder.exists() and not os.access(folder, os.W_OK)
    except OSError:
        return True
    return time.time() - wanted_since > SECONDS_UNTIL_MISSING


def _clear_mark(folder: Path, made_at: datetime) -> None:
    """Remove the marker, unless a backup was wanted after this time."""
    with suppress(FileNotFoundError):
        if (folder / WANTED).stat().st_mtime <= made_at.timestamp():
            (folder / WANTED).unlink()


def _backup_at(path: Path) -> Backup | None:
    """Return the backup in a file, without a manifest if unreadable; None if the file is gone."""
    try:
        size = path.stat().st_size
    except OSError:
        return None
    try:
        return Backup(path, files.read_manifest(path), size)
    except (RestoreRefused, OSError):
        return Backup(path, None, size)


def _reason_in_name(path: Path) -> str:
    """Return the reason in a file name, or "" if the file is not a backup."""
    named = BACKUP_NAME.fullmatch(path.stem) if path.suffix == ".zip" else None
    return named["reason"] if named else ""


def _is_backup(path: Path) -> bool:
    return bool(_reason_in_name(path))
