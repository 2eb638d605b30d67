"""What must be true before anybody's result is taken down; each refusal names the remedy."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections

from tournaments.server import sqlite


@register(Tags.security, deploy=True)
def secret_key_is_given(**_: Any) -> list[CheckMessage]:
    """Refuse to sign sessions with nothing."""
    try:
        settings.SECRET_KEY  # noqa: B018  Django refuses to give an empty one
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
def results_survive_a_power_cut(
    databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """Refuse SQLite files that acknowledge a result before it is on the disk."""
    return [problem for alias in databases or () for problem in _durability_problems(alias)]


def _durability_problems(alias: str) -> list[CheckMessage]:
    connection = connections[alias]
    if connection.vendor != "sqlite" or connection.settings_dict["NAME"] == ":memory:":
        return []
    try:
        weak = sqlite.weaknesses(connection)
    except OperationalError as error:
        return [
            Error(
                f"The database {connection.settings_dict['NAME']} cannot be opened: {error}.",
                hint="See that its folder exists, may be written to, and that no other program"
                " holds it locked. `python manage.py migrate` makes one where there is none.",
                id="tournaments.E002",
            )
        ]
    if not weak:
        return []
    return [
        Error(
            f"SQLite is in {' and '.join(weak)}: a power cut could lose results.",
            hint=f"It should be in journal_mode={sqlite.journal_mode()} and synchronous=FULL. Take"
            " `init_command` out of DATABASE_URL, and keep the database on a local disk.",
            id="tournaments.E003",
        )
    ]


def refuse_an_unsafe_start() -> None:
    """Raise ImproperlyConfigured when the server must not start, with every reason and remedy."""
    problems = [*secret_key_is_given(), *results_survive_a_power_cut([DEFAULT_DB_ALIAS])]
    connections.close_all()  # a server forks next, and processes must not share a connection
    if problems:
        raise ImproperlyConfigured("\n".join(f"{each.msg} {each.hint}" for each in problems))
