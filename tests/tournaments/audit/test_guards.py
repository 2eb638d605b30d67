"""Database triggers keep rounds, audit entries and receipts from being changed."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from tests import cast
from tournaments.audit import guards
from tournaments.models import Receipt, SittingTotals, Tournament
from tournaments.services import idempotency
from tournaments.services.publications import publish


@pytest.fixture
def guarded_tournament(tournament: Tournament) -> Tournament:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    SittingTotals.objects.create(sitting=sitting, version=1, points={})
    publish(tournament, by=cast.SOMEBODY)
    idempotency.write_receipt(tournament, "k", "r", {}, last=None)
    return tournament


@pytest.mark.parametrize("model", guards.GUARDED_MODELS)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id + 1", "DELETE FROM {}"])
def test_guards_refuse_changes(guarded_tournament: Tournament, model: type, statement: str) -> None:
    table = model._meta.db_table  # type: ignore[attr-defined]
    with (
        pytest.raises(DatabaseError, match="kept as they were written"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


@pytest.mark.parametrize("model", guards.GUARDED_MODELS)
def test_guards_refuse_replace_and_truncate(guarded_tournament: Tournament, model: type) -> None:
    table = model._meta.db_table  # type: ignore[attr-defined]
    row = model._default_manager.order_by("pk").first()  # type: ignore[attr-defined]
    columns = [field.column for field in row._meta.concrete_fields]
    connection.check_constraints()  # PostgreSQL cannot truncate with pending constraint checks
    for key in ("id", "12345"):  # the row itself, then another with the same natural key
        others = ", ".join(columns).replace("id", key, 1)
        replace = f"REPLACE INTO {table} ({', '.join(columns)}) SELECT {others} FROM {table}"
        truncate = f"TRUNCATE {table} CASCADE"
        statement = truncate if connection.vendor == "postgresql" else f"{replace} WHERE id = %s"
        with (
            pytest.raises(DatabaseError, match="kept as they were written"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement, [row.pk] if "%s" in statement else None)
    row.refresh_from_db()


def test_guards_allow_other_writes(guarded_tournament: Tournament) -> None:
    last = idempotency.write_receipt(
        guarded_tournament, "another", "r", {}, last=Receipt.objects.get()
    )
    with pytest.raises(IntegrityError), transaction.atomic():
        idempotency.write_receipt(guarded_tournament, "another", "r", {}, last=last)


def test_guards_are_set_after_a_table_is_rebuilt(guarded_tournament: Tournament) -> None:
    guards.lift_guards()
    guards.set_guards()
    guards.set_guards()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tournaments_act")
