"""A backup when a session is over or an event closed; nobody waits for it, no write fails by it.

Once what ended it is committed, a file on the shelf says that a backup is wanted; a thread takes
it and removes the file. What stays there is what did not come about, and the desk is told.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import datetime
from functools import partial
from threading import Thread, current_thread

from django.db import connections, transaction
from django.utils import timezone

from tournaments.backups import shelf, sqlite, taking
from tournaments.backups.files import Reason
from tournaments.facts import progress
from tournaments.models import Sitting

logger = logging.getLogger(__name__)

threads: set[Thread] = set()  # those under way, for whoever must wait for them
is_off: ContextVar[bool] = ContextVar("is_off", default=False)


@contextmanager
def none_taken() -> Iterator[None]:
    """Let nothing written in here have a backup taken: it is made up, as the demo is."""
    token = is_off.set(True)
    try:
        yield
    finally:
        is_off.reset(token)


def after_writing(sitting: Sitting, number: int | None = None) -> None:
    """Have a backup taken if a table's round (or its totals) just written ends its session.

    Call it in the transaction that writes, for what is new and not for corrections.
    """
    planned = sitting.session.tournament.rounds_per_session
    may_be_last = number is None or (planned is not None and number >= planned)
    if may_be_last and not (is_off.get() or sqlite.is_in_memory()):
        transaction.on_commit(partial(_take_if_over, sitting), robust=True)


def after_closing() -> None:
    """Have a backup taken once an event's closing is committed. Call it in that transaction."""
    if not (is_off.get() or sqlite.is_in_memory()):
        transaction.on_commit(partial(_begin, Reason.AFTER_CLOSING), robust=True)


def wait() -> None:
    """Wait for those under way."""
    for thread in list(threads):
        thread.join()


def _take_if_over(sitting: Sitting) -> None:
    sessions = progress.sessions_of(sitting.session.tournament)
    is_over = any(
        each.session.pk == sitting.session_id and each.progress.is_complete for each in sessions
    )
    if is_over:
        _begin(Reason.AFTER_SESSION)


def _begin(reason: Reason) -> None:
    committed_by = timezone.now()
    with suppress(OSError):
        shelf.want()
    # Not a daemon: a server that stops lets it finish.
    thread = Thread(target=_take, args=(committed_by, reason), daemon=False)
    threads.add(thread)
    thread.start()


def _take(committed_by: datetime, reason: Reason) -> None:
    """Take a backup, unless somebody has taken one since then."""
    try:
        with shelf.locked() as place:
            newest = shelf.newest()
            if newest is None or newest.made_at < committed_by:
                copy = taking.engine().copy
                taking.take_while_locked(place, reason, "", copy)
    except Exception:
        logger.exception("The backup %s could not be made", reason)
        with suppress(OSError):
            shelf.give_up()
    finally:
        connections.close_all()
        threads.discard(current_thread())
