"""A server is killed, and another computer goes on from a standby copy."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest

from tests import forked_commands, live
from tests.faults.serving import Event, Server, ask, prepare, serving, set_up, verify
from tests.faults.test_backups import Phone
from tests.faults.test_no_network import log_in
from tests.faults.test_standby import STANDBY, rounds_in
from tournaments.standby import targets
from tournaments.standby.targets import Target

WORDS = "seven green cushions"
FAST = {"STANDBY_SECONDS": "0.2"}


class Hall:
    """A server with copies on a stick, an event, a phone at each of two tables, and a log-in."""

    def __init__(self, server: Server, stick: Target | None) -> None:
        """The phones have recorded two rounds."""
        self.server, self.stick = server, stick
        self.event: Event = set_up(server, tables=2, rounds=9)
        self.phones = [Phone(server, table) for table in self.event.tables]
        self.browser = log_in(server)
        for phone in self.phones:
            phone.play(range(1, 3))

    def kill(self) -> None:
        """Kill the server once everything is in the copies."""
        own = targets.own(self.server.data / STANDBY)
        both = [own, *([self.stick] if self.stick else [])]
        live.wait_until(lambda: {rounds_in(each) for each in both} == {4})
        self.server.kill(signal.SIGKILL)

    def check_that_all_goes_on(self, there: Server) -> None:
        """Everybody goes on at the same address: phones, tokens, log-ins, links."""
        for phone in self.phones:
            phone.server = there
            phone.play(range(1 + len(phone.stored), 5))
            assert not phone.refused
        board = f"http://127.0.0.1:{there.port}/tournaments/{self.event.slug}/board/"
        with self.browser.open(board) as page:
            assert page.status == 200
            assert page.url == board
        joined = [each.body["rounds"] for each in self.asked(there, "/rounds")]
        assert [len(rounds) for rounds in joined] == [4, 4]
        assert [[each["facts"] for each in rounds] for rounds in joined] == [
            [phone.stored[phone.table.sitting, number] for number in range(1, 5)]
            for phone in self.phones
        ]
        assert verify(there.data).startswith("0 ")

    def asked(self, there: Server, what: str) -> list[Any]:
        return [
            ask(there.port, "GET", f"/api/sittings/{table.sitting}{what}", token=table.token)
            for table in self.event.tables
        ]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    (tmp_path / "stick").mkdir()
    data = tmp_path / "here"
    data.mkdir()
    prepare(Server(data))
    stick = targets.choose(data / STANDBY, tmp_path / "stick", WORDS)
    with serving(data, environment=FAST) as server:
        yield Hall(server, stick)


def go_on(
    data: Path, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a data folder, which is created."""
    return forked_commands.run(
        ["go_on", *arguments],
        {"PATH": os.environ["PATH"], "DATA_DIR": str(data), "LANG": "en"} | environment,
        given=environment.get("INPUT", "").encode(),
        stderr=subprocess.STDOUT,
    )


def test_another_computer_goes_on_from_a_stick(hall: Hall, tmp_path: Path) -> None:
    hall.kill()
    there = tmp_path / "there"
    wrong = go_on(there, tmp_path / "stick", "--yes", STANDBY_PASSPHRASE="eight green cushions")
    assert wrong.returncode == 1
    assert b"This is not the passphrase" in wrong.stdout
    refused = go_on(there, tmp_path / "stick", STANDBY_PASSPHRASE=WORDS, INPUT="no\n")
    assert refused.returncode == 1
    assert b"Nothing was changed." in refused.stdout
    assert not (there / "makiyaku.sqlite3").exists()
    done = go_on(there, tmp_path / "stick", "--no-serve", STANDBY_PASSPHRASE=WORDS, INPUT="yes\n")
    assert done.returncode == 0, done.stdout
    assert b"Tournaments and tables: 1. Rounds: 4." in done.stdout
    assert (there / "secret-key").read_bytes() == (hall.server.data / "secret-key").read_bytes()
    assert (there / "secret-key").stat().st_mode & 0o777 == 0o600
    with serving(there, port=hall.server.port) as server:
        hall.check_that_all_goes_on(server)


def test_server_goes_on_from_its_own_copies_if_its_database_is_damaged(hall: Hall) -> None:
    """The command serves by itself."""
    hall.kill()
    data = hall.server.data
    (data / "makiyaku.sqlite3").write_bytes(b"not a database any more" * 1000)
    where = ("--host", "127.0.0.1", "--port", str(hall.server.port))
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(data)}
    with hall.server.log.open("ab") as log:
        hall.server.process = forked_commands.start(("go_on", "--yes", *where), environment, log)
    live.wait_until(lambda: is_answered(hall.server))
    hall.check_that_all_goes_on(hall.server)
    assert [path.read_bytes()[:3] for path in data.glob("damaged-*.sqlite3")] == [b"not"]


def is_answered(server: Server) -> bool:
    assert server.process is not None
    assert server.process.poll() is None
    try:
        return ask(server.port, "GET", "/healthz").status == 200
    except (OSError, HTTPException):
        return False


def test_torn_copies_are_refused(tmp_path: Path) -> None:
    (tmp_path / "copy-1").write_bytes(b"torn")
    (tmp_path / "copy-1.json").write_bytes(b"{}")
    done = go_on(tmp_path / "there", tmp_path, "--yes", "--no-serve")
    assert done.returncode == 1
    assert b"Nothing was changed." in done.stdout
    assert not (tmp_path / "there" / "makiyaku.sqlite3").exists()
