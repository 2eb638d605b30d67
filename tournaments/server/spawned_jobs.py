"""Jobs where processes cannot be forked, as on Windows: each starts an interpreter of its own.

It takes a second more than a forked one, and its memory has no limit. `jobs` says what a job is.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Semaphore, Thread
from typing import Any

import django
from django.conf import settings

from tournaments.server import databases, jobs, kept_jobs
from tournaments.server.jobs import MOST_SECONDS, Lane

# What `serve` sets, which is in no variable of the environment.
OF_SERVE = ("LISTENING", "ADDRESS", "DESK_HTTPS_PORT", "DESK_CERTIFICATE", "PHONES_PORT")

SECONDS_LATE = 60  # that a job may end later than it should, as it starts slowly

_spawn = get_context("spawn")


def start() -> None:
    """Let this process start its jobs so."""
    kept_jobs.remove_all()
    lanes = {lane: Semaphore(lane) for lane in Lane}

    def start_job(lane: Lane, pipe: Connection) -> None:
        Thread(target=_run, args=(lanes[lane], lane, pipe), daemon=True).start()

    jobs.connect(start_job)


def _run(free: Semaphore, lane: Lane, pipe: Connection) -> None:
    """Run a job once its lane is free for it, and wait for its end."""
    with free:
        set_by_serve = {name: getattr(settings, name) for name in OF_SERVE}
        process = _spawn.Process(target=_work, args=(lane, pipe, set_by_serve), daemon=True)
        with pipe:
            process.start()
        process.join(MOST_SECONDS + SECONDS_LATE)
        process.kill()  # if it hangs: it would keep its lane for ever


def _work(lane: Lane, pipe: Connection, set_by_serve: Mapping[str, Any]) -> None:
    """Do a job in its own process, also after a Ctrl-C, with which the server finishes requests."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name, value in set_by_serve.items():
        setattr(settings, name, value)
    django.setup()
    databases.open_as_server()
    request = pipe.recv()
    Thread(target=_end_with, args=(pipe,), daemon=True).start()
    jobs.answer(lane, pipe, request)


def _end_with(pipe: Connection) -> None:
    """End this process when nobody waits for its answer any more, or if it takes too long.

    Nothing more is sent to it, so that its pipe is readable only when the other end was closed.
    """
    with suppress(OSError):  # on Windows, if it was closed before
        pipe.poll(MOST_SECONDS)
    os._exit(0)
