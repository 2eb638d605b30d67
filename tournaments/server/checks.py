"""System checks that must pass before the server starts; each error names the remedy."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from tournaments.server import sqlite


@register(Tags.security, deploy=True)
def check_secret_key(**_: Any) -> list[CheckMessage]:
    try:
        settings.SECRET_KEY  # noqa: B018  Django raises an exception for an empty key
    except ImproperlyConfigured:
        return [
            Error(
                "There is no secret key.",
                hint="Set SECRET_KEY to 50 or more random characters, or start with"
                " `python manage.py serve`, which makes its own.",
                id="tournaments.E001",
            )
        ]
    return []


@register(Tags.database)
def check_sqlite_durability(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Return an error for each SQLite database that might lose an acknowledged commit."""
    return [problem for alias in databases or () for problem in _durability_errors(alias)]


def _durability_errors(alias: str) -> list[CheckMessage]:
    """Return a list with the error of one database, if any. Only SQLite files are checked."""
    connection = connections[alias]
    if connection.vendor != "sqlite" or connection.settings_dict["NAME"] == ":memory:":
        return []
    try:
        weaknesses = sqlite.weaknesses(connection)
    except OperationalError as error:
        return [
            Error(
                f"The database {connection.settings_dict['NAME']} cannot be opened: {error}.",
                hint="See that its folder exists, may be written to, and that no other program"
                " holds it locked. `python manage.py migrate` makes one where there is none.",
                id="tournaments.E002",
            )
        ]
    if not weaknesses:
        return []
    return [
        Error(
            f"SQLite is in {' and '.join(weaknesses)}: a power cut could lose results.",
            hint=f"It should be in journal_mode={sqlite.journal_mode()} and synchronous=FULL. Take"
            " `init_command` out of DATABASE_URL, and keep the database on a local disk.",
            id="tournaments.E003",
        )
    ]


def refuse_an_unsafe_start() -> None:
    """Raise `ImproperlyConfigured` with the errors of all checks, if there are any."""
    errors = [*check_secret_key(), *check_sqlite_durability([DEFAULT_DB_ALIAS])]
    connections.close_all()  # gunicorn forks next, and processes must not share a connection
    if errors:
        raise ImproperlyConfigured("\n".join(f"{error.msg} {error.hint}" for error in errors))
