"""Management commands in processes of their own, forked from one that has loaded the program.

To start Python and load Django and the models takes most of the time of a short command. Each
forked process reads the settings for its own environment, and has no database connection yet.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import IO, Any

from tournaments.__main__ import main

PROJECT = Path(__file__).parents[1]
SETTINGS = "tournaments.settings"
COMMANDS = "tournaments.management.commands"
LOADED = (
    *(f"{COMMANDS}.{name}" for name in ("backup", "draw", "migrate", "restore", "score", "verify")),
    *(f"django.db.backends.{name}.base" for name in ("sqlite3", "postgresql")),
)
LONGEST_REQUEST = 200_000
one_at_a_time = Lock()


def run(
    arguments: Sequence[str | Path],
    environment: Mapping[str, str],
    *,
    given: bytes = b"",
    stderr: int = subprocess.PIPE,
) -> subprocess.CompletedProcess[bytes]:
    """Run `manage.py` with these arguments and environment, as `subprocess.run` would.

    `stderr` may be `subprocess.STDOUT`.
    """
    command = [str(each) for each in arguments]
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, "manage.py", *command],
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
        request = json.dumps([command, dict(environment)]).encode()
        with one_at_a_time:
            socket.send_fds(loaded_process(), [request], [each.fileno() for each in files])
            status = int(loaded_process().recv(20))
        return subprocess.CompletedProcess(command, status, written(stdout), written(errors))


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


def load() -> None:
    """Load what commands need, and forget the settings."""
    import django  # noqa: PLC0415  takes long, and who imports this module has it
    from django.conf import settings  # noqa: PLC0415
    from django.db import connections  # noqa: PLC0415
    from django.utils.functional import empty  # noqa: PLC0415

    gc.disable()
    django.setup()
    for name in LOADED:
        import_module(name)
    databases: Any = connections
    for alias in connections.settings:
        if hasattr(databases._connections, alias):
            del databases[alias]
    del databases.settings  # cached
    databases._settings = None
    lazy_settings: Any = settings
    lazy_settings._wrapped = empty
    del sys.modules[SETTINGS]
    gc.freeze()
    gc.enable()


def wait_for_command(requests: socket.socket) -> None:
    """Return in a new process for each request, with its arguments, environment and files.

    The process that forks them ends with the other end of the socket.
    """
    while True:
        request, descriptors, *_ = socket.recv_fds(requests, LONGEST_REQUEST, 3)
        if not request:
            sys.exit()
        process = os.fork()
        if process == 0:
            requests.close()
            arguments, environment = json.loads(request)
            become(arguments, environment, descriptors)
            return
        for each in descriptors:
            os.close(each)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        requests.send(str(status).encode())


def become(arguments: list[str], environment: dict[str, str], descriptors: list[int]) -> None:
    for number, each in enumerate(descriptors):
        os.dup2(each, number)
        os.close(each)
    os.environ.clear()
    os.environ |= environment
    sys.argv = ["manage.py", *arguments]


if __name__ == "__main__":
    load()
    wait_for_command(socket.socket(fileno=int(sys.argv[1])))
    main()
