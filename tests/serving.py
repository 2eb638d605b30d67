"""The app's own server, `manage.py serve`, from a data folder of a test or a script."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
OF_TESTS = {"DATABASE_URL", "DJANGO_SETTINGS_MODULE", "HTTPS"}  # variables that tests set


@contextmanager
def served_from(folder: Path, *options: str) -> Iterator[str]:
    """Serve a data folder, which may be empty, on a free port; yield the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", *options, "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--port", str(port)],
        cwd=ROOT,
        env=environment(folder),
        stdout=subprocess.DEVNULL,
    )
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def manage(folder: Path, *command: str) -> int:
    asked = [sys.executable, "manage.py", *command]
    return subprocess.run(asked, cwd=ROOT, env=environment(folder), check=False).returncode


def environment(folder: Path) -> dict[str, str]:
    """Return the variables for a process with this data folder, without those of tests."""
    own = {key: os.environ[key] for key in os.environ.keys() - OF_TESTS}
    return own | {"DATA_DIR": str(folder)}


def wait_for(url: str) -> None:
    """Return once the address answers, or fail after a minute."""
    for _ in range(600):
        try:
            with urlopen(url):  # noqa: S310  our own server
                return
        except URLError:
            time.sleep(0.1)
    sys.exit(f"{url} does not answer.")
