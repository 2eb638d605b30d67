"""Searches for a better draw, each in a process of its own: started, watched, stopped.

Threads of the server only start a process and read its files, so that a search keeps no deal
waiting; the process gives way to all others, and one runs at a time. Nothing of it is stored in the
database: a search that is lost can be started again.
"""

from __future__ import annotations

import fcntl
import json
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from django.conf import settings

from tournaments.draws import meeting_again, searching

CHOICES = (10, 30, 60)  # seconds
KEPT = 3600  # seconds after which a folder is removed
GRACE = 15  # seconds that a search may end late


class SearchRunning(Exception):
    """Another search is running."""


class Search(NamedTuple):
    """A search: its folder, and what it was started with.

    `repeats` and `meetings` are those of the first draw, and `again` how many pairs meet again in
    it; None where several sessions are drawn. `back` is the name of the page that the search
    belongs to, and `query` that page's.
    """

    folder: Path
    seconds: int
    repeats: int
    meetings: dict[str, int]
    again: int | None
    back: str
    query: str
    started: float

    @property
    def elapsed(self) -> int:
        """Return for how many seconds it has run."""
        return min(max(int(time.time() - self.started), 0), self.seconds)

    @property
    def is_lost(self) -> bool:
        """Return whether it should have ended by now, but for its answer."""
        return time.time() - self.started > self.seconds + GRACE

    @property
    def pairs_at_start(self) -> int:
        """Return how many pairs meet again in the first draw."""
        return self._pairs(self.meetings)

    @property
    def pairs(self) -> int:
        """Return how many pairs meet again in the best draw so far."""
        found = _read(self.folder / "progress.json")
        is_better = found is not None and found["repeats"] < self.repeats
        return self._pairs(found["meetings"] if found and is_better else self.meetings)

    def _pairs(self, meetings: dict[str, int]) -> int:
        """Return the pairs of one session who meet again; of several, those who meet twice or more.

        The tables of one session have as many pairs in every draw: each that has not met before
        is one more in `meetings`.
        """
        if self.again is None:
            return sum(pairs for times, pairs in meetings.items() if int(times) > 1)
        return self.again + sum(self.meetings.values()) - sum(meetings.values())

    @property
    def facts(self) -> dict[str, Any] | None:
        """Return the draw that was found, as `models.Draw` stores it; None while it runs."""
        return _read(self.folder / "answer.json")

    def stop(self) -> None:
        """End it with its best so far."""
        (self.folder / "stop").touch()

    def cancel(self) -> None:
        """End it without an answer."""
        shutil.rmtree(self.folder, ignore_errors=True)


def start(of: str, facts: Mapping[str, Any], *, seconds: int, back: str, query: str) -> str:
    """Search further from the request of a draw, and return the key of the search.

    `of` names what is drawn; nobody finds the search without it. Raises `SearchRunning`.
    """
    base = _base()
    key = secrets.token_hex(8)
    with (base / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SearchRunning from None
        _remove_old(base)
        folder = base / f"{of}-{key}"
        folder.mkdir()
        request, answer = facts["request"], facts["answer"]
        about = {"seconds": seconds, "back": back, "query": query, "started": time.time()}
        about |= {name: answer["quality"][name] for name in ("repeats", "meetings")}
        tables = [each["tables"] for each in answer["sessions"]]
        is_one = len(tables) == 1
        about["again"] = meeting_again(request.get("history", ()), tables[0]) if is_one else None
        searching.write(folder / "about.json", about)
        searching.write(folder / "request.json", dict(request))
        process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", searching.__name__, str(folder), str(seconds)],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[lock.fileno()],  # locked until the process ends
            start_new_session=True,
        )
    Thread(target=process.wait, daemon=True).start()  # or it would remain as a zombie
    return key


def find(of: str, key: str) -> Search | None:
    """Return a search, None if it was cancelled or removed."""
    folder = _base() / f"{of}-{key}"
    about = _read(folder / "about.json") if key.isalnum() else None
    return Search(folder, **about) if about and about.keys() == {*Search._fields[1:]} else None


def _base() -> Path:
    base = Path(settings.DATA_DIR) / "searches"
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return base


def _read(path: Path) -> dict[str, Any] | None:
    """Return the JSON object of a file, None if there is no such file."""
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return found


def _remove_old(base: Path) -> None:
    """Remove the folders of searches that were started long ago."""
    for folder in base.glob("*-*"):
        if time.time() - folder.stat().st_mtime > KEPT:
            shutil.rmtree(folder, ignore_errors=True)
