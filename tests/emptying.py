"""A test that committed leaves rows behind: how they go again, on PostgreSQL in little time.

Django truncates every table, which takes a tenth of a second however little is in them, and makes
content types and permissions anew. To delete a few rows takes a hundredth.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import TransactionTestCase

from tournaments.audit import guards

MADE_BY_MIGRATING = {Permission._meta.db_table, ContentType._meta.db_table, "django_migrations"}


def quickly(flush: Callable[[TransactionTestCase], None]) -> Callable[[TransactionTestCase], None]:
    """Return what empties the database after a test, given how Django does it."""

    def empty(test: TransactionTestCase) -> None:
        if connection.vendor == "postgresql":
            delete_all_rows()
        else:
            flush(test)

    return empty


def delete_all_rows() -> None:
    """Delete what the test made, guarded or not; guards it lifted are set again."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # no guards, no references
        cursor.execute("; ".join(f'DELETE FROM "{table}"' for table in _tables()))
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'tournaments%\\_no\\_%'")
        is_guarded = cursor.fetchone() == (guards.count(connection.vendor),)
    if not is_guarded:
        guards.set_guards()


@cache
def _tables() -> list[str]:
    return sorted({*connection.introspection.table_names()} - MADE_BY_MIGRATING)
