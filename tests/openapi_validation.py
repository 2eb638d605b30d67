"""Middleware of the test settings that validates every API response with the OpenAPI document."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry
from referencing.jsonschema import DRAFT202012

HERE = "urn:makiyaku"
PATTERNS = {"integer": r"\d+", "string": r"[-\w]+"}


class OpenAPIValidationMiddleware:
    """Raises `AssertionError` for a response that the document does not describe."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        method, path = request.method or "", request.path_info
        response = self.get_response(request)
        place = place_of("GET" if method == "HEAD" else method, path)
        if place is not None:
            check(place, response)
        return response


@cache
def document() -> dict[str, Any]:
    from tournaments.api.urls import openapi_document  # noqa: PLC0415  needs settings

    read: dict[str, Any] = json.loads(json.dumps(openapi_document()))
    return read


@cache
def known_codes() -> set[str]:
    """Return the codes of the refusals of services and the API."""
    from tournaments.api.refusals import statuses_and_sentences  # noqa: PLC0415  needs settings

    return set(statuses_and_sentences())


def resolved(node: dict[str, Any]) -> dict[str, Any]:
    """Return the target of a `$ref`, or the node itself."""
    reference = node.get("$ref")
    if reference is None:
        return node
    found = document()
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def place_of(method: str, path: str) -> tuple[str, str] | None:
    if not path.startswith("/api/"):
        return None
    if path in document()["paths"]:  # a literal path takes precedence over one with parameters
        return (path, method.lower()) if method.lower() in document()["paths"][path] else None
    matching = (route for route, pattern in patterns(method.lower()) if pattern.fullmatch(path))
    route = next(matching, None)
    return None if route is None else (route, method.lower())


@cache
def patterns(method: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the routes with an operation of this method, each with a pattern of its paths."""
    return [
        (route, re.compile(_pattern(route, operations[method])))
        for route, operations in document()["paths"].items()
        if method in operations
    ]


def _pattern(route: str, operation: dict[str, Any]) -> str:
    kinds = {each["name"]: each["schema"]["type"] for each in operation["parameters"]}
    return re.sub(r"\{(\w+)\}", lambda found: PATTERNS[kinds[found[1]]], route)


def codes_of(answer: dict[str, Any]) -> set[str]:
    """Return the codes that a response of the document names for its refusals."""
    return set(re.findall(r"^`(\w+)`: ", resolved(answer)["description"], re.MULTILINE))


def check(place: tuple[str, str], response: HttpResponse) -> None:
    route, method = place
    answers = document()["paths"][route][method]["responses"]
    status = str(response.status_code)
    assert status in answers, f"{method} {route} answers {status}, which is not documented"
    described = resolved(answers[status])
    for name, header in described.get("headers", {}).items():
        assert name in response.headers, f"{method} {route} {status} has no {name}"
        is_number = header["schema"]["type"] == "integer"
        value = response.headers[name]
        errors = list(validator(header["schema"]).iter_errors(int(value) if is_number else value))
        assert not errors, f"{method} {route} {status} {name}: {errors[0].message}"
    if "content" not in described:  # 304
        assert not response.content
        return
    ((media_type, content),) = described["content"].items()
    assert response.headers["Content-Type"] == media_type
    if media_type != "application/json":  # a file
        return
    is_compressed = response.headers.get("Content-Encoding") == "gzip"
    body = gzip.decompress(response.content) if is_compressed else response.content
    schema, answered = content["schema"], json.loads(body)
    for error in validator(schema).iter_errors(answered):
        where = "/".join(str(part) for part in error.absolute_path)
        raise AssertionError(f"{method} {route} {status} {where}: {error.message}")
    if status == "422":  # besides codes of a record, which are not listed
        undocumented = {each["code"] for each in answered["errors"]} - codes_of(answers[status])
        assert not undocumented & known_codes(), f"{method} {route} 422: {undocumented}"


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    return _validator(json.dumps(schema).replace('"#/', f'"{HERE}#/'))


@cache
def _validator(schema: str) -> Draft202012Validator:
    registry: Registry[Any] = Registry().with_resource(
        HERE, DRAFT202012.create_resource(document())
    )
    return Draft202012Validator(
        json.loads(schema), registry=registry, format_checker=FormatChecker()
    )
