"""What is in a database, told without models: it may be of an earlier version, or a copy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

Ask = Callable[[str], Sequence[Sequence[Any]]]  # a statement's rows

MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"
TOURNAMENTS = "SELECT count(*) FROM tournaments_tournament"
ROUNDS = "SELECT count(*) FROM tournaments_round WHERE version = 1"


class Contents(NamedTuple):
    """The migrations applied, as `app.name`, and how much there is."""

    migrations: tuple[str, ...]
    tournaments: int
    rounds: int


NOTHING = Contents((), 0, 0)  # a database without tables


def contents(ask: Ask, tables: set[str]) -> Contents:
    """Return what is in a database that has these tables."""
    if "django_migrations" not in tables:
        return NOTHING
    is_ours = {"tournaments_tournament", "tournaments_round"} <= tables
    return Contents(
        tuple(sorted(row[0] for row in ask(MIGRATIONS))),
        ask(TOURNAMENTS)[0][0] if is_ours else 0,
        ask(ROUNDS)[0][0] if is_ours else 0,
    )


def described(found: Contents) -> str:
    """Return how much is in a database, in the reader's words."""
    return _("Tournaments and tables: %(tournaments)s. Rounds: %(rounds)s.") % found._asdict()
