"""Loading times of the phone's page over a slow line that loses packets.

    .venv/bin/python benchmarks/slow_line.py [runs]

serves a table with `manage.py serve` over a modelled line to a real Chromium with an empty cache,
and opens the table's page repeatedly, each time with other losses.

A SOCKS proxy models the line segment by segment, without changing the network of the machine, and
so that connecting takes as long as over the line:
400 kbit/s each way, shared by all connections; 400 ms each way; each segment of up to 1,460 bytes,
each acknowledgement and each half of a handshake lost with a probability of 5 %. A connection
begins with its handshake (a lost half is retransmitted after 1, 2, 4 s) and sends like Linux: a
congestion window of ten segments, doubled each round trip, halved after a loss. A lost segment is
retransmitted when later ones have arrived (RFC 8985), at once after three, otherwise after a
quarter of a round trip; a silent tail is probed after two round trips, then retransmitted by the
timer of RFC 6298. Later data of a connection waits for a lost segment. The browser decides how many
connections it opens, and reuses those that the server keeps open.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
RATE = 50_000  # bytes a second: 400 kbit/s
DELAY = 0.4  # seconds each way
LOSS = 0.05
SEGMENT = 1460  # bytes of data
HEADERS = 40  # bytes around them
FIRST_WINDOW = 10  # segments
CONNECTED = b"\x05\x00\x00\x01" + bytes(6)  # the last reply of a SOCKS 5 proxy
NAMED, ADDRESSES = 3, {1: 4, 4: 16}  # types of address, and their lengths
RUNS = 20


class Line:
    """One direction of the line, shared by all connections: losses and delays."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice
        self.free_at = 0.0
        self.carried = 0

    def send(self, size: int, arrived: Callable[[], None]) -> None:
        """Send so many bytes; call `arrived` when they arrive, never if they are lost."""
        loop = asyncio.get_running_loop()
        self.free_at = max(self.free_at, loop.time()) + (size + HEADERS) / RATE
        self.carried += size + HEADERS
        if self.dice.random() >= LOSS:
            loop.call_at(self.free_at + DELAY, arrived)


class Stream:
    """One direction of a TCP connection over the line."""

    def __init__(self, ahead: Line, back: Line, deliver: Callable[[bytes], None]) -> None:
        self.ahead, self.back, self.deliver = ahead, back, deliver
        self.segments: list[bytes] = []
        self.next_new = 0  # the first segment never sent
        self.sent_at: dict[int, float] = {}  # last time of sending, of segments in flight
        self.again: set[int] = set()  # retransmitted: not used to measure the round trip
        self.here: set[int] = set()  # arrived
        self.delivered = 0
        self.window, self.limit = float(FIRST_WINDOW), float("inf")
        self.whole_again_at = -1  # the window is not halved again until this segment has arrived
        self.turn, self.deviation = 2 * DELAY, DELAY  # measured by the handshake
        self.latest = -1.0  # the latest time of sending of an arrived segment
        self.timer: asyncio.TimerHandle | None = None
        self.expired = 0  # consecutive timeouts

    def write(self, data: bytes) -> None:
        """Queue data; empty data ends the stream."""
        self.segments += [data[i : i + SEGMENT] for i in range(0, len(data), SEGMENT)] or [b""]
        self.push()

    def push(self) -> None:
        """Send new segments as far as the window allows."""
        while self.next_new < len(self.segments) and len(self.sent_at) < int(self.window):
            self.emit(self.next_new)
            self.next_new += 1
        self.wait()

    def emit(self, number: int) -> None:
        if number in self.sent_at:
            self.again.add(number)
        self.sent_at[number] = now()
        self.ahead.send(len(self.segments[number]), lambda: self.arrive(number))

    def arrive(self, number: int) -> None:
        """Receive a segment: deliver what is complete, and acknowledge what has arrived."""
        self.here.add(number)
        while self.delivered in self.here:
            self.deliver(self.segments[self.delivered])
            self.delivered += 1
        there = frozenset(self.here)
        self.back.send(0, lambda: self.acknowledged(there, number))

    def acknowledged(self, there: frozenset[int], latest: int) -> None:
        """Process an acknowledgement: measure, detect losses, send more."""
        if latest in self.sent_at and latest not in self.again:
            self.measure(now() - self.sent_at[latest])
        for number in there & self.sent_at.keys():
            self.latest = max(self.latest, self.sent_at.pop(number))
            self.window += 1 if self.window < self.limit else 1 / self.window
            self.expired = 0
        missed = [number for number, at in self.sent_at.items() if at < self.latest]
        if missed and sum(number > min(missed) for number in there) >= 3:
            self.repair()
        elif missed:  # possibly only out of order
            asyncio.get_running_loop().call_later(self.turn / 4, self.repair)
        self.push()

    def repair(self) -> None:
        """Retransmit lost segments, and halve the window."""
        for number in sorted(n for n, at in self.sent_at.items() if at < self.latest):
            if number > self.whole_again_at:
                self.whole_again_at = self.next_new - 1
                self.window = self.limit = max(self.window / 2, 2)
            self.emit(number)
        self.wait()

    def measure(self, turn: float) -> None:
        self.deviation += (abs(self.turn - turn) - self.deviation) / 4
        self.turn += (turn - self.turn) / 8

    def wait(self) -> None:
        """Set the timer: a probe first, then retransmissions with exponential backoff."""
        if self.timer:
            self.timer.cancel()
        self.timer = None
        if not self.sent_at:
            return
        patience = (self.turn + max(0.2, 4 * self.deviation)) * 2 ** max(self.expired - 1, 0)
        if not self.expired:
            patience = min(patience, 2 * self.turn + (0.2 if len(self.sent_at) == 1 else 0))
        self.timer = asyncio.get_running_loop().call_later(patience, self.time_out)

    def time_out(self) -> None:
        self.expired += 1
        if self.expired == 1:
            self.emit(max(self.sent_at))  # its acknowledgement shows what is missing
        else:
            self.limit, self.window = max(len(self.sent_at) / 2, 2), 1.0
            self.emit(min(self.sent_at))
        self.wait()


