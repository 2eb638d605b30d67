"""Time from starting `manage.py serve` to the first answered page.

    .venv/bin/python benchmarks/start.py [--runs N] [--events 7 201]

prints the table of `docs/benchmarks.md`: a first start in an empty folder, and starts with events.
CPU time is that of all the server's processes until the page is answered. A Python that only
imports Django is the yardstick.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from serving import processor_time  # noqa: E402

from tests.faults.serving import Server, ask  # noqa: E402

PLAYERS = 12  # of each event, at two tables with ten rounds
PLAY_EVENTS = """
import sys
import django
django.setup()
from hall_event import play_event
for _ in range(int(sys.argv[1])):
    play_event(int(sys.argv[2]))
"""


class Start(NamedTuple):
    """Seconds until the first page was answered, and of CPU time until then."""

    wall: float
    processor: float


def start(server: Server) -> Start:
    """Start the server, request the first page until it is answered, and stop the server."""
    begun = time.monotonic()
    server.spawn()
    while True:
        with suppress(OSError, HTTPException):
            if ask(server.port, "GET", "/").status == 200:
                break
        time.sleep(0.02)
    taken = Start(time.monotonic() - begun, processor_time(server.pid))
    server.kill()
    return taken


def play_events(data: Path, number: int) -> None:
    environment = {**os.environ, "DATA_DIR": str(data), "HTTPS": "off", "SECRET_KEY": "x"}
    environment |= {"DJANGO_SETTINGS_MODULE": "tournaments.settings"}
    environment |= {"PYTHONPATH": f"{ROOT}:{ROOT / 'benchmarks'}"}
    command = [sys.executable, "-c", PLAY_EVENTS, str(number), str(PLAYERS)]
    subprocess.run(command, check=True, env=environment)  # noqa: S603  our own arguments


def import_django() -> Start:
    """Return the time of a Python that imports Django's models and exits."""
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "import django.db.models"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Start(time.monotonic() - begun, processor)


def show(what: str, starts: list[Start], yardstick: float) -> None:
    wall = statistics.median(each.wall for each in starts)
    processor = statistics.median(each.processor for each in starts)
    ratio = processor / yardstick
    print(f"| {what} | {wall:.1f} s | {processor:.2f} s | {ratio:.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--events", type=int, nargs="+", default=[7, 201])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="makiyaku-start-") as folder:
        servers = [Server(Path(folder) / str(number)) for number in asked.events]
        first = []
        for server, number in zip(servers, asked.events, strict=True):
            server.data.mkdir()
            first.append(start(server))
            play_events(server.data, number)
        yardsticks, later = list[Start](), [list[Start]() for _ in servers]
        for _ in range(asked.runs):
            yardsticks.append(import_django())
            for server, starts in zip(servers, later, strict=True):
                starts.append(start(server))
    yardstick = statistics.median(each.processor for each in yardsticks)
    print(f"Python {platform.python_version()}, {platform.machine()}, {asked.runs} runs:\n")
    print("| start | first page | CPU time | × importing Django |")
    print("| --- | ---: | ---: | ---: |")
    show("Django imported, nothing else", yardsticks, yardstick)
    show("the first start, in an empty folder", first, yardstick)
    for number, starts in zip(asked.events, later, strict=True):
        show(f"{number} events", starts, yardstick)


if __name__ == "__main__":
    main()
