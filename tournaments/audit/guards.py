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
CREATE TRIGGER IF NOT EXISTS {table}_no_{statement} BEFORE {verb} ON {table} {when}
BEGIN SELECT RAISE(ABORT, '{table} rows are kept as they were written'); END
"""

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION makiyaku_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% rows are kept as they were written', TG_TABLE_NAME
  USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
POSTGRESQL = """
CREATE OR REPLACE TRIGGER {table}_no_{statement} BEFORE {verb} ON {table}
FOR EACH {each} EXECUTE FUNCTION makiyaku_keep()
"""


def set_guards(*, using: str = "default", **_kwargs: Any) -> None:
    """Create the triggers of all guarded tables. Connected to `post_migrate`.

    Existing triggers are left as they are on SQLite and replaced on PostgreSQL. Tables that no
    migration has created yet are skipped.
    """
    connection = connections[using]
    with connection.cursor() as cursor:
        existing_tables = set(connection.introspection.table_names(cursor))
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        columns_by_table = {
            table: _columns_of(cursor, table)
            for table in existing_tables & {model._meta.db_table for model in GUARDED_MODELS}
        }
        for model, statement in _all_triggers(connection.vendor):
            columns = columns_by_table.get(model._meta.db_table)
            if columns is not None:
                sql = _create_trigger_sql(connection.vendor, model, statement, columns)
                cursor.execute(sql)


def lift_guards(using: str = "default") -> None:
    """Drop all triggers, so that a test can change or delete guarded rows."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for model, statement in _all_triggers(connection.vendor):
            table = model._meta.db_table
            on_table = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{statement}{on_table}")


def trigger_count(vendor: str) -> int:
    """Return the number of triggers that `set_guards` creates on an empty database."""
    return len(list(_all_triggers(vendor)))


def _columns_of(cursor: Any, table: str) -> set[str]:
    """Return the names of a table's columns; Django's introspection would parse SQL for it."""
    cursor.execute(f"SELECT * FROM {table} WHERE 1 = 0")  # noqa: S608
    return {column[0] for column in cursor.description}


def _all_triggers(vendor: str) -> Iterator[tuple[type[Model], str]]:
    """Yield the model and the refused statement of each trigger.

    The statement is `update`, `delete`, and `truncate` (PostgreSQL) or `replace` (SQLite).
    """
    bypass = "truncate" if vendor == "postgresql" else "replace"
    for model in GUARDED_MODELS:
        for statement in ("update", "delete", bypass):
            yield model, statement


def _create_trigger_sql(vendor: str, model: type[Model], statement: str, columns: set[str]) -> str:
    """Return the SQL that creates the trigger that refuses `statement` on a model's table.

    `columns` are the names of the columns that the table has now.
    """
    table, verb = model._meta.db_table, statement.upper()
    if vendor == "postgresql":
        each = "STATEMENT" if statement == "truncate" else "ROW"
        return POSTGRESQL.format(table=table, statement=statement, verb=verb, each=each)
    if statement == "replace":
        when = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_conflict_condition(model, columns)})"  # noqa: S608
        return SQLITE.format(table=table, statement=statement, verb="INSERT", when=when)
    return SQLITE.format(table=table, statement=statement, verb=verb, when="")


def _conflict_condition(model: type[Model], columns: set[str]) -> str:
    """Return an SQL condition for rows that have a unique value of the new row, `NEW`.

    Primary keys and unique constraints count. Constraints on columns that a later migration adds,
    which are not in `columns`, are left out.
    """
    fields, constraints = model._meta.concrete_fields, model._meta.constraints
    unique_sets = [[field.name] for field in fields if field.unique]
    unique_sets += [list(each.fields) for each in constraints if isinstance(each, UniqueConstraint)]
    column_of = {field.name: field.column for field in fields}
    keys = [[column_of[name] for name in names] for names in unique_sets]
    return " OR ".join(
        "(" + " AND ".join(f"{column} = NEW.{column}" for column in key) + ")"
        for key in keys
        if columns >= set(key)
    )
