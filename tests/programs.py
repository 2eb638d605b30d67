"""Programs of Debian that tests need. A missing one fails the test, so that none is skipped."""

import shutil
from pathlib import Path

PACKAGES = {
    "bash": "bash",
    "chown": "coreutils",
    "chromium-headless-shell": "chromium-headless-shell",
    "curl": "curl",
    "initdb": "postgresql",
    "nsenter": "util-linux",
    "pdftocairo": "poppler-utils",
    "pdftoppm": "poppler-utils",
    "pdftotext": "poppler-utils",
    "pg_basebackup": "postgresql",
    "pg_ctl": "postgresql",
    "pg_restore": "postgresql",
    "runuser": "util-linux",
    "sh": "dash",
    "soffice": "libreoffice-calc-nogui",
    "strace": "strace",
    "umount": "mount",
    "unshare": "util-linux",
    "xgettext": "gettext",
}


class MissingProgramError(RuntimeError):
    """A program that tests need is not installed; the message says how to get it."""


def find_program(name: str) -> str:
    """Return the path of a program; Debian keeps those of PostgreSQL out of the PATH."""
    in_debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(in_debian[-1]) if in_debian else shutil.which(name)
    if found is None:
        message = (
            f"{name} is missing: `make test` installs it, or `apt-get install {PACKAGES[name]}`."
        )
        raise MissingProgramError(message)
    return found
