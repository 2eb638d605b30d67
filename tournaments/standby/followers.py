"""Computers that follow this one: their pairing, and how far each one is. Kept in files.

Nothing is written to the database: each answer would change it, and so make a new copy.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from pathlib import Path
from typing import NamedTuple

from tournaments.standby.folders import prepare_folder, write_atomically
from tournaments.standby.status import Status, TargetStatus
from tournaments.standby.targets import HERE, read_json

SECONDS_TO_PAIR = 15 * 60
SECONDS_SILENT = 60
TOKEN_BYTES, FINGERPRINT_BYTES = 10, 16
GROUP = 6  # letters of a code


class Follower(NamedTuple):
    """A paired computer. Times are Unix times; `digest` is that of its newest copy."""

    id: str
    name: str
    token_hash: str
    address: str
    seen_at: float
    digest: str
    made_at: float | None
    current_until: float | None


class Code(NamedTuple):
    """What a pairing code holds: a token, and the start of the SHA-256 of the certificate."""

    token: bytes
    fingerprint: bytes

    @classmethod
    def parse(cls, typed: str) -> Code:
        """Raises `ValueError`.

        >>> Code.parse(Code(bytes(10), bytes(16)).text).fingerprint == bytes(16)
        True
        """
        letters = "".join(typed.split()).replace("-", "").upper()
        content = base64.b32decode(letters + "=" * (-len(letters) % 8))
        if len(content) != TOKEN_BYTES + FINGERPRINT_BYTES:
            raise ValueError(typed)
        return cls(content[:TOKEN_BYTES], content[TOKEN_BYTES:])

    @property
    def text(self) -> str:
        letters = base64.b32encode(self.token + self.fingerprint).decode().rstrip("=")
        groups = [letters[start : start + GROUP] for start in range(0, len(letters), GROUP)]
        return "-".join(groups)


def new_code(folder: Path, fingerprint: bytes) -> Code:
    """Return a code that pairs one computer within `SECONDS_TO_PAIR`. An earlier one is void."""
    code = Code(secrets.token_bytes(TOKEN_BYTES), fingerprint[:FINGERPRINT_BYTES])
    offered = {"hash": _hash(code.token), "until": time.time() + SECONDS_TO_PAIR}
    prepare_folder(folder)
    write_atomically(_pairing(folder), json.dumps(offered).encode())
    return code


def pair(folder: Path, token: bytes, name: str, address: str) -> str | None:
    """Return the token of a new follower for that of a code; None if it is wrong or was used."""
    offered = read_json(_pairing(folder))
    is_right = hmac.compare_digest(str(offered.get("hash", "")), _hash(token))
    if not is_right or offered["until"] < time.time():
        return None
    try:
        _pairing(folder).unlink()  # one of two that come at once succeeds
    except FileNotFoundError:
        return None
    secret, key = secrets.token_urlsafe(32), secrets.token_hex(8)
    _store(
        folder,
        Follower(key, name, _hash(secret.encode()), address, time.time(), "", None, None),
    )
    return f"{key}.{secret}"


def find(folder: Path, token: str) -> Follower | None:
    """Return the follower with this token."""
    key, _, secret = token.partition(".")
    found = _read(_path(folder, key)) if key.isalnum() else None
    is_right = found and hmac.compare_digest(found.token_hash, _hash(secret.encode()))
    return found if is_right else None


def all_followers(folder: Path) -> list[Follower]:
    found = map(_read, sorted((folder / "followers").glob("*.json")))
    return [each for each in found if each is not None]


def remove(folder: Path, key: str) -> None:
    """Give no more copies to a follower."""
    if key.isalnum():
        _path(folder, key).unlink(missing_ok=True)


def note(folder: Path, follower: Follower, address: str, digest: str, report: Status) -> None:
    """Store that a follower has asked, and has a copy with this digest."""
    own = next((each for each in report.targets if each.id == HERE), None)
    seen = follower._replace(address=address, seen_at=time.time(), digest=digest)
    if own and own.digest == digest:
        seen = seen._replace(made_at=own.made_at, current_until=own.current_until)
    if _path(folder, follower.id).exists():  # it was not removed meanwhile
        _store(folder, seen)


def as_targets(folder: Path) -> tuple[TargetStatus, ...]:
    """Return how the followers are, like the targets on other disks."""
    return tuple(
        TargetStatus(
            id=each.id,
            name=each.name,
            state="silent" if time.time() - each.seen_at > SECONDS_SILENT else "copied",
            made_at=each.made_at,
            current_until=each.current_until,
            digest=each.digest,
            bytes=0,
            seconds=0,
        )
        for each in all_followers(folder)
    )


def _hash(secret: bytes) -> str:
    return hashlib.sha256(secret).hexdigest()


def _pairing(folder: Path) -> Path:
    return folder / "pairing.json"


def _path(folder: Path, key: str) -> Path:
    return folder / "followers" / f"{key}.json"


def _read(path: Path) -> Follower | None:
    document = read_json(path)
    return Follower(**document) if document.keys() == {*Follower._fields} else None


def _store(folder: Path, follower: Follower) -> None:
    prepare_folder(folder / "followers")
    write_atomically(_path(folder, follower.id), json.dumps(follower._asdict()).encode())
