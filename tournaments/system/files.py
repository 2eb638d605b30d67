"""The names of files, and how they reach the disk."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

IS_WINDOWS = os.name == "nt"
ATTEMPTS, SECONDS_BETWEEN = 100, 0.01
UNFIT = '\\/:*?"<>|'  # Windows takes none of these signs in a name, nor control characters
# Nor these names, whatever their ending.
DEVICES = re.compile(
    r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(?=\s*(\.|$))", re.IGNORECASE
)


def fit_name(name: str) -> str:
    """Return the name of a file that every system takes; a sign that does not fit becomes `_`.

    >>> fit_name("fe80::1"), fit_name("Cup 1/2?"), fit_name("a. "), fit_name("con.pdf")
    ('fe80__1', 'Cup 1_2_', 'a', '_con.pdf')
    """
    name = "".join("_" if _is_unfit(sign) else sign for sign in name).strip().rstrip(" .")
    return f"_{name}" if not name or DEVICES.match(name) else name


def replace(draft: Path, file: Path) -> None:
    """Give a file the content of a draft, atomically. Raises `OSError`.

    Windows refuses that while somebody reads the file, which takes no second here.
    """
    for _ in range(ATTEMPTS if IS_WINDOWS else 0):
        with suppress(PermissionError):
            draft.replace(file)
            return
        time.sleep(SECONDS_BETWEEN)
    draft.replace(file)


def sync(path: Path) -> None:
    """Sync a file's content, or the names in a folder, to the disk. Raises `OSError`.

    Windows syncs no folder, and a file only if it is open for writing.
    """
    if path.is_dir() and IS_WINDOWS:
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_unfit(sign: str) -> bool:
    return sign in UNFIT or unicodedata.category(sign) in {"Cc", "Cf", "Cs"}
