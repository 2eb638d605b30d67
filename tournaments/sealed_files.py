"""Files that say what they are and notice any change: what archives and backups have in common.

A zip whose first member is a manifest in JSON, not compressed, so that a damaged file can be told
from a foreign one. The last 64 bytes, the zip's comment, are the SHA-256 of all before them: no
byte of the file can change unnoticed, not even one that unzipping would not look at.

A seal is no signature: whoever knows how can seal anything. So nothing is read without a limit.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

MANIFEST = "manifest.json"
SEAL = 64  # hexadecimal digits
UNSEALED = b"0" * SEAL  # the comment while the rest is written
CHUNK = 1 << 20
BEGINNING = 4096  # the manifest stands in it
# The other methods unpack whatever a few bytes say at once, however little of it is asked for.
BOUNDED = {ZIP_STORED, ZIP_DEFLATED}
# Whatever a zip or a JSON that was made up does to its reader.
UNREADABLE = (
    *(BadZipFile, EOFError, LookupError, NotImplementedError, OverflowError, RuntimeError),
    *(ValueError, struct.error, zlib.error),
)


class TooLong(Exception):
    """Raised when there is more in a member than anybody would have written."""


class Kind(NamedTuple):
    """One kind of sealed file, and what is raised where a file is not one of it."""

    format: str
    version: int
    longest_manifest: int  # bytes
    foreign: type[Exception]  # it never was one
    damaged: type[Exception]  # it was
    newer: type[Exception]  # a later version of ours wrote it
    earlier: tuple[int, ...] = ()  # versions that are read, too

    def check_seal(self, file: IO[bytes]) -> None:
        """Raise `foreign` or `damaged` unless a file is as it was sealed."""
        if file.seek(0, 2) > SEAL:
            expected = seal_of(file)
            file.seek(-SEAL, 2)
            if file.read() == expected:
                return
        file.seek(0)
        raise self.damaged if self.format.encode() in file.read(BEGINNING) else self.foreign

    def manifest(self, file: IO[bytes]) -> bytes:
        """Return what a file says of itself: a JSON object of this format and version.

        Raises `foreign`, `newer`, and `damaged` for one longer than anybody would have written.
        Looks at nothing else; the seal may not fit.
        """
        try:
            with ZipFile(file) as archive:
                text = b"".join(_chunks(archive, MANIFEST, self.longest_manifest))
            said = json.loads(text)
        except TooLong as error:
            raise self.damaged from error
        except UNREADABLE as error:
            raise self.foreign from error
        if not isinstance(said, dict) or said.get("format") != self.format:
            raise self.foreign
        if said.get("version") not in (self.version, *self.earlier):
            raise self.newer
        return text

    def member(self, file: IO[bytes], name: str, most: int) -> Iterator[bytes]:
        """Give a member in pieces. Raises `damaged`, and `TooLong` for more than `most` bytes."""
        try:
            with ZipFile(file) as archive:
                yield from _chunks(archive, name, most)
        except UNREADABLE as error:
            raise self.damaged from error


def seal_of(file: IO[bytes]) -> bytes:
    """Return the digest of all but the last bytes of a file."""
    left = file.seek(0, 2) - SEAL
    file.seek(0)
    digest = hashlib.sha256()
    while left:
        chunk = file.read(min(CHUNK, left))
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest().encode()


def put_seal(file: IO[bytes]) -> None:
    """Seal a zip that was written with `UNSEALED` as its comment."""
    seal = seal_of(file)
    file.seek(-SEAL, 2)
    file.write(seal)


def check_method(member: ZipInfo) -> None:
    """Raise `NotImplementedError` for a member that cannot be unpacked piece by piece."""
    if member.compress_type not in BOUNDED:
        raise NotImplementedError(member.compress_type)


def _chunks(archive: ZipFile, name: str, most: int) -> Iterator[bytes]:
    """Give a member in pieces, whatever size it says it has. Raises `TooLong`."""
    check_method(archive.getinfo(name))
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            most -= len(chunk)
            if most < 0:
                raise TooLong(name)
            yield chunk
