"""Restore a backup. All checks that need no live data come before the database is replaced."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.models import Max

from tournaments.backups import creation, files, storage
from tournaments.backups.contents import Contents
from tournaments.backups.errors import Newer, OtherDatabase
from tournaments.backups.files import Backup, Manifest, Reason
from tournaments.models import Epoch, Sitting
from tournaments.system.files import sync

MOST_SEATED_MEANWHILE = 1000  # sittings that may be made until the database is replaced

logger = logging.getLogger(__name__)


def examine(path: Path) -> Manifest:
    """Check that a backup can be restored here, and return its manifest. Raises `RestoreRefused`.

    The audit trails in the backup are not verified: `restore` does that.
    """
    with storage.locked() as folder, storage.temporary_folder(folder) as temporary:
        return unpack_and_check(path, temporary)


def add_upload(content: Iterable[bytes]) -> Backup:
    """Add an uploaded backup to the folder. Raises `RestoreRefused` as `examine` does."""
    with storage.locked() as folder, storage.temporary_folder(folder) as temporary:
        finished = temporary / "finished.zip"
        finished.touch(files.PRIVATE)
        with finished.open("wb") as file:
            file.writelines(content)
        sync(finished)
        manifest = unpack_and_check(finished, temporary)
        return storage.add(finished, folder, manifest, Reason.UPLOADED)


def restore(path: Path, *, who: str = "", sends_again: bool = False) -> Backup | None:
    """Replace the database by a backup, after taking a backup of the present database.

    With `sends_again`, phones send again what they have sent and the backup lacks.

    Returns the backup taken, or None if there was no database. Raises `RestoreRefused` and the
    exceptions of `take`; the database is then unchanged.
    """
    backups_taken: list[Backup] = []
    with storage.locked() as folder, storage.temporary_folder(folder) as temporary:
        manifest = unpack_and_check(path, temporary)
        database, engine = temporary / "database", creation.engine()

        def back_up(copy: creation.Copy) -> None:
            backups_taken.append(
                creation.take_while_locked(folder, Reason.BEFORE_RESTORE, who=who, copy=copy)
            )

        steps = ["--sends-again"] if sends_again else []
        steps += [f"--{name}={number}" for name, number in numbers_in_use().items()]
        engine.prepare(database, steps)
        engine.replace(database, manifest.contents, back_up, steps)
    logger.warning("Restored %s of %s, by %s", path.name, manifest.made_at, who or "a command")
    return backups_taken[0] if backups_taken else None


def numbers_in_use() -> dict[str, int]:
    """Return the epoch and the last sitting of the database to be replaced, as options.

    Empty if it lacks the tables: it is missing, empty or of an earlier version.
    """
    with suppress(DatabaseError):
        epoch = Epoch.objects.aggregate(last=Max("number"))["last"] or 0
        sitting = Sitting.objects.aggregate(last=Max("pk"))["last"] or 0
        return {"epoch": epoch, "last-sitting": sitting + MOST_SEATED_MEANWHILE}
    return {}


def unknown_migrations(contents: Contents) -> set[str]:
    """Return the migrations in `contents`, as `app.name`, that this version of Makiyaku lacks.

    Migrations that a squashed migration replaces are known.
    """
    on_disk = MigrationLoader(None).disk_migrations
    replaced = (key for migration in on_disk.values() for key in migration.replaces)
    return set(contents.migrations) - {f"{app}.{name}" for app, name in (*on_disk, *replaced)}


def unpack_and_check(path: Path, temporary: Path) -> Manifest:
    """Unpack a backup's copy of the database to `temporary / "database"`, and check it.

    Returns the manifest. Raises `RestoreRefused`.
    """
    manifest = files.read(path)
    if manifest.vendor != connection.vendor:
        raise OtherDatabase
    if unknown_migrations(manifest.contents):
        raise Newer
    database = temporary / "database"
    files.unpack(path, manifest, database)
    creation.engine().check(database, manifest.contents)
    return manifest
