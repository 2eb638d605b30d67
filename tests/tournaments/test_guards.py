"""Rounds, acts and receipts stay as they were written, whoever asks the database."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from tests import cast
from tournaments import guards, publications
from tournaments.models import Receipt, SittingTotals, Tournament


@pytest.fixture
def kept(tournament: Tournament) -> Tournament:
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    SittingTotals.objects.create(sitting=sitting, version=1, points={})
    publications.publish(tournament, by=cast.SOMEBODY)
    Receipt.objects.create(tournament=tournament, key="k", request="r", answer={})
    return tournament


@pytest.mark.parametrize("model", guards.KEPT)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id + 1", "DELETE FROM {}"])
def test_the_database_refuses(kept: Tournament, model: type, statement: str) -> None:
    table = model._meta.db_table  # type: ignore[attr-defined]
    with (
        pytest.raises(DatabaseError, match="kept as they were written"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table))


def test_the_guards_are_set_again_after_a_table_was_made_anew(kept: Tournament) -> None:
    guards.lift_guards()
    guards.set_guards()
    guards.set_guards()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM tournaments_act")
