"""A full database of every earlier version is migrated as it is: no row changed, none unguarded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.faults import migrating
from tests.with_postgres import postgres

PROJECT = Path(__file__).parents[2]
STATES = sorted(path.stem for path in (PROJECT / "tournaments/migrations").glob("0*.py"))
BEFORE_THERE_WERE_TRAILS = STATES[0]


@pytest.fixture(scope="module")
def postgres_url() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "SQLite":
        return f"sqlite:///{tmp_path / 'makiyaku.sqlite3'}"
    url = str(request.getfixturevalue("postgres_url"))
    name = f"empty_{os.urandom(4).hex()}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return url.removesuffix("postgres") + name


def migrated(state: str, database_url: str, data: Path) -> dict[str, Any]:
    environment = {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "tournaments.settings",
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "only-for-tests",
    }
    done = subprocess.run(
        [sys.executable, "-m", migrating.__name__, state],
        check=False,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("state", STATES)
def test_a_full_database_is_migrated_as_it_is(
    state: str, database_url: str, tmp_path: Path
) -> None:
    found = migrated(state, database_url, tmp_path)
    filled = {table for table, rows in found["before"].items() if rows}
    assert {"auth_user", "tournaments_round", "tournaments_seat"} <= filled
    for table, rows in found["before"].items():
        after = found["after"][table]
        assert [
            {name: row[name] for name in old} for old, row in zip(rows, after, strict=True)
        ] == rows
    # A round recorded before there were trails stands in none; nothing is made up for it.
    alone = migrating.ROWS if state == BEFORE_THERE_WERE_TRAILS else 0
    assert found["faults"] == ["nobody recorded it"] * alone
    assert found["unguarded"] == []
