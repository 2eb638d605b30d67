"""CPU time of one deal and of the pages of a full hall, before and after a deal.

    .venv/bin/python benchmarks/live.py [--runs N] [--sizes 60 342 1002 4998 9996]

answers requests in this process as `serve` does, from a SQLite file, and prints the tables of
`docs/benchmarks.md`. The least of all runs is shown, as other programs on the machine only add to
it. `--sizes` measures the standings of events of these sizes.
"""
# ruff: noqa: E402  models can be imported once Django is set up

from __future__ import annotations

import argparse
import gc
import io
import json
import math
import os
import platform
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = tempfile.TemporaryDirectory(prefix="makiyaku-live-")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ |= {
    "DJANGO_SETTINGS_MODULE": "tournaments.settings",
    "DATA_DIR": FOLDER.name,
    "SECRET_KEY": "only-for-benchmarks",
    "ALLOWED_HOSTS": "127.0.0.1",
    "HTTPS": "off",
    "VENUE": "on",
}

import django

django.setup()

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from hall_event import ROUNDS, WON, play_event, prepare_database

from tournaments.models import Membership, Sitting, Tournament
from tournaments.queries import live_events
from tournaments.server import sqlite
from tournaments.services import phones

PLANNED, RUNS, PLAYERS = 99, 15, 1002
GARBAGE = 50_000, 20, 20  # as in `tournaments/gunicorn.py`


class Answer(NamedTuple):
    """A response, and what it took in seconds."""

    status: int
    headers: dict[str, str]
    body: bytes
    processor: float
    wall: float


class Site:
    """The application in this process, without a network."""

    def __init__(self) -> None:
        call_command("collectstatic", verbosity=0, interactive=False)
        prepare_database()
        from tournaments.wsgi import application  # noqa: PLC0415  checks the database

        self._application = application

    def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        address, _, query = path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": address,
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.2",
            "HTTP_HOST": "127.0.0.1",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            **{f"HTTP_{name}": value for name, value in headers.items()},
        }
        told: list[Any] = []
        begun, processor = time.perf_counter(), time.process_time()
        response: Any = self._application(environ, self._note(told))
        content = b"".join(response)
        response.close()
        processor, wall = time.process_time() - processor, time.perf_counter() - begun
        return Answer(int(told[0][:3]), dict(told[1]), content, processor, wall)

    @staticmethod
    def _note(told: list[Any]) -> Any:
        """Return a `start_response` that appends its arguments to `told`."""
        return lambda *status: told.extend(status)

    def read(self, path: str, headers: Mapping[str, str] = {}) -> Answer:
        """Answer a GET that succeeds."""
        answer = self.ask("GET", path, headers)
        if answer.status not in {200, 304}:
            raise ValueError(f"{path}: {answer.status}")
        return answer


class Table:
    def __init__(self, site: Site, sitting: Sitting) -> None:
        self._site, self._sitting = site, sitting
        self._token = phones.admit_phone(sitting).secret
        players = [str(seat.entry.number) for seat in sitting.seats.select_related("entry")]
        self._facts = {"dealer": players[0], "kankei": players[1:3]}
        self._deals = (
            (number, deals) for number in range(ROUNDS + 1, PLANNED) for deals in (1, 2, 3)
        )
        self._keys = count()

    def record(self) -> Answer:
        number, deals = next(self._deals)
        facts = {**self._facts, "deals": [WON] * deals}
        path = f"/api/sittings/{self._sitting.pk}/rounds/{number}"
        key = f"{self._sitting.pk} {next(self._keys)}"
        headers = {"AUTHORIZATION": f"Bearer {self._token}", "IDEMPOTENCY_KEY": key}
        body = json.dumps({"facts": facts, "seen": deals - 1}).encode()
        answer = self._site.ask("PUT", path, headers, body)
        if answer.status not in {200, 201}:
            raise ValueError(answer.body.decode())
        return answer


def staff_cookie(tournament: Tournament) -> str:
    from django.test import Client  # noqa: PLC0415

    user = User.objects.create_user(f"desk{tournament.pk}")
    Membership.objects.create(tournament=tournament, user=user, role=Membership.Role.SCOREKEEPER)
    client = Client()
    client.force_login(user)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


