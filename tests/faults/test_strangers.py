"""Held connections and large bodies of a hostile client do not block other clients."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.faults.holding import held_connections
from tests.faults.serving import ask, serving, set_up, verify
from tests.faults.soak import Phone

PHONES, ROUNDS = 50, 1
HELD, POSTING = 200, 4
STRANGER = "127.0.0.2"  # the phones are 127.0.0.1
UNKNOWN_KEYS = json.dumps({f"unknown {number}": number for number in range(90_000)}).encode()


@contextmanager
def large_bodies(port: int, count: int) -> Iterator[list[int]]:
    """Post large bodies repeatedly over this number of connections; yield the statuses."""
    is_over, statuses = threading.Event(), list[int]()

    def post() -> None:
        headers = {"Content-Type": "application/json"}
        while not is_over.is_set():
            connection = HTTPConnection("127.0.0.1", port, 60, source_address=(STRANGER, 0))
            with suppress(OSError, HTTPException):
                connection.request("POST", "/api/join", UNKNOWN_KEYS, headers)
                statuses.append(connection.getresponse().status)
            connection.close()

    posting = [threading.Thread(target=post) for _ in range(count)]
    for each in posting:
        each.start()
    try:
        yield statuses
    finally:
        is_over.set()
        for each in posting:
            each.join()


def test_held_connections_and_large_bodies_do_not_block_fifty_phones(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "var") as server:
        event = set_up(server, PHONES, ROUNDS)
        phones = [
            Phone(table, seed, ROUNDS, event.token) for seed, table in enumerate(event.tables)
        ]
        with (
            held_connections(server.port, HELD, source=STRANGER),
            large_bodies(server.port, POSTING) as statuses,
            ThreadPoolExecutor(PHONES) as pool,
        ):
            for sent in [pool.submit(phone.send_all, server.port) for phone in phones]:
                sent.result()
        standings = ask(server.port, "GET", f"/api/tournaments/{event.slug}/standings").body
        assert standings["rounds_counted"] == PHONES * ROUNDS
        assert set(statuses) == {413}
    assert verify(tmp_path / "var").startswith("0 ")


def test_connections_held_from_many_addresses_do_not_block_others(tmp_path: Path) -> None:
    """More than the limit of open files allows: the server closes those that wait longest."""
    with serving(tmp_path / "var", before=["prlimit", "--nofile=1024:1024"]) as server:
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2500)]
        try:
            assert ask(server.port, "GET", "/api/tournaments").status == 200
        finally:
            for each in held:
                each.close()
