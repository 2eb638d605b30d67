"""Follow another computer: pair with it once, then get its newest copy every few seconds.

Its certificate is compared with the fingerprint in the pairing code before anything is sent.
"""

from __future__ import annotations

import hashlib
import json
import ssl
import time
import zlib
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tournaments.standby import exchange, snapshots
from tournaments.standby.exchange import Answer
from tournaments.standby.folders import Folder, prepare_folder, write_atomically
from tournaments.standby.followers import Code
from tournaments.standby.pages import HASH_BYTES, hash_of, split
from tournaments.standby.snapshots import Snapshot
from tournaments.standby.targets import read_json
from tournaments.standby.writers import SECONDS_BETWEEN_KEPT

SECONDS_BETWEEN = 5
SECONDS_TO_ANSWER = 10
MOST_ANSWERS = 1_000  # of a first copy


class NotFollowed(Exception):
    """Why there is no newer copy: the code of a sentence in `i18n.standby.FOLLOWING`."""


class Leader(NamedTuple):
    """The computer that is followed: its https address, the certificate's SHA-256, our token."""

    address: str
    fingerprint: str
    token: str

    def post(self, path: str, body: bytes, **headers: str) -> bytes:
        """Return the body of the answer. Raises `OSError`, `HTTPException`, `NotFollowed`."""
        place = urlsplit(self.address)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # see `_check`
        connection = HTTPSConnection(
            place.hostname or "", place.port, timeout=SECONDS_TO_ANSWER, context=context
        )
        try:
            connection.connect()
            self._check(connection.sock)
            connection.request("POST", path, body, {"Authorization": self.token} | headers)
            return _content(connection.getresponse())
        finally:
            connection.close()

    def _check(self, connected: Any) -> None:
        """Raises `NotFollowed` unless the certificate is the one in the pairing code."""
        certificate = connected.getpeercert(binary_form=True) or b""
        if not hashlib.sha256(certificate).hexdigest().startswith(self.fingerprint):
            raise NotFollowed("certificate")


def _content(response: HTTPResponse) -> bytes:
    if response.status == HTTPStatus.UNPROCESSABLE_ENTITY:
        raise NotFollowed("refused")
    if response.status != HTTPStatus.OK:
        raise NotFollowed("no_copy")
    return response.read(exchange.LARGEST_ANSWER)


def pair(folder: Path, address: str, code: Code, name: str) -> Leader:
    """Pair with a computer, and store that in the folder. Raises as `Leader.post`."""
    stranger = Leader(address, code.fingerprint.hex(), "")
    body = json.dumps({"token": code.token.hex(), "name": name}).encode()
    token = json.loads(stranger.post("/standby/pair/", body))["token"]
    leader = stranger._replace(token=f"Bearer {token}")
    prepare_folder(folder)
    write_atomically(folder / "leader.json", json.dumps(leader._asdict()).encode())
    return leader


def stored_leader(folder: Path) -> Leader | None:
    document = read_json(folder / "leader.json")
    return Leader(**document) if document.keys() == {*Leader._fields} else None


class Following:
    """What is held of the other computer's database, and how that goes."""

    def __init__(self, folder: Path, leader: Leader) -> None:
        """Goes on with the newest copy in the folder."""
        self.leader, self.folder = leader, Folder(folder)
        self.snapshot: Snapshot | None = None
        self.fault = ""  # a code, as of `NotFollowed`; empty if all is well
        self.current_until: float | None = None
        self.bytes = 0
        self._kept_at = time.monotonic()
        newest = self.folder.newest()
        if newest:
            sidecar, content = newest
            self.snapshot = snapshots.make(content, sidecar.secrets, made_at=sidecar.header.made_at)
            self.current_until = sidecar.header.made_at

    def look(self) -> None:
        """Get what has changed, and say what went wrong in `fault`. The copy then stays."""
        asked_at = time.time()
        try:
            self._pull()
        except NotFollowed as error:
            self.fault = str(error)
        except (OSError, HTTPException):
            self.fault = "away"
        except (ValueError, KeyError, TypeError, zlib.error, snapshots.DamagedContent):
            self.fault = "damaged"
        else:
            self.fault, self.current_until = "", asked_at

    def _pull(self) -> None:
        """Raises what `look` catches."""
        before = self.snapshot
        pages = list(split(before.content, before.header.page_size)) if before else []
        hashes = list(before.hashes) if before else []
        digest = before.header.digest if before else ""
        for _ in range(MOST_ANSWERS):
            answer = self._ask(hashes, digest)
            _apply(answer, pages, hashes)
            digest = ""  # of no whole copy any more
            if answer.is_complete:
                break
        header, content = answer.sidecar.header, b"".join(pages)
        secrets = answer.sidecar.secrets
        if before and header.digest == before.header.digest and secrets == before.secrets:
            return
        snapshot = snapshots.make(content, secrets, made_at=header.made_at, earlier=before)
        if snapshot.header.digest != header.digest:
            raise NotFollowed("no_copy")  # it changed between two answers
        self._write(snapshot)

    def _ask(self, hashes: list[bytes], digest: str) -> Answer:
        size = exchange.group_size(len(hashes))
        packed = self.leader.post(
            f"/standby/pages/?group={size}&digest={digest}",
            exchange.short_hashes(hashes, size),
            **{"Content-Type": "application/octet-stream"},
        )
        self.bytes += len(packed)
        return Answer.unpack(packed)

    def _write(self, snapshot: Snapshot) -> None:
        """Raises `NotFollowed` if the snapshot does not continue what is held, and `OSError`."""
        if self.snapshot is not None:
            if not snapshots.does_continue(snapshot, self.snapshot.header):
                raise NotFollowed("other")
            if snapshot.header.epoch != self.snapshot.header.epoch:
                self.folder.set_aside()
        self.folder.write(snapshot)
        self.snapshot = snapshot
        if time.monotonic() - self._kept_at >= SECONDS_BETWEEN_KEPT:
            self._kept_at = time.monotonic()
            self.folder.keep(snapshot)


def _apply(answer: Answer, pages: list[bytes], hashes: list[bytes]) -> None:
    """Put the pages of an answer in their places."""
    count = answer.sidecar.header.length // answer.sidecar.header.page_size
    del pages[count:], hashes[count:]
    pages += [b""] * (count - len(pages))
    hashes += [bytes(HASH_BYTES)] * (count - len(hashes))
    for index, sent in answer.pages.items():
        page = exchange.combined(sent, pages[index]) if answer.are_differences else sent
        pages[index], hashes[index] = page, hash_of(page)