def durable_insert() -> float:
    """Return the least time of inserting 1 kB into a database opened as the server does."""
    times = []
    database = sqlite3.connect(Path(FOLDER.name) / "yardstick.sqlite3", isolation_level=None)
    database.executescript(sqlite.options()["init_command"])
    database.execute("CREATE TABLE IF NOT EXISTS line (text TEXT)")
    for _ in range(30):
        begun = time.perf_counter()
        database.execute("INSERT INTO line VALUES (?)", ["x" * 1000])
        times.append(time.perf_counter() - begun)
    database.close()
    return min(times)


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Collect the SQL statements of all requests made within the context."""
    statements: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        statements.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield statements


@contextmanager
def kept_for(seconds: float) -> Iterator[None]:
    """Cache public pages for so many seconds within the context."""
    before = settings.PUBLIC_CACHE_SECONDS
    settings.PUBLIC_CACHE_SECONDS = seconds
    try:
        yield
    finally:
        settings.PUBLIC_CACHE_SECONDS = before


def least(answers: list[Answer]) -> float:
    """Return the least CPU time in milliseconds: others on the machine only add to it."""
    return 1000 * min(answer.processor for answer in answers)


def measure_deals(table: Table, runs: int) -> None:
    table.record()
    inserts, answers = [], []
    for _ in range(3 * runs):
        inserts.append(durable_insert())
        answers.append(table.record())
    with counted_statements() as statements:
        table.record()
    locked = next(i for i, sql in enumerate(statements) if sql.startswith("BEGIN"))
    insert = 1000 * min(inserts)
    wall = 1000 * min(answer.wall for answer in answers)
    print(f"| a durable insert of 1 kB | {insert:.1f} ms | | |")
    print(
        f"| a deal | {wall:.1f} ms, × {wall / insert:.1f} | {least(answers):.1f} ms |"
        f" {len(statements)}, {len(statements) - locked} of them with the lock |"
    )


def pages_of(tournament: Tournament, cookie: str) -> dict[str, tuple[str, Mapping[str, str]]]:
    here = f"/tournaments/{tournament.slug}"
    desk = {"COOKIE": cookie}
    return {
        "the standings": (f"{here}/standings/", {}),
        "a player's page": (f"{here}/players/{{player}}/", {}),
        "the wall": (f"{here}/standings/?wall=1", {}),
        "the session's page": (f"{here}/sessions/1/", {}),
        "the event's page": (f"{here}/", {}),
        "a desk's board": (f"{here}/board/tables/", desk),
        "the standings, for the desk": (f"{here}/standings/", desk),
    }


def marks_in(answer: Answer) -> list[str]:
    """Return the marks of the tables of a desk's board, as `board.js` sends them."""
    return re.findall(r'<li[^>]*data-mark="([0-9a-f]+)"', answer.body.decode())


def measure_event(tournament: Tournament, table: Table, runs: int) -> None:
    """Print the time of reading and ranking, which the first reader after a deal does for all."""
    times = []
    for _ in range(runs):
        table.record()
        begun = time.process_time()
        event = live_events.events.get(Tournament.objects.get(pk=tournament.pk))
        event.standings, event.tally  # noqa: B018  derived when they are asked for
        times.append(1000 * (time.process_time() - begun))
    print(f"| the event alone, read and ranked | {min(times):.1f} ms | | | |")


def measure_sql(site: Site, tournament: Tournament, table: Table, runs: int) -> None:
    """Print the standings beside their SQL: executed again and fetched, by `sqlite3` alone."""
    path = f"/tournaments/{tournament.slug}/standings/"
    print("\n| the standings | page | their SQL | statements, rows | ratio |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in ("after a deal", "read at first"):
        pages, times, rows = [], [], 0
        for _ in range(runs):
            table.record()
            if name == "read at first":
                live_events.events.forget()
            gc.collect()
            with kept_for(0), noted_statements() as noted:
                pages.append(site.read(path))
            begun = time.process_time()
            found = [connection.connection.execute(*each).fetchall() for each in noted]
            times.append(1000 * (time.process_time() - begun))
            rows = sum(map(len, found))
        page, sql = least(pages), min(times)
        print(
            f"| {name} | {page:.1f} ms | {sql:.1f} ms | {len(noted)}, {rows:,} | {page / sql:.0f} |"
        )


@contextmanager
def noted_statements() -> Iterator[list[tuple[str, Any]]]:
    """Collect statements as `sqlite3` takes them, with their parameters."""
    noted: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, parameters: Any, *rest: Any) -> Any:
        noted.append((sql.replace("%s", "?"), tuple(parameters or ())))
        return execute(sql, parameters, *rest)

    with connection.execute_wrapper(note):
        yield noted


