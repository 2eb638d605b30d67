"""Requests per second of the server, with and without held connections.

    .venv/bin/python benchmarks/serving.py [seconds]

serves an event of 60 tables from a SQLite file, once with the worker of `tournaments/gunicorn.py`
and once with gunicorn's threads (`gthread`), the baseline. Over persistent connections 40 readers
request the event, 20 phones record rounds, then both; finally both with 24 connections held. The
clients run on the same cores: compare the ratios, and the server's CPU time per response.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from http.client import HTTPConnection, HTTPException
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.faults.holding import held_connections  # noqa: E402
from tests.faults.serving import Event, Server, Table, serving, set_up  # noqa: E402

PHONES, READERS, HELD = 20, 40, 24
ROUNDS = 99  # the maximum of a table
SECONDS = 10.0
GUNICORN = [sys.executable, "-m", "gunicorn", "--config", "python:tournaments.gunicorn"]
GTHREAD = ["--worker-class", "gthread", "--keep-alive", "30"]

Request = tuple[str, str, bytes, dict[str, str]]


def reader_of(event: Event) -> Callable[[], Request]:
    return lambda: ("GET", f"/api/tournaments/{event.slug}", b"", {})


def phone_of(table: Table) -> Callable[[], Request]:
    numbers = iter(range(1, 10**6))

    def put() -> Request:
        number = next(numbers)
        dealer = table.players[number % 6]
        kankei = [each for each in table.players if each != dealer][:2]
        deals = [{"kankei": 9, "mukankei": 2}, {"kankei": 2, "mukankei": 9}]
        facts = {"dealer": dealer, "kankei": kankei, "deals": deals}
        path = f"/api/sittings/{table.sitting}/rounds/{number}"
        headers = {"Authorization": f"Bearer {table.token}", "Idempotency-Key": str(uuid.uuid4())}
        return "PUT", path, json.dumps({"facts": facts, "seen": 0}).encode(), headers

    return put


def send_requests(
    port: int, make: Callable[[], Request], until: float, times_taken: list[float | None]
) -> None:
    """Send requests over one connection; append the seconds of each response, None if it failed."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    while time.monotonic() < until:
        method, path, body, headers = make()
        begun = time.monotonic()
        try:
            connection.request(method, path, body, headers | {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException):
            connection.close()
            times_taken.append(None)
        else:
            times_taken.append(time.monotonic() - begun if answer.status < 300 else None)
    connection.close()


def processor_time(pid: int) -> float:
    """Return the CPU time in seconds of a process and its descendants, ended ones included."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:  # it has ended, and counts with its parent
        return 0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_time(int(each)) for each in children)


def measured(server: Server, who: list[Callable[[], Request]], seconds: float) -> str:
    """Send requests for some seconds; return a row: rate, CPU time, times, failures."""
    times_taken: list[float | None] = []
    until = time.monotonic() + seconds
    taken = processor_time(server.pid)
    clients = [
        threading.Thread(target=send_requests, args=(server.port, each, until, times_taken))
        for each in who
    ]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    times = sorted(each for each in times_taken if each is not None)
    if not times:
        return f"0 | | | | {len(times_taken)}"
    taken = 1000 * (processor_time(server.pid) - taken) / len(times)
    middle, most = statistics.median(times), times[int(len(times) * 0.95)]
    failed = len(times_taken) - len(times)
    shown_times = f"{taken:.1f} ms | {middle * 1000:.0f} ms | {most * 1000:.0f} ms"
    return f"{len(times) / seconds:.0f} | {shown_times} | {failed}"


@contextmanager
def served(options: list[str]) -> Iterator[tuple[Server, Event]]:
    """Serve a new event by gunicorn with these options, instead of those of `serve`."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "var") as server:
        event = set_up(server, 3 * PHONES, ROUNDS)
        server.kill(signal.SIGTERM)
        bind = ["--bind", f"127.0.0.1:{server.port}", "tournaments.wsgi"]
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(server.data)}
        environment |= {"ALLOWED_HOSTS": "*", "HTTPS": "off", "VENUE": "on"}
        server.process = subprocess.Popen(  # noqa: S603  our own arguments
            [*GUNICORN, *options, *bind],
            cwd=ROOT,
            env=environment,
            start_new_session=True,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(4)
        yield server, event


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    print("| server | load | responses a second | CPU time | median | 95 % | failed |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, options in (("ours", []), ("gthread", GTHREAD)):
        with served(options) as (server, event):
            readers = [reader_of(event)] * READERS
            tables = [phone_of(table) for table in event.tables]
            phones = [tables[at : at + PHONES] for at in range(0, len(tables), PHONES)]
            for load, who, held in (
                ("readers", readers, 0),
                ("phones", phones[0], 0),
                ("both", readers + phones[1], 0),
                (f"both, {HELD} held", readers + phones[2], HELD),
            ):
                kinds = ("head", "body", "unread")
                with held_connections(server.port, held, kinds) if held else nullcontext():
                    time.sleep(1)
                    cells = measured(server, who, seconds)
                print(f"| {name} | {load} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
