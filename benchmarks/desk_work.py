"""Deals while the desk prints, exports, backs up, imports and draws; the server has one core.

    .venv/bin/python benchmarks/desk_work.py [--tables N] [--deals N] [--seconds N] [--turns N]

serves a new event with `manage.py serve`, all its processes on one core (Linux), ten rounds of each
table recorded before. Phones record deals. For each kind of work the same load is measured without
it and with it, in turns; the work is asked for again as soon as it is done. Printed are deals' p50
and p95 of both, their ratio, the outcomes of all attempts to send a deal beside the work, how long
a piece of work took, its outcomes, and the memory of the processes that answer requests before and
after. The clients share the machine with the server: compare the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from drawing import PLAYERS, SESSIONS, WANTED, event_to_draw  # noqa: E402
from hall import Hall, record_before, show  # noqa: E402
from hall_clients import NONE, Browser, Load, Response, Tally, now  # noqa: E402

from tests.faults.serving import Event, Server, serving, set_up  # noqa: E402
from tournaments.server import draw_searches  # noqa: E402

ROUNDS, WAIT = 99, 600.0
LISTS = 60  # a turn; each is imported into an event of its own
DEAL = "a deal"
COLUMNS = (
    *("p50", "p95", "p50 with it", "p95 with it", "ratio of p95", "deals with it", "one took"),
    *("answers", "memory of the processes, MB"),
)
Work = Callable[[], Awaitable[str]]


class Kind(NamedTuple):
    """A kind of work and how to ask for it once."""

    name: str
    work: Work


class Desk(Browser):
    """The director's browser, without progress pages, and a program with the director's token."""

    def __init__(self, hall: Hall, slug: str, token: str) -> None:
        cookie = hall.boards[0].headers["Cookie"]
        super().__init__(hall.server.port, "127.0.0.1", Cookie=cookie)
        self.server, self.token, self.here = hall.server, token, f"/tournaments/{slug}"
        self.seen = {"seen": 0, "seen_version": 0}  # of the planned seats and the event
        self.proposed = False
        self.secrets: dict[str, str] = {}  # of the forms, by the path of their page

    async def fetch(self, path: str) -> str:
        return (await self.send("GET", path)).outcome

    async def archive(self) -> bytes:
        response = await self.send("GET", f"{self.here}/archive.zip")
        self.close()
        return response.body

    async def send_form(self, path: str, to: str = "", **fields: str) -> Response:
        """Post the form of a page, which stays open; if `to` is given, to that address."""
        if path not in self.secrets:
            page = await self.send("GET", path)
            secret = page.body.partition(b'csrfmiddlewaretoken" value="')[2][:64]
            self.secrets[path] = secret.decode()
        form = urlencode({"csrfmiddlewaretoken": self.secrets[path], **fields}).encode()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self.send("POST", to or path, form, headers.items())

    async def work(self, path: str, **fields: str) -> str:
        """Post the form of a page that answers with a file, or shows itself once it is done."""
        answer = await self.send_form(path, **fields)
        return "2xx" if answer.headers.get("location") == path else answer.outcome

    async def search(self, event: str) -> str:
        """Search for better seats than those proposed first, for the shortest time."""
        schedule = f"{event}/schedule/"
        if not self.proposed:
            await self.send_form(schedule, sessions=str(SESSIONS), method="fewest_repeats")
            self.proposed = True
        chosen = {"proposal": "1", "seconds": str(min(draw_searches.CHOICES))}
        started = await self.send_form(schedule, f"{event}/sessions/1/search/", **chosen)
        page = started
        while page is started or "refresh" in page.headers:
            await asyncio.sleep(1)
            page = await self.send("GET", started.headers["location"])
        return page.outcome

    async def draw(self, path: str) -> str:
        """Draw other seats, which replace those drawn before."""
        answer = await self.send_json("PUT", path, WANTED | self.seen)
        if answer.status == 200:
            drawn = json.loads(answer.body)
            self.seen = {"seen": drawn["version"], "seen_version": drawn["state_version"]}
        return answer.outcome

    async def upload(self, path: str, name: str, content: bytes) -> str:
        mark = uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": f"multipart/form-data; boundary={mark}",
        }
        return (await self.send("POST", path, body, headers.items())).outcome

    async def read_archive(self, archives: Iterator[bytes]) -> str:
        """Import the next event; return an empty text if all are imported."""
        content = next(archives, b"")
        if not content:
            return ""
        return await self.upload("/api/tournaments/archive", "event.makiyaku.zip", content)

    async def make_events(self, number: int) -> list[str]:
        """Return the addresses of new events in the API."""
        made = []
        for i in range(number):
            about = {"name": f"大会 {i + 1}", "rule_set": "goninkan-association"}
            response = await self.send_json("POST", "/api/tournaments", about)
            made.append(f"/api/tournaments/{json.loads(response.body)['slug']}")
        self.close()
        return made

    async def read_list(self, events: Iterator[str], content: bytes) -> str:
        """Import a list of players into the next event; return an empty text if all have one."""
        event = next(events, "")
        return await self.upload(f"{event}/entries/import", "list.csv", content) if event else ""

    async def send_json(self, method: str, path: str, document: Any) -> Response:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        return await self.send(method, path, json.dumps(document).encode(), headers.items())


def memory_of(server: Server) -> list[int]:
    """Return the MB of memory of the processes that answer requests, smallest first."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    pages = [int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in children]
    return sorted(each * os.sysconf("SC_PAGE_SIZE") >> 20 for each in pages)


async def repeat(work: Work, until: float, took: list[float], outcomes: list[str]) -> None:
    """Ask for the work again as soon as it is done, until there is no more."""
    while now() < until:
        begun = now()
        try:
            outcome = await work()
        except (OSError, EOFError):
            outcome = NONE
        if not outcome:
            return
        outcomes.append(outcome)
        took.append(now() - begun)


