"""The process that forks a process for each job (`jobs`).

gunicorn's master forks it with the application loaded, before the processes that answer requests.
It has one thread whenever it forks. Some seconds after its start it also loads what prints, so that
a form waits for no import. It ends with the last process that may send jobs.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread, active_count
from typing import NoReturn

from django.db import connections
from django.utils.module_loading import import_string

from tournaments.server import jobs, kept_jobs
from tournaments.server.jobs import MOST_SECONDS, NICE, Lane

logger = logging.getLogger(__name__)

MOST_MEMORY = 2 << 30  # bytes of addresses of a job; 500 score sheets take 0.5 GB
MOST_PROCESSOR_SECONDS = 300  # of a job
SECONDS_UNTIL_PREPARATION = 15  # the first requests after the start come before
NOTHING = 0  # a mask for poll(), which tells of an end that was closed in any case


def start(preparation: str, inherited: Iterable[int] = ()) -> None:
    """Fork the job server, and let this process and those forked from it send jobs to it.

    `preparation` is the dotted path of a function that loads what jobs need, `inherited` are file
    descriptors that are not for the job server. This process must have one thread.
    """
    connections.close_all()
    kept_jobs.remove_all()
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        try:
            ours.close()
            for each in inherited:
                os.close(each)
            JobServer(theirs).serve(preparation)
        except BaseException:
            logger.exception("The job server has failed")
        finally:
            os._exit(0)
    theirs.close()
    jobs.connect(partial(hand_over, ours))


def hand_over(server: socket.socket, lane: Lane, pipe: Connection) -> None:
    """Send a job to the job server."""
    with pipe:
        socket.send_fds(server, [bytes([lane])], [pipe.fileno()])


@dataclass
class Running:
    """The pipe and the lane of a job whose process runs, and when it is killed.

    The pipe is closed once the job was killed.
    """

    pipe: Connection
    lane: Lane
    until: float


class JobServer:
    """Jobs that wait, by lane, and jobs that run, by the number of their process."""

    def __init__(self, requests: socket.socket) -> None:
        self._requests = requests
        self._waiting: dict[Lane, deque[Connection]] = {lane: deque() for lane in Lane}
        self._running: dict[int, Running] = {}
        self._ended, wakes = os.pipe()  # readable after the end of a process
        os.set_blocking(self._ended, False)
        os.set_blocking(wakes, False)
        for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(each, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C: the master ends all
        signal.signal(signal.SIGWINCH, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)

    def serve(self, preparation: str) -> None:
        """Run jobs until no process is left that may send any.

        Jobs that come before the preparation load what they need themselves.
        """
        due: float | None = time.monotonic() + SECONDS_UNTIL_PREPARATION
        while self._wait_and_accept(due):
            self._reap()
            self._kill_abandoned()
            self._start_due()
            if due is not None and time.monotonic() >= due and not self._running:
                _prepare(preparation)
                due = None
        for process in self._running:
            os.kill(process, signal.SIGKILL)

    def _wait_and_accept(self, until: float | None) -> bool:
        """Wait until something happens, and accept a job. Return False if no more can come.

        If no job runs, wait until this time at most.
        """
        events = select.poll()
        events.register(self._requests, select.POLLIN)
        events.register(self._ended, select.POLLIN)
        for pipe in self._pipes():
            events.register(pipe, NOTHING)
        patience = None if until is None else 1000 * max(0.0, until - time.monotonic())
        happened = {
            descriptor for descriptor, _ in events.poll(1000 if self._running else patience)
        }
        if self._ended in happened:
            with suppress(BlockingIOError):
                os.read(self._ended, 1000)
        if self._requests.fileno() not in happened:
            return True
        lane, descriptors, *_ = socket.recv_fds(self._requests, 1, 1)
        if lane and descriptors:
            self._waiting[Lane(lane[0])].append(Connection(descriptors[0]))
        return bool(lane)

    def _pipes(self) -> list[Connection]:
        waiting = [pipe for lane in self._waiting.values() for pipe in lane]
        running = [job.pipe for job in self._running.values() if not job.pipe.closed]
        return [*waiting, *running]

    def _reap(self) -> None:
        """Close the pipes of jobs whose processes have ended: their callers then know."""
        for process, job in list(self._running.items()):
            if os.waitpid(process, os.WNOHANG)[0]:
                job.pipe.close()
                del self._running[process]

    def _kill_abandoned(self) -> None:
        """Kill jobs that take too long or that nobody waits for; forget those not begun.

        The pipe of a killed job is closed: `poll` would tell of its other end without a pause, and
        keep from the processor the process that has to end.
        """
        for lane, pipes in self._waiting.items():
            self._waiting[lane] = deque(pipe for pipe in pipes if not _is_abandoned(pipe))
        for process, job in self._running.items():
            if job.pipe.closed:
                continue
            if time.monotonic() > job.until or _is_abandoned(job.pipe):
                os.kill(process, signal.SIGKILL)
                job.pipe.close()

    def _start_due(self) -> None:
        for lane, pipes in self._waiting.items():
            while pipes and sum(job.lane == lane for job in self._running.values()) < lane:
                self._start(lane, pipes.popleft())

    def _start(self, lane: Lane, pipe: Connection) -> None:
        process = os.fork()
        if process == 0:
            self._do(lane, pipe)
        self._running[process] = Running(pipe, lane, time.monotonic() + MOST_SECONDS)

    def _do(self, lane: Lane, pipe: Connection) -> NoReturn:
        """Do a job in its own process, and end."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._requests.close()
            for other in self._pipes():  # an end is closed only when no process has it open
                other.close()
            _set_limits()
            jobs.answer(lane, pipe, pipe.recv())
        except EOFError:  # its caller has gone
            pass
        except BaseException:
            logger.exception("A job has failed")
        finally:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
            os._exit(0)


def _prepare(preparation: str) -> None:
    """Call the function with this dotted path in a thread, and wait until it has ended.

    Raises `RuntimeError` if another thread is left.
    """
    preparing = Thread(target=_call_at_low_priority, args=(preparation,))
    preparing.start()
    preparing.join()
    if active_count() > 1:  # a lock of another thread would stay locked in a job
        raise RuntimeError(f"{preparation} has left a thread.")


def _call_at_low_priority(path: str) -> None:
    """Call the function with this dotted path; on Linux the priority is that of this thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, 0, NICE[Lane.SHORT])
    import_string(path)()


def _is_abandoned(pipe: Connection) -> bool:
    """Return whether the other end of a pipe was closed."""
    events = select.poll()
    events.register(pipe, NOTHING)
    return bool(events.poll(0))


def _set_limits() -> None:
    """Limit memory and processor time; let the system end jobs first if it runs out of memory."""
    import resource  # noqa: PLC0415  only where processes are forked

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_PROCESSOR_SECONDS, MOST_PROCESSOR_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
