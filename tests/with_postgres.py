"""Run a command with DATABASE_URL naming a temporary PostgreSQL server.

    python tests/with_postgres.py pytest -m database

The server is Debian's, in a temporary folder, and listens on a socket there, without port and
password. It runs without fsync, unless a benchmark asks for it: tests kill processes, but not the
machine.
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

CONNECTIONS = 500  # for parallel tests on each core, some with twenty writers
PATIENCE = "--timeout=300"  # seconds, for a busy machine


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """Run a server, with fsync if `durable`, and yield its URL."""
    # PostgreSQL refuses to run as root; Debian's package creates a user for it.
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

        local = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
        run("initdb", "--no-sync", *local)
        fsync = "on" if durable else "off"
        limits = f"-c max_connections={CONNECTIONS} -c fsync={fsync}"
        options = f"-c listen_addresses='' {limits} -k {folder}"
        run("pg_ctl", "start", "--wait", PATIENCE, "-o", options)
        try:
            yield f"postgres://postgres@{quote(name, safe='')}/postgres"
        finally:
            run("pg_ctl", "stop", "--wait", PATIENCE, "--mode=immediate")


if __name__ == "__main__":
    with postgres() as url:
        tests = subprocess.run(sys.argv[1:], check=False, env=os.environ | {"DATABASE_URL": url})
    sys.exit(tests.returncode)