def measure_pages(site: Site, tournament: Tournament, tables: list[Table], runs: int) -> None:
    """Print what each page takes after a deal at another table, and unchanged."""
    cookie = staff_cookie(tournament)
    for name, (template, headers) in pages_of(tournament, cookie).items():
        paths = (template.format(player=number) for number in count(13))
        changed, again, unchanged = [], [], []
        shown = site.read(next(paths), headers)
        for run in range(runs):
            tables[run % len(tables)].record()
            path = next(paths)
            with kept_for(0):
                marks = " ".join(marks_in(shown))
                shown = site.read(path, {**headers, "BOARD_TABLES": marks})
            changed.append(shown)
            with kept_for(3600):
                site.read(path, headers)
                again.append(site.read(path, headers))
                etag = again[-1].headers.get("ETag", "")
                unchanged.append(site.read(path, {**headers, "IF_NONE_MATCH": etag}))
        sizes = f"{len(changed[-1].body) / 1000:.0f} kB, {len(unchanged[-1].body) / 1000:.0f} kB"
        print(
            f"| {name} | {least(changed):.1f} ms | {least(again):.1f} ms |"
            f" {least(unchanged):.1f} ms ({unchanged[-1].status}) | {sizes} |",
            flush=True,
        )


def measure_sizes(site: Site, sizes: list[int], runs: int) -> None:
    """Print what the standings take for events of these sizes, and the exponents between them."""
    print("| players | page, read at first | page after a deal | exponents |")
    print("| ---: | ---: | ---: | ---: |")
    before: tuple[int, float, float] | None = None
    for players in sizes:
        tournament = play_event(players, planned=PLANNED)
        first = tournament.sessions.get().sittings.order_by("number")[0]
        table = Table(site, first)
        path = f"/tournaments/{tournament.slug}/standings/"
        cold, warm = [], []
        with kept_for(0):
            for _ in range(runs):
                live_events.events.forget()
                gc.collect()
                cold.append(site.read(path))
            for _ in range(2 * runs):
                table.record()
                warm.append(site.read(path))
        exponents = ""
        if before:
            ratio = math.log(players / before[0])
            exponents = ", ".join(
                f"{math.log(now / then) / ratio:.2f}"
                for now, then in zip((least(cold), least(warm)), before[1:], strict=True)
            )
        before = players, least(cold), least(warm)
        print(
            f"| {players:,} | {least(cold):.0f} ms | {least(warm):.1f} ms | {exponents} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--sizes", type=int, nargs="*")
    asked = parser.parse_args()
    site = Site()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    print(f"Python {platform.python_version()}, {platform.machine()}, SQLite", end=" ")
    print(f"{sqlite3.sqlite_version}, the best of {asked.runs} runs:\n")
    if asked.sizes:
        measure_sizes(site, asked.sizes, asked.runs)
        return
    tournament = play_event(PLAYERS, planned=PLANNED)
    sittings = tournament.sessions.get().sittings.order_by("number")
    tables = [Table(site, sitting) for sitting in sittings[:5]]
    print("| operation | time | CPU time | statements |")
    print("| --- | ---: | ---: | ---: |")
    measure_deals(tables[0], asked.runs)
    print("\n| page | after a deal | for the next reader | with its ETag | sizes |")
    print("| --- | ---: | ---: | ---: | ---: |")
    measure_event(tournament, tables[1], asked.runs)
    measure_pages(site, tournament, tables[1:], asked.runs)
    measure_sql(site, tournament, tables[1], asked.runs)


if __name__ == "__main__":
    main()
