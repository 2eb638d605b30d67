"""The file: a manifest and a document, sealed as `sealed_files` tells. Knows no database.

The same event is the same bytes: there is no time in it but those of what was done.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from pydantic import ValidationError
from pydantic_core import from_json

from tournaments import sealed_files
from tournaments.archives.document import EARLIER, FORMAT, VERSION, EventDocument, Manifest
from tournaments.archives.errors import Damaged, Foreign, Newer, TooLarge
from tournaments.sealed_files import MANIFEST
from tournaments.web import body_sizes
from tournaments.web.heavy_files import Busy

SUFFIX = ".makiyaku.zip"
EVENT, RECORDS = "event.json", "records.jsonl"
KIND = sealed_files.SealedFormat(FORMAT, VERSION, 100_000, Foreign, Damaged, Newer, EARLIER)

# What anybody with an account may hand in: an event of 1002 players, every deal of ten rounds sent
# by phones, has 0.9, 16 and 0.16 million of these. It is read by a process that stays below 200 MB:
# a test shows it. Larger events are archived all the same, and brought in by a command.
LARGEST = body_sizes.ARCHIVE - 100_000  # bytes of a file, without the form around it
LARGEST_UNPACKED = 18_000_000  # bytes of its document
MOST_OBJECTS = 220_000  # an object or a list takes a hundred times the room that it has in the file
MOST_MARKS = 1_200_000  # commas and colons: about one a value

# One event at a time in a process, written or read: each takes up to 200 MB.
_one = Lock()
PATIENCE = 2.0  # seconds: who waits keeps a thread from those who take rounds down

NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # which no database keeps in a text


@contextmanager
def alone() -> Iterator[None]:
    """Let one through at a time, who holds no lock of the database yet. Raises `heavy.Busy`."""
    if not _one.acquire(timeout=PATIENCE):
        raise Busy
    try:
        yield
    finally:
        _one.release()


class Archive(NamedTuple):
    """An event out of its file; `digest` is the file's own."""

    manifest: Manifest
    event: EventDocument
    digest: str


def packed(manifest: Manifest, event: bytes, records: bytes) -> bytes:
    """Return the file of these three."""
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.comment = sealed_files.UNSEALED
        archive.writestr(ZipInfo(MANIFEST), manifest.model_dump_json(indent=1), ZIP_STORED)
        archive.writestr(ZipInfo(EVENT), event, ZIP_DEFLATED)
        archive.writestr(ZipInfo(RECORDS), records, ZIP_DEFLATED)
    sealed_files.write_seal(stream)
    return stream.getvalue()


def check_size(event: bytes | bytearray) -> None:
    """Raise `TooLarge` for a document that would take more room than an event, once it is read."""
    objects = event.count(b"{") + event.count(b"[")
    marks = event.count(b",") + event.count(b":")
    if len(event) > LARGEST_UNPACKED or objects > MOST_OBJECTS or marks > MOST_MARKS:
        raise TooLarge


def as_json(event: EventDocument) -> bytes:
    """Return the document as it stands in the file."""
    return event.model_dump_json(indent=1).encode()


def limited(file: IO[bytes]) -> bytes:
    """Return what is in an open file. Raises `TooLarge`."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise TooLarge
    return content


def read(content: bytes, *, is_own: bool = False) -> Archive:
    """Return what a file holds, once it is sure to be as it was written.

    Raises `Foreign` for a file that was never ours, `Damaged` for one that was, `Newer`, and
    `TooLarge` unless it `is_own`: brought by whoever owns the machine, whatever it takes.
    """
    if len(content) > LARGEST and not is_own:
        raise TooLarge
    file = io.BytesIO(content)
    KIND.check_seal(file)
    try:
        manifest = Manifest.model_validate_json(KIND.manifest(file))
        return Archive(manifest, _event(file, manifest, is_own=is_own), _digest(content))
    except sealed_files.MemberTooLong as error:
        raise TooLarge from error
    except ValidationError as error:
        raise Damaged from error


def _event(file: IO[bytes], manifest: Manifest, *, is_own: bool) -> EventDocument:
    text = bytearray()
    for chunk in KIND.member(file, EVENT, manifest.length if is_own else LARGEST_UNPACKED):
        text += chunk
    if (len(text), _digest(text)) != (manifest.length, manifest.sha256) or NUL.search(text):
        raise Damaged
    if not is_own:
        check_size(text)
    try:
        # Not validated as it is parsed: that would keep all of it twice for a moment.
        said = from_json(text, allow_inf_nan=False, cache_strings="all")
    except ValueError as error:
        raise Damaged from error
    del text
    return EventDocument.model_validate(said)


def _digest(content: bytes | bytearray) -> str:
    return hashlib.sha256(content).hexdigest()
