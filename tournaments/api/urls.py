"""The addresses of the API, and the OpenAPI document at `/api/openapi.json`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from ninja import NinjaAPI
from ninja.operation import Operation
from ninja.parser import Parser

from tournaments import __version__
from tournaments import api as operations
from tournaments.api import authentication, exception_handlers, refusals
from tournaments.api.authentication import Requires
from tournaments.api.openapi import build_document
from tournaments.api.responses import Router
from tournaments.permissions.levels import Level
from tournaments.services import json_texts
from tournaments.web.json_responses import reply


class StrictParser(Parser):
    """Parses request bodies with `json_texts`: strict JSON, without duplicate keys."""

    def parse_body(self, request: HttpRequest) -> Any:
        """Return the parsed body. Raises `ValueError` for invalid JSON.

        Raises `NotStorable` for text that no database can store, except in the body of a round or
        deal: there `scoring` reports that text with its path.
        """
        match = request.resolver_match
        try:
            return json_texts.parse(request.body)
        except json_texts.NotStorable as error:
            if match is not None and match.url_name in {"api-round", "api-deal"}:
                return error.document
            raise


class Api(NinjaAPI):
    """django-ninja's API with shorter operationIds."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """Return the name of the operation's function; django-ninja would prepend its module."""
        return operation.view_func.__name__


api = Api(
    title="Makiyaku",
    version=__version__,
    description="Facts are recorded, points are derived. See docs/api.md.",
    auth=authentication.deny,  # for an operation without `auth`
    parser=StrictParser(),
    openapi_url=None,  # replaced by the operation `openapi`, which the document then describes
    docs_url=None,  # its page would load scripts from another site
    urls_namespace="api",
)
exception_handlers.register(api)
ROUTERS: list[Router] = [
    module.router
    for each in iter_modules(operations.__path__, f"{operations.__name__}.")
    if each.name != __name__ and hasattr(module := import_module(each.name), "router")
]
for router in ROUTERS:
    api.add_router(prefix="", router=router)


@api.get(
    "/openapi.json",
    url_name="api-openapi",
    auth=Requires(Level.ANYBODY),
    tags=["about"],
    response=dict[str, Any],
)
def openapi(request: HttpRequest) -> HttpResponse:
    """Describe every operation, as OpenAPI."""
    return reply(openapi_document())


@cache
def openapi_document() -> dict[str, Any]:
    """Made once per process."""
    return build_document(api, {each.view_func.__name__: each.view_func for each in _operations()})


def _operations() -> list[Operation]:
    routers = (*ROUTERS, api.default_router)
    views = [view for router in routers for view in router.path_operations.values()]
    return [operation for view in views for operation in view.operations]


def _levels_by_url_name() -> dict[str, dict[str, Level]]:
    """Return the declared levels of the operations, by URL name and method."""
    levels_by_url_name: dict[str, dict[str, Level]] = {}
    for operation in _operations():
        if isinstance(operation.auth_param, Requires):
            levels = levels_by_url_name.setdefault(operation.url_name or "", {})
            levels |= dict.fromkeys(operation.methods, operation.auth_param.level)
    return levels_by_url_name


def _url_patterns() -> list[URLPattern]:
    """Return one URL pattern for each route, with a protected view.

    django-ninja makes one pattern for each operation; the view of a route's first pattern serves
    all methods, so the others are left out.
    """
    patterns: dict[str, URLPattern] = {}
    levels = _levels_by_url_name()
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            pattern.callback = _protected(pattern.callback, levels.get(pattern.name or "", {}))
            patterns.setdefault(str(pattern.pattern), pattern)
    return list(patterns.values())


def _protected(
    view: Callable[..., HttpResponse], levels: dict[str, Level]
) -> Callable[..., HttpResponse]:
    """Return the view with a CSRF check, HEAD handled as GET, and 405 answered as a refusal."""

    @wraps(view)
    def protected_view(request: HttpRequest, **parameters: Any) -> HttpResponse:
        if authentication.is_forged(request):
            return reply(refusals.refusal("csrf"), status=403)
        if request.method == "HEAD":
            request.method = "GET"
        response = view(request, **parameters)
        if response.status_code == 405:
            allowed = {"Allow": ", ".join(sorted(response.headers["Allow"].split(", ")))}
            return reply(refusals.refusal("method"), status=405, headers=allowed)
        return response

    protected_view.levels = levels  # type: ignore[attr-defined]  # read by `levels.levels_of`
    return protected_view


urlpatterns = _url_patterns()
