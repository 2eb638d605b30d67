"""The clients in a full hall: phones that record deals, spectators, and the desk's boards.

All run in one thread, with HTTP written by hand, because they share the cores with the server. Each
has a persistent connection from an address of its own. Every request is due at a time of its own,
however slow the server is, and its latency counts from then.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from itertools import chain, count
from random import Random
from typing import NamedTuple
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener
from uuid import UUID

from tests.faults.serving import Table
from tests.faults.soak import play_round

ROUNDS = 99  # the maximum of a table
TIMEOUT, MAX_RETRY_DELAY = 15, 8  # seconds, as in static/js/phone/outbox.js
NONE = "none"  # instead of a status
OUTCOMES = ("2xx", "304", "4xx", "5xx", NONE)
COUNTED = re.compile("([0-9]+)／[0-9]+役".encode())  # rounds that count, of those planned

now = time.monotonic
Headers = Iterable[tuple[str, str]]
Due = tuple[float, str]  # when, and which operation


class Response(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def outcome(self) -> str:
        """Return `304`, or the class of the status such as `2xx`."""
        return "304" if self.status == 304 else f"{self.status // 100}xx"


class Browser:
    """A persistent connection from one address; pages are requested with the ETags received."""

    def __init__(self, port: int, address: str, **headers: str) -> None:
        self.port, self.address, self.etags = port, address, dict[str, str]()
        self.bytes_received, self.resets = 0, 0  # resets: of a connection that had been kept open
        self.headers = {"Host": f"127.0.0.1:{port}", "Accept-Encoding": "gzip", **headers}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self, method: str, path: str, body: bytes = b"", headers: Headers = ()
    ) -> Response:
        """Send a request. Raises OSError or EOFError without a complete response."""
        all_headers = {**self.headers, **dict(headers), "Content-Length": str(len(body))}
        lines = [f"{method} {path} HTTP/1.1", *(": ".join(each) for each in all_headers.items())]
        request = "\r\n".join([*lines, "\r\n"]).encode() + body
        if self._streams is not None:
            try:
                return await self._exchange(request)
            except (OSError, EOFError):  # the server has closed it since
                self.resets += 1
        return await self._exchange(request)

    async def _exchange(self, request: bytes) -> Response:
        try:
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    "127.0.0.1", self.port, local_addr=(self.address, 0)
                )
            reader, writer = self._streams
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            self.bytes_received += len(head)
            status, *lines = head.strip().split("\r\n")
            headers = {
                name.lower(): value for name, _, value in (line.partition(": ") for line in lines)
            }
            response = Response(int(status.split()[1]), headers, b"")
            if response.status != 304:
                response = response._replace(body=await read_body(reader, headers))
                self.bytes_received += len(response.body)
        except BaseException:
            self.close()
            raise
        if headers.get("connection") == "close":
            self.close()
        return response

    async def get(self, path: str) -> str:
        known = [("If-None-Match", self.etags[path])] if path in self.etags else []
        try:
            response = await self.send("GET", path, headers=known)
        except (OSError, EOFError):
            return NONE
        if "etag" in response.headers:
            self.etags[path] = response.headers["etag"]
        return response.outcome

    def close(self) -> None:
        """Close the connection, also in the middle of a response."""
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None


async def read_body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    """Return the body of a response; a proxy that compresses it sends it in chunks."""
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    chunks = []
    while size := int(await reader.readuntil(b"\r\n"), 16):
        chunks.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return b"".join(chunks)


class Item(NamedTuple):
    """A deal in a phone's out-box."""

    path: str
    body: bytes
    key: str
    ends_round: bool


class Phone(Browser):
    """A table's phone. It sends a deal until it is acknowledged, and only then the next one."""

    def __init__(self, port: int, address: str, table: Table, played: int) -> None:
        """Play all rounds; the first ones, `played`, are recorded otherwise."""
        headers = {"Authorization": f"Bearer {table.token}", "Content-Type": "application/json"}
        super().__init__(port, address, **headers)
        # What the table's page asks for while a deal may be under way.
        self.watcher = Browser(port, address, **headers)
        self.path = f"/api/sittings/{table.sitting}"
        dice, players = Random(table.sitting), table.players  # noqa: S311
        self.sitting, self.acknowledged = table.sitting, 0
        self.rounds = [
            play_round(dice, players, players[number % 6]) for number in range(1, ROUNDS + 1)
        ]
        self._items = self._deals_after(played, dice)
        self._item = next(self._items)

    def _deals_after(self, played: int, dice: Random) -> Iterator[Item]:
        for number, facts in enumerate(self.rounds[played:], played + 1):
            path = f"/api/sittings/{self.sitting}/rounds/{number}"
            for seen in range(len(facts["deals"])):
                so_far = {**facts, "deals": facts["deals"][: seen + 1]}
                body = json.dumps({"facts": so_far, "seen": seen}).encode()
                key = str(UUID(int=dice.getrandbits(128), version=4))
                yield Item(path, body, key, ends_round=so_far == facts)

    async def record(self, finished: list[float], statuses: Counter[str] | None = None) -> str:
        """Record the next deal, and append the time if it ends a round; return the last outcome.

        The outcomes before are counted in `statuses`.
        """
        for tries in count():
            outcome, wait = await self._try()
            if outcome in {"2xx", "4xx"}:
                break
            if statuses is not None:
                statuses[outcome] += 1
            await asyncio.sleep(max(wait, min(MAX_RETRY_DELAY, 2**tries / 2)))
        if outcome == "2xx":
            self.acknowledged += 1
            if self._item.ends_round:
                finished.append(now())
        self._item = next(self._items)
        return outcome

    async def _try(self) -> tuple[str, float]:
        """Send the deal once; return the outcome, and the seconds of Retry-After."""
        item = self._item
        key = [("Idempotency-Key", item.key)]
        try:
            async with asyncio.timeout(TIMEOUT):
                response = await self.send("PUT", item.path, item.body, key)
        except (OSError, EOFError):  # TimeoutError is an OSError
            return NONE, 0
        return response.outcome, float(response.headers.get("retry-after", 0))


