"""One thread for each target writes the newest snapshot there, and says how that goes.

So a slow disk delays no other. What fails is tried again with the next snapshot.
"""

from __future__ import annotations

import errno
import time
from enum import StrEnum
from threading import Condition, Thread
from typing import Any

from tournaments.standby import snapshots
from tournaments.standby.snapshots import Header, Snapshot
from tournaments.standby.targets import Target

SECONDS_SLOW = 5
SECONDS_BETWEEN_KEPT = 600
SECONDS_UNCHANGED = 60  # after which the older copy is renewed


class State(StrEnum):
    """How a target is."""

    WAITING = "waiting"  # for its first copy
    COPIED = "copied"
    SLOW = "slow"
    MISSING = "missing"
    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    OTHER = "other"  # it holds copies that this database does not continue
    FAILED = "failed"


STATES = {
    errno.ENOSPC: State.FULL,
    errno.EDQUOT: State.FULL,
    errno.EROFS: State.READ_ONLY,
    errno.EACCES: State.READ_ONLY,
    errno.EPERM: State.READ_ONLY,
    errno.ENOENT: State.MISSING,
    errno.ENOTDIR: State.MISSING,
    errno.ENODEV: State.MISSING,
    errno.ENXIO: State.MISSING,
    errno.EIO: State.DAMAGED,
}


class Writer:
    """Writes to one target. Its attributes are read by another thread."""

    def __init__(self, target: Target) -> None:
        """The thread ends with the process."""
        self.target = target
        self.state = State.WAITING
        self.may_begin_again = False  # with a database that does not continue the copies
        self.written: Snapshot | None = None
        self.bytes = 0
        self.seconds = 0.0  # that the last copy took
        self._folder = target.folder()
        self._kept_at = self._written_at = time.monotonic()
        self._is_renewed = False
        self._busy_since: float | None = None
        self._offered: Snapshot | None = None
        self._is_closed = False
        self._changed = Condition()
        Thread(target=self._run, daemon=True, name=target.id).start()

    def offer(self, snapshot: Snapshot) -> None:
        """Let the thread write this snapshot, or look whether the target is still there."""
        with self._changed:
            self._offered = snapshot
            self._changed.notify_all()

    def close(self) -> None:
        """Let the thread end, when it has written what it is writing."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def is_idle(self) -> bool:
        return self._offered is None and self._busy_since is None

    def report(self, latest: Snapshot | None, checked_at: float) -> dict[str, Any]:
        """Return what the status says of the target.

        `current_until` is the time of which the copy has everything, or None without a copy.
        """
        busy_since, written = self._busy_since, self.written
        is_slow = busy_since is not None and time.monotonic() - busy_since > SECONDS_SLOW
        made_at = written.header.made_at if written else None
        return {
            "id": self.target.id,
            "name": self.target.name,
            "state": State.SLOW if is_slow else self.state,
            "made_at": made_at,
            "current_until": checked_at if written and written is latest else made_at,
            "digest": written.header.digest if written else "",
            "bytes": self.bytes,
            "seconds": round(self.seconds, 3),
        }

    def _run(self) -> None:
        while not self._is_closed:
            with self._changed:
                self._busy_since = None
                self._changed.wait_for(lambda: self._offered is not None or self._is_closed)
                snapshot, self._offered = self._offered, None
                self._busy_since = time.monotonic()
            if snapshot is not None:
                self.state = self._try_to_write(snapshot)

    def _try_to_write(self, snapshot: Snapshot) -> State:
        try:
            return self._write(snapshot)
        except OSError as error:
            return STATES.get(error.errno or 0, State.FAILED)

    def _write(self, snapshot: Snapshot) -> State:
        """Raises `OSError`."""
        if not self.target.is_present:
            return State.MISSING
        if snapshot is self.written:
            self._renew(snapshot)
            return State.COPIED
        begun = time.monotonic()
        newest = next(iter(self._folder.sidecars().values()), None)
        if newest is not None and self._is_other(snapshot, newest.header):
            if not self.may_begin_again and snapshot.header.epoch <= newest.header.epoch:
                return State.OTHER
            self._folder.set_aside()
        self.may_begin_again = False
        self.bytes += self._folder.write(snapshot)
        self.written, self._written_at, self._is_renewed = snapshot, time.monotonic(), False
        self.seconds = self._written_at - begun
        if not self.target.is_here and begun - self._kept_at >= SECONDS_BETWEEN_KEPT:
            self._kept_at = begun
            self.bytes += self._folder.keep(snapshot)
        return State.COPIED

    def _renew(self, snapshot: Snapshot) -> None:
        """Renew the older copy once nothing has changed for a minute: it may hold what was erased.

        Raises `OSError`.
        """
        is_due = time.monotonic() - self._written_at >= SECONDS_UNCHANGED
        if is_due and not self._is_renewed:
            self.bytes += self._folder.renew(snapshot)
            self._is_renewed = True

    def _is_other(self, snapshot: Snapshot, newest: Header) -> bool:
        """Return whether the snapshot is of another epoch, or does not continue the target's copy.

        What this thread has written last is continued: the copier has compared it.
        """
        if newest.epoch != snapshot.header.epoch:
            return True
        if self.may_begin_again or self.written is None:
            return not snapshots.does_continue(snapshot, newest)
        is_ours = newest.digest == self.written.header.digest
        return not (is_ours or snapshots.does_continue(snapshot, newest))
