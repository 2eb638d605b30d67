"""How long phones lose the tournament's address when another laptop takes it over.

    .venv/bin/python benchmarks/address.py [--runs N]    as root, on Linux with iproute2

Two laptops and a phone are network namespaces, joined by a bridge in another one; all of them end
with this program, and nothing outside is changed. The phone has reached the first laptop at the
tournament's address. Then that laptop's link goes down and the second one gets the address, with
and without `server/announcing.py`. Printed is when the phone reaches the second one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDRESS, PORT, MOST_SECONDS = "192.168.1.250", 8000, 90
OWN = {"first": "192.168.1.10", "second": "192.168.1.11", "phone": "192.168.1.50"}
TOOLS = ("ip", "unshare", "nsenter")
ANNOUNCE = f"from tournaments.server import announcing; announcing.announce('{ADDRESS}')"


class Machine:
    """A network namespace with an address of its own, at a port of the bridge."""

    def __init__(self, name: str, running: ExitStack) -> None:
        """It ends with `running`, as does what runs in it."""
        self.name, self._running = name, running
        self._holder = self._run("unshare", "--net", "sleep", "600")
        here = Path("/proc/self/ns/net").readlink()
        while Path(f"/proc/{self._holder.pid}/ns/net").readlink() == here:
            time.sleep(0.01)
        ip("link", "add", f"to-{name}", "type", "veth", "peer", "name", name)
        running.callback(ip, "link", "delete", f"to-{name}")
        ip("link", "set", f"to-{name}", "master", "bridge", "up")
        ip("link", "set", name, "netns", str(self._holder.pid))
        self.start("ip", "link", "set", name, "up").wait()
        self.add(OWN[name])

    def add(self, address: str) -> None:
        self.start("ip", "address", "add", f"{address}/24", "dev", self.name).wait()

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        return self._run("nsenter", "--target", str(self._holder.pid), "--net", *command)

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, cwd=ROOT)  # noqa: S603  our own
        self._running.callback(process.wait)
        self._running.callback(process.kill)
        return process


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)  # noqa: S603, S607


@contextmanager
def machines() -> Iterator[list[Machine]]:
    ip("link", "add", "bridge", "type", "bridge")
    ip("link", "set", "bridge", "up")
    with ExitStack() as running:
        yield [Machine(name, running) for name in OWN]
    ip("link", "delete", "bridge")


def measure(*, announces: bool) -> float:
    """Return the seconds from the new address of the second laptop until the phone reaches it."""
    with machines() as (first, second, phone):
        first.add(ADDRESS)
        for laptop in (first, second):
            laptop.start(sys.executable, __file__, "--answer", laptop.name)
        phone.start(sys.executable, __file__, "--reach", first.name).wait()
        ip("link", "set", f"to-{first.name}", "down")
        second.add(ADDRESS)
        begun = time.monotonic()
        if announces:
            second.start(sys.executable, "-c", ANNOUNCE)
        phone.start(sys.executable, __file__, "--reach", second.name).wait()
        return time.monotonic() - begun


def answer(name: str) -> None:
    """Tell everybody who connects the name of this laptop."""
    with socket.create_server(("0.0.0.0", PORT)) as listening:  # noqa: S104
        while True:
            listening.accept()[0].sendall(name.encode())


def reach(name: str) -> None:
    """Connect again and again, until the laptop of this name answers or `MOST_SECONDS` are over."""
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection((ADDRESS, PORT), timeout=0.5) as asking:
            if asking.recv(100).decode() == name:
                return
        time.sleep(0.05)
    sys.exit(f"{name} was not reached within {MOST_SECONDS} s.")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=3)
    for each in ("answer", "reach", "within"):  # of the programs in the namespaces
        parser.add_argument(f"--{each}", default="", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.answer:
        answer(asked.answer)
    elif asked.reach:
        reach(asked.reach)
    elif asked.within:
        for announces, runs in ((True, asked.runs), (False, 1)):
            seconds = sorted(measure(announces=announces) for _ in range(runs))
            shown = ", ".join(f"{each:.1f}" for each in seconds)
            print(f"| the phone, {'' if announces else 'not '}announced | {shown} s |", flush=True)
    elif sys.platform != "linux" or os.geteuid() or not all(map(shutil.which, TOOLS)):
        sys.exit(f"This needs Linux, root, and the programs {', '.join(TOOLS)}; nothing was done.")
    else:
        again = [sys.executable, __file__, "--within", "yes", "--runs", str(asked.runs)]
        os.execvp("unshare", ["unshare", "--net", *again])  # noqa: S606, S607


if __name__ == "__main__":
    main()
