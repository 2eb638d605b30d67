"""Archives: one event in one file, to keep for years or to move to another computer.

`document` says what is in it, `files` makes the file trustworthy, `writing` and `reading` go
between it and the database, either kind of which takes what the other has written. Nothing here
knows pages or commands.
"""

from tournaments.archives.errors import (
    ArchiveError,
    Damaged,
    Foreign,
    HereAlready,
    Newer,
    NotRead,
    NotWhole,
    OtherRules,
    TooLarge,
)
from tournaments.archives.files import LARGEST, SUFFIX, limited
from tournaments.archives.reading import bring_in
from tournaments.archives.writing import archived, file_name

__all__ = [
    "LARGEST",
    "SUFFIX",
    "ArchiveError",
    "Damaged",
    "Foreign",
    "HereAlready",
    "Newer",
    "NotRead",
    "NotWhole",
    "OtherRules",
    "TooLarge",
    "archived",
    "bring_in",
    "file_name",
    "limited",
]
