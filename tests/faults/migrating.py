"""Fill a database at each of these migrations, migrate it to the last one, and print the results.

    python -m tests.faults.migrating 0003_tables_and_tokens 0006_publications

Run it in a separate process, with DATABASE_URL naming an empty database; prints JSON. The rows are
made with the models of each migration, with a value in every column.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any
from unittest.mock import patch

import django
from django.apps import apps
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tournaments.__main__ import ALLOCATIONS_UNTIL_COLLECTION

ROWS = 3  # of each table, at each migration
OURS = "tournaments"
BEGUN = datetime(2026, 8, 1, 9, 0, 0, 123456, tzinfo=UTC)
CHANGES_BY_ITSELF = {"auth_permission", "django_content_type", "django_migrations"}
SEALED_ANEW = "tournaments.migrations.0006_publications"
UNSET = {"ranking": {}, "shows_seats": False, "registration": {}}  # each would need an audit entry
ONLY_TOLD_OF = {"rule_set": "goninkan-association", "options": {}, "points": {}}

Row = dict[str, str]
AUDIT_ENTRY = ("AuditEntry", "Act")  # the name of the model, and the one it had


def fill(state: Any, times: int = 0) -> None:
    """Create rows of every model of that migration, in the order of foreign keys.

    `times` is how often the database has been filled before.
    """
    from tournaments import audit  # noqa: PLC0415  needs settings

    made: dict[str, list[models.Model]] = {}
    waiting = [state.get_model("auth", "User"), *state.get_app_config(OURS).get_models()]
    waiting.sort(key=lambda model: model.__name__ in AUDIT_ENTRY)  # they name the other rows
    while waiting:
        model = next(each for each in waiting if points_to(each) <= made.keys())
        waiting.remove(model)
        rows = [model(**values(model, made, number, times * ROWS)) for number in range(ROWS)]
        if model.__name__ in AUDIT_ENTRY:
            rows = audit_entries_of(model, made)
            digest_of = digest_function(model)
            for entry, before in zip(rows, [None, *rows], strict=False):
                follows = before is not None and before.tournament_id == entry.tournament_id
                entry.previous = before.digest if before and follows else audit.CHAIN_START
                entry.digest = digest_of(entry)
        for row in rows:
            seal_receipt(row)
            row.save(force_insert=True)
        made[model.__name__] = rows
    for tournament in made["Tournament"]:
        end_chains(tournament, made)


def end_chains(tournament: Any, made: dict[str, list[Any]]) -> None:
    """Set the chain ends of a tournament, if its model has them."""
    if hasattr(tournament, "last_act"):
        entries = next(made[name] for name in AUDIT_ENTRY if name in made)
        for name, rows in (("last_act", entries), ("last_receipt", made["Receipt"])):
            own = [row.digest for row in rows if row.tournament_id == tournament.pk]
            setattr(tournament, name, own[-1])
        tournament.save()


def seal_receipt(row: Any) -> None:
    """Set the digest of a receipt as the first of its tournament."""
    from tournaments import audit  # noqa: PLC0415  needs settings
    from tournaments.services import idempotency  # noqa: PLC0415  needs settings

    if type(row).__name__ == "Receipt" and hasattr(row, "digest"):
        row.number = 1
        row.digest = idempotency.digest_of(row, audit.CHAIN_START)


def digest_function(entry: Any) -> Callable[[Any], str]:
    """Return the digest function of that version: early ones covered the ids of accounts."""
    from tournaments import audit  # noqa: PLC0415  needs settings

    if "user" not in {field.name for field in entry._meta.fields}:
        return audit.digest_of
    now: Callable[[Any], str] = import_module(SEALED_ANEW).old_digest_of
    return now


def points_to(model: type[models.Model]) -> set[str]:
    fields = [field for field in model._meta.concrete_fields if field.is_relation]
    others = {str(field.related_model.__name__) for field in fields if field.related_model}
    return others - {model.__name__}


def values(
    model: type[models.Model], made: dict[str, list[models.Model]], number: int, earlier: int = 0
) -> dict[str, Any]:
    """Return a value for every field, texts and times different from those of earlier rows."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    found = {field.name: value(field, made, number, earlier) for field in fields}
    if model.__name__ == "Tournament":
        found |= ONLY_TOLD_OF
        found |= {name: unset for name, unset in UNSET.items() if name in found}
    if "rounds_planned" in found:  # of a table that goes on or a play-off, of which there is none
        found["rounds_planned"] = None
    if model.__name__ == "Adjustment":  # of a player, not of a team
        found["team"] = ""
    if model.__name__ == "TieDecision" and "seed" in found:  # typed in, not drawn by lot
        found["seed"] = ""
    if model.__name__ in {"Tournament", "Session"}:  # each would need an audit entry
        found |= dict.fromkeys({"ended_at", "removed_at", "tied"} & found.keys())
    return found


def value(field: Any, made: dict[str, list[models.Model]], number: int, earlier: int) -> Any:
    if field.is_relation:  # no row follows another of its own table
        rows = made.get(field.related_model.__name__)
        return rows[number] if rows else None
    if field.choices:
        values = [key for key, _ in field.choices]
        return values[(earlier + number) % len(values)]
    match field.get_internal_type():
        case "SlugField":
            return f"{field.name}-{earlier + number}"
        case "CharField" | "TextField":
            return f"{field.name} {earlier + number} 髙𠮷🃏 '--<b>"[: field.max_length]
        case "BooleanField":
            return (earlier + number) % 2 == 0
        case "DateTimeField":
            return BEGUN + timedelta(days=earlier + number + 1, microseconds=number)
        case "DateField":
            return (BEGUN + timedelta(days=number)).date()
        case "JSONField":
            return {"number": number, "文": ["髙", None, 1.5, {}]}
        case "PositiveIntegerField" | "PositiveSmallIntegerField" | "SmallIntegerField":
            return number + 1 + (earlier if field.unique else 0)
        case kind:
            message = f"What is put into a {kind}?"
            raise NotImplementedError(message)


