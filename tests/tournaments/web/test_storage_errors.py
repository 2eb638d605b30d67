"""A busy or lost database, a full disk: people are told, nothing is stored, all goes on after."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, InterfaceError, OperationalError, ProgrammingError, connection
from django.test import Client

from tests import cast
from tests.api import Program, code, json_of, phone
from tournaments.models import AuditEntry, Receipt, Round, Sitting
from tournaments.web.storage_errors import status_of


class Caused(Exception):
    """A database driver's exception, with its error number."""

    sqlite_errorcode: int
    sqlstate: str


def caused_by(cause: BaseException, kind: type[Exception] = OperationalError) -> Exception:
    error = kind("something")
    error.__cause__ = cause
    return error


def sqlite(number: int) -> Exception:
    cause = Caused()
    cause.sqlite_errorcode = number
    return caused_by(cause)


def postgresql(state: str, kind: type[Exception] = OperationalError) -> Exception:
    cause = Caused()
    cause.sqlstate = state
    return caused_by(cause, kind)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (OperationalError("database is locked"), 503),
        (OperationalError("database table is locked: x"), 503),
        (OperationalError("disk I/O error"), 503),
        (OperationalError("unable to open database file"), 503),
        (OperationalError("attempt to write a readonly database"), 503),
        (OperationalError("database or disk is full"), 507),
        (DatabaseError("could not extend file: No space left on device"), 507),
        (sqlite(sqlite3.SQLITE_BUSY), 503),
        (sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), 503),
        (sqlite(sqlite3.SQLITE_IOERR_WRITE), 503),
        (sqlite(sqlite3.SQLITE_FULL), 507),
        (sqlite(sqlite3.SQLITE_ERROR), None),
        (postgresql("57P01"), 503),
        (postgresql("40P01"), 503),
        (postgresql("53300"), 503),
        (postgresql("25006", DatabaseError), 503),
        (postgresql("53100"), 507),
        (postgresql("42P01", ProgrammingError), None),
        (caused_by(psycopg.OperationalError("the connection is closed")), 503),
        (InterfaceError("connection already closed"), 503),
        (OSError(errno.ENOSPC, "No space left on device"), 507),
        (OSError(errno.ENOENT, "No such file"), None),
        (OperationalError("no such table: tournaments_round"), None),
        (ValueError("full"), None),
        (None, None),
    ],
    ids=range(25),
)
def test_database_errors_are_classified(error: BaseException | None, status: int | None) -> None:
    assert status_of(error) == status


def failing(error: Exception, after: int = 0) -> Callable[..., Any]:
    """Return a wrapper in which all writing statements after the first `after` fail."""
    left = [after]

    def wrapper(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            left[0] -= 1
            if left[0] < 0:
                raise error
        return execute(sql, *arguments)

    return wrapper


STATUSES = [("database is locked", 503, "locked"), ("database or disk is full", 507, "full")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("said", "status", "problem"), STATUSES)
def test_api_answers_json_and_a_retry_succeeds(said: str, status: int, problem: str) -> None:
    sitting = cast.make_sitting()
    table = phone(sitting)
    path = f"/api/sittings/{sitting.pk}/rounds/1"
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    acts = AuditEntry.objects.count()
    for after in range(4):
        with connection.execute_wrapper(failing(OperationalError(said), after)):
            answer = table.put(path, body, "k")
            if answer.status_code == 201:
                break
            assert code(answer) == (status, problem)
            assert answer.headers["Retry-After"]
            assert table.get(f"/api/sittings/{sitting.pk}")["rounds"] == []  # reading goes on
        assert (Round.objects.count(), Receipt.objects.count()) == (0, 0)
        assert AuditEntry.objects.count() == acts
    assert after == 3  # the round, its act, its receipt
    again = table.put(path, body, "k")
    assert (again.status_code, json_of(again)["version"]) == (201, 1)


@pytest.mark.parametrize(("said", "status", "_problem"), STATUSES)
def test_pages_answer_html(sitting: Sitting, said: str, status: int, _problem: str) -> None:
    browser = cast.in_english(Client(raise_request_exception=False))
    keeper = cast.make_staff(sitting.session.tournament, "director", "director")
    browser.force_login(keeper)
    address = f"/tournaments/{sitting.session.tournament.slug}/entries/"
    with connection.execute_wrapper(failing(OperationalError(said))):
        answer = browser.post(address, {"name": "成田"})
        assert answer.status_code == status
        assert "Not saved" in answer.text
        assert browser.get(address).status_code == 200
    assert browser.post(address, {"name": "成田"}).status_code == 302


@pytest.mark.django_db
def test_failed_session_write_answers_a_page() -> None:
    """It fails in a middleware, outside of any view."""
    cast.make_user("keeper")
    browser = Client(raise_request_exception=False)
    named = {"username": "keeper", "password": "keeper"}

    def wrapper(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if "django_session" in sql and sql.startswith(("INSERT", "UPDATE")):
            raise OperationalError("database is locked")
        return execute(sql, *arguments)

    with connection.execute_wrapper(wrapper):
        assert browser.post("/log-in/", named).status_code == 503
    assert browser.post("/log-in/", named).status_code == 302


@pytest.mark.django_db
def test_missing_database_answers_503() -> None:
    def away(*_arguments: Any) -> Any:
        raise InterfaceError("connection already closed")

    program = Program()
    with connection.execute_wrapper(away):
        assert code(program.ask("GET", "/api/tournaments")) == (503, "locked")
        assert Client(raise_request_exception=False).get("/").status_code == 503
    assert program.get("/api/tournaments")["tournaments"] == []


@pytest.mark.django_db
def test_other_errors_answer_500() -> None:
    def wrong(*_arguments: Any) -> Any:
        raise ProgrammingError("syntax error")

    User.objects.count()
    with connection.execute_wrapper(wrong):
        assert Program().ask("GET", "/api/tournaments").status_code == 500
