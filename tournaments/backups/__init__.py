"""Backups: the whole database in one file, verified before it counts, and the way back.

`files` is the file and what makes it trustworthy, `shelf` the folder of them, `sqlite` and
`postgresql` copy and replace a database, `taking` and `restoring` put these together. Nothing here
knows pages, commands, or when a backup is wanted.
"""

from tournaments.backups.contents import Contents, described
from tournaments.backups.errors import (
    BackupError,
    Damaged,
    Foreign,
    Newer,
    NotRestored,
    NotTaken,
    OtherDatabase,
    Refused,
    Tampered,
    ThereAlready,
)
from tournaments.backups.files import Backup, Manifest, Reason
from tournaments.backups.restoring import bring_in, examine, restore
from tournaments.backups.shelf import find, is_missing, listed, new_name
from tournaments.backups.taking import present, take

__all__ = [
    "Backup",
    "BackupError",
    "Contents",
    "Damaged",
    "Foreign",
    "Manifest",
    "Newer",
    "NotRestored",
    "NotTaken",
    "OtherDatabase",
    "Reason",
    "Refused",
    "Tampered",
    "ThereAlready",
    "bring_in",
    "described",
    "examine",
    "find",
    "is_missing",
    "listed",
    "new_name",
    "present",
    "restore",
    "take",
]
