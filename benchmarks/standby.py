"""Standby copies of a database of 24 MB while 17 deals a second arrive, and going on from one.

    .venv/bin/python benchmarks/standby.py [--pairs N] [--seconds N]

prints the table of `docs/benchmarks.md`. Blocks with copies (the usual pauses: from 5 seconds up to
`copier.LONGEST_PAUSE`) to the data folder and to another disk (/dev/shm) alternate with blocks
without; the least percentile of each kind is shown, as other programs on the machine only add to
it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.faults import serving  # noqa: E402
from tests.faults.serving import Answer, Server, Table, ask  # noqa: E402
from tournaments.server.certificates import Certificate  # noqa: E402
from tournaments.standby import followers, process, status, targets  # noqa: E402
from tournaments.standby.copier import Copier  # noqa: E402
from tournaments.standby.following import Following, pair  # noqa: E402

SIZE = 21_000_000  # before the deals that are measured: with half of them it has 24 MB
DEALS_A_SECOND, TABLES = 17, 51
DEALS = [{"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}]  # of a round
PATIENCE = 120
AWAY = 503


class Block(NamedTuple):
    """Deals' latencies, the ages of the copies on the other disk, the copier's share of a core."""

    deals: list[float]
    ages: list[float]
    copier: float


def fill(server: Server) -> None:
    """Record events of ten rounds, with their audit entries, until the database has `SIZE`."""
    while size_of(server) < SIZE:
        event = serving.set_up(server, TABLES, rounds=99)
        subprocess.run(  # noqa: S603  our own program
            [sys.executable, ROOT / "benchmarks" / "hall_rounds.py"],
            check=True,
            env={"PATH": os.environ["PATH"], "DATA_DIR": str(server.data), "HTTPS": "off"}
            | {"SECRET_KEY": "only-for-benchmarks"},
            input=json.dumps([[each.sitting, rounds_at(each)] for each in event.tables]),
            text=True,
        )


def size_of(server: Server) -> int:
    return (server.data / "makiyaku.sqlite3").stat().st_size


def rounds_at(table: Table) -> list[dict[str, Any]]:
    """Return the facts of ten rounds."""
    return [{**roles(table, number), "deals": DEALS} for number in range(1, 11)]


def roles(table: Table, number: int) -> dict[str, Any]:
    dealer = table.players[number % 6]
    return {"dealer": dealer, "kankei": [each for each in table.players if each != dealer][:2]}


class Phone:
    """Records deals of a table, one after the other."""

    def __init__(self, server: Server, table: Table) -> None:
        """Begins with the table's first round."""
        self.server, self.table, self.number, self.deal, self.seen = server, table, 1, 1, 0
        self.lock = Lock()

    def record(self) -> float:
        """Send the next deal, one at a time, and return how long the answer took."""
        with self.lock:
            return self._record()

    def send(self, path: str, body: Any, key: str) -> Answer | None:
        """Return the answer; None if it is to be sent again, as phones do."""
        try:
            answer = ask(self.server.port, "PUT", path, body, token=self.table.token, key=key)
        except (OSError, HTTPException):
            return None
        return None if answer.status == AWAY else answer

    def _record(self) -> float:
        body: dict[str, Any] = {"deal": DEALS[self.deal - 1], "seen": self.seen}
        if self.deal == 1:
            body["round"] = roles(self.table, self.number)
        path = f"/api/sittings/{self.table.sitting}/rounds/{self.number}/deals/{self.deal}"
        begun, key = time.monotonic(), str(uuid.uuid4())
        while (answer := self.send(path, body, key)) is None:
            time.sleep(0.1)
        taken = time.monotonic() - begun
        if answer.status not in {200, 201}:
            raise RuntimeError(answer)
        self.seen, self.deal = answer.body["version"], self.deal + 1
        if answer.body["complete"]:
            self.number, self.deal, self.seen = self.number + 1, 1, 0
        return taken


def play(phones: list[Phone], seconds: float) -> list[float]:
    """Let the phones record `DEALS_A_SECOND` in turn; return how long the answers took."""
    begun = time.monotonic()
    with ThreadPoolExecutor(len(phones)) as pool:
        waiting = []
        for index in range(int(seconds * DEALS_A_SECOND)):
            time.sleep(max(0, begun + index / DEALS_A_SECOND - time.monotonic()))
            waiting.append(pool.submit(phones[index % len(phones)].record))
        return [each.result() for each in waiting]


def wait_for(check: Any) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.05)


