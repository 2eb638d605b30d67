"""Every way in which the API says no, whatever raised it, in the API's own shape."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from scoring.answers import DuplicateKey
from scoring.problems import MOST_LISTED, join
from tournaments.api import asking
from tournaments.api.refusals import (
    SENTENCES,
    Invalid,
    Refused,
    problems_as_json,
    refusal,
    refusals,
)
from tournaments.models import Session, Sitting, Tournament
from tournaments.queries.events import NotThere
from tournaments.services.closing import EventClosed, EventOver
from tournaments.services.json_texts import NotStorable
from tournaments.web import heavy_files
from tournaments.web.json_responses import reply

Raised = Exception | type[Exception]  # as the library types what it hands to a handler


def teach(api: NinjaAPI) -> None:
    """Let the API answer all of these in our shape."""
    api.add_exception_handler(Refused, _refused)
    api.add_exception_handler(Invalid, _invalid)
    api.add_exception_handler(Http404, _not_found)
    api.add_exception_handler(NotThere, _not_found)
    for gone in (Tournament, Session, Sitting):  # a moment ago
        api.add_exception_handler(gone.DoesNotExist, _not_found)
    api.add_exception_handler(EventOver, _over)
    api.add_exception_handler(EventClosed, _closed)
    api.add_exception_handler(RequestDataTooBig, _too_large)
    api.add_exception_handler(heavy_files.Busy, _busy)
    api.add_exception_handler(ValidationError, _not_as_described)
    api.add_exception_handler(HttpError, _http_error)


def _over(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("event_over"), status=401)


def _closed(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("event_closed"), status=409)


def _refused(_request: HttpRequest, refused: Raised) -> HttpResponse:
    assert isinstance(refused, Refused)  # noqa: S101  for the types
    document = refusal(refused.code, at=refused.at, **refused.more)
    return reply(document, status=refused.status, headers=refused.headers)


def _invalid(_request: HttpRequest, invalid: Raised) -> HttpResponse:
    assert isinstance(invalid, Invalid)  # noqa: S101  for the types
    return reply(refusals(invalid.errors, invalid.more), status=422)


def _not_found(request: HttpRequest, _missing: Raised) -> HttpResponse:
    """Tell those we do not know to log in, whether or not it is there: they learn nothing.

    A phone that was the table's is told why it no longer is.
    """
    ended = asking.why_ended(request)
    if ended is not None:
        return reply(refusal(ended), status=401)
    if asking.is_known(request):
        return reply(refusal("not_found"), status=404)
    return reply(refusal("log_in"), status=401)


def _too_large(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("too_large"), status=413)


def _busy(_request: HttpRequest, _error: Raised) -> HttpResponse:
    return reply(refusal("busy"), 503, {"Retry-After": heavy_files.SECONDS_TO_WAIT})


def _not_as_described(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer a request that is not shaped as the OpenAPI document says."""
    assert isinstance(error, ValidationError)  # noqa: S101  for the types
    errors = [
        {"at": place(each["loc"]), "code": code, "message": str(SENTENCES[code])}
        for each in error.errors[:MOST_LISTED]
        for code in [code_of(each["type"])]
    ]
    return reply(refusals(errors, len(error.errors) - len(errors)), status=422)


def place(loc: Sequence[str | int]) -> str:
    """Return where in the request something is, as records tell it.

    >>> place(("body", "payload", "tables", 0, 2))
    'tables[0][2]'
    """
    at = ""
    for part in loc[2:] if loc and loc[0] == "body" else loc[1:]:
        at = f"{at}[{part}]" if isinstance(part, int) else join(at, part)
    return at


def code_of(kind: str) -> str:
    """Return our code for what the validation library found.

    >>> code_of("missing"), code_of("extra_forbidden"), code_of("greater_than"), code_of("int_type")
    ('missing', 'unknown_key', 'range', 'type')
    """
    if kind == "missing":
        return kind
    if kind == "extra_forbidden":
        return "unknown_key"
    if kind.startswith(("greater", "less", "string_too", "too_")):
        return "range"
    return "type"


def _http_error(_request: HttpRequest, error: Raised) -> HttpResponse:
    """Answer what the library itself refuses: a body that is not JSON, or cannot be kept."""
    assert isinstance(error, HttpError)  # noqa: S101  for the types
    if isinstance(error.__cause__, DuplicateKey):
        return reply(refusals(problems_as_json([error.__cause__.problem], {})), status=422)
    if isinstance(error.__cause__, NotStorable):
        at = place(("body", "", *error.__cause__.place))
        return reply(refusal("not_kept", at=at), status=422)
    if error.status_code == 400:
        return reply(refusal("not_json"), status=422)
    return reply(refusal("method"), status=error.status_code)