def audit_entries_of(model: type[models.Model], made: dict[str, list[models.Model]]) -> list[Any]:
    """Return the audit entries of each tournament: rules, a round and totals."""
    trail: list[dict[str, Any]] = [
        {"tournament": each, "number": 1, "kind": "rules_set", "at": BEGUN, "who": "成田 キヨ"}
        for each in made["Tournament"]
    ]
    recorded: Any
    for recorded in (*made["Round"], *made.get("SittingTotals", [])):
        session, is_round = recorded.sitting.session, hasattr(recorded, "facts")
        place = {"session": session.number, "table": recorded.sitting.number}
        place |= {"round": recorded.number} if is_round else {}
        trail.append(
            {
                "tournament": session.tournament,
                "number": 2 if is_round else 3,
                "kind": "round_recorded" if is_round else "totals_entered",
                "at": recorded.recorded_at,
                "subject": place | {"version": recorded.version},
                "new": recorded.facts if is_round else recorded.points,
                "reason": recorded.reason,
                **writer_of(recorded),
            }
        )
    trail.sort(key=lambda entry: (entry["tournament"].pk, entry["number"]))
    return [model(**entry) for entry in trail]


def writer_of(recorded: Any) -> dict[str, Any]:
    """Return the author, as audit entries of that version name it."""
    if hasattr(recorded, "who"):
        return {"who": recorded.who}
    return {"who": "対馬 ハル", "user": recorded.recorded_by}


def dump() -> dict[str, list[Row]]:
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table in CHANGES_BY_ITSELF:
                continue
            cursor.execute(f"SELECT * FROM {table} ORDER BY 1")
            columns = [column[0] for column in cursor.description]
            found[table] = [
                {name: repr(value) for name, value in zip(columns, row, strict=True)}
                for row in cursor.fetchall()
            ]
    return found


def unguarded() -> list[str]:
    """Return every statement that could change or delete guarded rows."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415

    from tournaments.audit import guards  # noqa: PLC0415

    found = []
    for model in guards.GUARDED_MODELS:
        if not model._default_manager.exists():  # triggers are for each row
            others = [get_user_model(), *apps.get_app_config(OURS).get_models()]
            rows = {each.__name__: list(each._default_manager.order_by("pk")) for each in others}
            model(**values(model, rows, 0)).save(force_insert=True)
        table = model._meta.db_table
        for statement in (f"UPDATE {table} SET id = id + 100", f"DELETE FROM {table}"):
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(statement)
            except DatabaseError:
                continue
            found.append(statement)
    return found


Rows = dict[str, dict[str, Row]]  # by table and by the value of the first column


def by_key(tables: dict[str, list[Row]]) -> Rows:
    return {
        table: {next(iter(row.values())): row for row in rows} for table, rows in tables.items()
    }


@contextmanager
def before_squashing() -> Iterator[None]:
    """Migrate as versions did that had no squashed migration."""
    load_disk = MigrationLoader.load_disk

    def load_unsquashed(loader: MigrationLoader) -> None:
        load_disk(loader)
        for key, migration in list(loader.disk_migrations.items()):
            if key[0] == OURS and migration.replaces:
                del loader.disk_migrations[key]

    with patch.object(MigrationLoader, "load_disk", load_unsquashed):
        yield


def migrate(earlier: Rows, *target: str) -> Rows:
    """Migrate, and return all rows. Raise `ValueError` if a table has other rows than before."""
    call_command("migrate", *target, verbosity=0, no_backup=True)
    found = by_key(dump())
    for table, rows in earlier.items():
        if found[table].keys() != rows.keys():
            message = f"{target}: {table} has {list(found[table])}, not {list(rows)}"
            raise ValueError(message)
    return found


def migrate_through(names: list[str]) -> dict[str, Any]:
    """Fill the database at each migration in turn, migrate to the last; return rows and faults.

    They are those that were made at each migration, by its name.
    """
    from tournaments import verification  # noqa: PLC0415
    from tournaments.models import Tournament  # noqa: PLC0415

    made: dict[str, Rows] = {}
    rows: Rows = {}
    call_command("migrate", "auth", verbosity=0)
    for number, name in enumerate(names):
        with before_squashing():
            earlier = migrate(rows, OURS, name)
            state = MigrationExecutor(connection).loader.project_state([(OURS, name)])
        with transaction.atomic():
            fill(state.apps, number)
        rows = by_key(dump())
        made[name] = {
            table: {key: row for key, row in those.items() if key not in earlier[table]}
            for table, those in rows.items()
        }
    after = migrate(rows)
    connection.check_constraints()
    faults = {repr(each.pk): verification.verify(each) for each in Tournament.every.all()}
    still_unguarded = unguarded()
    return {
        name: {
            "before": {table: list(new.values()) for table, new in tables.items()},
            "after": {
                table: [row for key, row in those.items() if key in tables.get(table, {})]
                for table, those in after.items()
            },
            "faults": [
                fault.wrong for key in tables["tournaments_tournament"] for fault in faults[key]
            ],
            "unguarded": still_unguarded,
        }
        for name, tables in made.items()
    }


if __name__ == "__main__":
    gc.set_threshold(ALLOCATIONS_UNTIL_COLLECTION, 20, 20)  # as `manage.py`
    django.setup()
    sys.stdout.write(json.dumps(migrate_through(sys.argv[1:])))
