"""Whichever statement of whichever write fails, the database is as before: no half of anything.

The list of writes is made from the modules: one of which there is no example fails a test.
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
from django.test.utils import CaptureQueriesContext

import tournaments
from tests import cast
from tests.failing import ONCE_AND_FOR_GOOD, each_statement_failing
from tests.tournaments.audit.examples import EXAMPLES

NO_WRITES_OF_THEIR_OWN = {
    "audit.chain.append_entry",  # is called within the transaction of what it tells of
    "services.closing.check_table_may_write",  # looks
    "services.rounds.record_on_sheet",  # likewise within another's: `record_round`, `record_lines`
    "services.rounds.append_audit_entry",  # likewise
    "services.totals.write_totals",  # likewise within another's: `enter_totals`, `exchange`
}
NOT_LOOKED_AT = {
    *("wsgi", "gunicorn"),  # importing these is starting to serve
    *("api", "forms", "management", "views"),  # write nothing of their own: `test_arrows`
    *("archives", "backups", "demo"),  # write events and databases as a whole, and are tested so
    "migrations",
}


def writes() -> Iterator[str]:
    """Return every function that is told who does it, or that is one transaction."""
    top = Path(tournaments.__file__).parent
    for path in sorted(top.rglob("*.py")):
        place = ".".join(path.relative_to(top).with_suffix("").parts)
        if place.split(".")[0] in NOT_LOOKED_AT or path.stem == "__init__":
            continue
        module = import_module(f"tournaments.{place}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_ours = function.__module__ == module.__name__ and not name.startswith("_")
            closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
            is_atomic = any(isinstance(each, Atomic) for each in closed_over)
            if is_ours and (is_atomic or "by" in inspect.signature(function).parameters):
                yield f"{place}.{name}"


def test_every_write_has_an_example() -> None:
    named = {name.partition(":")[0] for name in EXAMPLES} | NO_WRITES_OF_THEIR_OWN
    assert set(writes()) | {"services.idempotency.run_once"} == named


# One UPDATE; SQLite's BEGIN counts as a statement beside it.
ONE_STATEMENT = {"services.accounts.enable_account"}


@pytest.mark.django_db(transaction=True)
@ONCE_AND_FOR_GOOD
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_whichever_statement_fails_the_database_is_as_before(name: str, *, for_good: bool) -> None:
    act = EXAMPLES[name](cast.make_sitting())

    def check(answer: Any) -> None:
        assert isinstance(answer, DatabaseError), answer

    fewest = 1 if name in ONE_STATEMENT else 2
    assert each_statement_failing(act, check, for_good=for_good) >= fewest


# About events that nobody else knows yet, or about none.
TAKES_NO_TURN = {
    *("services.tournaments.create_tournament", "services.tournaments.start_table"),
    "services.tokens.create_token",
    *(
        f"services.accounts.{name}"
        for name in ("disable_account", "enable_account", "end_log_ins", "set_may_create")
    ),
    "services.accounts.set_password",
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - TAKES_NO_TURN))
def test_it_takes_its_turn_before_it_writes_or_locks_anything(name: str) -> None:
    act = EXAMPLES[name](cast.make_sitting())
    with CaptureQueriesContext(connection) as captured:
        act()
    statements = [each["sql"] for each in captured]
    writes = re.compile(r"INSERT|UPDATE|DELETE|SELECT .* FOR UPDATE")
    turn = re.compile(r'SELECT .* FROM "tournaments_tournament" WHERE .* LIMIT 21( FOR UPDATE)?$')
    first = next(i for i, statement in enumerate(statements) if writes.match(statement))
    if connection.features.has_select_for_update:
        assert turn.match(statements[first]), statements[first]
    else:  # nothing is locked there, but it is looked at
        assert any(turn.match(each) for each in statements[:first]), statements[:first]
