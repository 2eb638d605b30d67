"""Rows that the database itself refuses to change or delete: what was recorded, done, announced.

Python refuses first (`models.Round`); these triggers hold against everything else, on SQLite and on
PostgreSQL. SQLite forgets triggers when a migration makes a table anew, so they are set again after
every migration.
"""

from __future__ import annotations

from typing import Any

from django.db import connections

from tournaments.models import Act, Publication, Receipt, Round, SittingTotals

KEPT = (Round, SittingTotals, Act, Receipt, Publication)

SQLITE = """
CREATE TRIGGER IF NOT EXISTS {table}_no_{word} BEFORE {verb} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} rows are kept as they were written'); END
"""

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION makiyaku_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% rows are kept as they were written', TG_TABLE_NAME
  USING ERRCODE = 'integrity_constraint_violation'; END $$
"""
POSTGRESQL = """
CREATE OR REPLACE TRIGGER {table}_no_{word} BEFORE {verb} ON {table}
FOR EACH ROW EXECUTE FUNCTION makiyaku_keep()
"""


def set_guards(*, using: str = "default", **_kwargs: Any) -> None:
    """Set every trigger that is not there yet. Connected to `post_migrate`."""
    connection = connections[using]
    with connection.cursor() as cursor:
        present = set(connection.introspection.table_names(cursor))
        if connection.vendor == "postgresql":
            cursor.execute(POSTGRESQL_FUNCTION)
        for table, word in _pairs():
            if table in present:
                template = POSTGRESQL if connection.vendor == "postgresql" else SQLITE
                cursor.execute(template.format(table=table, word=word, verb=word.upper()))


def lift_guards(using: str = "default") -> None:
    """Remove every trigger: for emptying a test database, and for nothing else."""
    connection = connections[using]
    with connection.cursor() as cursor:
        for table, word in _pairs():
            on = f" ON {table}" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER IF EXISTS {table}_no_{word}{on}")


def _pairs() -> list[tuple[str, str]]:
    return [(model._meta.db_table, word) for model in KEPT for word in ("update", "delete")]
