"""Collects static files at the start of the server, unless they are those collected before."""

from __future__ import annotations

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

import tournaments

SOURCES = "sources"  # a file beside the collected ones, with the digest of what they came from


def collect() -> None:
    """Collect and compress static files, if a source, its time or the version has changed."""
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
