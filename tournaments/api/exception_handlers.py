"""Exception handlers: every exception is answered as a refusal (`RefusalOut`)."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

import scoring
from scoring.answers import UnreadableText
from scoring.problems import MOST_LISTED, path_of_key
from tournaments.api import authentication
from tournaments.api.refusals import (
    Invalid,
    problem,
    problems_as_json,
    refusal,
    refusals,
    refuse,
)
from tournaments.api.schemas.refusals import state_change_as_json
from tournaments.audit import StateChanged
from tournaments.exceptions import OperationRefused
from tournaments.models import Entry, Registration, Session, Sitting, Stage, Tournament
from tournaments.queries.events import NotThere
from tournaments.services.json_texts import NotStorable
from tournaments.services.seating import PlayersAway
from tournaments.web import heavy_files
from tournaments.web.json_responses import reply

Raised = Exception | type[Exception]  # as the library types what it hands to a handler


def register(api: NinjaAPI) -> None:
    api.add_exception_handler(OperationRefused, _answer_refused)
    api.add_exception_handler(Invalid, _answer_invalid)
    api.add_exception_handler(Http404, _answer_not_found)
    api.add_exception_handler(NotThere, _answer_not_found)
    api.add_exception_handler(scoring.InvalidRecord, _answer_invalid_choice)
    for model in (Tournament, Session, Sitting, Stage, Entry, Registration):
        # Its row was removed during the request.
        api.add_exception_handler(model.DoesNotExist, _answer_not_found)
    api.add_exception_handler(PlayersAway, _answer_players_away)
    api.add_exception_handler(StateChanged, _answer_state_changed)
    api.add_exception_handler(RequestDataTooBig, _answer_too_large)
    api.add_exception_handler(heavy_files.Busy, _answer_busy)
    api.add_exception_handler(ValidationError, _answer_validation_failed)
    api.add_exception_handler(HttpError, _answer_http_error)


def _answer_refused(_request: HttpRequest, refused: Raised) -> HttpResponse:
    assert isinstance(refused, OperationRefused)  # noqa: S101  for the types
    return refuse(refused)


def _answer_players_away(_request: HttpRequest, away: Raised) -> HttpResponse:
    """Answer with a problem for each seat of a player who is away, or replaced."""
    assert isinstance(away, PlayersAway)  # noqa: S101  for the types
    if away.at:
        return refuse(away)
    errors = [problem(away.code, f"tables[{table}][{seat}]") for table, seat in away.places]
    return reply(refusals(errors), away.status)


def _answer_state_changed(_request: HttpRequest, conflict: Raised) -> HttpResponse:
    assert isinstance(conflict, StateChanged)  # noqa: S101  for the types
    since = [state_change_as_json(each) for each in conflict.since]
    more = {"state_version": conflict.version, "since": since}
    return reply(refusal(conflict.code, at="seen_version", **more), status=409)


def _answer_invalid(_request: HttpRequest, invalid: Raised) -> HttpResponse:
    assert isinstance(invalid, Invalid)  # noqa: S101  for the types
    return reply(refusals(invalid.errors, unlisted=invalid.unlisted), status=422)


def _answer_invalid_choice(_request: HttpRequest, invalid: Raised) -> HttpResponse:
    """Answer 422 to rules, a ranking or a season with problems; rounds name their players."""
    assert isinstance(invalid, scoring.InvalidRecord)  # noqa: S101  for the types
    return reply(refusals(problems_as_json(invalid.problems, {}), invalid.unlisted), status=422)


def _answer_not_found(request: HttpRequest, _missing: Raised) -> HttpResponse:
    """Answer 404 to accounts and phones, 401 to ended phones and to strangers.

    Strangers get 401 so that they do not learn what exists.
    """
    ended_code = authentication.former_phone_code(request)
    if ended_code is not None:
        return reply(refusal(ended_code), status=401)
    if authentication.is_authenticated(request):
        return reply(refusal("not_found"), status=404)
    return reply(refusal("log_in"), status=401)


def _answer_too_large(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("too_large"), status=413)


def _answer_busy(_request: HttpRequest, _error: Raised) -> HttpResponse:
    headers = {"Retry-After": heavy_files.SECONDS_TO_WAIT}
    return reply(refusal("busy"), status=503, headers=headers)


def _answer_validation_failed(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer 422 to a request that does not match its schema, with its first problems."""
    assert isinstance(error, ValidationError)  # noqa: S101  for the types
    errors = [
        problem(code_of_type(each["type"]), path_of_location(each["loc"]))
        for each in error.errors[:MOST_LISTED]
    ]
    return reply(refusals(errors, unlisted=len(error.errors) - len(errors)), status=422)


def path_of_location(loc: Sequence[str | int]) -> str:
    """Return pydantic's location of an error as a path, in the notation of records.

    A location begins with the part of the request ("body", "query"), which is left out; in a body
    the operation's parameter ("payload") comes next and is left out too.

    >>> path_of_location(("body", "payload", "tables", 0, 2))
    'tables[0][2]'
    """
    at = ""
    for part in loc[2:] if loc and loc[0] == "body" else loc[1:]:
        at = f"{at}[{part}]" if isinstance(part, int) else path_of_key(at, part)
    return at


def code_of_type(kind: str) -> str:
    """Return our code for pydantic's type of an error; `type` for all types not named here.

    >>> code_of_type("missing"), code_of_type("extra_forbidden"), code_of_type("greater_than")
    ('missing', 'unknown_key', 'range')
    """
    if kind in {"missing", "not_kept", "year"}:
        return kind
    if kind == "extra_forbidden":
        return "unknown_key"
    if kind.startswith(("greater", "less", "string_too", "too_")):
        return "range"
    return "type"


def _answer_http_error(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer django-ninja's own errors.

    422 for a body that is not JSON, has a key twice, or holds text that no database can store; else
    the status of the error with the code `method`.
    """
    assert isinstance(error, HttpError)  # noqa: S101  for the types
    if isinstance(error.__cause__, UnreadableText):
        return reply(refusals(problems_as_json([error.__cause__.problem], {})), status=422)
    if isinstance(error.__cause__, NotStorable):
        at = path_of_location(("body", "", *error.__cause__.path))
        return reply(refusal("not_kept", at=at), status=422)
    if error.status_code == 400:
        return reply(refusal("not_json"), status=422)
    return reply(refusal("method"), status=error.status_code)
