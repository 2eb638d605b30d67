"""A full hall: every table records deals while spectators read, and the server is killed.

    .venv/bin/python benchmarks/hall.py [--tables N] [--spectators N] [--seconds N] [--postgres]

serves a new event with `manage.py serve` and prints the tables of `docs/benchmarks.md`, where the
load is described. The clients share the cores with the server: compare ratios. `--postgres`
measures PostgreSQL after SQLite. `--under "taskset -c 0"` holds the server to one core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import platform
import re
import resource
import shlex
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hall_clients import NONE, OUTCOMES, Browser, Load, Phone, Tally, log_in, now  # noqa: E402
from serving import processor_time  # noqa: E402

from tests.faults.holding import held_connections  # noqa: E402
from tests.faults.serving import Event, Server, ask, serving, set_up, verify  # noqa: E402
from tests.with_postgres import Cluster, primary  # noqa: E402
from tournaments.server import sqlite  # noqa: E402

ROUNDS, PLAYED = 99, 10  # of each table: the maximum, and those recorded before
DEAL_EACH, POLL_EACH, LOOK_EACH, BOARD_EACH, AGE_EACH = 10.0, 10.0, 5.0, 5.0, 1.0  # seconds
BOARDS, HELD, ALONE = 4, 40, 30
FAST, LIMIT = 0.3, 120.0  # seconds: within which the hall is well, after which it is given up
DEAL, POLL, BOARD, IN_FULL = "a deal", "a phone's poll", "a desk's board", "the standings in full"
STANDINGS, PLAYER, WALL = "the standings", "a player's page", "the wall"


class Killed(NamedTuple):
    """Seconds after a kill until something is answered; `are_all` may be false at the end."""

    health: float
    first_deal: float
    deals_due: float  # those that were due before anything was answered
    are_all: bool


class Hall:
    def __init__(
        self, server: Server, event: Event, spectators: int, database: Cluster | None = None
    ) -> None:
        self.server, self.database, self.finished = server, database, list[float]()
        self.phones = [
            Phone(server.port, f"127.1.{i // 250}.{1 + i % 250}", table, PLAYED)
            for i, table in enumerate(event.tables)
        ]
        self.spectators = [
            Browser(server.port, f"127.2.{i // 250}.{1 + i % 250}") for i in range(spectators)
        ]
        cookie = log_in(server.port, "director", server.password())
        self.boards = [Browser(server.port, "127.0.0.1", Cookie=cookie) for _ in range(BOARDS)]
        self.reader = Browser(server.port, "127.3.0.1", **{"Accept-Encoding": "identity"})
        address = f"/tournaments/{event.slug}"
        standings = f"{address}/standings/"
        board = f"{address}/board/tables/"
        self.pages = {STANDINGS: standings, WALL: f"{standings}?wall=1", BOARD: board}
        players = cycle(player for table in event.tables for player in table.players)
        self.players = [f"{address}/players/{next(players)}/" for _ in range(spectators)]

    async def alone(self, folder: Path) -> tuple[float, float]:
        """Return the median seconds of a durable insert, and of a deal without other load.

        They alternate. The insert is the yardstick: 1 kB, opened as the server opens its database.
        """
        inserts, deals = [], []
        file = folder / "yardstick.sqlite3"
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.executescript(sqlite.options()["init_command"])
            database.execute("CREATE TABLE line (text TEXT)")
            for phone in islice(cycle(self.phones), ALONE):
                begun = now()
                database.execute("INSERT INTO line VALUES (?)", ["x" * 1000])
                inserted = now()
                await phone.record(self.finished)
                inserts.append(inserted - begun)
                deals.append(now() - inserted)
        return statistics.median(inserts), statistics.median(deals)

    async def live(self, seconds: float) -> Load:
        begin = now()
        load = Load(begin + seconds, self.finished)
        asking = []
        for i, phone in enumerate(self.phones):
            dues = load.every(DEAL_EACH, begin + DEAL_EACH * i / len(self.phones), DEAL)
            asking.append(load.follow(dues, partial(load.record, phone)))
        for i, phone in enumerate(self.phones):
            first = begin + POLL_EACH * ((i / len(self.phones) + 0.5) % 1)  # between two deals
            dues = load.every(POLL_EACH, first, POLL)
            asking.append(load.follow(dues, partial(load.look, phone.watcher, {POLL: phone.path})))
        for i, browser in enumerate(self.spectators):
            first = begin + 3 * LOOK_EACH * i / len(self.spectators)
            dues = load.every(LOOK_EACH, first, STANDINGS, PLAYER, WALL)
            pages = {**self.pages, PLAYER: self.players[i]}
            asking.append(load.follow(dues, partial(load.look, browser, pages)))
        for i, browser in enumerate(self.boards):
            dues = load.polling(BOARD_EACH, begin + BOARD_EACH * i / BOARDS, BOARD)
            asking.append(load.follow(dues, partial(load.look, browser, self.pages)))
        recorded = PLAYED * len(self.phones)
        look = partial(load.look_at_age, self.reader, self.pages[STANDINGS], recorded)
        asking.append(load.follow(load.every(AGE_EACH, begin, IN_FULL), look))
        await finish(load, asking)
        watchers = [phone.watcher for phone in self.phones]
        for each in (*self.phones, *watchers, *self.spectators, *self.boards, self.reader):
            each.close()
        return load

    async def recovery(self) -> float:
        """Return the seconds until `/healthz` and a deal are both answered fast again."""
        begun = now()
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT):
                for phone in cycle(self.phones):
                    asked = now()
                    is_well = await self.reader.get("/healthz") == "2xx"
                    checked = now()
                    await phone.record(self.finished)
                    if is_well and max(checked - asked, now() - checked) <= FAST:
                        break
                    await asyncio.sleep(0.1)
        return now() - begun

    async def burst(self) -> Tally:
        """Let every table record a deal within the same second."""
        begin, load = now(), Load(now() + LIMIT, self.finished)
        asking = []
        for i, phone in enumerate(self.phones):
            dues = iter([(begin + i / len(self.phones), DEAL)])
            asking.append(load.follow(dues, partial(load.record, phone)))
        await finish(load, asking)
        return load.tallies[DEAL]

    async def kill(self, seconds: float) -> Killed:
        living = asyncio.create_task(self.live(seconds))
        await asyncio.sleep(seconds / 3)
        killed = now()
        await asyncio.to_thread(self.server.kill)
        await asyncio.to_thread(self.server.start)
        started = now()
        deals = [each for each in (await living).tallies[DEAL].answered if each.at > killed]
        stored = [each.at for each in deals if each.outcome != NONE]
        due = [each for each in deals if each.due < started]
        return Killed(
            started - killed,
            min(stored, default=math.inf) - killed,
            max((each.at for each in due), default=started) - killed,
            are_all=all(each.outcome != NONE for each in due),
        )

    def lost(self) -> int:
        """Return how many acknowledged deals are not stored."""
        stored = 0
        for phone in self.phones:
            answer = ask(self.server.port, "GET", f"/api/sittings/{phone.sitting}/rounds")
            stored += deals_in(each["facts"] for each in answer.body["rounds"])
        acknowledged = sum(
            deals_in(phone.rounds[:PLAYED]) + phone.acknowledged for phone in self.phones
        )
        return max(0, acknowledged - stored)


def deals_in(rounds: Iterable[Mapping[str, Any]]) -> int:
    return sum(len(facts["deals"]) for facts in rounds)


async def finish(load: Load, asking: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run these until a second after the load ends, and give up what is not answered then."""
    tasks = [asyncio.create_task(each) for each in asking]
    done, pending = await asyncio.wait(tasks, timeout=load.end + 1 - now())
    for each in pending:
        each.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for each in done:
        each.result()  # raises what the task raised


