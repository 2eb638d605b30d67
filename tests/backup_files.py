"""Backup files written by tests, whole and forged."""

from __future__ import annotations

import zipfile
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db import connection
from django.utils import timezone

from tournaments import sealed_files as seals
from tournaments.backups import Contents, Manifest, Reason, files
from tournaments.models import Round, Tournament

CONTENT = b"SQLite format 3\x00" + bytes(range(256)) * 4
LONG_AGO = timezone.now() - timedelta(days=1)


def manifest(**changed: Any) -> Manifest:
    known = Contents(("tournaments.0001_initial",), 1, 2)
    usual = Manifest(connection.vendor, LONG_AGO, Reason.BY_HAND, "", known, 0, "")
    return usual._replace(**changed)


def write(path: Path, content: bytes = CONTENT, **changed: Any) -> Path:
    """Write a backup with this content, by default not a database, and a correct seal."""
    database = path.with_suffix(".database")
    database.write_bytes(content)
    length, digest = files.length_and_digest(database)
    files.write(path, database, manifest(**({"length": length, "sha256": digest} | changed)))
    return path


def zip_of(**members: str) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_json", ".json"), content)
    return stream.getvalue()


def sealed(content: bytes) -> bytes:
    """Return a zip with a correct seal."""
    stream = BytesIO(content)
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = seals.UNSEALED
    seals.write_seal(stream)
    return stream.getvalue()


def everything() -> Any:
    """Return the bytes of the SQLite file, or rows of PostgreSQL, to compare with later."""
    if connection.vendor == "sqlite":
        connection.close()
        return Path(str(connection.settings_dict["NAME"])).read_bytes()
    return [list(model.objects.order_by("pk").values()) for model in (Tournament, Round)]
