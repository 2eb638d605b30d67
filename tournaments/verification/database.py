"""Checks of the database as a whole: damage, values of a wrong type, missing foreign keys.

PostgreSQL enforces the types of columns. SQLite does not, and a flipped bit in its file leaves no
audit entry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import DatabaseError, OperationalError, connection
from django.db.models import Field, ForeignKey, JSONField, Model

from tournaments.verification.trail import Fault

NO_INTEGER = "typeof({0}) <> 'integer'"
NO_TEXT = "typeof({0}) <> 'text'"
SECONDS = "substr({0}, 1, 19)"
# SQL conditions that are true for values which Django does not write, by internal type.
INVALID = {
    "BooleanField": f"{NO_INTEGER} OR {{0}} NOT IN (0, 1)",
    "CharField": NO_TEXT,
    "SlugField": NO_TEXT,
    "TextField": NO_TEXT,
    "DateField": f"{NO_TEXT} OR date({{0}}, '+0 days') IS NOT {{0}}",
    # SQLite turns a date that does not exist into another one.
    "DateTimeField": (
        f"{NO_TEXT} OR strftime('%Y-%m-%d %H:%M:%S', {SECONDS}, '+0 days') IS NOT {SECONDS}"
        f" OR substr({{0}}, 20) <> '' AND substr({{0}}, 20) NOT GLOB '.{'[0-9]' * 6}'"
    ),
    "JSONField": f"{NO_TEXT} OR NOT json_valid({{0}})",
}


def check_file() -> Iterator[Fault]:
    """Yield a fault for each problem that SQLite's integrity check finds; none on PostgreSQL.

    Raises `OperationalError` if the check cannot run, for example because the file is locked.
    """
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            results = [str(row[0]) for row in cursor.fetchall()]
    except OperationalError:
        raise
    except DatabaseError as error:  # too damaged for the check itself
        results = [str(error)]
    for result in results:
        if result != "ok":
            yield Fault("file", f"is damaged: {result}")


def check_values() -> Iterator[Fault]:
    """Yield a fault for every value in SQLite that Django does not write; none on PostgreSQL."""
    for field in _columns() if connection.vendor == "sqlite" else ():
        table, column = field.model._meta.db_table, field.column
        # All other types are integers: counts and foreign keys.
        is_invalid = INVALID.get(field.get_internal_type(), NO_INTEGER).format(f'"{column}"')
        query = f'SELECT id FROM {table} WHERE "{column}" IS NOT NULL AND ({is_invalid})'  # noqa: S608
        for key in [*(key for (key,) in _rows(query)), *_keys_of_reformatted_json(field)]:
            yield Fault(f"{table} row {key} {column}", "holds what nobody writes there")


def _keys_of_reformatted_json(field: Field[Any, Any]) -> list[int]:
    """Return the primary keys of rows whose JSON is valid, but not formatted as by Django."""
    if not isinstance(field, JSONField):
        return []
    table, column = field.model._meta.db_table, field.column
    query = f'SELECT id, "{column}" FROM {table} WHERE json_valid("{column}")'  # noqa: S608
    return [key for key, text in _rows(query) if json.dumps(json.loads(text)) != text]


def check_foreign_keys() -> Iterator[Fault]:
    """Yield a fault for each column with foreign keys that refer to missing rows.

    The fault has the number of such rows and the first primary key.
    """
    for field in _columns():
        if not isinstance(field, ForeignKey):
            continue
        table, column = field.model._meta.db_table, field.column
        referenced = field.related_model._meta.db_table
        query = (
            f"SELECT count(*), min(id) FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608
            f" AND NOT EXISTS (SELECT 1 FROM {referenced} o WHERE o.id = {table}.{column})"
        )
        ((count, first),) = _rows(query)
        if count:
            what = f"{table}: {count} from row {first} on"
            yield Fault(what, f"belong to what is not in {referenced}")


def _columns() -> Iterator[Field[Any, Any]]:
    """Yield every column of our models except primary keys."""
    models: Iterator[type[Model]] = apps.get_app_config("tournaments").get_models()
    for model in models:
        yield from (field for field in model._meta.concrete_fields if not field.primary_key)


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())
