"""A backup when a session is over or an event closed; nobody waits for it, no write fails by it.

A session is over with its last planned round, when the desk ends it, or when the next one is
seated: where time decides, or a session is cut short, nothing else says so.

Once what ended it is committed, a file on the shelf says that a backup is wanted; a thread takes
it and removes the file. What stays there is what did not come about, and the desk is told.
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

from tournaments.backups import shelf, sqlite, taking
from tournaments.backups.files import Reason
from tournaments.models import Sitting, Tournament
from tournaments.queries import progress

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

    Call it in the transaction that writes, for what is new and not for corrections. Whatever still
    comes in after the desk has ended the session is followed by a backup, too.
    """
    planned = sitting.session.tournament.rounds_per_session
    has_ended = sitting.session.ended_at is not None
    if has_ended or number is None or (planned is not None and number >= planned):
        _after_commit(partial(_take_if_over, sitting))


def after_session() -> None:
    """Have a backup taken once it is committed that a session was ended."""
    _after_commit(partial(_begin, Reason.AFTER_SESSION))


def before_session(tournament: Tournament) -> None:
    """Have a backup taken once the next session is committed, if nothing else ended the last one.

    Call it before that next session is written.
    """
    sessions = progress.sessions_of(tournament)
    if any(each.progress.has_begun and not each.is_over for each in sessions):
        after_session()


def after_closing() -> None:
    """Have a backup taken once an event's closing is committed. Call it in that transaction."""
    _after_commit(partial(_begin, Reason.AFTER_CLOSING))


def _after_commit(act: Callable[[], None]) -> None:
    if not (is_off.get() or sqlite.is_in_memory()):
        transaction.on_commit(act, robust=True)


def wait() -> None:
    """Wait for those under way."""
    for thread in list(threads):
        thread.join()


def _take_if_over(sitting: Sitting) -> None:
    sessions = progress.sessions_of(sitting.session.tournament)
    is_over = any(each.session.pk == sitting.session_id and each.is_over for each in sessions)
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
