"""Management commands in processes of their own, forked from one that has loaded the program.

To start Python and load Django and the models takes most of the time of a short command. Each
forked process reads the settings for its own environment, and has no database connection yet.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from tournaments.__main__ import main

PROJECT = Path(__file__).parents[1]
SETTINGS = "tournaments.settings"
COMMANDS = "tournaments.management.commands"
LOADED = (
    *(
        f"{COMMANDS}.{name}"
        for name in ("backup", "draw", "follow", "go_on", "migrate", "restore", "score", "verify")
    ),
    *(f"django.db.backends.{name}.base" for name in ("sqlite3", "postgresql")),
)
LONGEST_REQUEST = 200_000
# Of Linux's prctl(2). Some systems let only ancestors trace a process unless it names others.
SET_TRACER, ANY_PROCESS = 0x59616D61, 2**64 - 1
# What a server loads, before it forks the processes that answer requests.
SERVING = (f"{COMMANDS}.serve", "tournaments.urls", "tournaments.gunicorn", "gunicorn.app.wsgiapp")


@dataclass
class Forked:
    """A process that was forked; the process that loads the program tells when it has ended."""

    pid: int
    ended: socket.socket
    returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs, as `Popen.poll` does."""
        if self.returncode is None and select.select([self.ended], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status. Raises `TimeoutError` after so many seconds."""
        if self.returncode is None:
            self.ended.settimeout(timeout)
            self.returncode = int(self.ended.recv(20))
            self.ended.close()
        return self.returncode


def run(
    arguments: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    given: bytes = b"",
    stderr: int = subprocess.PIPE,
    strace: Sequence[str | Path] = (),
) -> subprocess.CompletedProcess[bytes]:
    """Run `manage.py` with these arguments and environment, as `subprocess.run` would.

    `stderr` may be `subprocess.STDOUT`. `strace` is the program with its options, which traces the
    process from before it reads its settings, and none that it starts.
    """
    command = [str(each) for each in arguments]
    if not hasattr(os, "fork"):
        return subprocess.run(
            [*strace, sys.executable, "manage.py", *command],
            check=False,
            cwd=PROJECT,
            env=dict(environment),
            input=given,
            stderr=stderr,
            stdout=subprocess.PIPE,
        )
    with (
        tempfile.TemporaryFile() as stdin,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as errors,
    ):
        stdin.write(given)
        stdin.seek(0)
        files = [stdin, stdout, stdout if stderr == subprocess.STDOUT else errors]
        process = _forked(command, environment, files, is_traced=bool(strace))
        if strace:
            _trace(process, strace)
        status = process.wait()
        return subprocess.CompletedProcess(command, status, written(stdout), written(errors))


def start(
    arguments: Sequence[str], environment: Mapping[str, str], log: IO[bytes]
) -> Forked | subprocess.Popen[bytes]:
    """Start `manage.py` as `subprocess.Popen` would, in a session of its own."""
    if not hasattr(os, "fork"):
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=dict(environment),
            start_new_session=True,
            stderr=log,
            stdout=log,
        )
    with Path(os.devnull).open("rb") as nothing:
        return _forked(list(arguments), environment, [nothing, log, log], in_own_session=True)


def _trace(process: Forked, strace: Sequence[str | Path]) -> None:
    """Run `strace` on a process that waits to be traced; return when the process has ended."""
    attached = [*strace, "--quiet=attach", "--attach", str(process.pid)]
    try:
        subprocess.run(attached, check=True)
    except subprocess.CalledProcessError:
        os.kill(process.pid, signal.SIGKILL)
        raise


def _forked(
    command: list[str],
    environment: Mapping[str, str],
    files: Sequence[IO[bytes]],
    *,
    in_own_session: bool = False,
    is_traced: bool = False,
) -> Forked:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked: dict[str, Any] = {"arguments": command, "environment": dict(environment)}
    asked |= {"in_own_session": in_own_session, "is_traced": is_traced}
    request = json.dumps(asked).encode()
    with theirs:
        descriptors = [*(each.fileno() for each in files), theirs.fileno()]
        socket.send_fds(loaded_process(), [request], descriptors)
    return Forked(int(ours.recv(20)), ours)


def written(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@cache
def loaded_process() -> socket.socket:
    """Start the process that loads the program; return the socket of its requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            cwd=PROJECT,
            env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": SETTINGS},
            pass_fds=[theirs.fileno()],
        )
    atexit.register(process.wait)
    atexit.register(ours.close)  # called before
    return ours


def load(*names: str) -> None:
    """Load modules, and forget the settings."""
    import django  # noqa: PLC0415  takes long, and who imports this module has it
    from django.conf import settings  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415
    from django.utils.functional import empty  # noqa: PLC0415

    gc.disable()
    django.setup()
    for name in names:
        import_module(name)
    databases: Any = connections
    for alias in connections.settings:
        if hasattr(databases._connections, alias):
            del databases[alias]
    del databases.settings  # cached
    databases._settings = None
    lazy_settings: Any = settings
    lazy_settings._wrapped = empty
    for name in {SETTINGS, os.environ["DJANGO_SETTINGS_MODULE"]}:
        sys.modules.pop(name, None)
    gc.freeze()
    gc.enable()


@cache
def load_server() -> None:
    load(*SERVING)


def wait_for_command(requests: socket.socket) -> None:
    """Return in a new process for each request, with its arguments, environment and files.

    The process that forks them ends with the other end of the socket.
    """
    running: dict[int, socket.socket] = {}
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno())  # once a process has ended
    while True:
        ready = select.select([requests, woken], [], [])[0]
        if woken in ready:
            woken.recv(1000)
            tell_of_ended(running)
        if requests not in ready:
            continue
        request, descriptors, *_ = socket.recv_fds(requests, LONGEST_REQUEST, 4)
        if not request:
            sys.exit()
        asked = json.loads(request)
        if asked["arguments"][0] == "serve":
            load_server()
        ended = socket.socket(fileno=descriptors.pop())
        process = os.fork()
        if process == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (requests, woken, wakes, ended, *running.values()):
                each.close()
            become(descriptors, **asked)
            return
        for number in descriptors:
            os.close(number)
        running[process] = ended
        ended.send(str(process).encode())


def tell_of_ended(running: dict[int, socket.socket]) -> None:
    for process, ended in list(running.items()):
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            with suppress(BrokenPipeError):  # nobody waits for it
                ended.send(str(os.waitstatus_to_exitcode(status)).encode())
            ended.close()
            del running[process]


def become(
    descriptors: list[int],
    *,
    arguments: list[str],
    environment: dict[str, str],
    in_own_session: bool,
    is_traced: bool,
) -> None:
    if in_own_session:
        os.setsid()
    for number, each in enumerate(descriptors):
        os.dup2(each, number)
        os.close(each)
    os.environ.clear()
    os.environ |= environment
    sys.argv = ["manage.py", *arguments]
    if is_traced:
        wait_for_tracer()


def wait_for_tracer() -> None:
    """Let another process attach to this one as its debugger, and wait until it has."""
    ctypes.CDLL(None).prctl(SET_TRACER, ctypes.c_ulong(ANY_PROCESS), 0, 0, 0)
    status = Path("/proc/self/status")
    while "\nTracerPid:\t0\n" in status.read_text():
        time.sleep(0.01)


if __name__ == "__main__":
    load(*LOADED)
    wait_for_command(socket.socket(fileno=int(sys.argv[1])))
    main()
