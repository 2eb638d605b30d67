"""Deals at one event while many draws are asked for at once in others.

    .venv/bin/python benchmarks/drawing.py [--draws N] [--events N] [--seconds N]

serves an event of 60 tables from a SQLite file by gunicorn with its defaults. Each table's phone
records a deal each three seconds, alternately without and with draws in other events: each five
seconds all are asked for at once, and again after `Retry-After` until drawn. A draw is of four
sessions of 36 players, a search of 100,000 steps. The clients share the cores with the server:
compare the rows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from functools import partial
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from hall import DEAL, finish, show  # noqa: E402
from hall_clients import OUTCOMES, Browser, Load, Phone, now  # noqa: E402
from serving import served  # noqa: E402

from tests.faults.serving import Server, ask  # noqa: E402

DRAW = "a draw"
DEAL_EACH, DRAW_EACH, TIMES = 3.0, 5.0, 3
PLAYERS, SESSIONS = 36, 4
WANTED = {"method": "fewest_repeats", "sessions": SESSIONS, "seen": 0, "seen_version": 0}


def event_to_draw(server: Server, token: str, name: str) -> str:
    """Set up an event of many players, and return the address of its planned seats."""
    about = {"name": name, "rule_set": "goninkan-association"}
    slug = ask(server.port, "POST", "/api/tournaments", about, token=token).body["slug"]
    people = [{"name": f"選手{player}"} for player in range(1, PLAYERS + 1)]
    here = f"/api/tournaments/{slug}"
    ask(server.port, "POST", f"{here}/entries", {"entries": people}, token=token)
    return f"{here}/schedule"


class Drawer(Browser):
    """A program that draws in an event. It is refused (409) if another has drawn meanwhile."""

    async def draw(self, path: str, load: Load, operation: str) -> str:
        """Ask until it is drawn, and return the outcome; count those before."""
        while True:
            answer = await self.send("PUT", path, json.dumps(WANTED).encode())
            if answer.status != 503:
                return answer.outcome
            load.tallies[operation].statuses[answer.outcome] += 1
            await asyncio.sleep(float(answer.headers["retry-after"]))


async def measure(phones: list[Phone], drawers: dict[Drawer, str], seconds: float) -> None:
    """Record deals for some seconds while these draw, and print a row."""
    begin = now()
    load = Load(begin + seconds, [])
    asking = [
        load.follow(load.every(DRAW_EACH, begin, DRAW), partial(drawer.draw, path, load))
        for drawer, path in drawers.items()
    ]
    for i, phone in enumerate(phones):
        dues = load.every(DEAL_EACH, begin + DEAL_EACH * i / len(phones), DEAL)
        asking.append(load.follow(dues, partial(load.record, phone)))
    await finish(load, asking)
    for each in (*phones, *drawers):
        each.close()
    for operation, tally in load.tallies.items():
        show(len(drawers), operation, *tally.cells())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--events", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    with served([]) as (server, event):
        phones = [
            Phone(server.port, f"127.1.0.{i}", table, 0) for i, table in enumerate(event.tables, 1)
        ]
        paths = [event_to_draw(server, event.token, f"抽選{i}") for i in range(asked.events)]
        headers = {"Authorization": f"Bearer {event.token}", "Content-Type": "application/json"}
        drawers = [Drawer(server.port, "127.0.0.1", **headers) for _ in range(asked.draws)]
        show("draws at once", "operation", "due", *OUTCOMES, "median", "95 %", "99 %", "slowest")
        show("---:", "---", *["---:"] * 10)
        for drawing in [{}, dict(zip(drawers, cycle(paths), strict=False))] * TIMES:
            asyncio.run(measure(phones, drawing, asked.seconds))


if __name__ == "__main__":
    main()
