"""Backups taken in a background thread when a session is over, an event closed, or data erased.

A session is over with its last planned round or the end of its last game, when the desk ends it, or
when the next one is seated. No request waits for the backup, and its failure fails no write.

After the commit a marker file is written to the backup folder (`storage.mark_due`) and a thread
is started, which takes the backup and removes the marker. A marker that remains shows the desk that
a backup failed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from threading import Thread, current_thread

from django.db import connections, transaction
from django.utils import timezone

from tournaments.backups import creation, sqlite, storage
from tournaments.backups.files import Reason
from tournaments.models import Sitting, Tournament
from tournaments.queries import progress
from tournaments.server import jobs

logger = logging.getLogger(__name__)

threads: set[Thread] = set()  # running backups
is_off: ContextVar[bool] = ContextVar("is_off", default=False)


@contextmanager
def disabled() -> Iterator[None]:
    """Take no automatic backups inside this context, as for the demo's made-up events."""
    token = is_off.set(True)
    try:
        yield
    finally:
        is_off.reset(token)


def schedule_after_writing(sitting: Sitting, *, is_last: bool) -> None:
    """Schedule a backup on commit if what was just written completes the sitting's session.

    `is_last` tells whether it is the last that the sitting records. Call it in the transaction of
    the write, for new facts, not for corrections. Facts that arrive after the desk ended the
    session schedule a backup, too.
    """
    has_ended = sitting.session.ended_at is not None
    # Whether the other tables are done is checked after the commit.
    if has_ended or is_last:
        _call_after_commit(partial(_start_if_session_over, sitting))


def schedule_after_session() -> None:
    """Schedule a backup on commit. Call it in the transaction that ends a session."""
    _call_after_commit(partial(_start_thread, Reason.AFTER_SESSION))


def schedule_before_session(tournament: Tournament) -> None:
    """Schedule a backup on commit if seating the next session ends one that has begun.

    Call it in the transaction that seats the next session, before writing that session.
    """
    sessions = progress.sessions_of(tournament)
    if any(each.progress.has_begun and not each.is_over for each in sessions):
        schedule_after_session()


def schedule_after_closing() -> None:
    """Schedule a backup on commit. Call it in the transaction that closes an event."""
    _call_after_commit(partial(_start_thread, Reason.AFTER_CLOSING))


def schedule_after_erasing() -> None:
    """Schedule a backup on commit. Call it in the transaction that erases private data.

    Before it is taken, erased values are removed from the free space of the database: those of
    SQLite would be in every backup.
    """
    _call_after_commit(partial(_start_thread, Reason.AFTER_ERASING))


def _call_after_commit(callback: Callable[[], None]) -> None:
    """Call `callback` on commit; not at all if `disabled` or if the database is in memory."""
    if not (is_off.get() or sqlite.is_in_memory()):
        transaction.on_commit(callback, robust=True)


def wait_for_threads() -> None:
    for thread in list(threads):
        thread.join()


def _start_if_session_over(sitting: Sitting) -> None:
    """Start a backup if the sitting's session is over. Call it after the commit."""
    sessions = progress.sessions_of(sitting.session.tournament)
    is_over = any(each.session.pk == sitting.session_id and each.is_over for each in sessions)
    if is_over:
        _start_thread(Reason.AFTER_SESSION)


def _start_thread(reason: Reason) -> None:
    """Write the marker, and start a thread that takes a backup. Call it after the commit."""
    committed_at = timezone.now()
    with suppress(OSError):
        storage.mark_due()
    # Not a daemon, so that a stopping server waits for it.
    thread = Thread(target=_make_backup, args=(committed_at, reason), daemon=False)
    threads.add(thread)
    thread.start()


def _make_backup(committed_at: datetime, reason: Reason) -> None:
    """Take a backup, unless one was made after `committed_at`. Logs errors, raises none."""
    try:
        if reason == Reason.AFTER_ERASING:
            creation.engine().compact()
            committed_at = timezone.now()  # an earlier backup still has the remains
        jobs.run(_take_unless_newer, committed_at, reason)
    except Exception:
        logger.exception("The backup %s could not be made", reason)
        with suppress(OSError):
            storage.mark_failed()
    finally:
        connections.close_all()
        threads.discard(current_thread())


@jobs.lowers_priority_itself  # once it has copied the database
def _take_unless_newer(committed_at: datetime, reason: Reason) -> None:
    with storage.locked() as folder:
        newest = storage.newest_local_manifest()
        if newest is None or newest.made_at < committed_at:
            copy = creation.engine().copy
            creation.take_while_locked(folder, reason, who="", copy=copy)
