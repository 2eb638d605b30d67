"""Responses when the database is busy or away (503) or the disk is full (507).

Nothing is half written, since every write is one transaction. The API answers JSON, pages an error
page that needs no database and repeats what was typed.
"""

from __future__ import annotations

import errno
import logging
import sys
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.views.defaults import server_error

from tournaments.backups.errors import BackupNotTaken
from tournaments.web import json_responses
from tournaments.web.resubmission import submitted_fields

logger = logging.getLogger(__name__)

FULL, AWAY = 507, 503
SECONDS_TO_WAIT = "5"

# SQLite's own numbers: https://sqlite.org/rescode.html
SQLITE_FULL = {13}
SQLITE_AWAY = {5, 6, 8, 10, 11, 14, 15, 26}  # busy, locked, read only, disk, damaged, not opened …
SQLITE_MESSAGES = ("locked", "disk i/o error", "unable to open", "readonly", "malformed")
# PostgreSQL's classes: https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRES_FULL = "53100"
POSTGRES_AWAY = ("08", "25006", "40", "53", "55", "57", "58")
DISK_FULL = {errno.ENOSPC, errno.EDQUOT}


def status_of(error: BaseException | None) -> int | None:
    """Return 503 (`AWAY`) if the database cannot be used, 507 (`FULL`) if the disk is full.

    None for other errors. PostgreSQL's and SQLite's codes are taken from the cause of Django's
    error; without a code, the error's message is searched.
    """
    if isinstance(error, BackupNotTaken):
        return AWAY
    if isinstance(error, OSError):
        return FULL if error.errno in DISK_FULL else None
    if not isinstance(error, (DatabaseError, InterfaceError)):
        return None
    cause = error.__cause__
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        return FULL if state == POSTGRES_FULL else AWAY if state.startswith(POSTGRES_AWAY) else None
    code = getattr(cause, "sqlite_errorcode", None)
    if isinstance(code, int):
        primary = code & 0xFF
        return FULL if primary in SQLITE_FULL else AWAY if primary in SQLITE_AWAY else None
    message = str(error).lower()
    if "full" in message or "no space left" in message:
        return FULL
    if any(words in message for words in SQLITE_MESSAGES) or isinstance(error, InterfaceError):
        return AWAY
    # psycopg has no error code where there is no connection.
    is_away = isinstance(error, OperationalError) and "psycopg" in type(cause).__module__
    return AWAY if is_away else None


def error_response(request: HttpRequest, status: int, error: BaseException | None) -> HttpResponse:
    """Return the response with this status, `FULL` or `AWAY`: JSON for the API, else a page."""
    code = "full" if status == FULL else "locked"
    sentence = str(json_responses.REFUSALS[code][1])
    if isinstance(error, BackupNotTaken):
        sentence = str(error)  # the operation needs a backup, which could not be taken
    if json_responses.is_api_request(request):
        response = json_responses.reply(json_responses.refusal(code, sentence), status)
    else:
        response = HttpResponse(_error_page(request, sentence), status=status)
    response.headers["Retry-After"] = SECONDS_TO_WAIT
    response.headers["Cache-Control"] = "no-store"
    return response


def _error_page(request: HttpRequest, sentence: str) -> str:
    """Return an error page; for a posted form, with a button that sends its fields again."""
    typed = submitted_fields(request)
    context = {"sentence": sentence, "typed": typed, "address": request.get_full_path()}
    if typed:
        context["csrf_token"] = get_token(request)
    return render_to_string("storage_error.html", context)


class StorageErrorMiddleware:
    """Answers for views that raise an error of the database or disk."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        status = status_of(error)
        if status is None:
            return None
        logger.error("Not stored, answered %s: %s", status, error)
        return error_response(request, status, error)


def handler500(request: HttpRequest) -> HttpResponse:
    """Return the response to an error that middleware raised, such as that of Django's sessions."""
    error = sys.exc_info()[1]
    status = status_of(error)
    return server_error(request) if status is None else error_response(request, status, error)
