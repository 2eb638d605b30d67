"""The database as a whole: whether it is sound, and holds only what we would write.

PostgreSQL keeps values to their kinds by itself; SQLite keeps what it is given, and a flipped bit
in its file is nobody's act.
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
# What stands in a column that was not written by us, by Django's name for its kind.
STRANGE = {
    "BooleanField": f"{NO_INTEGER} OR {{0}} NOT IN (0, 1)",
    "CharField": NO_TEXT,
    "SlugField": NO_TEXT,
    "TextField": NO_TEXT,
    "DateField": f"{NO_TEXT} OR date({{0}}, '+0 days') IS NOT {{0}}",
    # A day that is not in the calendar comes back as another one.
    "DateTimeField": (
        f"{NO_TEXT} OR strftime('%Y-%m-%d %H:%M:%S', {SECONDS}, '+0 days') IS NOT {SECONDS}"
        f" OR substr({{0}}, 20) <> '' AND substr({{0}}, 20) NOT GLOB '.{'[0-9]' * 6}'"
    ),
    "JSONField": f"{NO_TEXT} OR NOT json_valid({{0}})",
}


def damage() -> Iterator[Fault]:
    """Tell what SQLite finds wrong with its own file; such a file cannot be read further."""
    if connection.vendor != "sqlite":
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            told = [str(row[0]) for row in cursor.fetchall()]
    except OperationalError:
        raise
    except DatabaseError as error:  # so damaged that it cannot even be looked through
        told = [str(error)]
    for each in told:
        if each != "ok":
            yield Fault("file", f"is damaged: {each}")


def strange_values() -> Iterator[Fault]:
    """Tell which values nobody could have written by this app."""
    for field in _columns() if connection.vendor == "sqlite" else ():
        table, column = field.model._meta.db_table, field.column
        # What is none of these is a whole number: a count, or the key of another row.
        is_strange = STRANGE.get(field.get_internal_type(), NO_INTEGER).format(f'"{column}"')
        query = f'SELECT id FROM {table} WHERE "{column}" IS NOT NULL AND ({is_strange})'  # noqa: S608
        for key in [*(key for (key,) in _rows(query)), *_respelt(field)]:
            yield Fault(f"{table} row {key} {column}", "holds what nobody writes there")


def _respelt(field: Field[Any, Any]) -> list[int]:
    """Return the rows whose JSON says the same in another spelling than Django's: white space."""
    if not isinstance(field, JSONField):
        return []
    table, column = field.model._meta.db_table, field.column
    query = f'SELECT id, "{column}" FROM {table} WHERE json_valid("{column}")'  # noqa: S608
    return [key for key, text in _rows(query) if json.dumps(json.loads(text)) != text]


def orphans() -> Iterator[Fault]:
    """Tell which rows belong to something that is not there."""
    for field in _columns():
        if not isinstance(field, ForeignKey):
            continue
        table, column = field.model._meta.db_table, field.column
        other = field.related_model._meta.db_table
        query = (
            f"SELECT count(*), min(id) FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608
            f" AND NOT EXISTS (SELECT 1 FROM {other} o WHERE o.id = {table}.{column})"
        )
        ((count, first),) = _rows(query)
        if count:
            what = f"{table}: {count} from row {first} on"
            yield Fault(what, f"belong to what is not in {other}")


def _columns() -> Iterator[Field[Any, Any]]:
    """Return every column of ours but the keys."""
    models: Iterator[type[Model]] = apps.get_app_config("tournaments").get_models()
    for model in models:
        yield from (each for each in model._meta.concrete_fields if not each.primary_key)


def _rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())
