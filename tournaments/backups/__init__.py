"""Backups: the whole database in one verified file, and its restoration.

`files` packs and verifies a file, `storage` is the folder of backups, `sqlite` and `postgresql`
copy and replace a database, `creation` and `restoration` combine them, `snapshots` reads it as it
is at one moment. Automatic backups are started by `services.automatic_backups`.
"""

from tournaments.backups.contents import Contents, describe_contents
from tournaments.backups.creation import current_contents, take
from tournaments.backups.errors import (
    AlreadyExists,
    BackupError,
    BackupNotTaken,
    Damaged,
    Foreign,
    Newer,
    NotRestored,
    OtherDatabase,
    RestoreRefused,
    Tampered,
)
from tournaments.backups.files import Backup, Manifest, Reason
from tournaments.backups.restoration import add_upload, examine, restore
from tournaments.backups.storage import (
    all_backups,
    delete_automatic,
    find,
    is_automatic_backup_missing,
    new_path,
)

__all__ = [
    "AlreadyExists",
    "Backup",
    "BackupError",
    "BackupNotTaken",
    "Contents",
    "Damaged",
    "Foreign",
    "Manifest",
    "Newer",
    "NotRestored",
    "OtherDatabase",
    "Reason",
    "RestoreRefused",
    "Tampered",
    "add_upload",
    "all_backups",
    "current_contents",
    "delete_automatic",
    "describe_contents",
    "examine",
    "find",
    "is_automatic_backup_missing",
    "new_path",
    "restore",
    "take",
]
