"""Why a backup is not taken or restored. The database is unchanged when one is raised."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


class BackupError(Exception):
    """Base class: a `sentence` that says what to do, and the `detail` that a program reported."""

    sentence = _("Something is wrong with the backup. Use another one.")

    def __init__(self, detail: str = "") -> None:
        super().__init__(detail)
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.sentence} ({self.detail})" if self.detail else str(self.sentence)


class BackupNotTaken(BackupError):
    """No backup could be made or verified; no partial file is left."""

    sentence = _(
        "No backup could be made, so nothing was changed. Check that the server’s disk has room "
        "and that the backup folder can be written to, and try again."
    )


class AlreadyExists(BackupNotTaken):
    sentence = _(
        "There is already a file with this name, and it stays as it is. Choose another name or a "
        "folder."
    )


class ProgramMissing(BackupNotTaken):
    """pg_dump or pg_restore is not installed."""

    sentence = _(
        "Backups of PostgreSQL are made by its programs pg_dump and pg_restore, which are missing "
        "here. Install the package postgresql-client in the version of the server."
    )


class ProgramTooOld(BackupNotTaken):
    sentence = _(
        "The program pg_dump is older than the PostgreSQL server. Install the package "
        "postgresql-client in the version of the server."
    )


class RestoreRefused(BackupError):
    """Base class of the reasons why a file is not restored."""


class Damaged(RestoreRefused):
    sentence = _(
        "This backup is damaged: it has been altered, or part of it is missing. Copy the file "
        "again from where it was made, or use another backup."
    )


class Foreign(RestoreRefused):
    sentence = _(
        "This is not a backup of Makiyaku. Choose a file whose name begins with makiyaku- and "
        "ends in .zip, as listed on the page Backups."
    )


class OtherDatabase(RestoreRefused):
    """The backup is of SQLite and the database of PostgreSQL, or the reverse."""

    sentence = _(
        "This backup was made from the other kind of database (SQLite or PostgreSQL) and can only "
        "be restored there. A tournament can be moved between them with its archive."
    )


class Newer(RestoreRefused):
    """The backup has migrations that this version lacks."""

    sentence = _(
        "This backup was made by a newer version of Makiyaku. Install that version here, or "
        "a later one, then restore it."
    )


class Tampered(RestoreRefused):
    """`manage.py verify` finds a fault in the backup."""

    sentence = _(
        "The records in this backup do not match their history: something was changed outside "
        "Makiyaku. Use another backup."
    )


class NotRestored(RestoreRefused):
    """The database refused the content of a valid backup."""

    sentence = _("The backup could not be restored. Nothing has changed; try again.")
