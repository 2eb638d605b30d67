"""The copier as a process: killed while it writes, and beside a real server."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from tests import live
from tests.faults.serving import PROJECT, Server, serving, set_up
from tests.faults.test_backups import Phone
from tests.tournaments.standby.databases import create, rewrite
from tournaments.standby import process, snapshots, targets
from tournaments.standby.snapshots import Header

STANDBY = "standby"
KILLS = int(os.environ.get("STANDBY_KILLS", "12"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a database of 3 MB and a stick."""
    folder = tmp_path / "data"
    (folder / STANDBY).mkdir(parents=True)
    create(folder / "database.sqlite3", rows=3000)
    (tmp_path / "stick").mkdir()
    targets.choose(folder / STANDBY, tmp_path / "stick")
    return folder


@contextmanager
def copier(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a copier without pauses; close its standard input at the end, as a server does."""
    command = [sys.executable, "-m", process.COPIER, str(data), str(data / "database.sqlite3")]
    running = subprocess.Popen([*command, "0.001"], cwd=PROJECT, stdin=subprocess.PIPE)
    try:
        yield running
    finally:
        running.communicate()


@contextmanager
def writing(database: Path) -> Iterator[None]:
    """Change nearly every page, again and again."""
    is_over = Event()

    def write() -> None:
        while not is_over.wait(0.01):
            rewrite(database)

    thread = Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def newest_of(target: targets.Target) -> tuple[Header, bytes]:
    """Return the newest whole copy of a target, which SQLite finds intact."""
    newest = target.folder().newest()
    assert newest is not None
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(newest[1])
        assert opened.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return newest[0].header, newest[1]


def test_killed_copier_leaves_a_whole_copy_that_is_never_older(data: Path) -> None:
    both = [targets.own(data / STANDBY), *targets.chosen(data / STANDBY)]
    entries = dict.fromkeys(both, 0)
    with writing(data / "database.sqlite3"):
        with copier(data):
            live.wait_until(lambda: all(each.folder().sidecars() for each in both))
        for _ in range(KILLS):
            with copier(data) as running:
                time.sleep(random.uniform(0.1, 0.5))  # noqa: S311  not a secret
                running.kill()
            for each in both:
                header, _content = newest_of(each)
                assert header.heads["1"][0] >= entries[each]
                entries[each] = header.heads["1"][0]
    with copier(data):
        pass  # it makes a last copy when its input is closed
    now = snapshots.read_database(data / "database.sqlite3")
    assert [newest_of(each)[1] for each in both] == [now, now]


def test_one_copier_at_a_time_writes(data: Path) -> None:
    with copier(data) as one, copier(data) as two:
        live.wait_until(lambda: targets.own(data / STANDBY).folder().sidecars())
        assert (one.poll(), two.poll()) == (None, None)
        one.kill()
        one.wait()
        rewrite(data / "database.sqlite3")
        now = snapshots.read_database(data / "database.sqlite3")
        live.wait_until(lambda: newest_of(targets.own(data / STANDBY))[1] == now)


def copiers_of(server: Server) -> list[int]:
    """Return the process ids of a server's copiers."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = path.read_bytes()
            if process.COPIER.encode() in line and bytes(server.data) in line:
                found.append(int(path.parent.name))
    return found


def test_server_has_a_copier_that_copies_while_phones_post(tmp_path: Path) -> None:
    """It is started again when it is killed, and makes a last copy when the server ends."""
    with serving(tmp_path / "var", environment={"STANDBY_SECONDS": "0.2"}) as server:
        event = set_up(server, tables=1, rounds=9)
        phone = Phone(server, event.tables[0])
        live.wait_until(lambda: copiers_of(server))
        phone.play(range(1, 3))
        own = targets.own(server.data / STANDBY)
        live.wait_until(lambda: rounds_in(own) == 2)
        (first,) = copiers_of(server)
        if hasattr(os, "getpriority"):
            assert os.getpriority(os.PRIO_PROCESS, first) == 19
        os.kill(first, signal.SIGKILL)
        phone.play(range(3, 5))
        live.wait_until(lambda: rounds_in(own) == 4)
        assert copiers_of(server) != [first]
        phone.play(range(5, 6))
    live.wait_until(lambda: not copiers_of(server))
    assert rounds_in(own) == 5
    assert not phone.refused


def rounds_in(target: targets.Target) -> int:
    newest = target.folder().newest()
    if newest is None:
        return 0
    with closing(sqlite3.connect(":memory:")) as opened:
        opened.deserialize(newest[1])
        count: int = opened.execute("SELECT count(*) FROM tournaments_round").fetchone()[0]
        return count


@pytest.mark.posix("what gunicorn loads")
def test_server_on_sqlite_loads_neither_the_copier_nor_psycopg() -> None:
    program = "import sys, django; django.setup(); import tournaments.gunicorn, tournaments.urls\n"
    program += "from tournaments.standby import process\n"
    program += "print({process.COPIER, 'psycopg'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        cwd=PROJECT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tournaments.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.stdout == "set()\n"
