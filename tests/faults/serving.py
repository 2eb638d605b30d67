"""A real server in its own processes, and a client of its API."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import psycopg

from tests import forked_commands
from tests.programs import find_program
from tests.with_postgres import Cluster, copy_folder, copy_of, primary
from tournaments.server import ports
from tournaments.system import locks

try:
    from tournaments import gunicorn

    PROCESSES = gunicorn.workers  # of a server, that answer requests
except ImportError:  # without POSIX
    PROCESSES = 1

PROJECT = Path(__file__).parents[2]
DIRECTOR_PASSWORD = "director-password"
TOKEN, POSTGRES_TOKEN = "director-token", "director-token-on-postgres"  # of prepared databases
SECONDS_TO_START = 300  # on a slow and busy machine


Process = subprocess.Popen[bytes] | forked_commands.Forked

# A folder that all processes of the tests share; set by tests/conftest.py, removed by pytest.
SHARED: list[Path] = []


def shared_folder() -> Path:
    """Return the folder for what is prepared once for all tests."""
    if not SHARED:  # in a program of its own
        SHARED.append(Path(tempfile.mkdtemp(prefix="makiyaku-served-")))
        atexit.register(shutil.rmtree, SHARED[0], ignore_errors=True)
    return SHARED[0]


class Answer(NamedTuple):
    """A response: its document, or its text if it is not JSON."""

    status: int
    body: Any
    headers: Mapping[str, str]


def ask(
    port: int,
    method: str,
    path: str,
    body: Any = None,
    *,
    token: str = "",
    key: str = "",
    timeout: float = 60,
) -> Answer:
    """Raises OSError or HTTPException without a complete response."""
    headers = {"Content-Type": "application/json", "Accept-Language": "en"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    headers |= {"Idempotency-Key": key} if key else {}
    connection = HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    is_json = "json" in (response.headers["Content-Type"] or "")
    return Answer(response.status, json.loads(text) if is_json else text, dict(response.headers))


def free_port() -> int:
    """Return a port that stays reserved until the tests end, also without a server.

    A socket stays bound to it without listening: the system assigns the port to no other program,
    but servers can bind it with SO_REUSEADDR, as ours do.
    """
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", 0))
    port = int(kept.getsockname()[1])
    kept.detach()  # stays open until the process ends
    return port


def send_signal(
    server: subprocess.Popen[Any] | forked_commands.Forked, how: signal.Signals
) -> None:
    """Send a signal to every process of a server, also from a test without POSIX."""
    told = [find_program("sh"), "-c", f"kill -{how.value} -{server.pid}"]
    subprocess.run(told, check=False)


@dataclass
class Server:
    """A data folder and its server, on the same port after every restart."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)
    before: Sequence[str | Path] = ()  # a command that runs the server
    more: Sequence[str] = ()  # arguments
    port: int = field(default_factory=free_port)
    process: Process | None = None
    is_forked: ClassVar[bool] = False  # where it can be; set by tests/conftest.py

    def spawn(self) -> None:
        """Return before the server answers."""
        command = ["serve", "--host", "127.0.0.1", "--port", str(self.port), *self.more]
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(self.data)} | self.environment
        with self.log.open("ab") as log:
            if self.is_forked and not self.before and "PYTHONPATH" not in environment:
                self.process = forked_commands.start(command, environment, log)
                return
            self.process = subprocess.Popen(
                [*self.before, sys.executable, "manage.py", *command],
                cwd=PROJECT,
                env=environment,
                start_new_session=True,
                stderr=log,
                stdout=log,
            )

    def start(self) -> None:
        """Return when the server answers."""
        self.spawn()
        begun = time.monotonic()
        while time.monotonic() - begun < SECONDS_TO_START and self._is_alive():
            try:
                ask(self.port, "GET", "/healthz")
            except (OSError, HTTPException):
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(f"It does not start: {self.log.read_text()}")

    def _is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def log(self) -> Path:
        return self.data.with_name(f"{self.data.name}.log")

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """The signal is sent to every process of the server.

        Return when all have closed the port, so that another server can be started there at once.
        """
        if self.process is not None and self.process.poll() is None:
            send_signal(self.process, how)
            self.process.wait(SECONDS_TO_START)
            begun = time.monotonic()
            while not ports.is_port_free("127.0.0.1", self.port):
                assert time.monotonic() - begun < SECONDS_TO_START, f"port {self.port} stays taken"
                time.sleep(0.01)

    def password(self) -> str:
        """Return the password of the first account, as stored for the director."""
        own = self.seen_from_outside / DIRECTOR_PASSWORD
        return (own if own.exists() else shared_folder() / DIRECTOR_PASSWORD).read_text().strip()

    def token(self) -> str:
        """Return an API token of the director: that of a prepared database, or a new one."""
        if (self.seen_from_outside / DIRECTOR_PASSWORD).exists():
            return log_in(self)
        kept = POSTGRES_TOKEN if self.is_on_postgres else TOKEN
        return (shared_folder() / kept).read_text()

    @property
    def is_on_postgres(self) -> bool:
        return self.environment.get("DATABASE_URL", "").startswith("postgres")

    @property
    def seen_from_outside(self) -> Path:
        """Return the path of the data folder in the mount namespace of the server."""
        return Path(f"/proc/{self.pid}/root{self.data}") if self.before else self.data


