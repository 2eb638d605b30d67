"""The process that copies the database every few seconds, while something changes.

    python -m tournaments.standby.copier DATA_FOLDER DATABASE SECONDS

It runs with the lowest priority and ends when its standard input is closed, after a last copy.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from tournaments.standby import snapshots, status, targets
from tournaments.standby.folders import prepare_folder
from tournaments.standby.snapshots import DamagedContent, Header, Snapshot, does_continue
from tournaments.standby.verification import Verification
from tournaments.standby.writers import Writer
from tournaments.system import locks, processes

LOWEST_PRIORITY = 19
# Of a core, in the looks; with its start and what is not counted, the copier takes a hundredth.
SHARE_OF_A_CORE = 0.009
LONGEST_PAUSE = 12.0  # seconds, whatever a look costs: a copy is then at most 15 seconds old
SECONDS_BETWEEN_CHECKS = 60  # of all indexes
SECONDS_TO_WRITE = 2.0  # that the report waits for the targets
SECONDS_FOR_THE_LAST = 10
# A file system may give two changes within this time the same time stamp.
SAME_TIME = 1.0


class DoesNotContinue(Exception):
    """The database has gone back to an earlier state, or is another one."""


FileState = tuple[tuple[int, int, int], ...]


class Copier:
    """The loop, and what it knows of the database and the targets."""

    def __init__(self, data_folder: Path, database: Path, seconds: float) -> None:
        """`seconds` is the shortest pause between two looks at the database."""
        self.data_folder, self.database, self.seconds = data_folder, database, seconds
        self.folder = targets.standby_folder(data_folder)
        self.snapshot: Snapshot | None = None
        self.state = ""  # of the database; empty if all is well
        self.may_begin_again = False  # with a database that does not continue the copies
        self.checked_at = 0.0
        self.writers: dict[targets.Target, Writer] = {}
        self.verification = Verification(self.folder)
        self._seen: FileState = ()
        self._seen_at = 0.0
        self._indexes_checked_at = float("-inf")

    def run(self) -> None:
        """Copy until standard input is closed: the server has ended."""
        over, is_over = threading.Event(), False
        threading.Thread(target=_wait_for_end_of_input, args=(over,), daemon=True).start()
        while not is_over:
            begun = time.process_time()
            self.look()
            pause = pause_after(time.process_time() - begun, self.seconds)
            is_over = over.wait(pause)
        self.look()
        self._wait_for_writers(SECONDS_FOR_THE_LAST)
        self.report()

    def look(self) -> None:
        """Take a snapshot if the database has changed, offer it to the targets, and report."""
        checked_at = time.time()
        self._begin_again_if_asked()
        try:
            self._look_at_database()
        except sqlite3.Error:
            self.state = "unreadable"
        except FileNotFoundError:
            self.state = "missing"
        except DamagedContent:
            self.state = "damaged"
        except DoesNotContinue:
            self.state = "other"
        else:
            self.checked_at = checked_at
        self._offer()
        self.verification.poll()
        self._wait_for_writers(SECONDS_TO_WRITE)
        self.report()

    def _look_at_database(self) -> None:
        """Take a snapshot if there is something new. Raises what `read_database`, `make` raise."""
        found, found_at = self._file_state(), time.time()
        secrets = targets.secrets_of(self.data_folder)
        before = self.snapshot
        is_same_secrets = before is not None and secrets == before.secrets
        if not (is_same_secrets and self._is_seen(found)):
            content = snapshots.read_database(self.database)
            if before is None or content != before.content or not is_same_secrets:
                self._take(self._checked(content, secrets, found_at))
        self._seen, self._seen_at, self.state = found, found_at, ""

    def _checked(self, content: bytes, secrets: dict[str, str], found_at: float) -> Snapshot:
        """Return a snapshot; all indexes are checked once a minute. Raises `DamagedContent`."""
        is_due = time.monotonic() - self._indexes_checked_at >= SECONDS_BETWEEN_CHECKS
        snapshot = snapshots.make(
            content, secrets, made_at=found_at, earlier=self.snapshot, is_quick=not is_due
        )
        if is_due:
            self._indexes_checked_at = time.monotonic()
        return snapshot

    def _is_seen(self, found: FileState) -> bool:
        """Return whether the files are as they were at the last look, which was late enough."""
        changed_at = max(times for _inode, _size, times in found) / 1e9
        return found == self._seen and changed_at < self._seen_at - SAME_TIME

    def _take(self, snapshot: Snapshot) -> None:
        """Make this the snapshot that is written. Raises `DoesNotContinue`."""
        earlier = self.snapshot.header if self.snapshot else self._newest_here()
        if earlier and not self.may_begin_again and not does_continue(snapshot, earlier):
            raise DoesNotContinue
        self.snapshot, self.may_begin_again = snapshot, False

    def _begin_again_if_asked(self) -> None:
        """Let the copies begin again with what the database is now, if an owner has asked for it.

        The copies so far are kept beside the new ones.
        """
        if targets.take_request_to_begin_again(self.folder):
            self.snapshot, self.may_begin_again = None, True
            for writer in self.writers.values():
                writer.may_begin_again = True

    def _file_state(self) -> FileState:
        """Return inode, size and time of the database's files, which no process of ours opens."""
        found = []
        for path in (self.database, self.database.with_name(f"{self.database.name}-wal")):
            if path == self.database or path.exists():
                known = path.stat()
                found.append((known.st_ino, known.st_size, known.st_mtime_ns))
        return tuple(found)

    def _newest_here(self) -> Header | None:
        folder = targets.own(self.folder).folder()
        return next((each.header for each in folder.sidecars().values()), None)

    def _offer(self) -> None:
        chosen = [targets.own(self.folder), *targets.chosen(self.folder)]
        for gone in self.writers.keys() - set(chosen):
            self.writers.pop(gone).close()
        self.writers = {each: self.writers.get(each) or Writer(each) for each in chosen}
        if self.snapshot is not None:
            self.verification.offer(self.snapshot)
            for writer in self.writers.values():
                writer.offer(self.snapshot)

    def _wait_for_writers(self, seconds: float) -> None:
        """Wait until all targets are written; not longer than this for slow ones."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and not all(map(Writer.is_idle, self.writers.values())):
            time.sleep(0.01)

    def report(self) -> None:
        reports = [each.report(self.snapshot, self.checked_at) for each in self.writers.values()]
        with suppress(OSError):  # a full disk: the report grows old, which the desk notices
            status.write(
                self.folder,
                checked_at=time.time(),
                database=self.state,
                targets=reports,
                verified_at=self.verification.finished_at,
                fault=self.verification.fault,
            )


def main() -> None:
    """Wait until no other copier uses the data folder, then copy."""
    data_folder, database, seconds = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    os.umask(0o077)
    processes.lower_priority(LOWEST_PRIORITY)
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)  # for the server, after which a last copy is made
    folder = targets.standby_folder(data_folder)
    prepare_folder(targets.own(folder).path)
    locks.take(folder / "lock")  # until the process ends
    Copier(data_folder, database, seconds).run()


def pause_after(cost: float, shortest: float) -> float:
    """Return how long to wait after a look that took `cost` seconds of processor time."""
    return min(max(shortest, cost / SHARE_OF_A_CORE), max(shortest, LONGEST_PAUSE))


def _wait_for_end_of_input(over: threading.Event) -> None:
    """A thread waits, since on Windows `select` takes nothing but sockets."""
    os.read(sys.stdin.fileno(), 1)
    over.set()


if __name__ == "__main__":
    main()
