"""Run a command with DATABASE_URL naming a PostgreSQL server that lives as long as the command.

    python tests/with_postgres.py pytest -m database

The server is Debian's, in a new folder, and listens on a socket there: no port, no password, and
nothing stays behind.
"""

import os
import pwd
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.programs import find_program

CONNECTIONS = (
    500  # tests run side by side, as many as the machine has cores; some are twenty writers
)
PATIENCE = "--timeout=300"  # seconds, for a machine with much else to do


@contextmanager
def postgres() -> Iterator[str]:
    """Start a server, give its URL, stop it."""
    # PostgreSQL refuses to run as root; Debian's package made a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="makiyaku-postgres-") as name:
        folder = Path(name)
        data = folder / "data"
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, -1)

        def run(program: str, *arguments: str | Path) -> None:
            log = folder / "log"
            with log.open("ab") as output:
                done = subprocess.run(
                    [find_program(program), "--pgdata", data, *arguments],
                    check=False,
                    cwd=folder,
                    stderr=output,
                    stdout=output,
                    user=user,
                )
            if done.returncode:
                sys.exit(f"{program} failed:\n{log.read_text()}")

        run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
        options = f"-c listen_addresses='' -c max_connections={CONNECTIONS} -k {folder}"
        run("pg_ctl", "start", "--wait", PATIENCE, "-o", options)
        try:
            yield f"postgres://postgres@{quote(name, safe='')}/postgres"
        finally:
            run("pg_ctl", "stop", "--wait", PATIENCE, "--mode=immediate")


if __name__ == "__main__":
    with postgres() as url:
        tests = subprocess.run(sys.argv[1:], check=False, env=os.environ | {"DATABASE_URL": url})
    sys.exit(tests.returncode)