def now() -> float:
    return asyncio.get_running_loop().time()


class SlowLine:
    """A proxy over the line to a port of this machine, run in a thread."""

    def __init__(self, behind: int, seed: int) -> None:
        dice = Random(seed)  # noqa: S311  repeatable
        self.behind = behind
        self.dice = dice
        self.down, self.up = Line(dice), Line(dice)
        self.port = 0
        self.ready = threading.Event()
        self.loop = asyncio.new_event_loop()

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.accept, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        self.loop.run_forever()
        server.close()
        waiting = asyncio.all_tasks(self.loop)
        for each in waiting:
            each.cancel()
        self.loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        self.loop.close()

    async def accept(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        with suppress(OSError, EOFError, asyncio.CancelledError):  # the measurement is over
            await self.negotiate(near, to_near)
            await self.shake_hands()
            to_near.write(CONNECTED)
            from_far, to_far = await asyncio.open_connection("127.0.0.1", self.behind)
            up = Stream(self.up, self.down, writer_to(to_far))
            down = Stream(self.down, self.up, writer_to(to_near))
            await asyncio.gather(pump(near, up), pump(from_far, down))

    async def negotiate(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        """Perform the SOCKS 5 handshake; raise `OSError` for any port but ours."""
        _version, methods = await near.readexactly(2)
        await near.readexactly(methods)
        to_near.write(b"\x05\x00")
        *_, kind = await near.readexactly(4)
        length = (await near.readexactly(1))[0] if kind == NAMED else ADDRESSES[kind]
        port = (await near.readexactly(length + 2))[-2:]
        if int.from_bytes(port, "big") != self.behind:
            to_near.close()
            raise ConnectionRefusedError  # requests of the browser to its vendor

    async def shake_hands(self) -> None:
        """Wait for both halves of a handshake, each of which may be lost."""
        for line in (self.up, self.down):
            patience = 1.0
            while self.dice.random() < LOSS:
                await asyncio.sleep(patience)
                patience *= 2
            line.carried += HEADERS
            await asyncio.sleep(DELAY)


def writer_to(writer: asyncio.StreamWriter) -> Callable[[bytes], None]:
    def deliver(data: bytes) -> None:
        with suppress(OSError, RuntimeError):
            if data:
                writer.write(data)
            else:
                writer.close()

    return deliver


async def pump(reader: asyncio.StreamReader, stream: Stream) -> None:
    with suppress(OSError):
        while data := await reader.read(65536):
            stream.write(data)
    stream.write(b"")


@contextmanager
def slow_line(behind: int, seed: int) -> Iterator[SlowLine]:
    line = SlowLine(behind, seed)
    thread = threading.Thread(target=line.run, daemon=True)
    thread.start()
    line.ready.wait()
    yield line
    line.loop.call_soon_threadsafe(line.loop.stop)
    thread.join()


# ---- Measurements


# Check before each frame whether the form is complete; then wait for the frame that shows it.
WATCH = """
const look = () => requestAnimationFrame(() => {
  if (document.querySelector("#panel-form .actions-stuck button"))
    requestAnimationFrame(() => { window.shownAt = performance.now(); });
  else look();
});
look();
"""
SHOWN = "() => window.shownAt"


class Loaded(NamedTuple):
    """One load: seconds until the form is shown, until its script is ready, and until everything
    needed offline is loaded; kilobytes downloaded.
    """

    shown: float
    ready: float
    whole: float
    kilobytes: float


@contextmanager
def served() -> Iterator[tuple[int, str]]:
    """Serve a new data folder; yield the port and the folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        env = {"PATH": os.environ["PATH"], "DATA_DIR": folder, "LANG": "en_GB.UTF-8"}
        command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(port)]
        server = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, start_new_session=True
        )
        try:
            while True:
                with suppress(OSError), socket.create_connection(("127.0.0.1", port)) as phone:
                    phone.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
                    if phone.recv(100):
                        break
                time.sleep(0.1)
            yield port, folder
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


def token_in(folder: str) -> str:
    with closing(sqlite3.connect(Path(folder, "makiyaku.sqlite3"))) as database:
        return str(database.execute("SELECT token FROM tournaments_sitting").fetchone()[0])


def start_table(browser: Browser, port: int) -> tuple[str, StorageState]:
    """Start a table; return its page's path, and the cookies of its phone."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{port}/tables/goninkan-association/?players=6")
    for i, box in enumerate(page.locator("main form input[type=text]").all()):
        box.fill(f"選手{i + 1}")
    page.locator("main form button.button-primary").last.click()
    page.wait_for_url("**/tables/1/")
    path = page.url.partition(str(port))[2]
    state = context.storage_state()
    context.close()
    return f"{path}play/", state


@contextmanager
def phone(browser: Browser, line: SlowLine, state: StorageState) -> Iterator[Page]:
    """Yield a page with an empty cache behind the line."""
    context = browser.new_context(
        storage_state=state,
        viewport={"width": 360, "height": 740},
        proxy={"server": f"socks5://127.0.0.1:{line.port}", "bypass": "<-loopback>"},
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def load(browser: Browser, port: int, path: str, state: StorageState, seed: int) -> Loaded:
    with slow_line(port, seed) as line, phone(browser, line, state) as page:
        begun = time.monotonic()
        page.add_init_script(WATCH)
        page.goto(f"http://127.0.0.1:{port}{path}", wait_until="commit")
        page.wait_for_selector("html[data-phone=ready]", state="attached")
        ready = time.monotonic() - begun
        shown = page.evaluate(SHOWN) / 1000
        page.wait_for_function("() => window.qrcode && document.readyState === 'complete'")
        return Loaded(shown, ready, time.monotonic() - begun, line.down.carried / 1000)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    with served() as (port, folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"), args=arguments
        )
        path, state = start_table(browser, port)
        by = {"address": path, "link": f"/join/{token_in(folder)}/"}
        loads = {
            how: [load(browser, port, where, state, seed) for seed in range(runs)]
            for how, where in by.items()
        }
        browser.close()
    print("| opened by its | until | median | 9 in 10 | slowest | within 5 s |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for how, measured in loads.items():
        for name in ("shown", "ready", "whole"):
            print_row(f"{how} | {name}", [getattr(each, name) for each in measured])
    kilobytes = statistics.median(each.kilobytes for each in loads["address"])
    print(f"{kilobytes:.0f} kB down, in the median")


def print_row(
    name: str, measured: list[float], *, written: str = "{:.1f} s", within: float = 5
) -> None:
    """Print a row: median, 90th percentile, the slowest, and how many are within the limit."""
    times = sorted(measured)
    shown = statistics.median(times), times[int(len(times) * 0.9) - 1], times[-1]
    kept = sum(each <= within for each in times)
    print(
        f"| {name} |", *(f"{written.format(each)} |" for each in shown), f"{kept} of {len(times)} |"
    )


if __name__ == "__main__":
    main()
