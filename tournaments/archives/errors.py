"""Why an archive is not imported or exported. The database is unchanged when one is raised."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.exceptions import OperationRefused


class ArchiveError(OperationRefused):
    """Base class: the `sentence` says what is wrong and what to do."""


class Inconsistent(ArchiveError):
    """Raised on export when `verification` finds a fault in the event."""

    code = "archive_not_whole"
    sentence = _(
        "No archive was made: the records of this tournament do not match its history, so no "
        "other computer would import them. Ask the owner of this server to check the history and "
        "to restore a backup from before the change."
    )


class ImportRefused(ArchiveError):
    status = 422
    at = "file"


class Foreign(ImportRefused):
    code = "archive_foreign"
    sentence = _(
        "This is not an archived tournament of Makiyaku. Choose a file that Makiyaku has "
        "saved; its name ends in .makiyaku.zip."
    )


class Damaged(ImportRefused):
    """The archive was changed or cut off, or its parts contradict each other."""

    code = "archive_damaged"
    sentence = _(
        "This archive is damaged: it has been altered, or part of it is missing. Copy the file "
        "again from where it was kept."
    )


class Newer(ImportRefused):
    code = "archive_newer"
    sentence = _(
        "This archive was made by a newer version of Makiyaku. Install that version here, "
        "or a later one, then import the tournament."
    )


class OtherRules(ImportRefused):
    code = "archive_other_rules"
    sentence = _(
        "This version of Makiyaku lacks the rules of this tournament, or has different ones, so "
        "its points could change. Import it with the version that archived it."
    )


class TooLarge(ImportRefused):
    """The file exceeds the limits of `files`."""

    code = "too_large"
    status = 413
    sentence = _(
        "This file is too large to be imported here. If it is an archive (its name ends in "
        ".makiyaku.zip), ask the owner of this server to import it with the command read_archive. "
        "A backup of everything is restored under Backups."
    )


class AlreadyExists(ImportRefused):
    code = "archive_here_already"
    status = 409
    sentence = _(
        "This tournament is here already, and stays as it is. To compare the two, import "
        "the archive on another computer."
    )

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.slug = slug