def log_in(server: Server) -> str:
    """Return a new API token of the director."""
    account = {"username": "director", "password": server.password()}
    return str(_made(server, "/api/token", account, "")["token"])


@contextmanager
def made_once(name: str) -> Iterator[tuple[Path, bool]]:
    """Yield a path in the shared folder, and whether it exists; other processes wait meanwhile."""
    with locks.locked(shared_folder() / f"{name}.lock"):
        path = shared_folder() / name
        yield path, path.exists()


@cache
def served_before() -> Path:
    """Return a data folder that a server has prepared and that nobody has used.

    The director's password is not in it: a server would take a third of a second to check it. Nor
    is a standby copy, for which small disks of tests have no room.
    """
    with made_once("served") as (served, exists):
        if not exists:
            server = Server(served.with_name("served.new"), {"STANDBY_SECONDS": "0"})
            server.data.mkdir()
            server.start()
            (shared_folder() / TOKEN).write_text(log_in(server))
            server.kill(signal.SIGTERM)
            (server.data / DIRECTOR_PASSWORD).rename(shared_folder() / DIRECTOR_PASSWORD)
            server.data.rename(served)
    return served


@cache
def served_cluster() -> Path:
    """Return the data of a PostgreSQL server, with databases that a server has prepared.

    They are `postgres`, and `served`, of which more copies can be made.
    """
    with made_once("cluster") as (kept, exists):
        if not exists:
            with primary() as cluster:
                server = Server(kept.with_name("on-postgres"), {"DATABASE_URL": cluster.url})
                server.data.mkdir()
                prepare(server)
                server.start()
                (shared_folder() / POSTGRES_TOKEN).write_text(log_in(server))
                server.kill(signal.SIGTERM)
                with psycopg.connect(cluster.url_of("template1"), autocommit=True) as connection:
                    connection.execute("CREATE DATABASE served TEMPLATE postgres")
                cluster.stop("fast")
                copy_folder(cluster.folder / "data", kept.with_name("cluster.new"))
                kept.with_name("cluster.new").rename(kept)
    return kept


def served_postgres() -> AbstractContextManager[Cluster]:
    """Run a PostgreSQL server on a copy of `served_cluster`."""
    return copy_of(served_cluster())


def prepare(server: Server) -> None:
    """Copy into a data folder what a server would make there, to save its time."""
    if server.before:  # the folder may be another one in the mount namespace of the server
        return
    names = ["static", "secret-key"]
    if not server.is_on_postgres and not any(server.data.iterdir()):
        names.append("makiyaku.sqlite3")
    for path in (served_before() / name for name in names):
        if (server.data / path.name).exists():
            continue
        copy = shutil.copytree if path.is_dir() else shutil.copy2
        copy(path, server.data / path.name)


@contextmanager
def serving(data: Path, **options: Any) -> Iterator[Server]:
    """Serve a folder within a `with` block."""
    data.mkdir(exist_ok=True)
    server = Server(data, **options)
    prepare(server)
    try:
        server.start()
        yield server
    finally:
        server.kill(signal.SIGTERM)


class Table(NamedTuple):
    """A table with a joined phone: the id, the players' keys in records, the token."""

    sitting: int
    players: list[str]
    token: str


class Event(NamedTuple):
    """A tournament of the association's goninkan, set up over the API."""

    slug: str
    token: str  # the director's
    tables: list[Table]


def set_up(server: Server, tables: int, rounds: int) -> Event:
    """Set up a tournament: players, one session, and a phone at each table."""
    token = server.token()
    about = {"name": "嶽きみ杯", "rule_set": "goninkan-association", "rounds_per_session": rounds}
    slug = _made(server, "/api/tournaments", {**about, "published": True}, token)["slug"]
    people = [{"name": f"選手{number}"} for number in range(1, 6 * tables + 1)]
    here = f"/api/tournaments/{slug}"
    entries = _made(server, f"{here}/entries", {"entries": people}, token)["entries"]
    numbers = [entry["number"] for entry in entries]
    seats = [numbers[6 * table : 6 * table + 6] for table in range(tables)]
    seen = ask(server.port, "GET", here, token=token).body["state_version"]
    wanted = {"tables": seats, "pins": False, "seen_version": seen}
    session = _made(server, f"{here}/sessions", wanted, token)
    return Event(slug, token, [_join(server, each) for each in session["sittings"]])


def _join(server: Server, sitting: dict[str, Any]) -> Table:
    joined = _made(server, "/api/join", {"token": sitting["token"]}, "")
    return Table(sitting["id"], [seat["player"] for seat in sitting["seats"]], joined["token"])


def _made(server: Server, path: str, body: Any, token: str) -> Any:
    answer = ask(server.port, "POST", path, body, token=token)
    assert answer.status == 201, answer
    return answer.body


def verify(data: Path, **environment: str) -> str:
    """Run `manage.py verify` on a data folder; return what it prints, with its exit status."""
    needed = {"PATH": os.environ["PATH"], "DATA_DIR": str(data), "HTTPS": "off"}
    done = forked_commands.run(["verify"], needed | environment, stderr=subprocess.STDOUT)
    return f"{done.returncode} {done.stdout.decode()}"
