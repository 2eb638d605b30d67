"""The file of an archive: manifest, event and records in a sealed zip. Uses no database.

The same event always gives the same bytes: the file does not contain the time of the export.
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
from tournaments.archives.errors import Damaged, Foreign, Newer, TooLarge
from tournaments.archives.schema import EARLIER_VERSIONS, FORMAT, VERSION, EventDocument, Manifest
from tournaments.sealed_files import MANIFEST
from tournaments.web import body_sizes
from tournaments.web.heavy_files import Busy

SUFFIX = ".makiyaku.zip"
EVENT, RECORDS = "event.json", "records.jsonl"
ARCHIVE = sealed_files.SealedFormat(
    format=FORMAT,
    version=VERSION,
    longest_manifest=100_000,
    foreign=Foreign,
    damaged=Damaged,
    newer=Newer,
    earlier=EARLIER_VERSIONS,
)

# Limits of an upload, so that reading it takes less than 200 MB of memory; a test measures it. An
# event of 1002 players, with ten rounds whose deals phones sent one by one, has 0.9 MB, unpacked
# 16 MB, and 0.16 million objects and lists. Larger events can be imported by the command only.
LARGEST = body_sizes.ARCHIVE - 100_000  # bytes of the file; the rest is for the form around it
LARGEST_UNPACKED = 18_000_000  # bytes of event.json
MOST_OBJECTS = 220_000  # objects and lists: each takes 100 times as many bytes in memory as here
MOST_SEPARATORS = 1_200_000  # commas and colons: about one for each value

# One export or import at a time in a process, since each takes up to 200 MB.
_lock = Lock()
SECONDS_TO_WAIT = 2.0  # a waiting request occupies a thread

NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")  # PostgreSQL cannot store this character


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold this process's lock for exports and imports. Take it before any lock of the database.

    Raises `heavy_files.Busy` if the lock is not free within `SECONDS_TO_WAIT`.
    """
    if not _lock.acquire(timeout=SECONDS_TO_WAIT):
        raise Busy
    try:
        yield
    finally:
        _lock.release()


class Archive(NamedTuple):
    """The content of an archive without its records; `digest` is the SHA-256 of the whole file."""

    manifest: Manifest
    event: EventDocument
    digest: str


def pack(manifest: Manifest, event: bytes, records: bytes) -> bytes:
    """Return the bytes of a zip with these members, sealed with a checksum.

    `event` is the text of event.json, `records` that of records.jsonl.
    """
    stream = io.BytesIO()
    with ZipFile(stream, "w") as archive:
        archive.comment = sealed_files.UNSEALED
        archive.writestr(ZipInfo(MANIFEST), manifest.model_dump_json(indent=1), ZIP_STORED)
        archive.writestr(ZipInfo(EVENT), event, ZIP_DEFLATED)
        archive.writestr(ZipInfo(RECORDS), records, ZIP_DEFLATED)
    sealed_files.write_seal(stream)
    return stream.getvalue()


def check_size(text: bytes | bytearray) -> None:
    """Raise `TooLarge` for JSON that would take more than 200 MB of memory once it is parsed."""
    objects = text.count(b"{") + text.count(b"[")
    separators = text.count(b",") + text.count(b":")
    if len(text) > LARGEST_UNPACKED or objects > MOST_OBJECTS or separators > MOST_SEPARATORS:
        raise TooLarge


def serialise(event: EventDocument) -> bytes:
    return event.model_dump_json(indent=1).encode()


def read_limited(file: IO[bytes]) -> bytes:
    """Return the content of an open file. Raises `TooLarge` above `LARGEST` bytes."""
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise TooLarge
    return content


def read(content: bytes, *, unlimited: bool = False) -> Archive:
    """Return the content of a file, after checking its seal (a checksum), digest and schema.

    Nothing is compared with the database. Raises `Foreign`, `Damaged`, `Newer`, and `TooLarge`
    unless `unlimited`.
    """
    if len(content) > LARGEST and not unlimited:
        raise TooLarge
    file = io.BytesIO(content)
    ARCHIVE.check_seal(file)
    try:
        manifest = Manifest.model_validate_json(ARCHIVE.read_manifest(file))
        event = _read_event(file, manifest, unlimited=unlimited)
        return Archive(manifest, event, _digest(content))
    except sealed_files.MemberTooLong as error:
        raise TooLarge from error
    except ValidationError as error:
        raise Damaged from error


def last_entry_digest(content: bytes) -> str:
    """Return the digest of the last audit entry in a file. Raises as `read` does."""
    entries = read(content).event.acts
    return entries[-1].digest if entries else ""


def _read_event(file: IO[bytes], manifest: Manifest, *, unlimited: bool) -> EventDocument:
    """Return the parsed event.json.

    Raises `Damaged` if its length or digest differs from the manifest or if it is no JSON,
    pydantic's `ValidationError` if it does not match the schema, and `MemberTooLong` or `TooLarge`
    above the limits, which `unlimited` waives.
    """
    text = bytearray()
    longest = manifest.length if unlimited else LARGEST_UNPACKED
    for chunk in ARCHIVE.read_member(file, EVENT, longest=longest):
        text += chunk
    if (len(text), _digest(text)) != (manifest.length, manifest.sha256) or NUL.search(text):
        raise Damaged
    if not unlimited:
        check_size(text)
    try:
        # Parsing and validating in one step would hold the text and both results in memory.
        document = from_json(text, allow_inf_nan=False, cache_strings="all")
    except ValueError as error:
        raise Damaged from error
    del text
    return EventDocument.model_validate(document)


def _digest(content: bytes | bytearray) -> str:
    return hashlib.sha256(content).hexdigest()
