"""How a follower gets what has changed: it sends hashes of its pages, and is sent the others.

The request's body has a hash of `SHORT` bytes for each group of pages, so that it stays small for a
large database. The answer is a packed document and pages. Both sides keep nothing of each other.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from typing import Any, BinaryIO, NamedTuple

from tournaments.standby.folders import Folder, Sidecar
from tournaments.standby.pages import HASH_BYTES, split

SHORT = 8
MOST_GROUPS = 7_000  # 56 kB
MOST_BYTES = 8_000_000  # of pages in an answer; the follower asks again for the others
LARGEST_ANSWER = 4 * MOST_BYTES
FASTEST = 1  # level of zlib


class NoCopy(Exception):
    """There is no copy yet, or it was replaced while it was read: ask again."""


class Answer(NamedTuple):
    """Pages that the follower lacks, by index, and whether these are all.

    If `are_differences`, each page is combined with the follower's by exclusive or: most of its
    bytes are then 0, and it packs to a tenth.
    """

    sidecar: Sidecar
    pages: dict[int, bytes]
    is_complete: bool
    are_differences: bool = False

    def packed(self) -> bytes:
        about: dict[str, Any] = {"sidecar": self.sidecar.as_json(), "indexes": list(self.pages)}
        about |= {"is_complete": self.is_complete, "are_differences": self.are_differences}
        head = json.dumps(about).encode()
        content = b"".join([len(head).to_bytes(4), head, *self.pages.values()])
        return zlib.compress(content, FASTEST)

    @classmethod
    def unpack(cls, packed: bytes) -> Answer:
        """Raises `ValueError`, `KeyError`, `TypeError` or `zlib.error`."""
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(packed, LARGEST_ANSWER)
        if not unpacking.eof:
            raise ValueError(len(packed))
        start = 4 + int.from_bytes(content[:4])
        about: dict[str, Any] = json.loads(content[4:start])
        sidecar = Sidecar.from_json(about["sidecar"])
        pages = split(content[start:], sidecar.header.page_size)
        indexes = map(int, about["indexes"])
        return cls(
            sidecar,
            dict(zip(indexes, pages, strict=True)),
            bool(about["is_complete"]),
            bool(about["are_differences"]),
        )


def group_size(pages: int) -> int:
    """Return how many pages have a hash together.

    >>> group_size(7_000), group_size(7_001)
    (1, 2)
    """
    return max(1, -(-pages // MOST_GROUPS))


def short_hashes(hashes: Sequence[bytes], size: int) -> bytes:
    """Return the hash of each group of `size` pages, one after the other."""
    joined = split(b"".join(hashes), size * HASH_BYTES)
    return b"".join(
        hashlib.blake2b(each, digest_size=SHORT).digest() if size > 1 else each[:SHORT]
        for each in joined
    )


def answer(folder: Folder, known: bytes, size: int, digest: str = "") -> Answer:
    """Return what a follower lacks of the newest copy in a folder. Raises `NoCopy`.

    `known` are its `short_hashes` of groups of `size` pages, `digest` that of its copy.
    """
    sidecars = folder.sidecars()
    name, sidecar = next(iter(sidecars.items()), ("", None))
    if sidecar is None:
        raise NoCopy
    page_size = sidecar.header.page_size
    held = [each for each in sidecars if sidecars[each].header.digest == digest != ""]
    try:
        changed = _changed(folder.hashes(name), known, size)
        most = max(1, MOST_BYTES // page_size)
        pages = _read_pages(folder, name, changed[:most], page_size)
        theirs = _read_pages(folder, held[0], changed[:most], page_size) if held else {}
    except OSError as error:
        raise NoCopy from error
    if folder.sidecar(name) != sidecar:
        raise NoCopy
    are_differences = bool(held) and folder.sidecar(held[0]) == sidecars[held[0]]
    if are_differences:
        pages = {index: combined(page, theirs[index]) for index, page in pages.items()}
    return Answer(sidecar, pages, len(changed) <= most, are_differences)


def combined(page: bytes, other: bytes) -> bytes:
    """Return the exclusive or of a page and another one, which may be missing.

    >>> combined(combined(b"abc", b"abd"), b"abd"), combined(b"abc", b"")
    (b'abc', b'abc')
    """
    number = int.from_bytes(page) ^ int.from_bytes(other or bytes(len(page)))
    return number.to_bytes(len(page))


def _changed(hashes: list[bytes], known: bytes, size: int) -> list[int]:
    """Return the indexes of the pages in groups whose hashes differ from `known`."""
    ours, theirs = split(short_hashes(hashes, size), SHORT), list(split(known, SHORT))
    groups = [i for i, each in enumerate(ours) if i >= len(theirs) or theirs[i] != each]
    pages = (range(group * size, (group + 1) * size) for group in groups)
    return [index for group in pages for index in group if index < len(hashes)]


def _read_pages(
    folder: Folder, name: str, indexes: Sequence[int], page_size: int
) -> dict[int, bytes]:
    """Return pages of a copy, which is not encrypted. Raises `OSError`."""
    with (folder.path / name).open("rb") as file:
        return {index: _read_page(file, index, page_size) for index in indexes}


def _read_page(file: BinaryIO, index: int, page_size: int) -> bytes:
    file.seek(index * page_size)
    return file.read(page_size)
