"""`manage.py verify` reports faults of every tournament and of the database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, transaction

from tests import cast
from tests.faults.installations import Installation
from tests.faults.serving import served_before
from tournaments import verification
from tournaments.audit import guards
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db


LAST_ROUND = "WHERE id = (SELECT max(id) FROM tournaments_round)"


def change_guarded_rows(sql: str) -> None:
    guards.lift_guards()
    with connection.cursor() as cursor:
        cursor.execute(sql)
    guards.set_guards()


@pytest.fixture
def sitting() -> Sitting:
    cast.record(cast.make_sitting())
    sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting


def test_unchanged_database_is_verified(
    sitting: Sitting, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify")
    assert capsys.readouterr().out == "2 tournaments verified: everything fits.\n"


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE tournaments_round SET facts = '{{}}' {LAST_ROUND}",
        f"DELETE FROM tournaments_round {LAST_ROUND}",
        "UPDATE tournaments_act SET who = 'x' WHERE id = (SELECT max(id) FROM tournaments_act)",
    ],
)
def test_changed_row_is_reported(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], sql: str
) -> None:
    change_guarded_rows(sql)
    assert sitting.session.tournament.slug in faults_printed(capsys)


def faults_printed(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the output of a `verify` that fails."""
    with pytest.raises(SystemExit) as ended:
        call_command("verify")
    assert ended.value.code == 1
    return capsys.readouterr().out


def test_folder_without_a_database_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Iterator[None]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM tournaments_of_no_folder")
        yield

    monkeypatch.setattr(verification, "verify_everything", fail)
    with pytest.raises(CommandError, match="Check DATA_DIR"), transaction.atomic():
        call_command("verify")


def test_tournament_without_audit_entries_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    cast.make_tournament()
    assert "trail: is empty" in faults_printed(capsys)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM tournaments_tournament WHERE id = {}",
        "UPDATE tournaments_tournament SET id = id + 1000 WHERE id = {}",
    ],
)
def test_orphaned_rows_are_reported(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], sql: str
) -> None:
    with foreign_keys_disabled(), transaction.atomic():
        change_guarded_rows(sql.format(sitting.session.tournament_id))
        assert "belong to what is not in tournaments_tournament" in faults_printed(capsys)
        transaction.set_rollback(True)


@contextmanager
def foreign_keys_disabled() -> Iterator[None]:
    if connection.vendor == "sqlite":  # enforces them only at commit
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = origin")


# Values that SQLite stores, and PostgreSQL converts or refuses, by column.
INVALID_VALUES = {
    "tournaments_act at": ["'2026-13-01 09:00:00'", "'2026-02-30 09:00:00'", "'x'", "1"],
    "tournaments_tournament held_on": ["'2026-02-30'", "'2026-1-1'", "20260101"],
    "tournaments_tournament closed_at": ["'2026-11-21!08:00:00'", "'2026-11-21 08:00:00.06'"],
    "tournaments_tournament partners": ["256", "0.5", "'x'"],
    "tournaments_round number": ["1.5", "'one'"],
    "tournaments_round facts": ["replace(facts, ': ', ':')", "facts || ' '"],
    "tournaments_act subject": ["x'7b7d'"],
    "tournaments_entry name": ["x'41'"],
}


@pytest.mark.alike
@pytest.mark.parametrize(
    ("place", "value"),
    [(place, value) for place, values in INVALID_VALUES.items() for value in values],
)
def test_invalid_value_in_sqlite_is_reported(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], place: str, value: str
) -> None:
    table, column = place.split()
    sql = f"UPDATE {table} SET {column} = {value} WHERE id = (SELECT max(id) FROM {table})"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        change_guarded_rows(sql)
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    output = faults_printed(capsys)
    assert table in output
    assert column in output
    assert "holds what nobody writes there" in output


def test_damage_is_reported_alone(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = verification.Fault("file", "is damaged: row 3 missing from index one_role_a_person")
    monkeypatch.setattr(verification.database, "check_file", lambda: iter([fault]))
    assert faults_printed(capsys) == f"database: file: {fault.wrong}\n"


@pytest.mark.alike
@pytest.mark.parametrize("place", ["head", "middle"])
def test_overwritten_bytes_of_the_file_are_detected(place: str, tmp_path: Path) -> None:
    """The file is damaged on disk, not by a statement."""
    installation = Installation(tmp_path)
    content = bytearray((served_before() / installation.database.name).read_bytes())
    at = 0 if place == "head" else len(content) // 2 // 4096 * 4096
    content[at : at + 50] = b"x" * 50
    installation.database.write_bytes(content)
    done = installation.manage("verify")
    assert done.returncode == 1
    assert done.stdout.startswith("database: file: is damaged")
    assert "Traceback" not in done.stdout