def cpu_times(hall: Hall) -> tuple[float, float, float, float]:
    """Return the seconds of CPU time of the server, its PostgreSQL, the clients, and everything."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()
    user, nice, system, _idle, _wait, irq, softirq = (int(each) for each in fields[1:8])
    everything = (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
    database = processor_time(hall.database.pid) if hall.database else 0
    return processor_time(hall.server.pid), database, process_time(), everything


def memory(session: int) -> float:
    """Return the MB of memory of all processes of a session; what they share is counted once."""
    folders = [path for path in Path("/proc").iterdir() if path.name.isdecimal()]
    total = 0
    for folder in folders:
        with suppress(OSError):
            if os.getsid(int(folder.name)) == session:
                rollup = (folder / "smaps_rollup").read_text()
                total += sum(map(int, re.findall(r"^Pss: +(\d+)", rollup, re.MULTILINE)))
    return total / 1024


async def measure(hall: Hall, folder: Path, seconds: float) -> None:
    insert, alone = await hall.alone(folder)
    before, begun = cpu_times(hall), now()
    load = await hall.live(seconds)
    took = now() - begun
    available = took * (os.cpu_count() or 1)
    received = sum(each.bytes_received for each in hall.spectators)
    resets = sum(each.resets for each in hall.phones)
    *ours, everything = (after - was for after, was in zip(cpu_times(hall), before, strict=True))
    shares = [f"{each / available:.0%}" for each in (*ours, everything - sum(ours))]
    show("operation", "due", *OUTCOMES, "median", "95 %", "99 %", "slowest")
    show("---", *["---:"] * 10)
    for name, tally in sorted(load.tallies.items()):
        show(name, *tally.cells())
    recovery = await hall.recovery()
    burst = await hall.burst()
    show(f"{len(hall.phones)} deals in one second", *burst.cells())
    print()
    median = load.tallies[DEAL].seconds(0.5)
    ages = sorted(load.ages) or [math.inf]
    age = [f"{ages[int(share * (len(ages) - 1))]:.1f} s" for share in (0.5, 0.95, 1)]
    show("in the same run", "")
    show("---", "---:")
    show("a durable insert into SQLite, the yardstick", f"{1000 * insert:.1f} ms")
    show("a deal, while nobody else asks", f"{1000 * alone:.1f} ms, × {alone / insert:.0f}")
    show("a deal under the load", f"{1000 * median:,.1f} ms, × {median / insert:,.0f}")
    show("deals whose kept connection was closed", resets)
    show("spectators receive", f"{8 * received / took / 1e6:.1f} Mbit/s")
    show("memory of the server's processes", f"{memory(hall.server.pid):.0f} MB")
    show("CPU time: server, PostgreSQL, clients, others", ", ".join(shares))
    show(f"age of {len(load.ages)} standings in full: median, 95 %, most", ", ".join(age))
    show("recovery after the load", f"{'> ' if recovery > LIMIT else ''}{recovery:.1f} s")
    stored = max(each.at for each in burst.answered) - min(each.due for each in burst.answered)
    is_bound = "> " if stored > LIMIT else ""
    show("deals in one second: all stored after", f"{is_bound}{stored:.1f} s")
    show("the same: most places overtaken", burst.overtaken())
    killed = await hall.kill(seconds)
    show("killed under the load: `/healthz` answers after", f"{killed.health:.1f} s")
    first = killed.first_deal
    show("the same: the first deal is after", f"{first:.1f} s" if first < math.inf else "the load")
    is_bound = "" if killed.are_all else "> "
    show("the same: those due meanwhile are after", f"{is_bound}{killed.deals_due:.1f} s")


def show(*cells: object) -> None:
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def run(database: str, asked: argparse.Namespace) -> None:
    """Serve a new event from a database, measure, and verify it."""
    with ExitStack() as stack:
        environment, cluster = {}, None
        if database == "PostgreSQL":
            cluster = stack.enter_context(primary(durable=True))
            environment["DATABASE_URL"] = cluster.url
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="makiyaku-hall-")))
        data = folder / "var"
        under = shlex.split(asked.under)
        server = stack.enter_context(serving(data, environment=environment, before=under))
        hall = Hall(server, set_up(server, asked.tables, ROUNDS), asked.spectators, cluster)
        record_before(hall, {**os.environ, **environment, "DATA_DIR": str(data)})
        print(f"{database}, {asked.tables} tables, {asked.spectators} spectators,", end=" ")
        print(f"{asked.seconds:.0f} s, load average before {os.getloadavg()[0]:.1f}:\n", flush=True)
        stack.enter_context(held_connections(server.port, HELD))
        asyncio.run(measure(hall, folder, asked.seconds))
        server.kill()
        server.start()  # the old one may still be busy
        show("acknowledged deals that are lost", hall.lost())
        server.kill()
        print(f"\n{verify(data, **environment).partition(' ')[2]}", flush=True)


def record_before(hall: Hall, environment: dict[str, str]) -> None:
    played = [[phone.sitting, phone.rounds[:PLAYED]] for phone in hall.phones]
    subprocess.run(  # noqa: S603  our own arguments
        [sys.executable, ROOT / "benchmarks" / "hall_rounds.py"],
        check=True,
        env=environment,
        input=json.dumps(played),
        text=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=167)
    parser.add_argument("--spectators", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--under", default="", help="a command that runs the server: taskset -c 0")
    parser.add_argument("--postgres", action="store_true")
    asked = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(f"Python {platform.python_version()}, {platform.machine()}")
    for database in ("SQLite", "PostgreSQL") if asked.postgres else ("SQLite",):
        run(database, asked)


if __name__ == "__main__":
    main()
