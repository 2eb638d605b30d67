"""Full or read-only disks, and locked or unavailable databases: no loss, no restart.

A real server on a small file system, or with a database that another program locks, or that is
stopped and started again.
"""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import Queue
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from tests.faults.serving import (
    PROCESSES,
    Answer,
    Event,
    Server,
    Table,
    ask,
    served_before,
    served_postgres,
    serving,
    set_up,
    verify,
)
from tests.faults.small_disk import fill, in_own_mounts
from tests.programs import find_program
from tournaments.server import write_queue
from tournaments.views.health import SECONDS_CACHED

MOUNTED = """
mount -t tmpfs -o size=6m,mode=700 tmpfs "$0" && cp -a "$1"/. "$0" && shift && exec "$@"
"""
FULL, AWAY = 507, 503


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Server]:
    """A server with a small disk as its data folder, in its own mount namespace."""
    data = tmp_path / "var"
    alone = [*in_own_mounts(), "sh", "-c", MOUNTED, str(data), str(served_before())]
    try:
        with serving(data, before=alone) as server:
            yield server
    finally:
        subprocess.run(
            [find_program("umount"), "--lazy", str(data)], check=False, stderr=subprocess.DEVNULL
        )


def put(server: Server, table: Table, number: int) -> Answer:
    """Record a plain round; retries have the same key."""
    players = table.players
    facts = {
        "dealer": players[number % 6],
        "kankei": [players[(number + 1) % 6], players[(number + 3) % 6]],
        "deals": [{"kankei": 5, "mukankei": 9}],
    }
    path = f"/api/sittings/{table.sitting}/rounds/{number}"
    body = {"facts": facts, "seen": 0}
    return ask(server.port, "PUT", path, body, token=table.token, key=f"round {number}")


def stored(server: Server, event: Event) -> list[int]:
    """Request all public pages; return the rounds that the API lists."""
    for page in ("", "standings/"):
        assert ask(server.port, "GET", f"/tournaments/{event.slug}/{page}").status == 200
    assert ask(server.port, "GET", f"/api/tournaments/{event.slug}/standings").status == 200
    return rounds_of(server, event)


def rounds_of(server: Server, event: Event) -> list[int]:
    """As the API lists them."""
    answer = ask(server.port, "GET", f"/api/sittings/{event.tables[0].sitting}/rounds")
    return [each["number"] for each in answer.body["rounds"]]


def health(server: Server) -> int:
    """Return the status of `/healthz`, made anew: an earlier result is a second old by then."""
    time.sleep(SECONDS_CACHED)
    return ask(server.port, "GET", "/healthz").status


def assert_refused(answer: Answer, status: int, words: str) -> None:
    """Expect a message for the user, and a `Retry-After`."""
    assert answer.status == status
    assert words in answer.body["message"]
    assert int(answer.headers["Retry-After"]) > 0


def log_in(server: Server, meanwhile: Callable[[], None]) -> tuple[int, str]:
    """Log in by the form; call a function between loading and sending it."""
    url = f"http://127.0.0.1:{server.port}/log-in/"
    with urlopen(url) as page:
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        secret = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
    assert secret is not None
    said = {"csrfmiddlewaretoken": secret[1], "username": "director"}
    said["password"] = server.password()
    meanwhile()
    headers = {"Cookie": f"{cookie}; django_language=en"}
    with pytest.raises(HTTPError) as refused:
        urlopen(Request(url, urlencode(said).encode(), headers))
    with refused.value as answer:
        return answer.code, answer.read().decode()


def assert_kept(data: Path, copy: Path) -> None:
    """Assert that a copy of the database is intact and verified."""
    copy.mkdir()
    for name in ("makiyaku.sqlite3", "secret-key"):
        (copy / name).write_bytes((data / name).read_bytes())
    with closing(sqlite3.connect(copy / "makiyaku.sqlite3")) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert verify(copy).startswith("0 ")


def test_full_disk(small_disk: Server, tmp_path: Path) -> None:
    event = set_up(small_disk, tables=1, rounds=10)
    table, begun = event.tables[0], small_disk.pid
    assert put(small_disk, table, 1).status == 201
    filler = small_disk.seen_from_outside / "filler"
    status, page = log_in(small_disk, lambda: fill(filler))
    assert status == FULL
    assert "the server’s disk is full" in page
    for _ in range(3):
        assert_refused(put(small_disk, table, 2), FULL, "disk")
        assert stored(small_disk, event) == [1]
        assert health(small_disk) == AWAY
    filler.unlink()
    assert [put(small_disk, table, number).status for number in (1, 2, 3)] == [201] * 3
    assert stored(small_disk, event) == [1, 2, 3]
    assert small_disk.pid == begun
    assert_kept(small_disk.seen_from_outside, tmp_path / "copy")


def test_disk_fills_while_rounds_are_recorded(small_disk: Server, tmp_path: Path) -> None:
    """A round is stored and acknowledged, or neither, at every amount of free space."""
    event = set_up(small_disk, tables=1, rounds=99)
    filler, acknowledged = small_disk.seen_from_outside / "filler", 0
    fill(filler)
    for _ in range(60):
        os.truncate(filler, filler.stat().st_size - 4096)  # one more page
        answer = put(small_disk, event.tables[0], acknowledged + 1)
        assert answer.status in {201, FULL, AWAY}, answer
        acknowledged += answer.status == 201
        assert rounds_of(small_disk, event) == list(range(1, acknowledged + 1))
    assert 0 < acknowledged < 60
    assert stored(small_disk, event) == list(range(1, acknowledged + 1))
    assert_kept(small_disk.seen_from_outside, tmp_path / "copy")


