"""Spectators' pages come from a streaming replica of PostgreSQL, unless it is behind or away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

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
from tests.faults.test_storage import AWAY, put
from tests.with_postgres import Cluster, replica_of

ROUNDS = 10
EVERY_PROCESS = 4 * PROCESSES  # requests, of which each process answers some


class Pair(NamedTuple):
    """A server with two databases, and an event with one table."""

    primary: Cluster
    replica: Cluster
    server: Server
    event: Event


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, Cluster, Server]]:
    """A server with two databases; every test leaves both running, with equal content."""
    data = tmp_path_factory.mktemp("replica") / "var"
    with served_postgres() as first, replica_of(first) as second:
        urls = {"DATABASE_URL": first.url, "DATABASE_REPLICA_URL": second.url}
        with serving(data, environment=urls) as server:
            yield first, second, server


@pytest.fixture
def pair(served: tuple[Cluster, Cluster, Server]) -> Pair:
    return Pair(*served, set_up(served[-1], tables=1, rounds=ROUNDS))


def page(pair: Pair) -> str:
    """Return the standings as a spectator sees them."""
    answer = ask(pair.server.port, "GET", f"/tournaments/{pair.event.slug}/standings/")
    assert answer.status == 200
    return str(answer.body)


def see(pair: Pair, number: int) -> Callable[[], bool]:
    """Return a check whether spectators of every process see this many rounds.

    A page that one process keeps may be older, for a while, than that of another.
    """
    return lambda: all(counts(number) in page(pair) for _ in range(EVERY_PROCESS))


def record(pair: Pair, number: int) -> None:
    assert put(pair.server, pair.event.tables[0], number).status == 201


def counts(number: int) -> str:
    """Return how the page says that this many rounds count."""
    return f"{number}／{ROUNDS}役"


def execute(cluster: Cluster, statement: str) -> None:
    with psycopg.connect(cluster.url, autocommit=True) as connection:
        connection.execute(statement)


def reads(cluster: Cluster) -> bool:
    """Return whether a connection to a server has read our tables last."""
    with psycopg.connect(cluster.url) as connection:
        rows = connection.execute("SELECT query FROM pg_stat_activity WHERE state = 'idle'")
        return any(query.startswith('SELECT "tournaments_') for [query] in rows)


def test_spectators_need_nothing_of_the_primary(pair: Pair) -> None:
    record(pair, 1)
    live.wait_until(lambda: counts(1) in page(pair) and reads(pair.replica))
    pair.primary.stop()
    for _ in range(EVERY_PROCESS):
        assert put(pair.server, pair.event.tables[0], 2).status == AWAY
    live.wait_until(see(pair, 1))
    pair.primary.start()
    record(pair, 2)
    live.wait_until(see(pair, 2))


def test_replica_that_is_behind_is_not_used(pair: Pair) -> None:
    live.wait_until(lambda: counts(0) in page(pair))
    execute(pair.replica, "SELECT pg_wal_replay_pause()")
    record(pair, 1)
    table = pair.event.tables[0]
    rounds = ask(pair.server.port, "GET", f"/api/sittings/{table.sitting}/rounds").body["rounds"]
    assert len(rounds) == 1
    live.wait_until(see(pair, 1))
    execute(pair.replica, "SELECT pg_wal_replay_resume()")
    live.wait_until(see(pair, 1))


def test_replica_that_is_stopped_is_not_missed(pair: Pair) -> None:
    assert see(pair, 0)()
    pair.replica.stop()
    assert see(pair, 0)()
    record(pair, 1)
    live.wait_until(see(pair, 1))
    pair.replica.start()
    record(pair, 2)
    live.wait_until(see(pair, 2))
