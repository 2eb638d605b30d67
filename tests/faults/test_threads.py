"""Concurrent requests leave no database connections behind.

Idle threads close SQLite's file, so that its disk can be removed; connections to PostgreSQL are
kept, one for each thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests import live
from tests.faults.serving import (
    PROCESSES,
    Event,
    Server,
    ask,
    served_postgres,
    serving,
    set_up,
)
from tournaments.server.serving import THREADS

BUSY = 503  # retried, as clients do
AT_ONCE, TIMES = 16, 5
MOST = PROCESSES * THREADS


def processes_of(server: Server) -> list[Path]:
    """Return the folders in /proc of the server's processes."""
    folders = [path for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [each for each in folders if _group_of(each) == server.pid]


def _group_of(process: Path) -> int | None:
    try:
        status = (process / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return int(status.rpartition(")")[2].split()[2])


def open_databases(server: Server) -> list[str]:
    """Return the file descriptors of the server's processes that are databases."""
    found = []
    for descriptor in (each for process in processes_of(server) for each in process.glob("fd/*")):
        try:
            target = descriptor.readlink()
        except FileNotFoundError:
            continue
        if target.name.startswith("makiyaku.sqlite3"):
            found.append(f"{descriptor}: {target}")
    return found


def ask_until_answered(server: Server, method: str, path: str, token: str, body: Any = None) -> int:
    """Return the first status other than `BUSY`, or `BUSY` after a minute."""
    give_up = time.monotonic() + live.PATIENCE
    while True:
        status = ask(server.port, method, path, body, token=token).status
        if status != BUSY or time.monotonic() > give_up:
            return status


def ask_at_once(server: Server, event: Event) -> set[int]:
    """Read and write in many threads; return the statuses."""
    standings = f"/api/tournaments/{event.slug}/standings"

    def asker(number: int) -> set[int]:
        table = event.tables[number % len(event.tables)]
        call = f"/api/sittings/{table.sitting}/calls"
        said = {"kind": "director", "words": str(number)}
        answers = [ask_until_answered(server, "POST", call, table.token, said)]
        answers += [ask_until_answered(server, "GET", standings, table.token) for _ in range(TIMES)]
        return set(answers)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return set().union(*pool.map(asker, range(AT_ONCE)))


def test_idle_threads_close_their_sqlite_files(tmp_path: Path) -> None:
    with serving(tmp_path / "var") as server:
        assert ask_at_once(server, set_up(server, 4, 2)) <= {200, 201}
        assert len(processes_of(server)) >= PROCESSES
        live.wait_until(lambda: not open_databases(server))


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with served_postgres() as cluster:
        yield cluster.url


def test_connections_to_postgresql_are_limited_by_threads(
    postgres_url: str, tmp_path: Path
) -> None:
    environment = {"DATABASE_URL": postgres_url}
    counted = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    with serving(tmp_path / "var", environment=environment) as server:
        assert ask_at_once(server, set_up(server, 4, 2)) <= {200, 201}
        with psycopg.connect(postgres_url) as connection:
            row = connection.execute(counted).fetchone()
    assert row is not None
    assert 1 < row[0] <= MOST + 1  # including the one of this query