def test_read_only_disk(small_disk: Server, tmp_path: Path) -> None:
    event = set_up(small_disk, tables=1, rounds=10)
    assert put(small_disk, event.tables[0], 1).status == 201

    def mount_again(how: str) -> None:
        enter = [find_program("nsenter"), "--target", str(small_disk.pid), "--mount", "--root"]
        if os.geteuid() != 0:
            enter += ["--user", "--preserve-credentials"]
        mount = [*enter, "mount", "-o", f"remount,{how}", str(small_disk.data)]
        end = time.monotonic() + 60
        while subprocess.run(mount, check=False).returncode:  # "busy" while a file is written to
            assert time.monotonic() < end
            time.sleep(0.05)

    mount_again("ro")
    assert_refused(put(small_disk, event.tables[0], 2), AWAY, "cannot be read or written")
    assert stored(small_disk, event) == [1]
    assert health(small_disk) == AWAY
    mount_again("rw")
    assert put(small_disk, event.tables[0], 2).status == 201
    assert stored(small_disk, event) == [1, 2]
    assert_kept(small_disk.seen_from_outside, tmp_path / "copy")


HOLDER = """
import sqlite3, sys
opened = sqlite3.connect(sys.argv[1], isolation_level=None)
opened.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
sys.stdin.read()
"""


def test_database_locked_by_another_program(tmp_path: Path) -> None:
    data = tmp_path / "var"
    url = f"sqlite:///{data / 'makiyaku.sqlite3'}?timeout=1"  # instead of half a minute
    with serving(data, environment={"DATABASE_URL": url}) as server:
        event = set_up(server, tables=1, rounds=10)
        assert put(server, event.tables[0], 1).status == 201
        program = [sys.executable, "-c", HOLDER, str(data / "makiyaku.sqlite3")]
        with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"locked\n"
            assert_refused(put(server, event.tables[0], 2), AWAY, "cannot be read or written")
            assert stored(server, event) == [1]
            assert holder.stdin is not None
            holder.stdin.close()
        assert put(server, event.tables[0], 2).status == 201
        assert stored(server, event) == [1, 2]
        assert_kept(data, tmp_path / "copy")


def test_reads_are_answered_while_writers_wait(tmp_path: Path) -> None:
    data, answers = tmp_path / "var", Queue[Answer]()
    with serving(data) as server, ThreadPoolExecutor(60) as pool:
        event = set_up(server, tables=12, rounds=10)  # a table may have five calls

        def call(number: int) -> None:
            table = event.tables[number % 12]
            path = f"/api/sittings/{table.sitting}/calls"
            body = {"kind": "director", "words": str(number)}
            answers.put(ask(server.port, "POST", path, body, token=table.token))

        with closing(sqlite3.connect(data / "makiyaku.sqlite3", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            calls = [pool.submit(call, number) for number in range(60)]
            for _ in range(60 - PROCESSES * write_queue.MAX_WAITING):
                assert_refused(answers.get(), AWAY, "cannot be read or written")
            # Waiting writers leave threads for readers.
            assert stored(server, event) == []
            holder.execute("ROLLBACK")
        for each in calls:
            each.result()
        assert {answers.get().status for _ in range(answers.qsize())} <= {201, AWAY}


def test_missing_database_is_not_created_again(tmp_path: Path) -> None:
    data = tmp_path / "var"
    there, away = data / "makiyaku.sqlite3", data / "away"
    with serving(data) as server:
        event = set_up(server, tables=1, rounds=10)
        assert put(server, event.tables[0], 1).status == 201
        there.rename(away)
        assert_refused(put(server, event.tables[0], 2), AWAY, "cannot be read or written")
        for page in ("/", f"/tournaments/{event.slug}/standings/"):
            assert ask(server.port, "GET", page).status == AWAY
        assert health(server) == AWAY
        assert not there.exists()
        away.rename(there)
        assert put(server, event.tables[0], 2).status == 201
        assert stored(server, event) == [1, 2]


def test_postgresql_is_restarted(tmp_path: Path) -> None:
    with (
        served_postgres() as database,
        serving(tmp_path / "var", environment={"DATABASE_URL": database.url}) as server,
    ):
        event, begun = set_up(server, tables=1, rounds=10), server.pid
        assert put(server, event.tables[0], 1).status == 201
        database.stop()
        try:
            for _ in range(8):  # every process notices on its own
                assert_refused(put(server, event.tables[0], 2), AWAY, "cannot be read or written")
                assert ask(server.port, "GET", f"/tournaments/{event.slug}/").status == AWAY
                assert health(server) == AWAY
        finally:
            database.start()
        for number in range(1, 9):
            assert put(server, event.tables[0], number).status == 201
        assert stored(server, event) == list(range(1, 9))
        assert server.pid == begun
        assert verify(tmp_path / "var", DATABASE_URL=database.url).startswith("0 ")
