"""The addresses of the API, and the description of them all at a fixed place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from ninja import NinjaAPI
from ninja.operation import Operation
from ninja.parser import Parser

from tournaments.api import (
    accounts,
    announcing,
    archives,
    asking,
    closing,
    description,
    ending,
    entries,
    events,
    handlers,
    joining,
    refusals,
    rounds,
    sessions,
    staff,
    standings,
    tokens,
    trail,
)
from tournaments.api.asking import Requires
from tournaments.permissions.levels import Level
from tournaments.services import json_texts
from tournaments.web.json_responses import reply


class StrictParser(Parser):
    """Reads JSON as records are read."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the document, or raise what the API answers with `not_json` and `not_kept`.

        Of a round's facts the record says more exactly what is wrong with them.
        """
        match = request.resolver_match
        try:
            return json_texts.parse(request.body)
        except json_texts.NotStorable as error:
            if match is not None and match.url_name in {"api-round", "api-deal"}:
                return error.document
            raise


class Api(NinjaAPI):
    """Names operations for what they do, wherever their code lies: clients are made of these."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of an operation."""
        return operation.view_func.__name__


api = Api(
    title="Makiyaku",
    version="1",
    description="Facts are recorded, points are derived. See docs/api.md.",
    auth=asking.nobody,  # unless an operation declares who may
    parser=StrictParser(),
    openapi_url=None,  # an operation of ours, so that it is described with the others
    docs_url=None,  # its page would load scripts from another site
    urls_namespace="api",
)
handlers.teach(api)
ROUTERS = [
    each.router
    for each in (
        *(tokens, accounts, archives, events, staff, entries, sessions, ending, standings),
        *(trail, announcing, closing, rounds, joining),
    )
]
for router in ROUTERS:
    api.add_router("", router)


@api.get(
    "/openapi.json",
    url_name="api-openapi",
    auth=Requires(Level.ANYBODY),
    tags=["about"],
    response=dict[str, Any],
)
def openapi(request: HttpRequest) -> HttpResponse:
    """Describe every operation, as OpenAPI."""
    return reply(described())


@cache
def described() -> dict[str, Any]:
    """Return the OpenAPI document."""
    return description.described(api)


def _levels() -> dict[str, dict[str, Level]]:
    """Return the level of every method, by the name of its address, as operations declare it."""
    found: dict[str, dict[str, Level]] = {}
    for path_view in (
        view for each in (*ROUTERS, api.default_router) for view in each.path_operations.values()
    ):
        for operation in path_view.operations:
            if isinstance(operation.auth_param, Requires):
                levels = found.setdefault(operation.url_name or "", {})
                levels |= dict.fromkeys(operation.methods, operation.auth_param.level)
    return found


def _once_each() -> list[URLPattern]:
    """Return one pattern for each address; the library gives one for each operation of it."""
    found: dict[str, URLPattern] = {}
    levels = _levels()
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            pattern.callback = _guarded(pattern.callback, levels.get(pattern.name or "", {}))
            found.setdefault(str(pattern.pattern), pattern)
    return list(found.values())


def _guarded(
    view: Callable[..., HttpResponse], levels: dict[str, Level]
) -> Callable[..., HttpResponse]:
    """Refuse what another site sends in a browser's name, whatever the method.

    HEAD is answered as GET, of which the server then sends the headers alone.
    """

    @wraps(view)
    def answer(request: HttpRequest, **parameters: Any) -> HttpResponse:
        if asking.is_forged(request):
            return reply(refusals.refusal("csrf"), 403)
        if request.method == "HEAD":
            request.method = "GET"
        response = view(request, **parameters)
        if response.status_code == 405:
            allowed = {"Allow": ", ".join(sorted(response.headers["Allow"].split(", ")))}
            return reply(refusals.refusal("method"), 405, allowed)
        return response

    answer.levels = levels  # type: ignore[attr-defined]  # what `levels.of` reads
    return answer


urlpatterns = _once_each()
