"""Workers on PostgreSQL behind a proxy: what a page and a deal cost, and how many fit.

    .venv/bin/python benchmarks/workers.py [--tables N] [--seconds N]

needs nginx (Debian: nginx-light). Serves one event from PostgreSQL with fsync by 1, 2 and 4 workers
behind nginx, which uses `docs/nginx.conf`, first without its HTTP cache; then by 2 with the cache,
and with a streaming replica of PostgreSQL. Ten rounds of each table are recorded before. Load
"pages": 40 spectators request the standings, a player's page and the wall in turn, with the ETags
received, each as soon as it is answered, while two deals a second are recorded; "in full": the same
without ETags. Load "deals": 20 phones record deals, each as soon as it is answered. Everything
shares the cores: compare the CPU time of a response, which depends least on what else runs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hall import ROUNDS, STANDINGS, WALL, Hall, record_before, show  # noqa: E402
from hall_clients import Browser, Phone, now  # noqa: E402
from serving import GUNICORN, processor_time  # noqa: E402

from tests.faults.serving import ask, free_port, serving, set_up  # noqa: E402
from tests.with_postgres import Cluster, primary, replica_of  # noqa: E402

SPECTATORS, PHONES, DEALS_A_SECOND = 40, 20, 2


class Setup(NamedTuple):
    name: str
    workers: int
    has_cache: bool = False
    has_replica: bool = False


SETUPS = (
    Setup("1 worker", 1),
    Setup("2 workers", 2),
    Setup("4 workers", 4),
    Setup("2 workers, HTTP cache", 2, has_cache=True),
    Setup("2 workers, replica", 2, has_replica=True),
)


@contextmanager
def program(command: Sequence[str], port: int, **environment: str) -> Iterator[int]:
    process = subprocess.Popen(  # noqa: S603  our own arguments
        command,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **environment},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(port)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def wait_for(port: int) -> None:
    give_up = now() + 60
    while True:
        try:
            ask(port, "GET", "/healthz")
        except OSError:
            if now() > give_up:
                raise
        else:
            return


def nginx(folder: Path, upstream: int, port: int, *, has_cache: bool) -> list[str]:
    """Return the command of nginx with the documented configuration, on other ports."""
    text = (ROOT / "docs" / "nginx.conf").read_text()
    for old, new in (
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("listen 80", f"listen 127.0.0.1:{port}"),
        ("/var/cache/nginx/makiyaku", str(folder / "cache")),
        ("proxy_cache makiyaku;", "proxy_cache makiyaku;" if has_cache else "proxy_cache off;"),
    ):
        if old not in text:
            raise ValueError(f"docs/nginx.conf has no {old!r}.")
        text = text.replace(old, new)
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off; worker_processes 2; pid {folder / 'nginx.pid'}; error_log stderr;"
        " events { worker_connections 2000; } "
        f"http {{ access_log off; default_type text/plain;\n{text}\n}}"
    )
    return ["nginx", "-p", str(folder), "-c", str(file)]


async def repeat(until: float, pause: float, ask_once: Callable[[], Awaitable[None]]) -> None:
    while now() < until:
        await ask_once()
        await asyncio.sleep(pause)


class Answers:
    """Seconds of each response, and the outcomes that are not as wanted."""

    def __init__(self) -> None:
        self.seconds, self.failures = list[float](), list[str]()

    async def look(self, browser: Browser, paths: Iterator[str], *, in_full: bool) -> None:
        if in_full:
            browser.etags.clear()
        await self.note(browser.get(next(paths)))

    async def record(self, phones: Iterator[Phone]) -> None:
        await self.note(next(phones).record([]))

    async def note(self, asking: Awaitable[str]) -> None:
        begun = now()
        outcome = await asking
        self.seconds.append(now() - begun)
        if outcome not in {"2xx", "304"}:
            self.failures.append(outcome)

    def cells(self, seconds: float, costs: Sequence[float]) -> list[str]:
        """Return responses a second, CPU time a response, median and 95 %, failures."""
        times = sorted(self.seconds)
        each = [f"{1000 * cost / len(times):.2f}" for cost in costs]
        middle, most = statistics.median(times), times[int(0.95 * len(times))]
        took = f"{1000 * middle:.0f}, {1000 * most:.0f} ms"
        return [f"{len(times) / seconds:.0f}", *each, took, str(len(self.failures))]


async def pages(hall: Hall, seconds: float, *, in_full: bool = False) -> Answers:
    """`in_full` means without ETags."""
    answers, writing, until = Answers(), Answers(), now() + seconds
    record = partial(writing.record, cycle(hall.phones))
    asking = [repeat(until, 1 / DEALS_A_SECOND, record)]
    for browser, player in zip(hall.spectators, hall.players, strict=True):
        paths = cycle([hall.pages[STANDINGS], player, hall.pages[WALL]])
        look = partial(answers.look, browser, paths, in_full=in_full)
        asking.append(repeat(until, 0, look))
    await asyncio.gather(*asking)
    return answers


async def deals(hall: Hall, seconds: float) -> Answers:
    """Let phones of a few tables each record as fast as they are answered."""
    answers, until = Answers(), now() + seconds
    shares = [cycle(hall.phones[first::PHONES]) for first in range(PHONES)]
    await asyncio.gather(*(repeat(until, 0, partial(answers.record, each)) for each in shares))
    return answers


RunLoad = Callable[[Hall, float], Awaitable[Answers]]
LOADS: dict[str, RunLoad] = {
    "pages": pages,
    "in full": partial(pages, in_full=True),
    "deals": deals,
}


async def run(load: RunLoad, hall: Hall, seconds: float) -> Answers:
    answers = await load(hall, seconds)
    for each in (*hall.phones, *hall.spectators):
        each.close()
    return answers


def measure(
    hall: Hall,
    setup: Setup,
    seconds: float,
    environment: dict[str, str],
    databases: Sequence[Cluster],
) -> None:
    """Serve with this setup, and print a row for each load."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="makiyaku-nginx-")))
        folder.chmod(0o755)
        upstream, port = free_port(), free_port()
        command = [*GUNICORN, "--workers", str(setup.workers)]
        command += ["--bind", f"127.0.0.1:{upstream}", "tournaments.wsgi"]
        server = stack.enter_context(program(command, upstream, **environment))
        command = nginx(folder, upstream, port, has_cache=setup.has_cache)
        proxy = stack.enter_context(program(command, port))
        for each in (*hall.phones, *hall.spectators):
            each.port = port
        watched = [server, *(each.pid for each in databases), proxy]
        for name, load in LOADS.items():
            before = [processor_time(pid) for pid in watched]
            answers = asyncio.run(run(load, hall, seconds))
            costs = [processor_time(pid) - was for pid, was in zip(watched, before, strict=True)]
            show(setup.name, name, *answers.cells(seconds, costs))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=10)
    asked = parser.parse_args()
    with ExitStack() as stack:
        first = stack.enter_context(primary(durable=True))
        data = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "var"
        url = {"DATABASE_URL": first.url}
        server = stack.enter_context(serving(data, environment=url))
        hall = Hall(server, set_up(server, asked.tables, ROUNDS), SPECTATORS)
        record_before(hall, {**os.environ, **url, "DATA_DIR": str(data)})
        server.kill(signal.SIGTERM)
        second = stack.enter_context(replica_of(first))
        environment = {"DATA_DIR": str(data), "ALLOWED_HOSTS": "*", "HTTPS": "off", **url}
        costs = [f"CPU ms of {each}" for each in ("workers", "PostgreSQL", "replica", "nginx")]
        show("setup", "load", "a second", *costs, "median, 95 %", "failed")
        show("---", "---", *["---:"] * 7)
        for setup in SETUPS:
            more = {"DATABASE_REPLICA_URL": second.url} if setup.has_replica else {}
            measure(hall, setup, asked.seconds, environment | more, (first, second))


if __name__ == "__main__":
    main()
