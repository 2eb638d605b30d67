"""Installations: a data folder, a database, and commands that run there."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests import forked_commands
from tests.faults.serving import served_before

PROJECT = Path(__file__).parents[2]
FILLED = "0003_tables_and_tokens"  # the rows of a later one would each need an audit entry
OLDER = "0044_private_until"
# The system checks import every page, which takes half the time, and have tests of their own.
MIGRATE = ("migrate", "--skip-checks")
ROUNDS = "SELECT sitting_id, number, facts FROM tournaments_round ORDER BY 1, 2"
STATE = ("tournaments_tournament", "tournaments_act", "tournaments_round", "auth_user")
FILL = f"""
import django; django.setup()
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from tests.faults import migrating
with migrating.before_squashing():
    call_command("migrate", "tournaments", "{FILLED}", verbosity=0)
    call_command("migrate", "auth", verbosity=0)
    state = MigrationExecutor(connection).loader.project_state([("tournaments", "{FILLED}")])
    migrating.fill(state.apps)
    call_command("migrate", "tournaments", "{OLDER}", verbosity=0, no_backup=True)
"""
PLAY = """
import django; django.setup()
from tests import cast
for _ in range(3):
    cast.record(cast.make_sitting())
"""


@dataclass
class Installation:
    """An installation with a new data folder and an empty database."""

    data: Path
    environment: dict[str, str] = field(default_factory=dict)

    def manage(
        self,
        *command: str | Path,
        before: Sequence[str | Path] = (),
        strace: Sequence[str | Path] = (),
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in a process of its own.

        `before` is a program that starts it, `strace` one that traces it alone, if any.
        """
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(self.data), "LANG": "en_GB"}
        environment |= {"HTTPS": "off", "SECRET_KEY": "only-for-tests"} | self.environment
        if not before and hasattr(os, "fork"):
            done = forked_commands.run(
                command, environment, stderr=subprocess.STDOUT, strace=strace
            )
            return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode())
        return subprocess.run(
            [*before, *strace, sys.executable, "manage.py", *command],
            check=False,
            cwd=PROJECT,
            env=environment,
            stderr=subprocess.STDOUT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def surely(self, *command: str | Path) -> str:
        done = self.manage(*command)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def back_up(self) -> Path:
        """Take a backup by the command; return the path it prints."""
        return Path(self.surely("backup").splitlines()[0])

    def backups(self, reason: str = "") -> list[Path]:
        return sorted((self.data / "backups").glob(f"*{reason}.zip"))

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
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
        """By table and number."""
        return {
            (sitting, number): json.loads(facts) if isinstance(facts, str) else facts
            for sitting, number, facts in self.ask(ROUNDS)
        }

    def state(self) -> list[Any]:
        """Return rows that distinguish states of an installation."""
        return [self.ask(f"SELECT * FROM {table} ORDER BY id") for table in STATE]


def run_here(program: str, installation: Installation) -> None:
    """`program` is Python code, run with the settings of an installation."""
    subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tournaments.settings"}
        | {"DATA_DIR": str(installation.data), "SECRET_KEY": "only-for-tests"}
        | installation.environment,
    )


def make_older(installation: Installation) -> None:
    run_here(FILL, installation)


def make_played(installation: Installation) -> None:
    """Create three tournaments with a round each, where a server has been."""
    run_here(PLAY, installation)


Make = Callable[[Installation], None]


@dataclass
class Installer:
    """Makes installations on one kind of database: empty, or copies of an earlier one."""

    folder: Path
    postgres_url: str = ""  # of a server with the databases of `served_cluster`; empty: SQLite
    made: dict[Make, Installation] = field(default_factory=dict)
    count: int = 0

    def __call__(self, make: Make | None = None) -> Installation:
        """Return a new installation, prepared by `make`, which is called once and then copied."""
        return self._copied(make, self._new) if make else self._new()

    def served(self, make: Make | None = None) -> Installation:
        """Return a copy of what a server leaves, prepared by `make` as in `__call__`."""
        return self._copied(make, self.served) if make else self._new(self._served_before())

    def _copied(self, make: Make, begin: Callable[[], Installation]) -> Installation:
        if make not in self.made:
            self.made[make] = begin()
            make(self.made[make])
        return self._new(self.made[make])

    def _served_before(self) -> Installation:
        is_file = not self.postgres_url
        return Installation(
            served_before(), {} if is_file else {"DATABASE_URL": self._url_of("served")}
        )

    def _new(self, like: Installation | None = None) -> Installation:
        self.count += 1
        new = Installation(self.folder / f"var{self.count}")
        new.data.mkdir()
        if self.postgres_url:
            name, template = f"new_{os.urandom(4).hex()}", "template1"
            if like is not None:
                template = like.environment["DATABASE_URL"].rpartition("/")[2]
            with psycopg.connect(self.postgres_url, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
            new.environment["DATABASE_URL"] = self._url_of(name)
        elif like is not None:
            shutil.copyfile(like.database, new.database)
            new.database.chmod(0o600)
        return new

    def _url_of(self, database: str) -> str:
        return self.postgres_url.removesuffix("postgres") + database
