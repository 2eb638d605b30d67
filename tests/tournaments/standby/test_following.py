"""A follower is paired once, gets what it lacks, and refuses what does not continue its copy."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests import cast, live
from tests.tournaments.standby.databases import append, create, execute, rewrite, snapshot_of
from tournaments.management.commands import follow
from tournaments.server import certificates, venue
from tournaments.standby import exchange, followers, following, status, targets
from tournaments.standby.exchange import Answer, NoCopy
from tournaments.standby.folders import Folder, prepare_folder
from tournaments.standby.followers import Code
from tournaments.standby.following import Following, Leader, NotFollowed
from tournaments.web.following_page import FollowingPage

PAIR, PAGES = "/standby/pair/", "/standby/pages/"
FINGERPRINT = bytes(range(32))


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return create(tmp_path / "database.sqlite3")


@pytest.fixture
def copies(tmp_path: Path) -> Folder:
    """The copies of the computer that is followed."""
    prepare_folder(tmp_path / "copies")
    return Folder(tmp_path / "copies", has_hashes=True)


class Near(Leader):
    """A computer that is followed without a network."""

    copies: Folder
    change: Callable[[bytes], bytes]

    def post(self, path: str, body: bytes, **_headers: str) -> bytes:
        """Answer as the address does; `change` may damage the answer."""
        size = int(path.partition("group=")[2].partition("&")[0])
        try:
            digest = path.partition("digest=")[2]
            return self.change(exchange.answer(self.copies, body, size, digest).packed())
        except NoCopy:
            raise NotFollowed("no_copy") from None


@pytest.fixture
def leader(copies: Folder) -> Near:
    leader = Near("https://192.168.1.7:8443", "", "")
    leader.copies, leader.change = copies, lambda packed: packed
    return leader


@pytest.fixture
def followed(tmp_path: Path, leader: Near) -> Following:
    prepare_folder(tmp_path / "following")
    return Following(tmp_path / "following", leader)


def held_by(followed: Following) -> bytes:
    newest = followed.folder.newest()
    assert newest is not None
    return newest[1]


def test_follower_gets_what_has_changed(
    database: Path, copies: Folder, followed: Following
) -> None:
    followed.look()
    assert followed.fault == "no_copy"
    changes: list[Callable[[Path], None]] = [
        rewrite,
        append,
        lambda path: execute(path, "DELETE FROM filler; VACUUM"),
        append,
    ]
    for change in changes:
        change(database)
        copies.write(snapshot_of(database))
        followed.look()
        assert followed.fault == ""
        assert held_by(followed) == snapshot_of(database).content
        assert held_by(Following(followed.folder.path, followed.leader)) == held_by(followed)
    before = followed.bytes
    append(database)
    copies.write(snapshot_of(database))
    followed.look()
    assert followed.bytes - before < 10_000
    newest = followed.folder.newest()
    assert newest is not None
    assert newest[0].secrets == {"secret-key": "a secret\n"}


def test_large_first_copy_comes_in_several_answers(
    database: Path, copies: Folder, followed: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 5 * 4096)
    monkeypatch.setattr(exchange, "MOST_GROUPS", 9)
    for _ in range(2):
        rewrite(database)
        copies.write(snapshot_of(database))
        followed.look()
        assert followed.fault == ""
        assert held_by(followed) == snapshot_of(database).content


def test_damaged_answer_is_not_kept(
    database: Path, copies: Folder, followed: Following, leader: Near
) -> None:
    copies.write(snapshot_of(database))
    followed.look()
    before = held_by(followed)
    rewrite(database)
    copies.write(snapshot_of(database))
    for change in (lambda packed: packed[:-9], lambda _: b"<html>", lambda _: b""):
        leader.change = change
        followed.look()
        assert followed.fault == "damaged"
        assert held_by(followed) == before

    def exchange_pages(packed: bytes) -> bytes:
        answer = Answer.unpack(packed)
        changed = dict(zip(answer.pages, reversed(answer.pages.values()), strict=True))
        return answer._replace(pages=changed).packed()

    leader.change = exchange_pages
    followed.look()
    assert followed.fault in {"damaged", "no_copy"}
    assert held_by(followed) == before


def test_state_that_does_not_continue_is_refused_unless_an_epoch_began(
    database: Path, copies: Folder, followed: Following
) -> None:
    before = database.read_bytes()
    append(database)
    copies.write(snapshot_of(database))
    followed.look()
    held = held_by(followed)
    database.write_bytes(before)
    copies.write(snapshot_of(database))
    followed.look()
    assert (followed.fault, held_by(followed)) == ("other", held)
    execute(database, "INSERT INTO tournaments_epoch (number) VALUES (1)")
    copies.write(snapshot_of(database))
    followed.look()
    assert (followed.fault, held_by(followed)) == ("", snapshot_of(database).content)
    assert len(list(followed.folder.path.glob("kept-*.json"))) == 1


def test_certificate_is_compared_before_anything_is_sent(tmp_path: Path) -> None:
    """A server with another certificate gets no request."""
    certificate = certificates.ensure_certificate(tmp_path, ["127.0.0.1"])
    received: list[bytes] = []

    def serve() -> None:
        with suppress(OSError):
            connected, _ = listening.accept()
            with certificate.context().wrap_socket(connected, server_side=True) as encrypted:
                received.append(encrypted.recv(1000))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve)
        thread.start()
        address = f"https://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(NotFollowed, match="certificate"):
            following.pair(tmp_path, address, Code(bytes(10), bytes(16)), "laptop-2")
        thread.join(live.PATIENCE)
    assert received in ([], [b""])
    assert following.stored_leader(tmp_path) is None


def test_code_is_valid_once_and_for_a_quarter_of_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = followers.new_code(tmp_path, FINGERPRINT)
    assert Code.parse(code.text.lower()) == code
    assert code.fingerprint == FINGERPRINT[:16]
    assert followers.pair(tmp_path, b"wrong", "laptop-2", "") is None
    token = followers.pair(tmp_path, code.token, "laptop-2", "192.168.1.8")
    assert token is not None
    assert followers.pair(tmp_path, code.token, "third", "") is None
    found = followers.find(tmp_path, token)
    assert found is not None
    assert (found.name, found.address) == ("laptop-2", "192.168.1.8")
    assert followers.find(tmp_path, f"{token}x") is None
    assert followers.find(tmp_path, "../pairing.x") is None
    stored = "".join(each.read_text() for each in tmp_path.rglob("*.json"))
    assert token.partition(".")[2] not in stored
    late = followers.new_code(tmp_path, FINGERPRINT)
    monkeypatch.setattr(time, "time", partial(float, time.time() + 16 * 60))
    assert followers.pair(tmp_path, late.token, "third", "") is None
    for typed in ("", "ABC", code.text[:-3], "!" * 42):
        with pytest.raises(ValueError):  # noqa: PT011  of base64
            Code.parse(typed)


@pytest.fixture
def owner(db: None) -> Client:
    """In English, at a server with https."""
    return cast.in_english(cast.browser_of(User.objects.create_superuser("owner")))


def pair(settings: Settings) -> str:
    code = followers.new_code(settings.STANDBY_DIR, FINGERPRINT)
    body = json.dumps({"token": code.token.hex(), "name": "laptop-2"})
    answer = Client().post(PAIR, body, content_type="application/json", secure=True)
    token: str = answer.json()["token"]
    return token


def ask(token: str, **options: Any) -> Any:
    known = b"".join(options.pop("hashes", ()))
    headers = {"Authorization": f"Bearer {token}"}
    address = f"{PAGES}?group=1&digest={options.pop('digest', '')}"
    kind = "application/octet-stream"
    return Client().post(address, known, kind, headers=headers, **{"secure": True} | options)


def test_pages_are_given_over_https_to_followers_only(
    db: None, database: Path, settings: Settings
) -> None:
    token = pair(settings)
    assert ask(token).status_code == 204
    own = targets.own(settings.STANDBY_DIR)
    prepare_folder(own.path)
    own.folder().write(snapshot_of(database))
    answer = ask(token)
    assert answer.status_code == 200
    assert len(Answer.unpack(answer.content).pages) == len(snapshot_of(database).hashes)
    assert ask(token, secure=False).status_code == 422
    assert ask("wrong").status_code == 422
    assert ask("").status_code == 422
    (follower,) = followers.all_followers(settings.STANDBY_DIR)
    followers.remove(settings.STANDBY_DIR, follower.id)
    assert ask(token).status_code == 422


def test_pairing_needs_https_and_a_code(db: None, settings: Settings) -> None:
    code = followers.new_code(settings.STANDBY_DIR, FINGERPRINT)
    body = json.dumps({"token": code.token.hex(), "name": "laptop-2"})
    for content, secure in ((body, False), ("{}", True), ("[]", True), ("x", True)):
        refused = Client().post(PAIR, content, content_type="application/json", secure=secure)
        assert refused.status_code == 422
    assert followers.all_followers(settings.STANDBY_DIR) == []


@pytest.mark.alike  # copies are of SQLite's file
def test_owner_makes_a_code_and_sees_the_follower(
    owner: Client, tmp_path: Path, database: Path, settings: Settings
) -> None:
    assert "start Makiyaku with --https" in owner.post("/backups/standby/pair/", follow=True).text
    settings.DESK_CERTIFICATE = certificates.ensure_certificate(tmp_path, ["192.168.1.7"])
    settings.DESK_HTTPS_PORT, settings.PHONES_PORT = 8443, 8000
    page = owner.post("/backups/standby/pair/").text
    command = page.partition('id="pairing">')[2].partition("<")[0].split()
    assert command[:3] == [".venv/bin/python", "manage.py", "follow"]
    assert command[5:] == ["--https"]
    code = Code.parse(command[4])
    fingerprint = settings.DESK_CERTIFICATE.fingerprint.replace(":", "").lower()
    assert fingerprint.startswith(code.fingerprint.hex())
    settings.DESK_HTTPS_PORT, settings.PHONES_PORT = 9443, 9000
    settings.ADDRESS = "192.168.1.250"
    elsewhere = owner.post("/backups/standby/pair/").text
    assert " --https=9443 --port=9000 --address=192.168.1.250<" in elsewhere
    assert command[4] not in owner.get("/backups/").text
    token = pair(settings)
    report(settings, digest="d1")
    ask(token, digest="d1")
    page = owner.get("/backups/").text
    assert "laptop-2" in page
    assert "at most 15 s old" in page
    (follower,) = followers.all_followers(settings.STANDBY_DIR)
    owner.post("/backups/standby/remove/", {"follower": follower.id})
    assert "laptop-2" not in owner.get("/backups/").text


def test_silent_follower_is_warned_of(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = settings.STANDBY_DIR
    code = followers.new_code(folder, FINGERPRINT)
    followers.pair(folder, code.token, "laptop-2", "")
    (one,) = followers.as_targets(folder)
    assert (one.state, one.age) == ("copied", None)
    monkeypatch.setattr(time, "time", partial(float, time.time() + 61))
    (one,) = followers.as_targets(folder)
    assert one.state == "silent"


def report(settings: Settings, digest: str) -> None:
    now = time.time()
    own = {"id": "here", "name": "", "state": "copied", "made_at": now, "current_until": now}
    own |= {"digest": digest, "bytes": 0, "seconds": 0}
    status.write(
        settings.STANDBY_DIR,
        checked_at=now,
        database="",
        targets=[own],
        verified_at=None,
        fault="",
    )


def test_page_does_not_reload_itself_while_nothing_listens() -> None:
    """Once pressed, its script opens Makiyaku as soon as that answers."""
    page = FollowingPage(0, lambda: {"made_at": "14:05"})

    def read(path: str, form: dict[str, str] | None = None) -> str:
        body = urlencode(form).encode() if form else None
        with urlopen(f"http://127.0.0.1:{page.server.server_port}{path}", body) as answer:
            return str(answer.read().decode())

    try:
        assert 'http-equiv="refresh"' in read("/")
        pressed = read("/", {"secret": page.secret})
        assert 'http-equiv="refresh"' not in pressed
        (script,) = re.findall('<script src="([^"]*)"', pressed)
        assert 'location.replace("/")' in read(script)
    finally:
        page.close()


def test_page_says_how_to_add_a_missing_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been replaced then, and the button can be pressed again."""
    monkeypatch.setattr(venue, "has_address", lambda _address: False)
    page = FollowingPage(0, dict)
    try:
        page.is_pressed.set()
        assert not follow.Command().goes_on(page, "192.168.1.250")
        assert "sudo ip address add 192.168.1.250/24" in page.refusal
        assert not page.is_pressed.is_set()
    finally:
        page.close()
