"""Inserting many rows while holding the database's lock as briefly as possible."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection
from django.db.models import Model


class PreparedInsert:
    """An INSERT of many rows, which converts their values for the database in advance.

    `bulk_create` converts values and composes statements between the first and the last row, for
    most of its time, and on SQLite nobody else can write meanwhile. Make this one before the
    transaction. No signals are sent, and the primary keys of the rows stay None.
    """

    def __init__(self, model: type[Model], rows: Sequence[Model]) -> None:
        fields = [each for each in model._meta.concrete_fields if not each.primary_key]
        self._values = [
            [each.get_db_prep_save(getattr(row, each.attname), connection) for each in fields]
            for row in rows
        ]
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(each.column)) for each in fields)
        marks = ", ".join(["%s"] * len(fields))
        table = quote(model._meta.db_table)
        self._statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608  no input

    def run(self) -> None:
        with connection.cursor() as cursor:
            cursor.executemany(self._statement, self._values)
