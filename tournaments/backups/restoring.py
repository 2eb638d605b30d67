"""Restoring a backup: everything about it is checked before live data are touched."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tournaments.backups import files, shelf, taking
from tournaments.backups.contents import Contents
from tournaments.backups.errors import Newer, OtherDatabase
from tournaments.backups.files import Backup, Manifest, Reason

logger = logging.getLogger(__name__)


def examine(path: Path) -> Manifest:
    """Return what a backup says of itself if it can be restored here, as far as can be told.

    Raises a `Refused` that says why not. Only its trails are verified later, by `restore`.
    """
    with shelf.locked() as place, shelf.workshop(place) as workshop:
        return _unpacked(path, workshop)


def bring_in(content: Iterable[bytes]) -> Backup:
    """Put a backup from elsewhere on the shelf, if it can be restored here; raise as `examine`."""
    with shelf.locked() as place, shelf.workshop(place) as workshop:
        finished = workshop / "finished.zip"
        finished.touch(files.PRIVATE)
        with finished.open("wb") as file:
            file.writelines(content)
        shelf.sync(finished)
        manifest = _unpacked(finished, workshop)
        return shelf.put(finished, place, manifest, Reason.BROUGHT)


def restore(path: Path, *, who: str = "") -> Backup | None:
    """Put a backup in the place of all that is there; return the backup made of that before.

    None where there was nothing. Raises a `Refused` when the backup is not to be restored, and what
    `take` raises: everything is then as it was.
    """
    kept: list[Backup] = []
    with shelf.locked() as place, shelf.workshop(place) as workshop:
        manifest = _unpacked(path, workshop)
        payload, engine = workshop / "database", taking.engine()

        def keep(copy: taking.Copy) -> None:
            kept.append(taking.take_while_locked(place, Reason.BEFORE_RESTORE, who, copy))

        engine.prove(payload)
        engine.replace(payload, manifest.contents, keep)
    logger.warning("Restored %s of %s, by %s", path.name, manifest.made_at, who or "a command")
    return kept[0] if kept else None


def unknown_migrations(found: Contents) -> set[str]:
    """Return the migrations of a database that this version does not have."""
    on_disk = MigrationLoader(None).disk_migrations
    replaced = (key for migration in on_disk.values() for key in migration.replaces)
    return set(found.migrations) - {f"{app}.{name}" for app, name in (*on_disk, *replaced)}


def _unpacked(path: Path, workshop: Path) -> Manifest:
    manifest = files.read(path)
    if manifest.vendor != connection.vendor:
        raise OtherDatabase
    if unknown_migrations(manifest.contents):
        raise Newer
    database = workshop / "database"
    files.unpack(path, manifest, database)
    taking.engine().check(database, manifest.contents)
    return manifest