def copier_of(data: Path) -> int:
    """Return the process id of a data folder's copier; 0 without one."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            line = path.read_bytes()
            if process.COPIER.encode() in line and bytes(data) in line:
                return int(path.parent.name)
    return 0


def processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def watched(folder: Path, ages: list[float]) -> Iterator[None]:
    """Append the age of the copy on the other disk, five times a second."""
    is_over = Event()

    def watch() -> None:
        while not is_over.wait(0.2):
            times = [each.current_until for each in status.read(folder).elsewhere()]
            ages.extend(time.time() - each for each in times if each is not None)

    thread = Thread(target=watch)
    thread.start()
    yield
    is_over.set()
    thread.join()


def block(server: Server, phones: list[Phone], seconds: float, interval: str) -> Block:
    """Start the server with this `STANDBY_SECONDS`, and let the phones record."""
    server.environment = {"STANDBY_SECONDS": interval}
    server.start()
    folder, share = targets.standby_folder(server.data), 0.0
    ages: list[float] = []
    if interval != "0":
        wait_for(lambda: copier_of(server.data) and status.read(folder).is_running)
    play(phones, 5)  # warms the processes up
    pid = copier_of(server.data)
    before, begun = processor_time(pid) if pid else 0, time.monotonic()
    with watched(folder, ages):
        deals = play(phones, seconds)
    if pid:
        share = (processor_time(pid) - before) / (time.monotonic() - begun)
    server.kill(signal.SIGTERM)
    wait_for(lambda: not copier_of(server.data))
    return Block(deals, ages if pid else [], share)


def percentile(values: list[float], part: int) -> float:
    return statistics.quantiles(values, n=100)[part - 1]


def least(blocks: list[Block], part: int) -> float:
    return 1000 * min(percentile(each.deals, part) for each in blocks)


def measure_cycle(server: Server, phones: list[Phone]) -> tuple[float, float]:
    """Return the wall and CPU time of a look of the copier after 85 deals."""
    server.environment = {"STANDBY_SECONDS": "0"}
    server.start()
    copier = Copier(server.data, server.data / "makiyaku.sqlite3", 5)
    walls, cpus = [], []
    for _ in range(6):
        play(phones, 5)
        wall, cpu = time.monotonic(), time.process_time()
        copier.look()
        while not all(each.is_idle() for each in copier.writers.values()):
            time.sleep(0.001)
        walls.append(time.monotonic() - wall)
        cpus.append(time.process_time() - cpu)
    server.kill(signal.SIGTERM)
    return min(walls[1:]), min(cpus[1:])


def measure_following(server: Server, phones: list[Phone], folder: Path) -> tuple[float, int, int]:
    """Return the seconds and bytes of a follower's first copy, and bytes in 15 s of play."""
    https = serving.free_port()
    server.environment, server.more = {"STANDBY_SECONDS": "5"}, ["--https", str(https)]
    server.start()
    standby = targets.standby_folder(server.data)
    wait_for(lambda: copier_of(server.data) and targets.own(standby).folder().sidecars())
    certificate = Certificate(server.data / "https-certificate.pem", server.data / "https-key.pem")
    digest = bytes.fromhex(certificate.fingerprint.replace(":", ""))
    code = followers.new_code(standby, digest)
    folder.mkdir()
    begun = time.monotonic()
    followed = Following(folder, pair(folder, f"https://127.0.0.1:{https}", code, "second"))
    while followed.snapshot is None:
        followed.look()
    first, first_bytes = time.monotonic() - begun, followed.bytes
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play, phones, 45)
        while not playing.done():
            time.sleep(5)
            followed.look()
    server.kill(signal.SIGKILL)
    return first, first_bytes, (followed.bytes - first_bytes) // 3


def measure_going_on(server: Server, following: Path, there: Path) -> float:
    """Return how long it takes from the command to the first answer on another computer."""
    there.mkdir()
    command = [sys.executable, "manage.py", "go_on", str(following), "--yes"]
    begun = time.monotonic()
    running = subprocess.Popen(  # noqa: S603  our own program
        [*command, "--host", "127.0.0.1", "--port", str(server.port)],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(there)},
        start_new_session=True,
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(lambda: is_answered(server.port))
        return time.monotonic() - begun
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.wait()


def is_answered(port: int) -> bool:
    try:
        return ask(port, "GET", "/healthz").status == 200
    except (OSError, HTTPException):
        return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=40)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="makiyaku-standby-") as name,
        tempfile.TemporaryDirectory(prefix="makiyaku-stick-", dir="/dev/shm") as stick,
    ):
        server = Server(Path(name) / "var")
        server.data.mkdir()
        serving.prepare(server)
        targets.choose(targets.standby_folder(server.data), Path(stick))
        server.start()
        fill(server)
        event = serving.set_up(server, TABLES, rounds=99)
        server.kill(signal.SIGTERM)
        before = size_of(server)
        phones = [Phone(server, table) for table in event.tables]
        without, with_copies = [], []
        for _ in range(options.pairs):
            without.append(block(server, phones, options.seconds, "0"))
            with_copies.append(block(server, phones, options.seconds, "5"))
        wall, cpu = measure_cycle(server, phones)
        following = Path(name) / "following"
        first, first_bytes, later = measure_following(server, phones, following)
        goes_on = [
            measure_going_on(server, following, Path(name) / f"there{number}")
            for number in range(3)
        ]
        after = size_of(server)
    ages = [age for each in with_copies for age in each.ages]
    print(f"| database, before and after | {before / 1e6:.0f}, {after / 1e6:.0f} MB |")
    for part in (50, 95, 99):
        one, two = least(without, part), least(with_copies, part)
        print(
            f"| deals p{part}: without, with copies | {one:.0f}, {two:.0f} ms ({two / one:.2f}) |"
        )
    oldest, usual = max(ages), statistics.median(ages)
    print(f"| oldest copy on the other disk, and median | {oldest:.1f} s, {usual:.1f} s |")
    share = 100 * min(each.copier for each in with_copies)
    print(f"| the copier's share of a core | {share:.2f} % |")
    print(f"| a cycle: wall and CPU time | {1000 * wall:.0f} and {1000 * cpu:.0f} ms |")
    print(f"| a follower's first copy | {first:.1f} s, {first_bytes / 1e6:.1f} MB |")
    print(f"| bytes to a follower in 15 s | {later / 1e6:.2f} MB |")
    print(f"| from the command to the first answer | {min(goes_on):.1f} s |")


if __name__ == "__main__":
    main()
