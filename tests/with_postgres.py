"""Run a command with DATABASE_URL naming a temporary PostgreSQL server.

    python tests/with_postgres.py pytest -m database

The server is Debian's, in a temporary folder, and listens on a socket there, without port and
password. It runs without fsync, unless a benchmark asks for it: tests kill processes, but not the
machine.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.programs import find_program

CONNECTIONS = 500  # for parallel tests on each core, some with twenty writers
PATIENCE = "--timeout=300"  # seconds, for a busy machine
# PostgreSQL refuses to run as root; Debian's package creates a user for it.
USER = "postgres" if os.geteuid() == 0 else ""


@dataclass
class Cluster:
    """A PostgreSQL server in a temporary folder, which can be stopped and started again."""

    folder: Path
    options: str  # of the server

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgres://postgres@{quote(str(self.folder), safe='')}/{database}"

    @property
    def pid(self) -> int:
        """Return the first process of the server, which starts the others."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def run(self, program: str, *arguments: str | Path) -> None:
        """Run one of PostgreSQL's programs on the data; end this process if it fails."""
        log = self.folder / "log"
        with log.open("ab") as output:
            as_user = [find_program("runuser"), "-u", USER, "--"] if USER else []
            done = subprocess.run(
                [*as_user, find_program(program), "--pgdata", self.folder / "data", *arguments],
                check=False,
                cwd=self.folder,
                stderr=output,
                stdout=output,
            )
        if done.returncode:
            sys.exit(f"{program} failed:\n{log.read_text()}")

    def start(self) -> None:
        options = f"-c listen_addresses='' -k {self.folder} {self.options}"
        self.run("pg_ctl", "start", "--wait", PATIENCE, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """Stop the server in one of pg_ctl's shutdown modes; `immediate` kills its processes."""
        self.run("pg_ctl", "stop", "--wait", PATIENCE, f"--mode={mode}")


@contextmanager
def cluster(options: str, prepare: Callable[[Cluster], None]) -> Iterator[Cluster]:
    """Run a server whose data `prepare` makes."""
    with tempfile.TemporaryDirectory(prefix="makiyaku-postgres-") as name:
        if USER:
            subprocess.run([find_program("chown"), USER, name], check=True)
        made = Cluster(Path(name), options)
        prepare(made)
        made.start()
        try:
            yield made
        finally:
            with suppress(SystemExit):  # a test may have stopped it
                made.stop()


def primary(*, durable: bool = False) -> AbstractContextManager[Cluster]:
    """Run a new server, with fsync if `durable`."""
    local = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8")
    initialise = ("initdb", "--no-sync", *local)
    return cluster(_options(durable=durable), lambda made: made.run(*initialise))


def _options(*, durable: bool = False) -> str:
    return f"-c max_connections={CONNECTIONS} -c fsync={'on' if durable else 'off'}"


def copy_folder(folder: Path, to: Path) -> None:
    """Copy the data folder of a stopped server; the files keep owner and mode."""
    subprocess.run([find_program("cp"), "--archive", folder, to], check=True)


def copy_of(stopped: Path) -> AbstractContextManager[Cluster]:
    """Run a server, without fsync, on a copy of the folder `data` of one that was stopped."""
    return cluster(_options(), lambda made: copy_folder(stopped, made.folder / "data"))


def replica_of(source: Cluster) -> AbstractContextManager[Cluster]:
    come_from = ("--host", source.folder, "--username=postgres")
    return cluster(
        source.options,
        lambda made: made.run(
            "pg_basebackup", *come_from, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"
        ),
    )


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[str]:
    """Run a new server, and yield its URL."""
    with primary(durable=durable) as made:
        yield made.url


if __name__ == "__main__":
    with postgres() as url:
        tests = subprocess.run(sys.argv[1:], check=False, env=os.environ | {"DATABASE_URL": url})
    sys.exit(tests.returncode)
