"""Phones post and retry while the server is killed at random moments: nothing acknowledged is lost.

`KILL_PHONES` and `KILL_TIMES` set larger sizes, see docs/faults.md.
"""

from __future__ import annotations

import itertools
import os
import random
import sqlite3
import sys
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import scoring
from tests.faults import serving
from tests.faults.serving import SECONDS_TO_START, Answer, ask, verify

PHONES = int(os.environ.get("KILL_PHONES", "4"))
KILLS = int(os.environ.get("KILL_TIMES", "3"))
ROUNDS = int(os.environ.get("KILL_ROUNDS", "6"))
SECONDS_A_WRITE_MAY_TAKE = 2 * SECONDS_TO_START  # may have to wait for a server


@dataclass
class Server(serving.Server):
    """The app as served at a venue, how often it was asked, and whether the last kill is over."""

    requests: Iterator[int] = field(default_factory=itertools.count)  # counts them
    kills_over: Event = field(default_factory=Event)

    def surely(
        self, method: str, path: str, body: Any = None, token: str = "", key: str = ""
    ) -> Answer:
        """Retry until there is a final response, like the queue of a phone."""
        give_up = time.monotonic() + SECONDS_A_WRITE_MAY_TAKE
        while True:
            next(self.requests)
            try:
                answer = ask(self.port, method, path, body, token=token, key=key)
            except (OSError, HTTPException, ValueError):  # no complete response
                answer = Answer(0, None, {})
            if answer.status not in {0, 503, 507} or time.monotonic() > give_up:
                return answer
            time.sleep(random.uniform(0.02, 0.2))  # noqa: S311  not a secret


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "var")
    server.data.mkdir()
    serving.prepare(server)
    server.start()
    yield server
    server.kill()


@dataclass
class Table:
    """A phone at its table, and the deals acknowledged to it."""

    server: Server
    sitting: int
    players: list[str]
    token: str
    seed: int
    acknowledged: dict[int, dict[str, Any]] = field(default_factory=dict)
    refused: list[Any] = field(default_factory=list)
    stored: list[Any] = field(default_factory=list)  # in the end

    def play(self) -> None:
        rng = random.Random(self.seed)  # noqa: S311  cards, not secrets
        for number in range(1, ROUNDS + 1):
            if number == ROUNDS:
                self.server.kills_over.wait()
            dealer = self.players[(number - 1) % len(self.players)]
            others = [player for player in self.players if player != dealer]
            more = {"dealer": dealer, "kankei": rng.sample(others, 2)}
            seen = 0
            for deal in range(1, 4):
                is_won = rng.random() < 0.7
                counts = {"kankei": 9, "mukankei": rng.randrange(1, 6)}
                if not is_won:
                    counts = {"kankei": rng.randrange(1, 6), "mukankei": 9}
                body = {"deal": counts, "seen": seen, **({"round": more} if deal == 1 else {})}
                answer = self.put(number, deal, body)
                if answer.status not in {200, 201}:
                    self.refused.append((number, deal, answer))
                    return
                document = answer.body
                self.acknowledged[number] = document["facts"]
                seen = document["version"]
                if document["complete"]:
                    break

    def put(self, number: int, deal: int, body: dict[str, Any]) -> Answer:
        path = f"/api/sittings/{self.sitting}/rounds/{number}/deals/{deal}"
        return self.server.surely("PUT", path, body, token=self.token, key=str(uuid.uuid4()))


def set_up(server: Server) -> tuple[str, list[Table]]:
    """Create an event with a table and a phone for each writer; return its slug and the tables."""
    event = serving.set_up(server, PHONES, ROUNDS + 1)  # so that the session never ends
    tables = [
        Table(server, table.sitting, table.players, table.token, seed)
        for seed, table in enumerate(event.tables)
    ]
    return event.slug, tables


def test_acknowledged_rounds_are_stored_exactly_once(server: Server) -> None:
    slug, tables = set_up(server)
    rng = random.Random(1)  # noqa: S311  likewise
    with ThreadPoolExecutor(len(tables)) as pool:
        playing = [pool.submit(table.play) for table in tables]
        try:
            for kill in range(1, KILLS + 1):
                # Spread over the writes, so that each kill interrupts some.
                while begun(tables) < PHONES * (ROUNDS - 1) * kill // (KILLS + 1):
                    assert [table.refused for table in tables if table.refused] == []
                    for each in playing:
                        if each.done():
                            each.result()  # raises its exception, if any
                    time.sleep(0.02)
                time.sleep(rng.uniform(0, 0.1))
                server.kill()
                server.spawn()
        finally:
            server.kills_over.set()
        for each in playing:
            each.result()
    assert [table.refused for table in tables] == [[] for _ in tables]
    totals: dict[str, int] = {}
    for table in tables:
        where = f"/api/sittings/{table.sitting}"
        table.stored = server.surely("GET", where).body["rounds"]
        assert {each["number"]: each["facts"] for each in table.stored} == table.acknowledged
        for each in table.stored:  # one version for each deal
            assert each["version"] == len(each["facts"]["deals"])
        totals |= recomputed(table)
    standings = server.surely("GET", f"/api/tournaments/{slug}/standings").body
    assert {str(row["number"]): row["points"] for row in standings["standings"]} == totals
    check_by_hand(server.data / "makiyaku.sqlite3", tables)
    assert verify(server.data).startswith("0 ")
    deals = sum(row["version"] for table in tables for row in table.stored)
    asked = next(server.requests)
    sys.stdout.write(f"{PHONES} phones, {deals} deals, {asked} requests, {KILLS} kills\n")


def begun(tables: list[Table]) -> int:
    """Return the number of rounds with an acknowledged deal."""
    return sum(len(table.acknowledged) for table in tables)


def recomputed(table: Table) -> dict[str, int]:
    """Return the totals computed from the responses, without the app."""
    facts = [table.acknowledged[number] for number in sorted(table.acknowledged)]
    document = {"ruleset": "goninkan-association", "players": table.players, "rounds": facts}
    return scoring.score(scoring.read_record(document)).totals


def check_by_hand(database: Path, tables: list[Table]) -> None:
    """Check the database file: one version, audit entry and receipt for each deal."""
    deals = sum(len(facts["deals"]) for table in tables for facts in table.acknowledged.values())
    with sqlite3.connect(database) as connection:
        for sentence in (
            "SELECT count(*) FROM tournaments_round",
            "SELECT count(*) FROM tournaments_act WHERE kind LIKE 'round_%'",
            "SELECT count(*) FROM tournaments_receipt",
        ):
            assert connection.execute(sentence).fetchone() == (deals,), sentence
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
