"""Backups while phones post, on a full disk, killed in the middle, of an older version.

Real processes on SQLite and PostgreSQL. `BACKUP_PHONES` asks for more or fewer phones.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from time import sleep
from typing import Any
from urllib.request import urlopen

import psycopg
import pytest

from tests.faults.serving import Event, Server, Table, ask, serving, set_up
from tests.programs import find_program
from tests.with_postgres import postgres

PROJECT = Path(__file__).parents[2]
PHONES = int(os.environ.get("BACKUP_PHONES", "50"))
OLDER = "0003_tables_and_tokens"
ROUNDS = "SELECT sitting_id, number, facts FROM tournaments_round ORDER BY 1, 2"
MOUNTED = 'mount -t tmpfs -o size="$1"k tmpfs "$0" && shift && "$@"; echo "ended $?"; ls -A "$0"'


@dataclass
class Installation:
    """A fresh checkout: a data folder, and a database of its own that is empty."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)

    def manage(self, *command: str | Path, before: Any = ()) -> subprocess.CompletedProcess[str]:
        """Run one of our commands here."""
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(self.data), "LANG": "en_GB"}
        return subprocess.run(
            [*before, sys.executable, "manage.py", *command],
            check=False,
            cwd=PROJECT,
            env=environment | {"HTTPS": "off", "SECRET_KEY": "only-for-tests"} | self.environment,
            stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def surely(self, *command: str | Path) -> str:
        done = self.manage(*command)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def back_up(self) -> Path:
        """Take a backup by the command; return where it says it is."""
        return Path(self.surely("backup").splitlines()[0])

    def backups(self, reason: str = "") -> list[Path]:
        return sorted((self.data / "backups").glob(f"*{reason}.zip"))

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database itself."""
        url = self.environment.get("DATABASE_URL", "")
        if url.startswith("postgres"):
            with psycopg.connect(url) as server:
                return server.execute(statement.encode()).fetchall()
        with closing(sqlite3.connect(self.database)) as opened:
            return opened.execute(statement).fetchall()

    @property
    def database(self) -> Path:
        return self.data / "makiyaku.sqlite3"

    def rounds(self) -> dict[tuple[int, int], Any]:
        """Return the facts of every round by table and number."""
        return {
            (sitting, number): json.loads(facts) if isinstance(facts, str) else facts
            for sitting, number, facts in self.ask(ROUNDS)
        }


Install = Callable[[], Installation]


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def install(request: pytest.FixtureRequest, tmp_path: Path) -> Install:
    """What makes fresh installations on one kind of database."""
    made: list[Installation] = []

    def install() -> Installation:
        made.append(Installation(tmp_path / f"var{len(made)}"))
        made[-1].data.mkdir()
        if request.param == "PostgreSQL":
            url, name = str(request.getfixturevalue("postgres_url")), f"new_{os.urandom(4).hex()}"
            with psycopg.connect(url, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}".encode())
            made[-1].environment["DATABASE_URL"] = url.removesuffix("postgres") + name
        return made[-1]

    return install


@dataclass
class Phone:
    """A phone that records plain rounds, and what it was told about them."""

    server: Server
    table: Table
    stored: dict[tuple[int, int], Any] = field(default_factory=dict)
    refused: list[Any] = field(default_factory=list)

    def play(self, rounds: range) -> None:
        for number in rounds:
            players = self.table.players
            facts = {
                "dealer": players[number % 6],
                "kankei": [players[(number + 1) % 6], players[(number + 3) % 6]],
                "deals": [{"kankei": number % 8, "mukankei": 9}],
            }
            path = f"/api/sittings/{self.table.sitting}/rounds/{number}"
            key, body = f"{self.table.sitting}/{number}", {"facts": facts, "seen": 0}
            told = ask(self.server.port, "PUT", path, body, token=self.table.token, key=key)
            if told.status == 201:
                self.stored[self.table.sitting, number] = facts
            else:
                self.refused.append(told)


def told(phones: list[Phone]) -> dict[tuple[int, int], Any]:
    """Return every round that was acknowledged by now."""
    return {place: facts for phone in phones for place, facts in dict(phone.stored).items()}


def exported(server: Server, event: Event) -> bytes:
    """Return the standings' workbook as anybody gets it."""
    address = f"http://127.0.0.1:{server.port}/tournaments/{event.slug}/standings.xlsx"
    with urlopen(address) as answer:
        return bytes(answer.read())


def test_taken_while_phones_post_and_restored_elsewhere(install: Install) -> None:
    here, there = install(), install()
    with serving(here.data, environment=here.environment) as server:
        event = set_up(server, PHONES, rounds=9)
        phones = [Phone(server, table) for table in event.tables]
        taken = []
        with ThreadPoolExecutor(PHONES) as pool:
            playing = [pool.submit(phone.play, range(1, 5)) for phone in phones]
            while not all(each.done() for each in playing):
                before = told(phones)
                taken.append((before, here.back_up()))
        assert [phone.refused for phone in phones] == [[]] * PHONES
        assert len(taken) > 1
        for before, backup in taken[:2] + taken[-1:]:
            there.surely("restore", "--yes", backup)
            found = there.rounds()
            assert before.items() <= found.items()
            assert found.items() <= told(phones).items()
            assert "everything fits" in there.surely("verify")
        last, workbook = here.back_up(), exported(server, event)
    there.surely("restore", "--yes", last)
    with serving(there.data, environment=there.environment) as server:
        assert exported(server, event) == workbook


def test_restored_while_phones_post(install: Install) -> None:
    """Whatever was acknowledged is there afterwards, or in the backup made just before."""
    here, there = install(), install()
    with serving(here.data, environment=here.environment) as server:
        event = set_up(server, tables=8, rounds=99)
        phones, stopped = [Phone(server, table) for table in event.tables], Flag()
        for phone in phones:
            phone.play(range(1, 2))
        backup = here.back_up()

        def play_on(phone: Phone) -> None:
            for number in range(2, 99):
                if stopped.is_set():
                    return
                phone.play(range(number, number + 1))

        with ThreadPoolExecutor(len(phones)) as pool:
            playing = [pool.submit(play_on, phone) for phone in phones]
            try:
                while len(told(phones)) < 3 * len(phones):
                    sleep(0.05)
                here.surely("restore", "--yes", backup)
            finally:
                stopped.set()
        assert all(each.exception() is None for each in playing)
        statuses = {told.status for phone in phones for told in phone.refused}
        # The rounds before are no longer there. On PostgreSQL a writer may also be told that
        # nothing was stored, and to send it again: it and we would have waited for each other.
        assert statuses <= {409, 422} | ({503} if "DATABASE_URL" in here.environment else set())
        assert ask(server.port, "GET", "/healthz").status == 200
    (kept,) = here.backups("before-restore")
    there.surely("restore", "--yes", kept)
    found = there.rounds() | here.rounds()
    assert told(phones).items() <= found.items()
    assert "everything fits" in here.surely("verify")


# Killed in the middle


@pytest.fixture
def two_states(install: Install) -> tuple[Installation, Path, list[Any], list[Any]]:
    """An installation, a backup of an earlier state, and the rows of both states."""
    here = install()
    here.surely("migrate", "--verbosity=0")
    earlier = state_of(here)
    backup = here.back_up()
    here.surely("demo")
    return here, backup, earlier, state_of(here)


def state_of(installation: Installation) -> list[Any]:
    tables = ("tournaments_tournament", "tournaments_act", "tournaments_round", "auth_user")
    return [installation.ask(f"SELECT * FROM {table} ORDER BY id") for table in tables]


def test_killed_while_restoring_is_all_or_nothing(
    two_states: tuple[Installation, Path, list[Any], list[Any]], tmp_path: Path
) -> None:
    """The program is killed at its first, its last and a write between: as if by kill -9."""
    here, backup, earlier, later = two_states
    is_file = "DATABASE_URL" not in here.environment
    call = "pwrite64" if is_file else "sendto"
    only = [f"--trace-path={here.database}"] if is_file else []
    log = tmp_path / "strace"
    counted = [find_program("strace"), "-o", str(log), f"--trace={call}", *only]
    whole = here.back_up()
    assert here.manage("restore", "--yes", backup, before=counted).returncode == 0
    assert state_of(here) == earlier
    calls = log.read_text().count(f"{call}(")
    here.surely("restore", "--yes", whole)
    states = []
    for number in (1, calls // 2, calls):
        killed = [*counted, f"--inject={call}:signal=SIGKILL:when={number}"]
        assert here.manage("restore", "--yes", backup, before=killed).returncode != 0
        states.append(state_of(here))
        assert states[-1] in (earlier, later)
        if states[-1] == earlier:
            here.surely("restore", "--yes", whole)
            assert state_of(here) == later
    assert later in states
    assert "everything fits" in here.surely("verify")


# A full disk


def test_a_full_disk_leaves_nothing_half(tmp_path: Path) -> None:
    here = Installation(tmp_path / "var")
    here.data.mkdir()
    here.surely("migrate", "--verbosity=0")
    here.surely("demo")
    shelf = here.data / "backups"
    shelf.mkdir(exist_ok=True)
    size = here.database.stat().st_size // 1024
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    apart = [find_program("unshare"), "--mount", "--propagation", "unchanged", *as_root]
    outcomes = set()
    for room in (4, size // 4, size, size + size // 8, 2 * size, 3 * size):
        mounted = [*apart, "sh", "-c", MOUNTED, str(shelf), str(room)]
        try:
            said = here.manage("backup", before=mounted).stdout.splitlines()
        finally:
            unmount = [find_program("umount"), "--lazy", str(shelf)]
            subprocess.run(unmount, check=False, stderr=subprocess.DEVNULL)
        ended = next(i for i, line in enumerate(said) if line.startswith("ended "))
        left = [name for name in said[ended + 1 :] if name != ".lock"]
        outcomes.add(said[ended])
        if said[ended] == "ended 0":
            assert len(left) == 1
            assert left[0].endswith(".zip")
        else:
            assert left == []
    assert outcomes == {"ended 0", "ended 1"}


# Another version

FILL = f"""
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.faults import migrating
call_command("migrate", "tournaments", "{OLDER}", verbosity=0)
call_command("migrate", "auth", verbosity=0)
state = MigrationExecutor(connection).loader.project_state([("tournaments", "{OLDER}")])
migrating.fill(state.apps)
"""


@pytest.fixture
def older(install: Install) -> Installation:
    """A full database of an earlier version."""
    older = install()
    subprocess.run(
        [sys.executable, "-c", FILL],
        check=True,
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        | {"DATA_DIR": str(older.data), "SECRET_KEY": "only-for-tests"}
        | older.environment,
    )
    return older


def test_looking_at_migrations_makes_no_backup(older: Installation) -> None:
    older.manage("migrate", "--plan")
    older.manage("migrate", "--check")
    assert older.backups() == []


def test_one_is_made_before_a_migration_and_only_then(older: Installation) -> None:
    older.surely("migrate")
    assert len(older.backups("before-migration")) == 1
    older.surely("migrate")
    assert len(older.backups()) == 1


def test_nothing_is_migrated_without_it(older: Installation) -> None:
    migrations = older.ask("SELECT count(*) FROM django_migrations")
    (older.data / "backups").touch()  # which can be no folder then
    done = older.manage("migrate")
    assert done.returncode == 1
    assert "migrate --no-backup" in done.stdout
    assert older.ask("SELECT count(*) FROM django_migrations") == migrations
    older.surely("migrate", "--no-backup")
    assert older.ask("SELECT count(*) FROM django_migrations") > migrations


def test_an_older_one_is_restored_and_brought_up_to_date(
    older: Installation, install: Install
) -> None:
    older.surely("migrate")
    here = install()
    here.surely("restore", "--yes", *older.backups())
    names = "SELECT app, name FROM django_migrations ORDER BY 1, 2"
    assert here.ask(names) == older.ask(names)
    assert here.rounds() == older.rounds()
    assert "everything fits" in here.surely("verify")
    guarded = "SELECT 1 FROM tournaments_round WHERE number > 0"
    assert here.ask(guarded)
    with pytest.raises((sqlite3.IntegrityError, psycopg.errors.IntegrityError)):
        here.ask("DELETE FROM tournaments_round")


def test_an_empty_database_is_migrated_without_one(install: Install) -> None:
    here = install()
    here.surely("migrate")
    assert here.backups() == []


# What is refused


def test_what_cannot_be_restored_leaves_everything_as_it_was(install: Install) -> None:
    here, newer = install(), install()
    for each in (here, newer):
        each.surely("migrate", "--verbosity=0")
    insert = "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_x', "
    asked = f"{insert} '2026-11-21 09:00:00+00') RETURNING id"
    commit(newer, asked)
    good, later = here.back_up(), newer.back_up()
    content = good.read_bytes()
    cases = {
        "damaged": content[:-1000] + bytes(10) + content[-990:],
        "cut": content[: len(content) // 2],
        "foreign": b"PK\x03\x04 something else",
        "later": later.read_bytes(),
    }
    before = state_of(here), here.database.read_bytes() if here.database.exists() else b""
    for name, wrong in cases.items():
        path = here.data / f"{name}.zip"
        path.write_bytes(wrong)
        done = here.manage("restore", "--yes", path)
        assert done.returncode == 1, name
        assert "Nothing was changed" in done.stdout
    assert (state_of(here), here.database.read_bytes() if here.database.exists() else b"") == before
    assert here.backups("before-restore") == []


def commit(installation: Installation, statement: str) -> None:
    url = installation.environment.get("DATABASE_URL", "")
    if url.startswith("postgres"):
        with psycopg.connect(url) as server:
            server.execute(statement.encode())
        return
    with closing(sqlite3.connect(installation.database)) as opened:
        opened.execute(statement).fetchall()
        opened.commit()
