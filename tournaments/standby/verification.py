"""`manage.py verify` on a copy, every few minutes, in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import tournaments
from tournaments.standby.folders import write_atomically
from tournaments.standby.snapshots import Snapshot
from tournaments.system import processes

SECONDS_BETWEEN = 300
SECONDS_BEFORE_THE_FIRST = 30  # soon: a database that was gone on with was not verified
PROJECT = Path(tournaments.__file__).parents[1]


class Verification:
    """The process that runs, and what the last one found."""

    def __init__(self, folder: Path) -> None:
        """The first one is due after `SECONDS_BEFORE_THE_FIRST`."""
        self.finished_at: float | None = None
        self.fault = ""
        self._folder = folder / "verifying"
        self._process: subprocess.Popen[bytes] | None = None
        self._last: Snapshot | None = None
        self._due = time.monotonic() + SECONDS_BEFORE_THE_FIRST
        shutil.rmtree(self._folder, ignore_errors=True)

    def offer(self, snapshot: Snapshot) -> None:
        """Start to verify a snapshot if it is due, and not the last one."""
        is_due = time.monotonic() >= self._due and snapshot is not self._last
        if is_due and self._process is None:
            self._due, self._last = time.monotonic() + SECONDS_BETWEEN, snapshot
            try:
                self._start(snapshot)
            except OSError as error:
                self._finish(str(error))

    def poll(self) -> None:
        """Read the result if the process has ended."""
        if self._process is not None and self._process.poll() is not None:
            status, self._process = self._process.returncode, None
            lines = (self._folder / "output").read_text(encoding="utf-8").splitlines()
            self._finish((lines or [f"exit status {status}"])[0] if status else "")

    def _start(self, snapshot: Snapshot) -> None:
        self._folder.mkdir(mode=0o700, exist_ok=True)
        copy = self._folder / "database"
        write_atomically(copy, snapshot.content)
        with (self._folder / "output").open("wb") as output:
            self._process = subprocess.Popen(  # noqa: S603  our own program
                processes.manage("verify"),
                cwd=PROJECT,
                env=os.environ
                | {"DATABASE_URL": processes.sqlite_url(copy), "DATA_DIR": str(self._folder)}
                | {"SECRET_KEY": "signs nothing", "PYTHONIOENCODING": "utf-8"},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def _finish(self, fault: str) -> None:
        self.finished_at, self.fault = time.time(), fault
        shutil.rmtree(self._folder, ignore_errors=True)
