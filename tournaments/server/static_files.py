"""Collect static files when the server starts, unless the collected files are current."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

import tournaments

SOURCES = "sources"  # the file in STATIC_ROOT with the digest of the sources that were collected


def collect() -> None:
    """Collect and compress static files, if a source or the version of Makiyaku has changed.

    A source counts as changed if its name, size or modification time has changed.
    """
    path = Path(settings.STATIC_ROOT, SOURCES)
    digest = _digest_of_sources()
    if path.is_file() and path.read_text("ascii") == digest:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    path.write_text(digest, "ascii")


def _digest_of_sources() -> str:
    """Return a digest of the version, and of all sources' names, sizes and modification times."""
    digest = hashlib.sha256(tournaments.__version__.encode())
    for finder in get_finders():
        for name, storage in finder.list(None):
            source = Path(storage.path(name)).stat()
            digest.update(f"{name} {source.st_size} {source.st_mtime_ns}\n".encode())
    return digest.hexdigest()
