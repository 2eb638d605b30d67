"""If any statement of any write fails, the database is unchanged.

The list of writes is made from the modules; a write without an example fails a test.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.transaction import Atomic

import tournaments
from tests import cast
from tests.database_failures import fail_each_statement
from tests.tournaments.audit.examples import EXAMPLES

NOT_A_WRITE_BY_ITSELF = {
    "audit.chain.append_entry",  # called within the transaction of the write
    "audit.chain.append_table_entry",  # called within the transaction of the write
    "audit.chain.next_entry",  # stores nothing
    "audit.chain.store_entry",  # called within the transaction of the write
    "services.closing.check_table_may_write",  # reads only
    "services.rounds.record_on_sheet",  # called by `record_round`, `record_lines`
    "services.rounds.append_audit_entry",  # called by the same
    "services.registrations.fill_vacancies",  # called by `register`, `set_registration`
    "services.totals.write_totals",  # called by `enter_totals`, `exchange`
    "services.daily_counts.count",  # called within the transaction of the write
    "services.series.append_change",  # called within the transaction of the write
    "services.table_players.reseat_who_goes_on",  # called by `record_on_sheet`
    # Called within the transactions of `record_round`, `keep_stored_facts`:
    *("services.settlements.settle", "services.settlements.settle_all_alike"),
}
SKIPPED = {
    *("wsgi", "gunicorn"),  # importing them starts the server
    *("api", "forms", "management", "views"),  # call services only: `test_arrows`
    *("archives", "backups", "demo"),  # tested as a whole
    "migrations",
}


def writes() -> Iterator[str]:
    """Return every function that takes an actor (`by`) or is decorated with `atomic`."""
    top = Path(tournaments.__file__).parent
    for path in sorted(top.rglob("*.py")):
        place = ".".join(path.relative_to(top).with_suffix("").parts)
        if place.split(".")[0] in SKIPPED or path.stem == "__init__":
            continue
        module = import_module(f"tournaments.{place}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_ours = function.__module__ == module.__name__ and not name.startswith("_")
            closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
            is_atomic = any(isinstance(each, Atomic) for each in closed_over)
            if is_ours and (is_atomic or "by" in inspect.signature(function).parameters):
                yield f"{place}.{name}"


@pytest.mark.posix("imports every module, of gunicorn, too")
def test_every_write_has_an_example() -> None:
    named = {name.partition(":")[0] for name in EXAMPLES} | NOT_A_WRITE_BY_ITSELF
    assert set(writes()) | {"services.idempotency.run_once"} == named


# One UPDATE; on SQLite, BEGIN counts as another statement.
ONE_STATEMENT = {"services.accounts.enable_account"}


# Writes that create a tournament, or concern none.
TAKES_NO_LOCK = {
    *("services.tournaments.create_tournament", "services.tournaments.start_table"),
    "services.clones.create_like",
    "services.tokens.create_token",
    "services.epochs.begin",
    *(f"services.series.{name}" for name in ("create_series", "edit_series")),
    *(f"services.series.{name}" for name in ("add_owner", "remove_owner")),
    "services.same_players.unlink_players",
    "services.list_layouts.remember",
    *(
        f"services.accounts.{name}"
        for name in ("disable_account", "enable_account", "end_log_ins", "set_may_create_events")
    ),
    "services.accounts.set_password",
    *(f"services.second_factors.{name}" for name in ("begin", "confirm", "remove")),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_failing_statement_changes_nothing(name: str) -> None:
    """Also, the write locks the tournament before it locks or changes any other row.

    Each statement fails alone, and each write with all statements after it. PostgreSQL refuses all
    statements of a transaction after a failed one, so none fails alone there.
    """
    alone = connection.vendor != "postgresql"
    write = EXAMPLES[name](cast.make_sitting())

    def check(answer: Any) -> None:
        assert isinstance(answer, DatabaseError), answer

    statements = fail_each_statement(write, check, permanent=not alone, and_permanently=alone)
    assert len(statements) >= (1 if name in ONE_STATEMENT else 2)
    if name not in TAKES_NO_LOCK:
        assert_tournament_is_locked_first(statements)


def assert_tournament_is_locked_first(statements: list[str]) -> None:
    """Assert that no other row is locked, and none written, before the tournament is locked."""
    lock = re.compile(r'SELECT .* FROM "tournaments_tournament" WHERE .* LIMIT 21( FOR UPDATE)?$')
    writes = re.compile(r"INSERT|UPDATE|DELETE|SELECT .* FOR UPDATE")
    first = next(i for i, statement in enumerate(statements) if writes.match(statement))
    if connection.features.has_select_for_update:
        assert lock.match(statements[first]), statements[first]
    else:  # SQLite has no row locks; the row is selected
        assert any(lock.match(each) for each in statements[:first]), statements[:first]
