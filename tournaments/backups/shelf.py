"""The folder of backups: names, a lock, what stays and what goes. Knows no database."""

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
from tournaments.backups.errors import Refused
from tournaments.backups.files import Backup, Manifest, Reason

NAME = re.compile(r"makiyaku-\d{8}-\d{6}-(?P<reason>[a-z]+(?:-[a-z]+)*)(?:-\d+)?")
AUTOMATIC = {*Reason} - {Reason.BY_HAND, Reason.BROUGHT}
MOST_OF_A_REASON = 30  # so that nobody's imports push out the backups of the sessions
LOCK, UNFINISHED, WANTED = ".lock", ".unfinished-", ".wanted"
SECONDS_IT_MAY_TAKE = 300


def folder() -> Path:
    """Return the folder, made if need be, and closed to other accounts of the machine."""
    path: Path = settings.BACKUPS_DIR
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o700)
    return path


@contextmanager
def locked() -> Iterator[Path]:
    """Give the folder to one who takes or restores at a time; clear away what a crash left."""
    place = folder()
    with (place / LOCK).open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in place.glob(f"{UNFINISHED}*"):
            shutil.rmtree(left, ignore_errors=True)
        yield place


@contextmanager
def workshop(place: Path) -> Iterator[Path]:
    """Give a private folder within one, whose files are gone afterwards, whatever happens."""
    with tempfile.TemporaryDirectory(dir=place, prefix=UNFINISHED) as name:
        yield Path(name)


def listed() -> list[Backup]:
    """Return every backup there is, the newest first."""
    with suppress(FileNotFoundError, NotADirectoryError):
        names = [path for path in Path(settings.BACKUPS_DIR).iterdir() if _is_name(path)]
        return [seen for path in sorted(names, reverse=True) if (seen := _seen(path))]
    return []


def find(name: str) -> Backup | None:
    """Return the backup of this name, or None."""
    path = Path(settings.BACKUPS_DIR) / f"{name}.zip"
    return _seen(path) if _is_name(path) and path.is_file() else None


def put(finished: Path, place: Path, manifest: Manifest, reason: Reason) -> Backup:
    """Give a finished file its name, down to the disk; let old ones made for the same reason go."""
    size = finished.stat().st_size
    path = new_name(place, reason, manifest.made_at)
    finished.rename(path)
    sync(place)
    if reason != Reason.BROUGHT:  # what is in that one may be another computer's
        _answer(place, manifest.made_at)
    if reason in AUTOMATIC:
        alike = [each for each in sorted(place.iterdir()) if _reason(each) == reason]
        for old in alike[:-MOST_OF_A_REASON]:
            old.unlink(missing_ok=True)
    return Backup(path, manifest, size)


def newest() -> Manifest | None:
    """Return what the newest backup made here says of itself."""
    made_here = (each.manifest for each in listed() if _reason(each.path) != Reason.BROUGHT)
    return max(filter(None, made_here), key=lambda each: each.made_at, default=None)


def new_name(place: Path, reason: Reason, made_at: datetime | None = None) -> Path:
    """Return a name in a folder that is not taken, for a backup made then, or now."""
    stem = f"makiyaku-{timezone.localtime(made_at):%Y%m%d-%H%M%S}-{reason}"
    others = (f"{stem}-{number}" for number in count(2))
    path = place / f"{stem}.zip"
    while path.exists():
        path = place / f"{next(others)}.zip"
    return path


def sync(place: Path) -> None:
    """Wait until the names in a folder, or what is in a file, are on the disk."""
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def want() -> None:
    """Note that a backup is wanted; one that is taken from now on answers."""
    (folder() / WANTED).touch()


def give_up() -> None:
    """Note that the one wanted did not come about. A time needs no room on a full disk."""
    os.utime(Path(settings.BACKUPS_DIR) / WANTED, (0, 0))


def is_missing() -> bool:
    """Return whether a backup that should be there is not: failed, cut short, or no folder."""
    place = Path(settings.BACKUPS_DIR)
    try:
        wanted_since = (place / WANTED).stat().st_mtime
    except FileNotFoundError:
        return place.exists() and not os.access(place, os.W_OK)
    except OSError:
        return True
    return time.time() - wanted_since > SECONDS_IT_MAY_TAKE


def _answer(place: Path, made_at: datetime) -> None:
    with suppress(FileNotFoundError):
        if (place / WANTED).stat().st_mtime <= made_at.timestamp():
            (place / WANTED).unlink()


def _seen(path: Path) -> Backup | None:
    """Return a file as it is now; None where it is gone, as another process may let it go."""
    try:
        size = path.stat().st_size
    except OSError:
        return None
    try:
        return Backup(path, files.glance(path), size)
    except (Refused, OSError):
        return Backup(path, None, size)


def _reason(path: Path) -> str:
    """Return why a backup was made, as its name says; nothing where it is not one of ours."""
    named = NAME.fullmatch(path.stem) if path.suffix == ".zip" else None
    return named["reason"] if named else ""


def _is_name(path: Path) -> bool:
    return bool(_reason(path))
