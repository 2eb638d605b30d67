"""Why an archive is not read or not written; each says what to do. Live data are untouched."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


class ArchiveError(Exception):
    """What went wrong, in the reader's language, as `str` of it gives."""

    code = "archive"
    sentence = _("Something is wrong with the archive.")

    def __str__(self) -> str:
        """Return the sentence."""
        return str(self.sentence)


class NotWhole(ArchiveError):
    """Raised when an event is not archived because its records do not fit its trail."""

    code = "archive_not_whole"
    sentence = _(
        "No archive was made: the records of this tournament do not fit its history, and "
        "no other computer would take them. Run “manage.py verify” to see what was "
        "changed, and restore a backup from before."
    )


class NotRead(ArchiveError):
    """Raised when a file is not brought in. Nothing has been changed."""


class Foreign(NotRead):
    """Raised when a file was never an archive of ours."""

    code = "archive_foreign"
    sentence = _(
        "This is not an archived tournament of Makiyaku. Choose the file that was kept "
        "there; its name ends in .makiyaku.zip."
    )


class Damaged(NotRead):
    """Raised when an archive is not what was written."""

    code = "archive_damaged"
    sentence = _(
        "This archive is damaged: it is not as it was written, or not all of it is there. Copy the "
        "file again from where it was kept."
    )


class Newer(NotRead):
    """Raised when an archive was written by a version that knows more than this one."""

    code = "archive_newer"
    sentence = _(
        "This archive was written by a newer version of Makiyaku. Install that version "
        "here, or a later one, and import the tournament then."
    )


class OtherRules(NotRead):
    """Raised when the event was played by rules that this version does not have, or has changed."""

    code = "archive_other_rules"
    sentence = _(
        "The rules of this tournament are not in this version of Makiyaku, or they differ"
        " here, so that its points could come out otherwise. Import it with the version "
        "that archived it."
    )


class TooLarge(NotRead):
    """Raised when a file is larger than what is read of anybody."""

    code = "too_large"
    sentence = _(
        "This file is too large to be imported here. If it is an archive (its name ends "
        "in .makiyaku.zip), let whoever runs this computer import it by the command "
        "read_archive. A backup of everything is restored on the page of backups."
    )


class HereAlready(NotRead):
    """Raised when the event is here already; `slug` is its address."""

    code = "archive_here_already"
    sentence = _(
        "This tournament is here already, and stays as it is. To compare the two, import "
        "the archive on another computer."
    )

    def __init__(self, slug: str) -> None:
        """Keep where it is."""
        super().__init__(slug)
        self.slug = slug
