"""Reads files, each in a process of its own, and measures memory and time.

    python -m tests.reading_process entries|archive FILE...

prints for each file the maximum of memory in kilobytes, the CPU time in seconds, and whether it
was read.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import django

ROOT = Path(__file__).resolve().parents[1]


class Read(NamedTuple):
    """The resources for a file, and the outcome: `read`, or the name of an exception."""

    name: str
    kilobytes: int
    seconds: float
    outcome: str


def read(kind: str, *paths: Path) -> list[Read]:
    """Read these files one after the other, as `entries` or `archive`."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.reading_process", kind, *paths],
        check=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tests.settings"},
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [line.split() for line in done.stdout.splitlines()]
    return [
        Read(path.name, int(kilobytes), float(seconds), outcome)
        for path, (kilobytes, seconds, outcome) in zip(paths, lines, strict=True)
    ]


def main(kind: str, names: list[str]) -> None:
    """Read each file in a process forked from this one, which has loaded what reads them."""
    django.setup()
    from tournaments.archives import files  # noqa: F401, PLC0415  once Django is set up
    from tournaments.spreadsheets import entry_lists  # noqa: F401, PLC0415

    for name in names:
        process = os.fork()
        if not process:
            print_reading(kind, name)
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if status:
            sys.exit(f"{name}: wait status {status}")


def print_reading(kind: str, name: str) -> None:
    """Read a file in this process, and print its line."""
    from tournaments.archives import ImportRefused, files  # noqa: PLC0415  once Django is set up
    from tournaments.spreadsheets.entry_lists import read_entries  # noqa: PLC0415
    from tournaments.spreadsheets.problems import BadFile  # noqa: PLC0415

    content = Path(name).read_bytes()
    begun = time.process_time()
    try:
        files.read(content) if kind == "archive" else read_entries(content, "")
        outcome = "read"
    except (ImportRefused, BadFile) as error:
        outcome = type(error).__name__
    status = Path("/proc/self/status").read_text()
    (most,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:"))
    print(most, time.process_time() - begun, outcome, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
