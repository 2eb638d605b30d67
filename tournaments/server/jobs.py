"""Work that takes a second or more, each in a process of its own: a job.

A job is a call of a function, with arguments and a result that can be pickled. The job server
(`job_server`) forks a process for it, which ends with its answer, so that its memory returns to the
system; where there is no fork, `spawned_jobs` starts one. Jobs have a low priority, so that phones
do not wait for them. Without either, as in commands and tests, the function is called directly.
`docs/server.md` says which work is a job.
"""

from __future__ import annotations

import logging
import os
import pickle
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import IntEnum
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from django.db import connections
from django.utils import translation

from tournaments.exceptions import JobEnded
from tournaments.system import processes

logger = logging.getLogger(__name__)

P = ParamSpec("P")
R = TypeVar("R")


MOST_SECONDS = 900  # of a job, from its start


class Lane(IntEnum):
    """Jobs of the same lane wait for each other. The value is how many of them run at once."""

    LONG = 1
    SHORT = 2  # of a second or so: a form or a draw


NICE = {Lane.LONG: 19, Lane.SHORT: 10}  # niceness, where there is no SCHED_IDLE


Starter = Callable[[Lane, Connection], object]  # closes this end of a pipe, which is for the job


class _Process:
    """What this process has: how it starts jobs, or in a job its lane and its pipe."""

    starter: Starter | None = None
    lane = Lane.LONG
    answers: Connection | None = None


class Job:
    """A job that was started. Its process is killed when this end of its pipe is closed.

    `progress` is (parts done, parts in all), (0, 0) before the job has reported any.
    """

    def __init__(self, pipe: Connection) -> None:
        self.progress = (0, 0)
        self._pipe = pipe
        self._outcome: tuple[Any, ...] = ()  # ("returned", result) or ("raised", error, cause)

    def wait(self, seconds: float | None = None) -> bool:
        """Return whether the job has ended, after waiting for this time at most.

        Returns earlier if the job reports progress.
        """
        if not self._outcome:
            try:
                if not self._pipe.poll(seconds):  # on Windows it raises if the job has gone
                    return False
                kind, *values = self._pipe.recv()
            except (EOFError, OSError, pickle.UnpicklingError):
                kind, values = "raised", [JobEnded(), None]
            if kind == "progress":
                self.progress = values[0], values[1]
            else:
                self._outcome = kind, *values
                self.cancel()
        return bool(self._outcome)

    @property
    def has_ended(self) -> bool:
        return bool(self._outcome)

    def result(self) -> Any:
        """Wait for the result. Raises what the function raises, and `JobEnded`."""
        while not self.wait():
            pass
        if self._outcome[0] == "returned":
            return self._outcome[1]
        _, error, cause = self._outcome
        raise (JobEnded() if isinstance(error, MemoryError) else error) from cause

    def cancel(self) -> None:
        """End the process of the job, unless it has ended."""
        self._pipe.close()


def connect(starter: Starter | None) -> None:
    """Let this process, and those forked from it later, start jobs in this way."""
    _Process.starter = starter


def is_served() -> bool:
    """Return whether jobs run in processes of their own. False within a job."""
    return _Process.starter is not None


def is_a_job() -> bool:
    """Return whether this process runs a job."""
    return _Process.answers is not None


def run(function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    """Return the result of a long job. Raises what the function raises, and `JobEnded`."""
    return _run(Lane.LONG, function, *args, **named)


def run_short(function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    """As `run`, for a job of a second or so, which does not wait for long jobs."""
    return _run(Lane.SHORT, function, *args, **named)


def _run(lane: Lane, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    if not is_served():
        return function(*args, **named)
    job = start(lane, function, *args, **named)
    try:
        result: R = job.result()
        return result
    finally:
        job.cancel()


def start(lane: Lane, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> Job:
    """Start a job without waiting for it, in the reader's language. `is_served` must be true."""
    assert _Process.starter is not None  # noqa: S101  for the types
    ours, theirs = Pipe()
    try:
        _Process.starter(lane, theirs)
        ours.send((function, args, named, translation.get_language()))
    except OSError:
        ours.close()
        logger.exception("The job server has ended: jobs run here until the server is restarted")
        connect(None)
        raise JobEnded from None
    return Job(ours)


def answer(lane: Lane, pipe: Connection, request: tuple[Any, ...]) -> None:
    """Do a job, and write what its function returns or raises to its pipe.

    Called in the process of the job. `request` is what the pipe had for it.
    """
    _Process.starter, _Process.lane, _Process.answers = None, lane, pipe
    function, args, named, language = request
    if not _lowers_itself(function):
        lower_priority()
    try:
        with translation.override(language):
            outcome = pickle.dumps(("returned", function(*args, **named)))
    except BaseException as error:  # noqa: BLE001  raised in the process that waits
        outcome = _pickled_error(error)
    with suppress(OSError):
        pipe.send_bytes(outcome)


def _pickled_error(error: BaseException) -> bytes:
    """Return an exception and its cause as `answer` writes them.

    The traceback, which cannot be pickled, is added as a note. An exception that cannot be pickled
    is replaced by its text.
    """
    error.add_note("".join(traceback.format_tb(error.__traceback__)))
    for raised in ((error, error.__cause__), (error, None)):
        with suppress(Exception):
            pickled = pickle.dumps(("raised", *raised))
            pickle.loads(pickled)  # noqa: S301  our own
            return pickled
    return pickle.dumps(("raised", RuntimeError("".join(traceback.format_exception(error))), None))


def report(done: int, total: int) -> None:
    """Report the progress of this job. Outside a job this does nothing."""
    if _Process.answers is not None:
        with suppress(OSError):
            _Process.answers.send(("progress", done, total))


def lowers_priority_itself(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function that calls `lower_priority`, as a job has a low priority from the start.

    While it reads or writes the database under a lock, for which others wait, it must not wait for
    the processor.
    """
    function.lowers_priority_itself = True  # type: ignore[attr-defined]
    return function


def _lowers_itself(function: object) -> bool:
    return getattr(function, "lowers_priority_itself", False)


def lower_priority() -> None:
    """Give this thread of a job (on other systems than Linux its process) a low priority.

    There is no way back: use `at_low_priority` for a part of a job. Outside a job this does
    nothing.
    """
    if not is_a_job():
        return
    processes.lower_priority(NICE[_Process.lane])
    if hasattr(os, "SCHED_IDLE"):  # Linux: whoever wakes preempts it at once, not after up to 4 ms
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def at_low_priority(function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    """Call a function at a low priority within a job, in a thread; outside a job call it as usual.

    On other systems than Linux, the priority stays low.
    """
    if not is_a_job():
        return function(*args, **named)
    language = translation.get_language()

    def call() -> R:
        if not _lowers_itself(function):
            lower_priority()
        try:
            with translation.override(language):
                return function(*args, **named)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()
