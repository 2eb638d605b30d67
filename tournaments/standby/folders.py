"""A folder with standby copies: two alternating files, of which the older one is patched.

    copy-1, copy-2               the database
    copy-1.json, copy-2.json     its sidecar, which makes the file count as a copy
    copy-1.hashes, copy-2.hashes the hashes of its pages, for followers, where they are asked for
    kept-20261121-0900…          a whole copy each ten minutes, and its sidecar

The sidecar is removed before a file is patched and written when the file is on the disk. A power
cut may bring it back: a copy counts only if the digest of its pages is the sidecar's.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.standby.ciphers import Cipher, Plain, WrongKey
from tournaments.standby.pages import (
    CHANGED,
    HASH_BYTES,
    changed_pages,
    digest_of,
    hash_of,
    split,
)
from tournaments.standby.snapshots import Header, Snapshot
from tournaments.system import files

FORMAT, VERSION = "makiyaku-standby", 1
NAMES = ("copy-1", "copy-2")
KEPT = "kept-"
SIDECAR = "sidecar"  # what its record is for, see `ciphers`
MOST_KEPT = 12
SECONDS_KEPT = 24 * 60 * 60
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700

UNENCRYPTED = Plain()

Signature = tuple[int, int, int, int]


class Sidecar(NamedTuple):
    """The description of a copy. The `number` rises with each copy in the folder."""

    number: int
    header: Header
    secrets: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        about = {"format": FORMAT, "version": VERSION, "number": self.number}
        return {**about, "header": self.header._asdict(), "secrets": self.secrets}

    @classmethod
    def from_json(cls, document: Any) -> Sidecar:
        """Raises `KeyError`, `TypeError` or `ValueError` for an invalid document."""
        if (document["format"], document["version"]) != (FORMAT, VERSION):
            raise ValueError(document["format"])
        secrets = {str(name): str(text) for name, text in document["secrets"].items()}
        return cls(int(document["number"]), Header.from_json(document["header"]), secrets)


class Folder:
    """The copies in a folder, which must exist. One process writes there."""

    def __init__(
        self, path: Path, cipher: Cipher = UNENCRYPTED, *, has_hashes: bool = False
    ) -> None:
        """With `has_hashes`, the hashes of the pages are written beside each copy."""
        self.path = path
        self.cipher = cipher
        self.has_hashes = has_hashes
        self._known: dict[str, tuple[Signature, list[bytes]]] = {}

    def sidecars(self) -> dict[str, Sidecar]:
        """Return the readable sidecars by the name of their copy, the newest first."""
        names = {path.stem for path in self.path.glob("*.json")}
        found = {name: each for name in names if (each := self.sidecar(name))}
        newest_first = sorted(
            found.items(), key=lambda item: (item[1].number, item[1].header.made_at), reverse=True
        )
        return dict(newest_first)

    def sidecar(self, name: str) -> Sidecar | None:
        try:
            record = (self.path / f"{name}.json").read_bytes()
            return Sidecar.from_json(json.loads(self.cipher.unseal(SIDECAR, record)))
        except (OSError, WrongKey, KeyError, TypeError, ValueError, AttributeError):
            return None

    def newest(self) -> tuple[Sidecar, bytes] | None:
        """Return the newest copy that is whole, and its content; None if there is none."""
        for name, sidecar in self.sidecars().items():
            content = self.content(name, sidecar)
            if content is not None:
                return sidecar, content
        return None

    def content(self, name: str, sidecar: Sidecar) -> bytes | None:
        """Return the database in a copy, or None unless it is as its sidecar says."""
        header = sidecar.header
        try:
            pages = list(self._pages(name, header.page_size))
        except OSError:
            return None
        content = b"".join(pages)
        is_whole = digest_of(list(map(hash_of, pages))) == header.digest
        return content if is_whole and len(content) == header.length else None

    def hashes(self, name: str) -> list[bytes]:
        """Return the stored hashes of a copy's pages. Raises `OSError` without them."""
        return list(split((self.path / f"{name}.hashes").read_bytes(), HASH_BYTES))

    def write(self, snapshot: Snapshot) -> int:
        """Make the older file a copy of the snapshot; return how many bytes were written.

        Raises `OSError`. The newer copy stays as it is.
        """
        sidecars = self.sidecars()
        number = max((each.number for each in sidecars.values()), default=0) + 1
        newest = max(NAMES, key=lambda name: sidecars[name].number if name in sidecars else 0)
        name = next(each for each in NAMES if each != newest)
        (self.path / f"{name}.json").unlink(missing_ok=True)
        written = self._patch(name, snapshot)
        if self.has_hashes:
            write_atomically(self.path / f"{name}.hashes", b"".join(snapshot.hashes))
        sidecar = Sidecar(number, snapshot.header, snapshot.secrets)
        return written + self._write_sidecar(name, sidecar)

    def keep(self, snapshot: Snapshot) -> int:
        """Write a whole copy that is not patched any more, and delete old ones.

        Returns how many bytes were written. Raises `OSError`; then there is no such copy.
        """
        name = _kept_name(snapshot.header.made_at)
        self._delete_old_kept()
        try:
            written = self._patch(name, snapshot)
            sidecar = Sidecar(0, snapshot.header, snapshot.secrets)
            return written + self._write_sidecar(name, sidecar)
        except OSError:
            self._delete(name)
            raise
        finally:
            self._known.pop(name, None)

    def renew(self, snapshot: Snapshot) -> int:
        """Write the newest copy once more, into the older file, and delete old kept copies.

        So what was erased is in neither file. Returns how many bytes were written.
        Raises `OSError`.
        """
        self._delete_old_kept()
        return self.write(snapshot)

    def set_aside(self) -> None:
        """Keep both copies, as kept ones: what is written next does not continue them.

        Raises `OSError`.
        """
        sidecars = self.sidecars()
        for name in set(NAMES) & sidecars.keys():
            kept = self.path / _kept_name(sidecars[name].header.made_at)
            (self.path / name).replace(kept)
            (self.path / f"{name}.json").replace(kept.with_suffix(".json"))
            self._known.pop(name, None)

    def _delete_old_kept(self) -> None:
        """Leave room for one more of `MOST_KEPT`, and delete what is older than a day."""
        names = sorted({path.stem for path in self.path.glob(f"{KEPT}*")}, reverse=True)
        oldest = _kept_name(time.time() - SECONDS_KEPT)
        for index, name in enumerate(names):
            if index >= MOST_KEPT - 1 or name < oldest:
                self._delete(name)

    def _delete(self, name: str) -> None:
        with suppress(OSError):
            (self.path / f"{name}.json").unlink(missing_ok=True)
            (self.path / name).unlink(missing_ok=True)

    def _patch(self, name: str, snapshot: Snapshot) -> int:
        """Write the pages that the file lacks, and sync it. Raises `OSError`."""
        page_size = snapshot.header.page_size
        changed = changed_pages(snapshot.hashes, self._hashes_in(name, page_size))
        self._known.pop(name, None)  # unknown until all is written
        record_size = page_size + self.cipher.overhead
        with open(self.path / name, "r+b", opener=_private, buffering=0) as file:
            descriptor = file.fileno()
            for index in changed:
                page = snapshot.content[index * page_size : (index + 1) * page_size]
                record = self.cipher.seal(str(index), page)
                write_fully(descriptor, record, index * record_size)
            os.ftruncate(descriptor, len(snapshot.hashes) * record_size)
            os.fsync(descriptor)
        self._known[name] = (self._signature(name), snapshot.hashes)
        return len(changed) * record_size

    def _write_sidecar(self, name: str, sidecar: Sidecar) -> int:
        record = self.cipher.seal(SIDECAR, json.dumps(sidecar.as_json()).encode())
        write_atomically(self.path / f"{name}.json", record)
        return len(record)

    def _hashes_in(self, name: str, page_size: int) -> list[bytes]:
        """Return the hashes of the pages in a file, which is read unless it is as we left it."""
        try:
            signature, hashes = self._known[name]
            if signature == self._signature(name):
                return hashes
        except (KeyError, OSError):
            pass
        try:
            pages = self._pages(name, page_size)
            return [hash_of(page) if len(page) == page_size else CHANGED for page in pages]
        except OSError:
            return []

    def _pages(self, name: str, page_size: int) -> list[bytes]:
        """Return the pages in a file; one that cannot be decrypted is empty. Raises `OSError`."""
        records = split((self.path / name).read_bytes(), page_size + self.cipher.overhead)
        return [self._unsealed(str(index), record) for index, record in enumerate(records)]

    def _unsealed(self, place: str, record: bytes) -> bytes:
        try:
            return self.cipher.unseal(place, record)
        except WrongKey:
            return b""

    def _signature(self, name: str) -> Signature:
        status = (self.path / name).stat()
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _kept_name(made_at: float) -> str:
    return KEPT + time.strftime("%Y%m%d-%H%M%S", time.localtime(made_at))


def prepare_folder(path: Path) -> None:
    """Make a folder that only its owner can read, where the file system knows owners."""
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    with suppress(PermissionError):  # FAT has no owners
        path.chmod(PRIVATE_FOLDER)


def write_atomically(path: Path, content: bytes) -> None:
    """Replace a file, readable by its owner only, and sync it.

    Raises `OSError`; the file is then as before.
    """
    temporary = path.with_name(f"{path.name}.new")
    try:
        with open(temporary, "wb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        files.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # some file systems of sticks cannot
        files.sync(path.parent)


def write_fully(descriptor: int, record: bytes, offset: int) -> None:
    """Write all of a record; a nearly full disk takes a part first. Raises `OSError`."""
    os.lseek(descriptor, offset, os.SEEK_SET)
    while record:
        record = record[os.write(descriptor, record) :]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT, PRIVATE_FILE)
