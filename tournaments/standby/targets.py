"""Where the copies go: a folder in the data folder, and those on other disks that were chosen.

A chosen folder has a file `target.json` with the target's id. Where it is missing, nothing is
written: the stick is pulled out, and its mount point would be a folder of the laptop's own disk.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from tournaments.standby import ciphers
from tournaments.standby.folders import Folder, prepare_folder, write_atomically

HERE = "here"  # the id of the data folder's own copies
ON_DISK = "makiyaku-standby"  # the folder's name on a chosen disk
MARKER = "target.json"
BEGIN_AGAIN = "begin-again"


class AlreadyChosen(Exception):
    """The folder is a target already."""


class Target(NamedTuple):
    """A folder of copies. `name` is that of its disk, `key` in hexadecimal or empty."""

    id: str
    path: Path
    name: str
    key: str

    @property
    def is_here(self) -> bool:
        return self.id == HERE

    @property
    def is_present(self) -> bool:
        """Return whether the folder is that of the target: the stick has not been pulled out."""
        return self.is_here or read_json(self.path / MARKER).get("id") == self.id

    def folder(self) -> Folder:
        return Folder(self.path, ciphers.cipher_for(self.key), has_hashes=self.is_here)


def standby_folder(data_folder: Path) -> Path:
    """Return the folder that the other functions take."""
    return data_folder / "standby"


def own(folder: Path) -> Target:
    return Target(HERE, folder / "copies", "", "")


def chosen(folder: Path) -> list[Target]:
    """Return the targets that an owner has chosen."""
    rows = read_json(_list_path(folder)).get("targets", [])
    return [Target(row["id"], Path(row["path"]), row["name"], row["key"]) for row in rows]


def choose(folder: Path, disk: Path, passphrase: str = "") -> Target:
    """Prepare a folder on a disk, and add it to the targets. Raises `OSError`, `AlreadyChosen`.

    Copies that are there already stay, if they can be read with the passphrase; else they are kept
    beside the new ones under other names.
    """
    path = disk / ON_DISK
    if path in {each.path for each in chosen(folder)}:
        raise AlreadyChosen
    prepare_folder(path)
    parameters = ciphers.new_parameters() if passphrase else {}
    key = ciphers.derive_key(passphrase, parameters).hex() if passphrase else ""
    target = Target(secrets.token_hex(8), path, disk.name or str(disk), key)
    if (path / MARKER).exists():
        _move_aside(path)
    marker = {"id": target.id, "scrypt": parameters}
    write_atomically(path / MARKER, json.dumps(marker).encode())
    _store(folder, [*chosen(folder), target])
    return target


def remove(folder: Path, target_id: str) -> None:
    """Write no more copies to a target. Those that are there stay."""
    _store(folder, [each for each in chosen(folder) if each.id != target_id])


def ask_to_begin_again(folder: Path) -> None:
    """Let the copier accept a database that does not continue the copies."""
    prepare_folder(folder)
    (folder / BEGIN_AGAIN).touch()


def take_request_to_begin_again(folder: Path) -> bool:
    """Return whether `ask_to_begin_again` was called since this function was."""
    try:
        (folder / BEGIN_AGAIN).unlink()
    except OSError:
        return False
    return True


def open_folder(path: Path, passphrase: str) -> Folder:
    """Return the copies in a folder, such as that of a stick. Raises `ValueError`.

    The passphrase is not used where there is none.
    """
    parameters = read_json(path / MARKER).get("scrypt")
    if not parameters:
        return Folder(path)
    return Folder(path, ciphers.Encrypted(ciphers.derive_key(passphrase, parameters)))


def needs_passphrase(path: Path) -> bool:
    return bool(read_json(path / MARKER).get("scrypt"))


def find_copies(path: Path) -> Path:
    """Return the folder with copies in a folder, a disk or a data folder; the path without any."""
    places = (".", ON_DISK, "copies", "standby/copies", "following")
    found = (path / place for place in places)
    return next((each.resolve() for each in found if has_copies(each)), path)


def has_copies(folder: Path) -> bool:
    return any(folder.glob("*-*.json"))


def secrets_of(data_folder: Path) -> dict[str, str]:
    """Return what a server needs to go on with log-ins, phones and links, by file name."""
    found = {}
    for name in ("secret-key", "https-certificate.pem", "https-key.pem"):
        with suppress(OSError):
            found[name] = (data_folder / name).read_text(encoding="ascii")
    if key := os.environ.get("SECRET_KEY"):
        found["secret-key"] = f"{key}\n"
    return found


def _move_aside(path: Path) -> None:
    """Move all that is in a target's folder to a new folder in it."""
    aside = path / f"before-{secrets.token_hex(4)}"
    aside.mkdir(mode=0o700)
    for each in path.iterdir():
        if each.is_file():
            each.rename(aside / each.name)


def _list_path(folder: Path) -> Path:
    return folder / "targets.json"


def _store(folder: Path, targets: list[Target]) -> None:
    prepare_folder(folder)
    rows = [each._asdict() | {"path": str(each.path)} for each in targets]
    write_atomically(_list_path(folder), json.dumps({"targets": rows}).encode())


def read_json(path: Path) -> Mapping[str, Any]:
    """Return the object in a file; an empty one if there is none that can be read."""
    try:
        content: Any = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
