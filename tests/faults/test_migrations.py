"""Rows of every earlier version are migrated without changing them.

One database is filled before each migration that converts something, and at the last one, so that
its rows pass through all later ones. Others only add columns, or alter what is allowed in them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelOptions,
    CreateModel,
)

from tests.faults import migrating
from tournaments.archives.schema import NUMBERED

PROJECT = Path(__file__).parents[2]
MIGRATIONS = PROJECT / "tournaments/migrations"
NAMES = sorted(path.stem for path in MIGRATIONS.glob("0*.py") if "_squashed_" not in path.name)
NOT_CONVERTING = (CreateModel, AddField, AlterField, AddConstraint, AddIndex, AlterModelOptions)


def converts(name: str) -> bool:
    operations = import_module(f"tournaments.migrations.{name}").Migration.operations
    return not all(isinstance(each, NOT_CONVERTING) for each in operations)


STATES = [
    NAMES[0],
    *(before for before, name in pairwise(NAMES[1:]) if converts(name)),
    NAMES[-1],
]
BEFORE_THERE_WERE_TRAILS = STATES[0]
PUBLICATIONS = "0006_publications"
# Columns that a migration converts: authors to names, visibility to a code.
TOLD_ANEW = {
    "tournaments_tournament": {"published_at"},
    "tournaments_round": {"recorded_by_id"},
    "tournaments_sittingtotals": {"recorded_by_id"},
    "tournaments_act": {"user_id", "previous", "digest"},
    "tournaments_acceptance": {"accepted_by_id"},
}
# Rows of this test that verification reports: publications without content and digest, marks of a
# roll call without an audit entry.
MADE_UP = {
    "tournaments_publication": "does not hold what was announced",
    "tournaments_presence": "is not marked as the audit trail says",
    "tournaments_substitution": "is not the one that the audit trail says",
    "tournaments_draw": "is not as the audit trail says",
    "tournaments_clock": "is not set as the audit trail says",
    "tournaments_adjustment": "differs from the audit trail",
    "tournaments_stage": "nobody defined it",
    "tournaments_schedule": "are not as the audit trail says",
    "tournaments_seriesevent": "nobody added the tournament to it",
    "tournaments_registration": "differs from the audit trail",
    **{
        model._meta.db_table: "differs from the audit trail"
        for model, record in NUMBERED.values()
        if "taken_back_at" in record.model_fields
    },
}


def empty(postgres_url: str) -> str:
    name = f"empty_{os.urandom(4).hex()}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return postgres_url.removesuffix("postgres") + name


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def migrated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    """A database that was filled at every migration, and migrated to the last one."""
    is_file = request.param == "SQLite"
    postgres_url = "" if is_file else str(request.getfixturevalue("postgres_url"))
    data = tmp_path_factory.mktemp("migrated")
    return run_migrations(
        f"sqlite:///{data / 'makiyaku.sqlite3'}" if is_file else empty(postgres_url), data
    )


def run_migrations(database_url: str, data: Path) -> dict[str, Any]:
    """Return the rows made at each migration, before and after the later ones, and faults."""
    environment = {
        "DATABASE_URL": database_url,
        "DATA_DIR": str(data),
        "DJANGO_SETTINGS_MODULE": "tournaments.settings",
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "only-for-tests",
    }
    done = subprocess.run(
        [sys.executable, "-m", migrating.__name__, *STATES],
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
def test_migration_changes_no_row(state: str, migrated: dict[str, Any]) -> None:
    found = migrated[state]
    filled = {table for table, rows in found["before"].items() if rows}
    assert {"auth_user", "tournaments_round", "tournaments_seat"} <= filled
    for table, rows in found["before"].items():
        after = found["after"][table]
        told_anew = TOLD_ANEW.get(table, set()) if state < PUBLICATIONS else set()
        kept = [{name: row[name] for name in row if name not in told_anew} for row in rows]
        assert [
            {name: row[name] for name in old} for old, row in zip(kept, after, strict=True)
        ] == kept
    # A round recorded before there were audit trails is in none.
    alone = migrating.ROWS if state == BEFORE_THERE_WERE_TRAILS else 0
    expected = ["is empty: nobody set this up", "nobody recorded it"] * alone
    for table, fault in MADE_UP.items():
        expected += [fault] * len(found["before"].get(table, []))
    tournaments = found["before"][
        "tournaments_tournament"
    ]  # whose play-offs and ends of private data are made up as well
    expected += ["is not as the audit trail says"] * len(
        [row for row in tournaments if "play_off_numbers" in row]
    )
    expected += ["differs from the audit trail"] * len(
        [row for row in tournaments if row.get("private_until")]
    )
    assert sorted(found["faults"]) == sorted(expected)
    assert found["unguarded"] == []


@pytest.mark.parametrize("state", [state for state in STATES if state < PUBLICATIONS])
def test_migration_keeps_authors(state: str, migrated: dict[str, Any]) -> None:
    found = migrated[state]
    before, after = found["before"], found["after"]
    people = {row["id"]: row["username"] for row in before["auth_user"]}
    trail = {row["at"]: row["who"] for row in after.get("tournaments_act", [])}
    for table in ("tournaments_round", "tournaments_sittingtotals"):
        for old, new in zip(before.get(table, []), after[table], strict=True):
            known = people[old["recorded_by_id"]]
            assert new["who"] == trail.get(new["recorded_at"], known)
    shown = [row["showing"] for row in after["tournaments_tournament"]]
    assert shown == ["'live'"] * migrating.ROWS


def test_squashed_migration_defines_what_the_replaced_ones_do() -> None:
    [squashed] = [path.stem for path in MIGRATIONS.glob("0001_squashed_*.py")]
    loader = MigrationLoader(None)
    last_replaced = loader.disk_migrations["tournaments", squashed].replaces[-1]
    with migrating.before_squashing():
        before = MigrationLoader(None).project_state([last_replaced])
    after = loader.project_state([("tournaments", squashed)])
    assert MigrationAutodetector(before, after).changes(loader.graph) == {}
