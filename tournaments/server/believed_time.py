"""The time by which events end: the system's clock, as long as it is plausible.

A laptop's clock may be set wrongly, jump when it finds the network, or come back from an empty
battery. The system also has a counter of seconds since the start of the machine, sleep included,
which cannot be set. A server stores both readings in a file. While the clock differs from the
counter by a day or more, or was a month ahead when the server started, the counted time is used,
until the desk confirms the clock, or it is set right.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.utils import timezone

A_DAY, A_MONTH = 86_400.0, 30 * 86_400.0
SECONDS_TOLD = 2 * 3600.0  # after a jump
SECONDS_OF_A_JUMP = 10.0  # what clocks that follow the network's time never leap
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
FILE = "clock.json"


class Readings(NamedTuple):
    """The system's clock (a Unix time), the counter, and what names the start of the machine."""

    wall: float
    counted: float
    boot: str


def read_clocks() -> Readings:
    """Read both clocks. The counter goes on while the machine sleeps."""
    if hasattr(time, "clock_gettime"):
        counted = time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
    else:
        counted = time.monotonic()  # on Windows it goes on, too
    boot = ""
    with suppress(OSError):
        boot = BOOT_ID.read_text(encoding="ascii").strip()
    return Readings(time.time(), counted, boot)


class Watch:
    """Compares both clocks of this machine. Its file is shared by all processes.

    - `offset`: the believed time minus the counter
    - `raw`: the system's clock minus the counter, when `take_jump` was last called
    """

    def __init__(self, folder: Path) -> None:
        """Read what was stored by an earlier process, if anything."""
        self._file = folder / FILE
        now = read_clocks()
        self.raw = self.offset = now.wall - now.counted
        self.last_jump: tuple[float, ...] = (0.0, 0.0)  # seconds, and the system's time after it
        with suppress(OSError, ValueError, KeyError, TypeError):
            stored = self._stored()
            self.last_jump = tuple(stored.get("jump", self.last_jump))
            is_same_boot = bool(now.boot) and stored["boot"] == now.boot
            believed = now.counted + stored["offset"] if is_same_boot else now.wall
            if is_same_boot:
                self.raw = float(stored["raw"])
            if abs(now.wall - believed) >= A_DAY:
                self.offset = believed - now.counted
            elif not -A_DAY < now.wall - stored["seen"] < A_MONTH:
                self.offset = stored["seen"] - now.counted

    def now(self) -> float:
        """Return the believed time as a Unix time."""
        now = read_clocks()
        if abs(now.wall - now.counted - self.offset) < A_DAY:
            return now.wall
        self._read_anew(now)
        is_plausible = abs(now.wall - now.counted - self.offset) < A_DAY
        return now.wall if is_plausible else now.counted + self.offset

    def take_jump(self) -> float:
        """Return by how many seconds the clock has jumped since the last call, and store the state.

        0 if it has not jumped. Only one process may call it.
        """
        now = read_clocks()
        jump = now.wall - now.counted - self.raw
        self.raw = now.wall - now.counted
        if abs(self.raw - self.offset) >= A_DAY:
            self._read_anew(now)
        if abs(self.raw - self.offset) < A_DAY:
            self.offset = self.raw  # follows a clock that is put right little by little
        if abs(jump) < SECONDS_OF_A_JUMP:
            jump = 0.0
        else:
            self.last_jump = jump, now.wall
        self._store(now)
        return jump

    def recent_jump(self) -> float:
        """Return the seconds of the last jump if it was found within two hours, else 0."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            seconds, at = self._stored()["jump"]
            return seconds if 0 <= read_clocks().wall - at < SECONDS_TOLD else 0.0
        return 0.0

    def believe_the_clock(self) -> None:
        """Store that somebody has confirmed the system's clock."""
        now = read_clocks()
        self.offset = now.wall - now.counted
        self._store(now)

    def _read_anew(self, now: Readings) -> None:
        """Read the offset that another process may have stored since."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            stored = self._stored()
            if stored["boot"] == now.boot:
                self.offset = float(stored["offset"])

    def _stored(self) -> dict[str, Any]:
        stored: dict[str, Any] = dict(json.loads(self._file.read_text(encoding="ascii")))
        return stored

    def _store(self, now: Readings) -> None:
        """Write the file atomically; errors of the disk are ignored."""
        seen = now.counted + self.offset
        state = {"boot": now.boot, "offset": self.offset, "raw": self.raw, "seen": seen}
        state |= {"jump": self.last_jump}
        draft = self._file.with_suffix(f".{os.getpid()}")
        with suppress(OSError):
            draft.write_text(json.dumps(state), encoding="ascii")
            draft.replace(self._file)


_watches: list[Watch] = []  # that of this server; none in commands and tests


def start(folder: Path) -> None:
    """Watch the clock from now on. A server calls it before its processes are forked."""
    _watches[:] = [Watch(folder)]


def watch() -> Watch | None:
    return _watches[0] if _watches else None


def now() -> datetime:
    watching = watch()
    return timezone.now() if watching is None else datetime.fromtimestamp(watching.now(), UTC)


def today() -> date:
    """Return the believed day in the time zone of the server."""
    return timezone.localdate(now())


class Notice(NamedTuple):
    """A notice to the desk about the clock.

    `believed` is the time that is used instead of the system's, None if the system's is used;
    `jump` the seconds of a jump that was found lately, or 0.
    """

    believed: datetime | None
    jump: float


def notice() -> Notice | None:
    watching = watch()
    if watching is None:
        return None
    believed = now()
    is_doubted = abs((timezone.now() - believed).total_seconds()) >= A_DAY / 2
    told = Notice(believed if is_doubted else None, watching.recent_jump())
    return told if any(told) else None