async def measure(
    hall: Hall, desk: Desk, pace: float, seconds: float, work: Work | None
) -> tuple[Tally, list[float], list[str]]:
    """Record deals at this pace for some seconds, with or without the work."""
    begin = now()
    load = Load(begin + seconds, [])
    asking = []
    each = len(hall.phones) / pace
    for i, phone in enumerate(hall.phones):
        dues = load.every(each, begin + each * i / len(hall.phones), DEAL)
        asking.append(asyncio.ensure_future(load.follow(dues, partial(load.record, phone))))
    took: list[float] = []
    outcomes: list[str] = []
    working = asyncio.ensure_future(repeat(work, load.end, took, outcomes)) if work else None
    await asyncio.wait(asking, timeout=seconds + 15)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    if working is not None:
        await asyncio.wait_for(working, WAIT)
    for browser in (desk, *hall.phones):
        browser.close()
    return load.tallies[DEAL], took, outcomes


def counted(outcomes: Counter[str]) -> str:
    return ", ".join(f"{number} × {outcome}" for outcome, number in sorted(outcomes.items()))


def compare(hall: Hall, desk: Desk, kind: Kind, asked: argparse.Namespace) -> None:
    """Measure without and with the work in turns, and print a row."""
    before = memory_of(hall.server)
    times: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    took: list[float] = []
    outcomes: list[str] = []
    attempts: Counter[str] = Counter()  # to send a deal beside the work
    for is_working in (False, True) * asked.turns:
        work = kind.work if is_working else None
        tally, seconds, ends = asyncio.run(measure(hall, desk, asked.deals, asked.seconds, work))
        if is_working:
            attempts += tally.statuses
        times[is_working].append((tally.seconds(0.5), tally.seconds(0.95)))
        took += seconds
        outcomes += ends
    middles = [
        [statistics.median(column) for column in zip(*measured, strict=True)]
        for measured in times.values()
    ]
    cells = [f"{1000 * value:.0f}" for row in middles for value in row]
    ratio = f"{middles[1][1] / middles[0][1]:.2f}"
    memory = " → ".join(", ".join(map(str, each)) for each in (before, memory_of(hall.server)))
    cells += [ratio, counted(attempts), f"{statistics.median(took or [0]):.1f} s"]
    show(kind.name, *cells, counted(Counter(outcomes)), memory)
    if set(outcomes) != {"2xx"}:
        sys.exit(f"{kind.name}: refused or failed, so this row does not measure it.")


def kinds_of(desk: Desk, tables: int, turns: int, archives: Iterator[bytes]) -> Iterator[Kind]:
    yield Kind("sheets of all tables", partial(desk.fetch, f"{desk.here}/sessions/1/sheets.pdf"))
    cards = f"{desk.here}/sessions/1/cards/"
    yield Kind("table cards", lambda: desk.work(cards, tables=f"1-{tables}"))
    yield Kind("name cards", partial(desk.fetch, f"{desk.here}/name-cards.pdf"))
    yield Kind("a poster", partial(desk.fetch, f"{desk.here}/poster.pdf"))
    yield Kind("the workbook", partial(desk.fetch, f"{desk.here}/standings.xlsx"))
    yield Kind("an archive", partial(desk.fetch, f"{desk.here}/archive.zip"))
    yield Kind("a backup", lambda: desk.work("/backups/"))
    draw = event_to_draw(desk.server, desk.token, "抽選")
    yield Kind(f"a draw of {PLAYERS} players", partial(desk.draw, draw))
    searched = event_to_draw(desk.server, desk.token, "探索").removesuffix("/schedule")
    yield Kind("a search of 10 s", partial(desk.search, searched.removeprefix("/api")))
    yield Kind("an imported archive", partial(desk.read_archive, archives))
    people = "".join(f"選手{i},一般\n" for i in range(1002))
    listed = f"氏名,クラス\n{people}".encode()
    events = iter(asyncio.run(desk.make_events(LISTS * turns)))
    yield Kind("a list of players", lambda: desk.read_list(events, listed))


def archived_events(tables: int, number: int) -> list[bytes]:
    """Return the archives of events like that of the hall, made by a server of their own."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(Path(folder) / "var") as server,
    ):
        found = []
        for _ in range(number):
            hall, event = hall_of(server, tables)
            desk = Desk(hall, event.slug, event.token)
            found.append(asyncio.run(desk.archive()))
    return found


def hall_of(server: Server, tables: int) -> tuple[Hall, Event]:
    event = set_up(server, tables, ROUNDS)
    hall = Hall(server, event, 1)
    record_before(hall, {**os.environ, "DATA_DIR": str(server.data)})
    return hall, event


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=167)
    parser.add_argument("--deals", type=float, default=10, help="deals a second")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--only", default="", help="kinds whose names contain this")
    asked = parser.parse_args()
    core = str(max(os.sched_getaffinity(0)))
    load = f"{os.getloadavg()[0]:.0f}"
    print(f"Python {platform.python_version()}, {platform.machine()}, load before {load}")
    wants_archives = asked.only in "an imported archive"
    archives = iter(archived_events(asked.tables, asked.turns) if wants_archives else [])
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        serving(Path(folder) / "var", before=["taskset", "-c", core]) as server,
    ):
        hall, event = hall_of(server, asked.tables)
        desk = Desk(hall, event.slug, event.token)
        show("beside", *COLUMNS)
        show("---", *["---:"] * 9)
        for kind in kinds_of(desk, asked.tables, asked.turns, archives):
            if asked.only in kind.name:
                compare(hall, desk, kind, asked)


if __name__ == "__main__":
    main()
