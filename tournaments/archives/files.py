"""The file: a zip of a manifest and a document, sealed at its end. Knows no database.

The manifest comes first and in plain text, so that a damaged file can be told from a foreign one.
The last 64 bytes, the zip's comment, are the SHA-256 of all before them. The same event is the
same bytes: there is no time in it but those of what was done.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zlib
from pathlib import Path
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from pydantic import ValidationError

from tournaments.archives.document import FORMAT, VERSION, EventDocument, Manifest
from tournaments.archives.errors import Damaged, Foreign, Newer, TooLarge

SUFFIX = ".makiyaku.zip"
MANIFEST, EVENT = "manifest.json", "event.json"
SEAL = 64  # hexadecimal digits
LARGEST = 10_000_000  # bytes of a file; an event of 1000 players has two million
LARGEST_UNPACKED = 100_000_000
LONGEST_MANIFEST = 100_000
UNREADABLE = (BadZipFile, KeyError, ValueError, NotImplementedError, RuntimeError, EOFError)

NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # which no database keeps in a text


class Archive(NamedTuple):
    """An event out of its file; `digest` is the file's own."""

    manifest: Manifest
    event: EventDocument
    digest: str


def packed(manifest: Manifest, event: bytes) -> bytes:
    """Return the file of these two. Raises `TooLarge` for one that nobody would read."""
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.comment = b"0" * SEAL
        archive.writestr(ZipInfo(MANIFEST), manifest.model_dump_json(indent=1), ZIP_STORED)
        archive.writestr(ZipInfo(EVENT), event, ZIP_DEFLATED)
    content = stream.getvalue()[:-SEAL]
    if len(content) > LARGEST - SEAL or len(event) > LARGEST_UNPACKED:
        raise TooLarge
    return content + _digest(content).encode()


def as_json(event: EventDocument) -> bytes:
    """Return the document as it stands in the file."""
    return event.model_dump_json(indent=1).encode()


def content_of(path: Path) -> bytes:
    """Return a file's bytes. Raises `TooLarge` without reading more than an event can have."""
    with path.open("rb") as file:
        return limited(file)


def limited(file: IO[bytes]) -> bytes:
    """Return what is in an open file. Raises `TooLarge`."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise TooLarge
    return content


def read(content: bytes) -> Archive:
    """Return what a file holds, once it is sure to be as it was written.

    Raises `Foreign` for a file that was never ours, `Damaged` for one that was, `Newer` and
    `TooLarge`.
    """
    if len(content) > LARGEST:
        raise TooLarge
    sealed, seal = content[:-SEAL], content[-SEAL:]
    if _digest(sealed).encode() != seal:
        raise Damaged if FORMAT.encode() in content[:4096] else Foreign
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            manifest = _manifest(archive)
            event = _event(archive, manifest)
    except (*UNREADABLE, zlib.error) as error:
        raise Damaged from error
    return Archive(manifest, event, _digest(content))


def _manifest(archive: ZipFile) -> Manifest:
    """Return what an archive says of itself. Raises `Foreign`, `Newer` and `Damaged`."""
    try:
        text = _unpacked(archive, MANIFEST, LONGEST_MANIFEST)
        said = json.loads(text)
    except (*UNREADABLE, zlib.error, RecursionError) as error:
        raise Foreign from error
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise Foreign
    if said.get("version") != VERSION:
        raise Newer
    try:
        return Manifest.model_validate_json(text)
    except ValidationError as error:
        raise Damaged from error


def _event(archive: ZipFile, manifest: Manifest) -> EventDocument:
    text = _unpacked(archive, EVENT, LARGEST_UNPACKED)
    if (len(text), _digest(text)) != (manifest.length, manifest.sha256) or NUL.search(text):
        raise Damaged
    return EventDocument.model_validate_json(text)  # its ValidationError is a ValueError


def _unpacked(archive: ZipFile, name: str, most: int) -> bytes:
    """Return one part. Raises `TooLarge`, whatever size it says it has."""
    with archive.open(name) as member:
        text = member.read(most + 1)
    if len(text) > most:
        raise TooLarge
    return text


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
