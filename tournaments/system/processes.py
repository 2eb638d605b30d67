"""Programs of ours in processes of their own, their database, and their priority."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from urllib.parse import quote

PYTHON_OF_A_CHECKOUT = ".venv/bin/python"  # where `make run` puts it; Debian has no `python`
BELOW_NORMAL_PRIORITY_CLASS = 0x4000  # `subprocess` has it on Windows only


def manage(*arguments: str) -> list[str]:
    """Return a management command for another process, from whatever this one was started.

    Its working directory must be `settings.BASE_DIR`.
    """
    return [sys.executable, "-m", "tournaments", *arguments]


def sqlite_url(file: Path) -> str:
    """Return the `DATABASE_URL` of a file, whatever signs its path has.

    >>> sqlite_url(Path("/home/maki/Cup #1/makiyaku.sqlite3"))
    'sqlite:////home/maki/Cup%20%231/makiyaku.sqlite3'
    """
    return f"sqlite:///{quote(str(file))}"


def typed_command(*arguments: str, is_checkout: bool, python: str = sys.executable) -> str:
    """Return the management command as a person types it; `PYTHON_OF_A_CHECKOUT` elsewhere."""
    program = [python, "manage.py"] if is_checkout else ["makiyaku"]
    return shlex.join([*program, *arguments])


def lower_priority(niceness: int) -> None:
    """Give this thread a low priority; on other systems than Linux its process.

    Windows knows no niceness: its priority is below normal. There is no way back.
    """
    if hasattr(os, "setpriority"):
        before = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(before, niceness))
    else:
        _lower_on_windows()


def _lower_on_windows() -> None:
    import ctypes  # noqa: PLC0415  on Windows only

    load = getattr(ctypes, "WinDLL", None)
    if load is not None:
        kernel = load("kernel32")
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        kernel.SetPriorityClass.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
        kernel.SetPriorityClass(kernel.GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS)