class Answered(NamedTuple):
    """When a request was due and when it was answered or given up, and the last outcome."""

    due: float
    at: float
    outcome: str


@dataclass
class Tally:
    """The results of the requests of one operation; `statuses` counts each attempt."""

    statuses: Counter[str] = field(default_factory=Counter)
    answered: list[Answered] = field(default_factory=list)

    def seconds(self, share: float) -> float:
        """Return the latency that this share of the requests did not exceed."""
        times = sorted(each.at - each.due for each in self.answered)
        return times[min(len(times) - 1, int(share * len(times)))]

    def cells(self) -> list[str]:
        """Return the cells of a table row: requests, attempts by outcome, latencies."""
        counts = [len(self.answered), *(self.statuses[each] for each in OUTCOMES)]
        times = [f"{1000 * self.seconds(share):,.0f} ms" for share in (0.5, 0.95, 0.99, 1)]
        return [*map(str, counts), *times]

    def overtaken(self) -> int:
        """Return by how many places at most a request was answered later than it was due."""
        order = sorted(self.answered)
        return max(place - order.index(each) for place, each in enumerate(self.answered))


@dataclass
class Load:
    """A load with its end and results. `finished` are the times at which rounds were stored."""

    end: float
    finished: list[float]
    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    ages: list[float] = field(default_factory=list)

    async def follow(self, dues: Iterator[Due], ask: Callable[[str], Awaitable[str]]) -> None:
        """Ask when it is due, or as soon as the request before is answered.

        What is due and not answered when the load ends is counted, too, with its age then.
        """
        for due, operation in dues:
            try:
                await asyncio.sleep(due - now())
                outcome = await ask(operation)
            except asyncio.CancelledError:
                for unanswered, what in chain([(due, operation)], dues):
                    self._add(what, NONE, unanswered)
                raise
            self._add(operation, outcome, due)

    def _add(self, operation: str, outcome: str, due: float) -> None:
        self.tallies[operation].statuses[outcome] += 1
        self.tallies[operation].answered.append(Answered(due, now(), outcome))

    def every(self, seconds: float, first: float, *operations: str) -> Iterator[Due]:
        """Yield the operations in turn, one each interval."""
        for number in count():
            due = first + number * seconds
            if due >= self.end:
                return
            yield due, operations[number % len(operations)]

    def polling(self, seconds: float, first: float, operation: str) -> Iterator[Due]:
        """Yield an operation again this long after it was answered, as `board.js` does."""
        due = first
        while due < self.end:
            yield due, operation
            due = now() + seconds

    async def record(self, phone: Phone, operation: str) -> str:
        return await phone.record(self.finished, self.tallies[operation].statuses)

    async def look(self, browser: Browser, pages: Mapping[str, str], operation: str) -> str:
        return await browser.get(pages[operation])

    async def look_at_age(self, reader: Browser, path: str, recorded: int, _operation: str) -> str:
        """Request a page in full, and note how old it is: since when a finished round is missing.

        `recorded` is the number of rounds that were stored before those in `finished`.
        """
        try:
            response = await reader.send("GET", path)
        except (OSError, EOFError):
            return NONE
        if response.status == 200:
            shown = rounds_counted(response.body) - recorded
            missing = self.finished[max(0, shown) :]
            self.ages.append(now() - missing[0] if missing else 0)
        return response.outcome


def rounds_counted(page: bytes) -> int:
    found = COUNTED.search(page)
    if found is None:
        raise ValueError("The page does not say how many rounds count.")
    return int(found[1].replace(b",", b""))


def log_in(port: int, username: str, password: str) -> str:
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    url = f"http://127.0.0.1:{port}/log-in/"
    browser.open(url).close()
    fields = {"username": username, "password": password}
    fields |= {"csrfmiddlewaretoken": next(each.value or "" for each in cookies)}
    browser.open(url, urlencode(fields).encode()).close()
    return "; ".join(f"{each.name}={each.value}" for each in cookies)
