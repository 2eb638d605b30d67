"""Database triggers that refuse to change or delete immutable rows, on SQLite and PostgreSQL.

`models.immutable` refuses in Python; the triggers refuse raw SQL, too. SQLite drops triggers when a
migration rebuilds a table, so they are created again after every migration.

Two statements bypass the UPDATE and DELETE triggers of rows and get triggers of their own: REPLACE
on SQLite, which deletes conflicting rows without firing them, and TRUNCATE on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connections
from django.db.models import Model, UniqueConstraint

from tournaments.models import AuditEntry, Publication, Receipt, Round, SittingTotals

GUARDED_MODELS = (Round, SittingTotals, AuditEntry, Receipt, Publication)

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
    """Create all triggers that do not exist yet. Connected to `post_migrate`."""
    connection = connections[using]
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        for model, word in _triggers(connection.vendor):
            table = model._meta.db_table
            if table in present:
                described = connection.introspection.get_table_description(cursor, table)
                columns = {column.name for column in described}
                cursor.execute(_trigger(connection.vendor, model, word, columns))


def lift_guards(using: str = "default") -> None:
    """Drop all triggers. Only for emptying a test database."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for model, word in _triggers(connection.vendor):
            table = model._meta.db_table
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{word}{on}")


def trigger_count(vendor: str) -> int:
    """Return the number of triggers that `set_guards` creates on an empty database."""
    return len(list(_triggers(vendor)))


def _triggers(vendor: str) -> Iterator[tuple[type[Model], str]]:
    """Yield each trigger as model and suffix of the trigger's name: what it refuses."""
    bypass = "truncate" if vendor == "postgresql" else "replace"
    for model in GUARDED_MODELS:
        for word in ("update", "delete", bypass):
            yield model, word


def _trigger(vendor: str, model: type[Model], word: str, columns: set[str]) -> str:
    table = model._meta.db_table
    if vendor == "postgresql":
        each = "STATEMENT" if word == "truncate" else "ROW"
        return POSTGRESQL.format(table=table, word=word, verb=word.upper(), each=each)
    if word == "replace":
        when = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_conflict_condition(model, columns)})"  # noqa: S608
        return SQLITE.format(table=table, word=word, verb="INSERT", when=when)
    return SQLITE.format(table=table, word=word, verb=word.upper(), when="")


def _conflict_condition(model: type[Model], columns: set[str]) -> str:
    """Return SQL that finds rows a new row would replace, by primary key or unique constraint.

    Constraints on columns that a later migration adds are left out.
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
