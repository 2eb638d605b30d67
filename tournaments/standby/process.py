"""Start the copier beside the server, and start it again if it ends."""

from __future__ import annotations

import subprocess
import sys

from django.conf import settings

COPIER = "tournaments.standby.copier"  # never imported here: it opens the database
_running: list[subprocess.Popen[bytes]] = []


def ensure_running() -> None:
    """Start the copier, unless it runs or is not wanted: called by the housekeeping.

    It is wanted where `serve` runs on SQLite. It ends when this process does.
    """
    database = settings.DATABASES["default"]
    is_wanted = settings.STANDBY_SECONDS and settings.LISTENING and "sqlite" in database["ENGINE"]
    if not is_wanted or (_running and _running[0].poll() is None):
        return
    arguments = [str(settings.DATA_DIR), str(database["NAME"]), str(settings.STANDBY_SECONDS)]
    _running[:] = [
        subprocess.Popen(  # noqa: S603  our own program
            [sys.executable, "-m", COPIER, *arguments],
            cwd=settings.BASE_DIR,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
    ]
