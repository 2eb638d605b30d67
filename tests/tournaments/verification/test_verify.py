"""`manage.py verify` finds whatever was touched, in any tournament."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from tests import cast
from tests.faults.installations import Installation, make_migrated
from tournaments import verification
from tournaments.audit import guards
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db


LAST_ROUND = "WHERE id = (SELECT max(id) FROM tournaments_round)"


def tampered(sql: str) -> None:
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


def test_everything_fits(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_what_was_touched_is_named(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], sql: str
) -> None:
    tampered(sql)
    assert sitting.session.tournament.slug in found(capsys)


def found(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what `verify` finds."""
    with pytest.raises(SystemExit) as ended:
        call_command("verify")
    assert ended.value.code == 1
    return capsys.readouterr().out


def test_a_tournament_that_nobody_set_up_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    cast.make_tournament()
    assert "trail: is empty" in found(capsys)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM tournaments_tournament WHERE id = {}",
        "UPDATE tournaments_tournament SET id = id + 1000 WHERE id = {}",
    ],
)
def test_what_belongs_to_nothing_is_found(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], sql: str
) -> None:
    with unchecked(), transaction.atomic():
        tampered(sql.format(sitting.session.tournament_id))
        assert "belong to what is not in tournaments_tournament" in found(capsys)
        transaction.set_rollback(True)


@contextmanager
def unchecked() -> Iterator[None]:
    """Let rows point to what is not there."""
    if connection.vendor == "sqlite":  # which looks only when all is committed
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = origin")


# What SQLite keeps, and PostgreSQL makes right or refuses: by kind of column.
STRANGE = {
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
    ("place", "value"), [(place, value) for place, values in STRANGE.items() for value in values]
)
def test_what_nobody_writes_is_named(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], place: str, value: str
) -> None:
    table, column = place.split()
    sql = f"UPDATE {table} SET {column} = {value} WHERE id = (SELECT max(id) FROM {table})"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        tampered(sql)
        cursor.execute("PRAGMA ignore_check_constraints = OFF")
    told = found(capsys)
    assert table in told
    assert column in told
    assert "holds what nobody writes there" in told


def test_a_damaged_file_is_named(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = verification.Fault("file", "is damaged: row 3 missing from index one_role_a_person")
    monkeypatch.setattr(verification.stored, "damage", lambda: iter([fault]))
    assert found(capsys) == f"database: file: {fault.wrong}\n"


@pytest.mark.alike
@pytest.mark.parametrize("place", ["head", "middle"])
def test_a_file_with_other_bytes_is_found(place: str, tmp_path: Path) -> None:
    """As another program sees it: damaged on its disk, not by anybody's statement."""
    installation = Installation(tmp_path / "var")
    installation.data.mkdir()
    make_migrated(installation)
    content = bytearray(installation.database.read_bytes())
    at = 0 if place == "head" else len(content) // 2 // 4096 * 4096
    content[at : at + 50] = b"x" * 50
    installation.database.write_bytes(content)
    done = installation.manage("verify")
    assert done.returncode == 1
    assert done.stdout.startswith("database: file: is damaged")
    assert "Traceback" not in done.stdout
