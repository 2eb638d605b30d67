"""A test that committed leaves rows behind: how they go again in little time.

Django truncates every table or deletes from it, which takes a tenth of a second however little is
in them, and makes content types and permissions anew. On PostgreSQL to delete a few rows takes a
hundredth; on SQLite a copy of the database as it was migrated is put back, guards and all, in less.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import TransactionTestCase

from tournaments.audit import guards

MADE_BY_MIGRATING = {Permission._meta.db_table, ContentType._meta.db_table, "django_migrations"}


@contextmanager
def quickly() -> Iterator[Callable[[TransactionTestCase], None]]:
    """Yield what empties the database after a test. Enter this when it has just been migrated."""
    if connection.vendor == "postgresql":
        yield lambda _test: delete_all_rows()
        return
    with closing(sqlite3.connect(":memory:")) as migrated:
        connection.ensure_connection()
        connection.connection.backup(migrated)

        def put_back(_test: TransactionTestCase) -> None:
            connection.ensure_connection()
            migrated.backup(connection.connection)

        yield put_back


def delete_all_rows() -> None:
    """Delete what the test made, guarded or not; guards it lifted are set again."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no guards, no references
        cursor.execute("; ".join(f'DELETE FROM "{table}"' for table in _tables()))
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'tournaments%\\_no\\_%'")
        is_guarded = cursor.fetchone() == (guards.trigger_count(connection.vendor),)
    if not is_guarded:
        guards.set_guards()


@cache
def _tables() -> list[str]:
    return sorted({*connection.introspection.table_names()} - MADE_BY_MIGRATING)
