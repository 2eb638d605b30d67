"""CPU time and size of the pages of an event, and how both grow with its players.

    .venv/bin/python benchmarks/pages.py [--sizes 342] [--runs 3] [--above 100] [--only NAME ...]

requests every address of an event that answers GET, as the owner of the server, in three phases
of a day: a session is being played; all sessions are over; seats are planned and proposed. It lists
the addresses that take more than `--above` milliseconds at the largest size or have an exponent
above 1.1, the least of all runs. The event itself is kept, parts of pages are not. PDFs are not
made, and answers 404, 405 and redirects are left out.
"""
# ruff: noqa: E402  models can be imported once Django is set up

from __future__ import annotations

import argparse
import gc
import logging
import math
import os
import platform
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings
from django.core.cache import caches
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import large_events
from tests.visiting import NAMES, World, read_to_end
from tournaments import gunicorn
from tournaments.draws.requests import MOST_PLAYERS
from tournaments.printing import rendering

MOST_MS, MOST_BYTES, STEEPEST = 100, 300_000, 1.1
ROUNDS = 10  # of each session
LEAST_MS = 10  # exponents of faster pages say nothing
PHASES = {
    "playing": lambda _world: None,
    "over": large_events.end_the_session,
    "proposed": large_events.propose_seats,
}
ELSEWHERE = ("backup", "restore", "openapi", "archive", "workbook")


class Page(NamedTuple):
    status: int
    seconds: float
    size: int
    statements: int

    @property
    def cell(self) -> str:
        return f"{1000 * self.seconds:.0f}, {self.size / 1000:.0f}, {self.statements}"


def measure(world: World, name: str, runs: int) -> Page:
    """Return the least CPU time of a page, whose parts are not kept."""
    browser, url = world.browser("owner"), world.url(name)
    times: list[float] = []
    for _ in range(runs + 1):
        caches["parts"].clear()
        caches["default"].clear()
        with CaptureQueriesContext(connection) as statements:
            started = time.process_time()
            answer = browser.get(url)
            read_to_end(answer)
            times.append(time.process_time() - started)
        if answer.status_code != 200 or times[-1] > 5:
            break
    size = 0 if answer.streaming else len(answer.content)
    return Page(answer.status_code, min(times), size, len(statements))


def pages_of(players: int, runs: int, only: list[str]) -> dict[str, Page]:
    """Return the pages of an event by name and phase."""
    world = large_events.make_large_world(players, rounds=ROUNDS)
    gc.collect()
    gc.freeze()
    names = only or [name for name in NAMES if not any(word in name for word in ELSEWHERE)]
    pages: dict[str, Page] = {}
    for phase, enter in PHASES.items():
        if phase == "proposed" and players > MOST_PLAYERS:
            break
        enter(world)
        pages |= {f"{name} ({phase})": measure(world, name, runs) for name in names}
    return pages


def print_pages(sizes: list[int], runs: int, above: float, only: list[str]) -> None:
    found: dict[str, dict[int, Page]] = defaultdict(dict)
    call_command("migrate", verbosity=0)
    for players in sizes:
        with get_context("fork").Pool(1) as pool:  # each event in a database of its own
            pages = pool.apply(pages_of, (players, runs, only))
        failed = [key for key, each in pages.items() if each.status >= 500]
        print(f"{players:,} players, 5xx: {', '.join(failed) or 'none'}", flush=True)
        for key, page in pages.items():
            if page.status == 200:
                found[key][players] = page
    print(
        f"\n| page | {' | '.join(f'{size:,}: ms, kB, statements' for size in sizes)} | exponents |"
    )
    print("| --- |" + " ---: |" * (len(sizes) + 1))
    slowest = sorted(found, key=lambda key: -max(page.seconds for page in found[key].values()))
    for key in slowest:
        by_size = found[key]
        steps, last = list(exponents(by_size)), by_size[max(by_size)]
        if (
            only
            or last.seconds * 1000 > above
            or last.size > MOST_BYTES
            or max(steps, default=0) > STEEPEST
        ):
            cells = [by_size[size].cell if size in by_size else "" for size in sizes]
            print(f"| {key} | {' | '.join(cells)} | {', '.join(f'{e:.2f}' for e in steps)} |")


def exponents(pages: dict[int, Page]) -> Iterator[float]:
    """Yield the exponent of each step from one size to the next."""
    sizes = sorted(pages)
    for before, after in pairwise(sizes):
        if 1000 * pages[after].seconds >= LEAST_MS:
            ratio = pages[after].seconds / pages[before].seconds
            yield math.log(ratio) / math.log(after / before)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[342])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--above", type=float, default=MOST_MS)
    parser.add_argument("--only", nargs="*", default=[])
    asked = parser.parse_args()
    for printer in ("pdf", "stamped_pdf"):
        setattr(rendering, printer, lambda *_, **_named: b"%PDF-")
    logging.disable()
    gc.set_threshold(gunicorn.ALLOCATIONS_UNTIL_COLLECTION, 20, 20)
    settings.MIDDLEWARE.remove("tests.openapi_validation.OpenAPIValidationMiddleware")
    print(f"Python {platform.python_version()}, {platform.machine()}, the least of {asked.runs}")
    print_pages(asked.sizes, asked.runs, asked.above, asked.only)


if __name__ == "__main__":
    main()
