"""docs/api.md names every operation of the API and what it takes, and shows no field it lacks."""

import re
from pathlib import Path
from typing import Any

from tests import openapi_validation

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "api.md"
# Such as `GET`, `POST /api/tournaments/{slug}/entries`.
OPERATION = re.compile(r"((?:`[A-Z]+`, )*)(?:`|^    )([A-Z]+) (/api/[^\s`?]+)", re.MULTILINE)
FACTS = {"deals", "kankei", "mukankei"}  # of a round: `scoring` describes them
METHODS = {"get", "post", "put", "patch", "delete"}


def without_names(path: str) -> str:
    """Return a path whose parameters have no names: `{slug}` and `{id}` are `{}`."""
    return re.sub(r"\{\w+\}", "{}", path)


def documented() -> set[tuple[str, str]]:
    """Return the methods and paths that the document names."""
    found = OPERATION.findall(DOCUMENT.read_text(encoding="utf-8"))
    return {
        (method, without_names(path))
        for others, last, path in found
        for method in [*re.findall("[A-Z]+", others), last]
    }


def test_every_operation_is_documented() -> None:
    operations = [
        (method.upper(), path)
        for path, methods in openapi_validation.document()["paths"].items()
        for method in METHODS & methods.keys()
    ]
    found = documented()
    missing = [
        f"`{method} {path}`"
        for method, path in operations
        if (method, without_names(path)) not in found
    ]
    names = ", ".join(sorted(missing))
    assert not missing, f"Say in docs/api.md what these operations take and answer: {names}."


def test_every_documented_operation_exists() -> None:
    existing = {
        (method.upper(), without_names(path))
        for path, methods in openapi_validation.document()["paths"].items()
        for method in methods
    }
    assert documented() - existing == set()


def fields(described: Any) -> set[str]:
    """Return the names of the fields of all objects in a part of the OpenAPI document."""
    if isinstance(described, list):
        return set().union(*map(fields, described))
    if not isinstance(described, dict):
        return set()
    node = openapi_validation.resolved(described)
    return {*node.get("properties", {})}.union(*map(fields, node.values()))


def test_every_field_of_a_request_is_documented() -> None:
    words = {*re.findall(r"\w+", DOCUMENT.read_text(encoding="utf-8"))}
    for path, methods in openapi_validation.document()["paths"].items():
        for method in METHODS & methods.keys():
            missing = fields(methods[method].get("requestBody")) - words
            assert not missing, f"Name in docs/api.md what {method.upper()} {path} takes: {missing}"


def test_every_field_of_a_sample_exists() -> None:
    shown = {*re.findall(r'"([a-z_]+)":', DOCUMENT.read_text(encoding="utf-8"))}
    assert shown - fields(openapi_validation.document()) - FACTS == set()
