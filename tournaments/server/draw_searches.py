"""Searches for a better draw, each in a process of its own: started, watched, stopped.

Threads of the server only start the process and read its files, so that no deal waits for a search.
The process has a low priority, and only one runs at a time. Nothing is stored in the database: a
search that was lost can be started again.

The folder of a search has the files `about.json` (the fields of `Search`), `request.json` (the
request of the draw), and from the process `progress.json` (the best draw so far) and `answer.json`.
A file `stop` makes the process end early.
"""

from __future__ import annotations

import json
import os
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

from tournaments.draws import count_pairs_meeting_again, searching
from tournaments.system import locks

CHOICES = (10, 30, 60)  # seconds
SECONDS_KEPT = 3600  # after which a folder is removed
SECONDS_LATE = 15  # that a search may take longer than planned


class SearchRunning(Exception):
    """Another search is running."""


class Search(NamedTuple):
    """A search: its folder, and the facts with which it was started.

    `repeats` and `meetings` are the quality of the first draw (`meetings`: the number of pairs by
    how often they meet); `again` is how many of its pairs have met in earlier sessions, or None
    where several sessions are drawn together. `proposal` is the number of the proposal with the
    first draw. `started` is a Unix time.
    """

    folder: Path
    seconds: int
    repeats: int
    meetings: dict[str, int]
    again: int | None
    proposal: int
    started: float

    @property
    def elapsed(self) -> int:
        """Return for how many seconds the search has run, at most `seconds`."""
        return min(max(int(time.time() - self.started), 0), self.seconds)

    @property
    def is_lost(self) -> bool:
        """Return whether the search should have ended by now: no answer can be expected."""
        return time.time() - self.started > self.seconds + SECONDS_LATE

    @property
    def pairs_at_start(self) -> int:
        return self._pairs(self.meetings)

    @property
    def pairs(self) -> int:
        progress = _read_json(self.folder / "progress.json")
        is_better = progress is not None and progress["repeats"] < self.repeats
        return self._pairs(progress["meetings"] if progress and is_better else self.meetings)

    def _pairs(self, meetings: dict[str, int]) -> int:
        """Return how many pairs meet again in a draw with these `meetings`.

        For several sessions, count the pairs that meet twice or more. For one session, count the
        pairs at its tables that have met before. Its tables have equally many pairs in every draw,
        and each pair without an earlier meeting adds one pair to `meetings`. So a draw with more
        pairs in `meetings` than the first draw has as many fewer that meet again.
        """
        if self.again is None:
            return sum(pairs for times, pairs in meetings.items() if int(times) > 1)
        return self.again + sum(self.meetings.values()) - sum(meetings.values())

    @property
    def facts(self) -> dict[str, Any] | None:
        """Return the draw that was found, as `models.Draw` stores it; None without an answer."""
        return _read_json(self.folder / "answer.json")

    def stop(self) -> None:
        """Let the process end soon, with the best draw so far as its answer."""
        (self.folder / "stop").touch()

    def cancel(self) -> None:
        """Remove the folder, which ends the process without an answer."""
        shutil.rmtree(self.folder, ignore_errors=True)


def start(subject: str, facts: Mapping[str, Any], *, seconds: int, proposal: int) -> str:
    """Start a search for a better draw than `facts`, and return the key of the search.

    `facts` are a draw as `models.Draw` stores it. `subject` names the tournament and the session
    that are drawn: `find` needs it, too. `proposal` is as in `Search`. Raises `SearchRunning`.
    """
    base = _base_folder()
    key = secrets.token_hex(8)
    try:
        lock = locks.take(base / "lock", waits=False)
    except locks.Locked:
        raise SearchRunning from None
    try:
        _remove_old(base)
        folder = base / f"{subject}-{key}"
        folder.mkdir()
        searching.write(folder / "about.json", _about(facts, seconds, proposal))
        searching.write(folder / "request.json", dict(facts["request"]))
        process = subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", searching.__name__, str(folder), str(seconds)],
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,  # Ctrl-C is for the server; in another session Linux ignores niceness
        )
    except BaseException:
        os.close(lock)
        raise
    Thread(target=_unlock_after, args=(process, lock), daemon=True).start()
    return key


def _about(facts: Mapping[str, Any], seconds: int, proposal: int) -> dict[str, Any]:
    """Return what `about.json` has."""
    request, answer = facts["request"], facts["answer"]
    about: dict[str, Any] = {"seconds": seconds, "proposal": proposal, "started": time.time()}
    about |= {name: answer["quality"][name] for name in ("repeats", "meetings")}
    tables = [each["tables"] for each in answer["sessions"]]
    is_one = len(tables) == 1
    about["again"] = (
        count_pairs_meeting_again(request.get("history", ()), tables[0], request.get("met", ()))
        if is_one
        else None
    )
    return about


def _unlock_after(process: subprocess.Popen[bytes], lock: int) -> None:
    """Wait for the end of a search, which would remain as a zombie, and let the next one begin."""
    process.wait()
    os.close(lock)


def find(subject: str, key: str) -> Search | None:
    """Return the search with this subject and key.

    None if it was cancelled or removed, or if another version of the program has started it.
    """
    folder = _base_folder() / f"{subject}-{key}"
    about = _read_json(folder / "about.json") if key.isalnum() else None
    return Search(folder, **about) if about and about.keys() == {*Search._fields[1:]} else None


def _base_folder() -> Path:
    """Return the folder with the folders of all searches, after making it if it is missing."""
    base = Path(settings.DATA_DIR) / "searches"
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    return base


def _read_json(path: Path) -> dict[str, Any] | None:
    """Return None if there is no such file."""
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return content


def _remove_old(base: Path) -> None:
    for folder in base.glob("*-*"):
        if time.time() - folder.stat().st_mtime > SECONDS_KEPT:
            shutil.rmtree(folder, ignore_errors=True)
