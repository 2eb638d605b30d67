"""Archives: one event in one file, to store it for years or to move it to another computer.

`schema`, `applications` and `field_types` describe its JSON, `files` packs and verifies the zip,
`exporting` and `importing` convert between the schema and the database. An archive made on SQLite
can be imported on PostgreSQL and the reverse.
"""

from tournaments.archives.errors import (
    AlreadyExists,
    ArchiveError,
    Damaged,
    Foreign,
    ImportRefused,
    Inconsistent,
    Newer,
    OtherRules,
    TooLarge,
)
from tournaments.archives.exporting import export_archive, file_name
from tournaments.archives.files import LARGEST, SUFFIX, last_entry_digest, read, read_limited
from tournaments.archives.importing import import_archive

__all__ = [
    "LARGEST",
    "SUFFIX",
    "AlreadyExists",
    "ArchiveError",
    "Damaged",
    "Foreign",
    "ImportRefused",
    "Inconsistent",
    "Newer",
    "OtherRules",
    "TooLarge",
    "export_archive",
    "file_name",
    "import_archive",
    "last_entry_digest",
    "read",
    "read_limited",
]
