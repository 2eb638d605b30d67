"""The computers of `soak.py`: processes that serve or follow, and a lossy link between them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.faults.serving import Server, free_port, prepare
from tests.faults.set_clock import environment, set_clock
from tests.programs import find_program
from tournaments.standby import targets
from tournaments.standby.folders import Folder

ROOT = Path(__file__).resolve().parent.parent
HOST, PROXY, RETURNED = "127.0.25.1", "127.0.25.2", "127.0.25.3"
PORT, HTTPS = free_port(), free_port()
PATIENCE = 240  # seconds
DISK = "128m"


class Computer:
    """A data folder, its stick, and the process that serves it or follows another computer.

    The data folder is a small disk, and the clock can be set.
    """

    def __init__(self, folder: Path, number: int) -> None:
        """The stick is chosen before the first start."""
        self.data, self.stick = folder / f"computer{number}", folder / f"stick{number}"
        for each in (self.data, self.stick):
            each.mkdir()
        mount = [find_program("mount"), "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs"]
        subprocess.run([*mount, str(self.data)], check=True)  # noqa: S603  our own disk
        self.clock, self.clock_was_set = folder / f"clock{number}", list[tuple[float, float]]()
        self.set_clock(0)
        if number == 1:
            prepare(Server(self.data))
        targets.choose(targets.standby_folder(self.data), self.stick)
        self.process: subprocess.Popen[bytes] | None = None

    def run(self, *command: str | Path, host: str = HOST) -> None:
        options = ["--host", host, "--port", str(PORT), "--https", str(HTTPS)]
        with self.data.with_suffix(".log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603  our own program
                [sys.executable, "manage.py", *command, *options],
                cwd=ROOT,
                env={"PATH": os.environ["PATH"], "DATA_DIR": str(self.data), "LANG": "en"}
                | environment(self.clock),
                start_new_session=True,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def remove(self) -> None:
        """Kill it, and take its disks away."""
        self.kill()
        unmount = [find_program("umount"), "--lazy", str(self.data)]
        subprocess.run(unmount, check=False, stderr=subprocess.DEVNULL)  # noqa: S603
        for each in (self.data, self.stick):
            shutil.rmtree(each, ignore_errors=True)

    def set_clock(self, seconds: float) -> None:
        """Set its clock so many seconds from the right time."""
        self.clock_was_set.append((time.time(), seconds))
        set_clock(self.clock, seconds)

    def right_time(self, shown: float) -> float:
        """Return when its clock first showed this."""
        ends = [*(begun for begun, _ in self.clock_was_set[1:]), float("inf")]
        times = (
            (shown - by, begun, end)
            for (begun, by), end in zip(self.clock_was_set, ends, strict=True)
        )
        return min(at for at, begun, end in times if begun - 1 <= at <= end + 1)

    @property
    def database(self) -> Path:
        return self.data / "makiyaku.sqlite3"

    @property
    def filler(self) -> Path:
        return self.data / "filler"

    def log(self) -> str:
        return self.data.with_suffix(".log").read_text()

    def on_stick(self) -> Folder:
        return Folder(self.stick / targets.ON_DISK)

    def followed(self) -> Folder:
        """Return the folder of the copies of the computer that it follows."""
        return Folder(self.data / "following")

    def press(self) -> None:
        """Press the button on the page of a follower."""
        with urlopen(f"http://127.0.0.1:{PORT}/") as page:
            secret = re.search(r'name="secret" value="([^"]*)"', page.read().decode())
        if not secret:
            raise RuntimeError("The page has no button.")
        form = urlencode({"secret": secret[1]}).encode()
        urlopen(f"http://127.0.0.1:{PORT}/", form).close()


class LossyLink(threading.Thread):
    """Forwards connections to the https port; some are dropped, late, or cut."""

    def __init__(self, seed: int) -> None:
        """Listen at the address of the proxy."""
        super().__init__(daemon=True)
        self.dice, self.befell = Random(seed), Counter[str]()  # noqa: S311
        self.listening = socket.create_server((PROXY, HTTPS))

    def run(self) -> None:
        while True:
            near, _address = self.listening.accept()
            fate = self.dice.choices(["well", "dropped", "late", "cut"], [55, 15, 15, 15])[0]
            self.befell[fate] += 1
            if fate == "dropped":
                near.close()
                continue
            left = self.dice.randint(0, 60_000) if fate == "cut" else 1 << 40
            wait = self.dice.uniform(0, 1) if fate == "late" else 0
            threading.Thread(target=self.forward, args=(near, left, wait), daemon=True).start()

    def forward(self, near: socket.socket, left: int, wait: float) -> None:
        time.sleep(wait)
        with near, suppress(OSError), socket.create_connection((HOST, HTTPS)) as far:
            back = threading.Thread(target=self.copy, args=(far, near, left), daemon=True)
            back.start()
            self.copy(near, far, left)
            back.join()

    @staticmethod
    def copy(source: socket.socket, sink: socket.socket, left: int) -> None:
        with suppress(OSError):
            while left > 0 and (content := source.recv(min(65536, left))):
                sink.sendall(content)
                left -= len(content)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


def wait_for(check: Callable[[], Any], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not check():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
