"""Why a backup is not taken or not restored; each says what to do. Live data are untouched."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


class BackupError(Exception):
    """What went wrong, in the reader's language, as `str` of it gives."""

    sentence = _("Something is wrong with the backup.")

    def __init__(self, said: str = "") -> None:
        """Keep what a program said about it, which is shown behind the sentence."""
        super().__init__(said)
        self.said = said

    def __str__(self) -> str:
        """Return the sentence, and what else there is to know."""
        return f"{self.sentence} ({self.said})" if self.said else str(self.sentence)


class NotTaken(BackupError):
    """Raised when no backup could be made, or not verified; nothing half is left."""

    sentence = _(
        "No backup could be made, and nothing was changed. Look whether the disk of the server "
        "has room and whether the folder of the backups can be written, and try again."
    )


class ThereAlready(NotTaken):
    """Raised when a file of this name is there: none is ever replaced."""

    sentence = _(
        "There is a file of this name already, and it stays as it is. Choose another name or a "
        "folder."
    )


class ProgramMissing(NotTaken):
    """Raised when PostgreSQL's own programs are not installed."""

    sentence = _(
        "Backups of PostgreSQL are made by its programs pg_dump and pg_restore, which are missing "
        "here. Install the package postgresql-client in the version of the server."
    )


class ProgramTooOld(NotTaken):
    """Raised when PostgreSQL's programs are older than the server."""

    sentence = _(
        "The program pg_dump is older than the PostgreSQL server. Install the package "
        "postgresql-client in the version of the server."
    )


class Refused(BackupError):
    """Raised when a file is not restored. Nothing has been changed."""


class Damaged(Refused):
    """Raised when a backup is no longer what was written."""

    sentence = _(
        "This backup is damaged: it is not as it was written, or not all of it is there. Copy the "
        "file again from where it was made, or use another backup."
    )


class Foreign(Refused):
    """Raised when a file was never a backup of ours."""

    sentence = _(
        "This is not a backup of Makiyaku. Choose a file whose name begins with makiyaku- and "
        "ends in .zip, as the page of backups lists them."
    )


class OtherDatabase(Refused):
    """Raised when a backup was made of the other kind of database."""

    sentence = _(
        "This backup was made of another kind of database (SQLite or PostgreSQL) and can "
        "only be restored there. A tournament can be moved between them with its archive."
    )


class Newer(Refused):
    """Raised when a backup was made by a version that knows more than this one."""

    sentence = _(
        "This backup was made by a newer version of Makiyaku. Install that version here, or a "
        "later one, and restore it then."
    )


class Tampered(Refused):
    """Raised when the audit trails in a backup do not fit what is recorded in it."""

    sentence = _(
        "The records in this backup do not fit their audit trail: something was changed behind the "
        "app's back. Use another backup."
    )


class NotRestored(Refused):
    """Raised when the database did not take a backup that is in order."""

    sentence = _("The backup could not be put in place. Everything is as it was; try again.")
