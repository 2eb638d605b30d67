"""Python as on Windows, as far as Linux can: without what only POSIX has.

`-p tests.without_posix` runs tests so, but for those marked `posix`; `ENVIRONMENT` a program, by
`sitecustomize` beside this. File names that Windows refuses are refused, a file that this process
has open is neither renamed nor removed, `rename` replaces no file, and the console speaks cp932.
What a process without POSIX starts is without it, too. PYTEST_DONT_REWRITE: workers of
pytest-xdist import this before pytest.
"""

from __future__ import annotations

import errno
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path, PureWindowsPath
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # programs do without
    import pytest

HERE = Path(__file__).parent
ENVIRONMENT = {
    "PYTHONPATH": os.pathsep.join(map(str, [HERE, HERE.parents[1]])),
    "PYTHONIOENCODING": "cp932",
}
MODULES = ("fcntl", "grp", "gunicorn", "pty", "pwd", "readline", "resource", "termios", "tty")
OF_OS = (
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "SCHED_IDLE"),
    *("chown", "fchmod", "fchown", "fork", "forkpty", "getegid", "getgid", "getpgid"),
    *("getpriority", "killpg", "mkfifo", "nice", "pread", "pwrite", "register_at_fork"),
    *("sched_getaffinity", "sched_setscheduler", "setpriority", "setsid"),
)
OF_SELECT = ("epoll", "poll", *(name for name in dir(select) if name.startswith("POLL")))
OF_SELECTORS = ("EpollSelector", "PollSelector")
OF_SIGNAL = ("SIGALRM", "SIGCHLD", "SIGHUP", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH")
OF_SOCKET = ("AF_UNIX", "SO_REUSEPORT", "recv_fds", "send_fds")
OF_TIME = ("clock_gettime", "tzset", *(name for name in dir(time) if name.startswith("CLOCK_")))
NEW = {"os.mkdir": 0, "os.rename": 1}  # events: the argument that is a new name
OF_GUNICORN = HERE.parents[1] / "tournaments" / "server" / "worker.py"  # has no doctests
DESCRIPTORS = "/proc/self/fd"
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def hide() -> None:
    """Hide what only POSIX has from this process, and those that it starts, from now on."""
    if "msvcrt" in sys.modules:
        return  # a worker of pytest-xdist, from which `sitecustomize` has hidden it
    import fcntl  # noqa: PLC0415

    pair, family = socket.socketpair, socket.AF_UNIX
    socket.socketpair = lambda *_: pair(family)
    lock, flags = fcntl.flock, fcntl.LOCK_EX | fcntl.LOCK_NB
    msvcrt: Any = ModuleType("msvcrt")
    msvcrt.LK_NBLCK = 2
    msvcrt.locking = lambda descriptor, _mode, _bytes: lock(descriptor, flags)
    sys.modules |= {"msvcrt": msvcrt} | dict.fromkeys(MODULES, None)
    for module, names in (
        (os, OF_OS),
        (select, OF_SELECT),
        (selectors, OF_SELECTORS),
        (signal, OF_SIGNAL),
        (socket, OF_SOCKET),
        (time, OF_TIME),
        (subprocess, ()),  # was imported before there was an msvcrt, which it takes for Windows
    ):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    vars(selectors)["DefaultSelector"] = selectors.SelectSelector
    vars(os)["rename"] = _renaming(os.rename)
    os.environ |= _without(os.environ)
    vars(subprocess)["Popen"].__init__ = _starting(subprocess.Popen.__init__)
    sys.addaudithook(_refuse_names)
    sys.addaudithook(_refuse_open_files)


def pytest_load_initial_conftests() -> None:
    """Hide it from tests, before anything of ours is imported."""
    hide()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Look for no doctests in what cannot be imported."""
    return True if collection_path == OF_GUNICORN else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of what only POSIX has. Each says why, as the marker's argument."""
    config.hook.pytest_deselected(items=[item for item in items if _is_of_posix(item)])
    items[:] = [item for item in items if not _is_of_posix(item)]


def _is_of_posix(item: pytest.Item) -> bool:
    return item.get_closest_marker("posix") is not None


def _without(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a program, and what hides from it what only POSIX has."""
    paths = dict.fromkeys([ENVIRONMENT["PYTHONPATH"], environment.get("PYTHONPATH", "")])
    return {**ENVIRONMENT, **environment, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _renaming(rename: Any) -> Any:
    """Return `os.rename` of Windows, which refuses a name that exists; `os.replace` does not."""

    def rename_to_new_name(source: Any, target: Any, **folders: Any) -> None:
        if not folders and os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, "Windows refuses a name that exists", str(target))
        rename(source, target, **folders)

    return rename_to_new_name


def _starting(start: Any) -> Any:
    """Return how processes are started: without POSIX. Text of Python is read as it is written."""

    def start_without(self: Any, args: Any, *more: Any, **options: Any) -> None:
        if options.get("env") is not None:
            options["env"] = _without(options["env"])
        if isinstance(args, list) and sys.executable in args and options.get("text"):
            options.setdefault("encoding", ENVIRONMENT["PYTHONIOENCODING"])
        start(self, args, *more, **options)

    return start_without


def is_refused(name: str) -> bool:
    """Return whether Windows refuses the name of a file, or stores another one."""
    path = PureWindowsPath(name)
    is_plain = path.parts == (name,) and not set(name) & set('<>:"|?*')
    return path.is_reserved() or not is_plain or name.endswith((" ", ".")) or not name.isprintable()


def _refuse_names(event: str, arguments: Sequence[Any]) -> None:
    """Raise the error of Windows for a name that it refuses, before the file is made."""
    if event == "open" and arguments[2] & WRITES:
        name = arguments[0]
    elif event in NEW:
        name = arguments[NEW[event]]
    else:
        return
    if isinstance(name, str | os.PathLike):
        base = Path(os.fsdecode(name)).name
        if base and is_refused(base):
            raise OSError(errno.EINVAL, "Windows refuses this name", base)


def _refuse_open_files(event: str, arguments: Sequence[Any]) -> None:
    """Raise the error of Windows for renaming or removing a file that is open in this process."""
    if event == "os.remove":
        paths = [(arguments[0], arguments[1])]
    elif event == "os.rename":
        paths = [(arguments[0], arguments[2]), (arguments[1], arguments[3])]
    else:
        return
    opened = {link for each in Path(DESCRIPTORS).iterdir() if (link := _target(each.name))}
    for path, folder in paths:
        base = _target(str(folder)) if folder != -1 else ""
        whole = os.path.realpath(os.path.join(base, os.fsdecode(path)))  # noqa: PTH118
        if whole in opened:
            raise PermissionError(errno.EACCES, "Windows refuses this for an open file", whole)


def _target(descriptor: str) -> str:
    try:
        return os.readlink(f"{DESCRIPTORS}/{descriptor}")  # noqa: PTH115
    except OSError:
        return ""
