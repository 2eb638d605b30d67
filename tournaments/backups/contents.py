"""Count the rows of a database by SQL, since models fit neither a copy nor an earlier version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

Query = Callable[[str], Sequence[Sequence[Any]]]  # executes a statement and returns its rows

MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"
TOURNAMENTS = "SELECT count(*) FROM tournaments_tournament"
ROUNDS = "SELECT count(*) FROM tournaments_round WHERE version = 1"


class Contents(NamedTuple):
    """The applied migrations, as `app.name`, and the number of tournaments and rounds."""

    migrations: tuple[str, ...]
    tournaments: int
    rounds: int


NOTHING = Contents(migrations=(), tournaments=0, rounds=0)  # a database without tables


def count_contents(query: Query, tables: set[str]) -> Contents:
    """Return the contents of a database; `tables` are the names of its tables.

    The contents are `NOTHING` before the first migration.
    """
    if "django_migrations" not in tables:
        return NOTHING
    is_migrated = {"tournaments_tournament", "tournaments_round"} <= tables
    return Contents(
        migrations=tuple(sorted(row[0] for row in query(MIGRATIONS))),
        tournaments=query(TOURNAMENTS)[0][0] if is_migrated else 0,
        rounds=query(ROUNDS)[0][0] if is_migrated else 0,
    )


def describe_contents(contents: Contents) -> str:
    """Return the numbers of tournaments and rounds as a sentence in the active language."""
    return _("Tournaments and tables: %(tournaments)s. Rounds: %(rounds)s.") % contents._asdict()
