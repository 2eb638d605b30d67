"""The file format shared by archives and backups: a zip with a manifest and a checksum (the seal).

The first member is an uncompressed JSON manifest, so that a damaged file is distinguished from a
foreign one. The last 64 bytes, the zip's comment, are the SHA-256 of all bytes before them: any
changed byte is detected, even one that unzipping ignores.

The seal is no signature: anybody can compute it. Every read is therefore limited in size.
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
SEAL_LENGTH = 64  # hexadecimal digits of a SHA-256
UNSEALED = b"0" * SEAL_LENGTH  # placeholder for the seal while the rest is written
CHUNK = 1 << 20
BEGINNING = 4096  # bytes at the start of the file that contain the manifest
# Methods that unpack in bounded pieces. The others may expand a few bytes to gigabytes in one step.
BOUNDED = {ZIP_STORED, ZIP_DEFLATED}
# The exceptions that reading a forged zip or JSON may raise.
UNREADABLE = (
    *(BadZipFile, EOFError, LookupError, NotImplementedError, OverflowError, RuntimeError),
    *(ValueError, struct.error, zlib.error),
)


class MemberTooLong(Exception):
    """A member is larger than its limit."""


class SealedFormat(NamedTuple):
    """A format of sealed files, and the exceptions raised for a file that does not match it."""

    format: str  # the value of `format` in the manifest
    version: int  # that of written files
    longest_manifest: int  # bytes
    foreign: type[Exception]  # for a file that is not of this format
    damaged: type[Exception]  # for a file of this format that was changed or cut off
    newer: type[Exception]  # for a file that a later version of Makiyaku has written
    earlier: tuple[int, ...] = ()  # older versions of the format that can still be read

    def check_seal(self, file: IO[bytes]) -> None:
        """Raise `foreign` or `damaged` unless the seal, the checksum at the end, is right.

        It is `damaged` if the beginning of the file names this format.
        """
        if file.seek(0, 2) > SEAL_LENGTH:
            expected = seal_of(file)
            file.seek(-SEAL_LENGTH, 2)
            if file.read() == expected:
                return
        file.seek(0)
        raise self.damaged if self.format.encode() in file.read(BEGINNING) else self.foreign

    def read_manifest(self, file: IO[bytes]) -> bytes:
        """Return the manifest as JSON text: an object with this format and a readable version.

        Raises `damaged` for a manifest that is too long, `foreign` for an unreadable file or one of
        another format, `newer` for another version. The seal is not checked.
        """
        try:
            with ZipFile(file) as archive:
                text = b"".join(_chunks(archive, MANIFEST, longest=self.longest_manifest))
            manifest = json.loads(text)
        except MemberTooLong as error:
            raise self.damaged from error
        except UNREADABLE as error:
            raise self.foreign from error
        if not isinstance(manifest, dict) or manifest.get("format") != self.format:
            raise self.foreign
        if manifest.get("version") not in (self.version, *self.earlier):
            raise self.newer
        return text

    def read_member(self, file: IO[bytes], name: str, *, longest: int) -> Iterator[bytes]:
        """Yield the content of a member of the zip in chunks.

        Raises `damaged` if it cannot be read, `MemberTooLong` above `longest` bytes.
        """
        try:
            with ZipFile(file) as archive:
                yield from _chunks(archive, name, longest=longest)
        except UNREADABLE as error:
            raise self.damaged from error


def seal_of(file: IO[bytes]) -> bytes:
    """Return the checksum of a file: the hexadecimal SHA-256 of all bytes before the seal."""
    bytes_left = file.seek(0, 2) - SEAL_LENGTH
    file.seek(0)
    digest = hashlib.sha256()
    while bytes_left:
        chunk = file.read(min(CHUNK, bytes_left))
        digest.update(chunk)
        bytes_left -= len(chunk)
    return digest.hexdigest().encode()


def write_seal(file: IO[bytes]) -> None:
    """Replace the placeholder `UNSEALED` at the end of a zip by the checksum."""
    seal = seal_of(file)
    file.seek(-SEAL_LENGTH, 2)
    file.write(seal)


def check_compression(member: ZipInfo) -> None:
    """Raise `NotImplementedError` for a member whose compression method is not `BOUNDED`."""
    if member.compress_type not in BOUNDED:
        raise NotImplementedError(member.compress_type)


def _chunks(archive: ZipFile, name: str, *, longest: int) -> Iterator[bytes]:
    """Yield the content of a member in chunks. Raises `MemberTooLong` above `longest` bytes.

    The unpacked bytes are counted: the size that the zip states may be forged.
    """
    check_compression(archive.getinfo(name))
    bytes_left = longest
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            bytes_left -= len(chunk)
            if bytes_left < 0:
                raise MemberTooLong(name)
            yield chunk
