"""Rows that the database itself refuses to change or delete: what was recorded, done, announced.

Python refuses first (`models.Round`); these triggers hold against everything else, on SQLite and on
PostgreSQL. SQLite forgets triggers when a migration makes a table anew, so they are set again after
every migration.

What goes around the triggers of rows has one of its own: SQLite's REPLACE, which deletes what is in
its way without telling the trigger of deletes, and PostgreSQL's TRUNCATE.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connections
from django.db.models import Model, UniqueConstraint

from tournaments.models import AuditEntry, Publication, Receipt, Round, SittingTotals

KEPT = (Round, SittingTotals, AuditEntry, Receipt, Publication)

SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{word} BEFORE {verb} ON {table} {when}
BEGIN SELECT RAISE(ABORT, '{table} rows are kept as they were written'); END
"""

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION makiyaku_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% rows are kept as they were written', TG_TABLE_NAME
  USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
POSTGRESQL = """
CREATE OR REPLACE TRIGGER {table}_no_{word} BEFORE {verb} ON {table}
FOR EACH {each} EXECUTE FUNCTION makiyaku_keep()
"""


def set_guards(*, using: str = "default", **_kwargs: Any) -> None:
    """Set every trigger that is not there yet. Connected to `post_migrate`."""
    connection = connections[using]
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        for model, word in _pairs(connection.vendor):
            table = model._meta.db_table
            if table in present:
                told = connection.introspection.get_table_description(cursor, table)
                columns = {column.name for column in told}
                cursor.execute(_trigger(connection.vendor, model, word, columns))


def lift_guards(using: str = "default") -> None:
    """Remove every trigger: for emptying a test database, and for nothing else."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for model, word in _pairs(connection.vendor):
            table = model._meta.db_table
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{word}{on}")


def count(vendor: str) -> int:
    """Return how many triggers there are when all are set."""
    return len(list(_pairs(vendor)))


def _pairs(vendor: str) -> Iterator[tuple[type[Model], str]]:
    """Return what is refused of which rows, as the names of the triggers say it."""
    around = "truncate" if vendor == "postgresql" else "replace"
    for model in KEPT:
        for word in ("update", "delete", around):
            yield model, word


def _trigger(vendor: str, model: type[Model], word: str, columns: set[str]) -> str:
    table = model._meta.db_table
    if vendor == "postgresql":
        each = "STATEMENT" if word == "truncate" else "ROW"
        return POSTGRESQL.format(table=table, word=word, verb=word.upper(), each=each)
    if word == "replace":
        when = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_is_in_the_way(model, columns)})"  # noqa: S608
        return SQLITE.format(table=table, word=word, verb="INSERT", when=when)
    return SQLITE.format(table=table, word=word, verb=word.upper(), when="")


def _is_in_the_way(model: type[Model], columns: set[str]) -> str:
    """Return the condition of a row that a new one would replace: by its key or what is unique.

    Halfway through the migrations some of its columns are not there yet.
    """
    options = model._meta
    unique = (each for each in options.constraints if isinstance(each, UniqueConstraint))
    named = [[each.name] for each in options.concrete_fields if each.unique]
    named += [list(each.fields) for each in unique]
    column_of = {each.name: each.column for each in options.concrete_fields}
    keys = [[column_of[name] for name in names] for names in named]
    return " OR ".join(
        "(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")"
        for key in keys
        if columns >= set(key)
    )
