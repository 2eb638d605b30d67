"""The OpenAPI document: it is one, it says everything, and its examples are what is done.

`tests.openapi_validation` validates the responses of every test with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests import cast, openapi_validation
from tests.api import Program, json_of, phone, staff
from tests.series import make_played
from tournaments.api.examples import (
    ALL_SERIES,
    REQUESTS,
    ROUND,
    SAME_PLAYERS,
    SCHEDULE,
    SERIES,
    SESSION,
    SITTING,
    STAGE,
    TOURNAMENT,
    TOURNAMENTS,
)
from tournaments.api.openapi import CODES
from tournaments.api.refusals import SENTENCES
from tournaments.models import AuditEntry, Series, Tournament
from tournaments.services import series

JSON = "application/json"
OPERATIONS = [
    (path, method)
    for path, operations in openapi_validation.document()["paths"].items()
    for method in operations
]


def operation(path: str, method: str) -> dict[str, Any]:
    found: dict[str, Any] = openapi_validation.document()["paths"][path][method]
    return found


def test_openapi_document_is_valid() -> None:
    errors = OpenAPIV31SpecValidator(openapi_validation.document()).iter_errors()
    assert [error.message for error in errors] == []


def test_openapi_document_is_the_same_in_every_language(client: Client, db: None) -> None:
    answers = [
        client.get("/api/openapi.json", headers={"Accept-Language": language}).content
        for language, _name in settings.LANGUAGES
    ]
    assert len(set(answers)) == 1
    assert json.loads(answers[0]) == openapi_validation.document()


def test_operation_ids_are_unique_and_without_module_names() -> None:
    names = [operation(*each)["operationId"] for each in OPERATIONS]
    assert len(set(names)) == len(names)
    assert not [name for name in names if name.startswith("tournaments_")]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_operation_describes_its_responses(path: str, method: str) -> None:
    answers = operation(path, method)["responses"]
    assert any(status < "300" for status in answers)
    assert {"400", "401", "503", "507"} <= answers.keys()
    assert ("404" in answers) >= ("{" in path)
    assert ("403" in answers) == (method != "get")
    assert ("413" in answers) == (method != "get")
    assert ({"413", "422"} <= answers.keys()) == ("requestBody" in operation(path, method))
    for answer in map(openapi_validation.resolved, answers.values()):
        assert answer["description"]
        assert next(iter(answer["content"].values()))["schema"]


def json_body(path: str, method: str) -> dict[str, Any] | None:
    """What an operation takes as JSON, if it does."""
    content: dict[str, Any] = operation(path, method).get("requestBody", {}).get("content", {})
    return content.get(JSON)


@pytest.mark.parametrize(("path", "method"), [each for each in OPERATIONS if json_body(*each)])
def test_every_request_body_has_a_valid_example(path: str, method: str) -> None:
    body = json_body(path, method)
    assert body is not None
    assert (method, path) in REQUESTS
    openapi_validation.validator(body["schema"]).validate(body["example"])


def examples() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, method in OPERATIONS:
        for status, answer in operation(path, method)["responses"].items():
            content = openapi_validation.resolved(answer)["content"].get(JSON, {})
            if "example" in content:
                yield f"{method} {path} {status}", status, content


def test_every_example_of_a_response_is_valid() -> None:
    shown = list(examples())
    assert {str(status) for status in CODES} < {status for _name, status, _content in shown}
    for _name, _status, content in shown:
        openapi_validation.validator(content["schema"]).validate(content["example"])


def test_every_code_of_a_refusal_is_documented() -> None:
    told_of = {code for codes in CODES.values() for code in codes}
    assert SENTENCES.keys() - told_of == {"method"}  # of addresses that are not described


def founder_of(made: dict[str, Any]) -> User:
    return User.objects.get(username=made["by"])


@pytest.mark.django_db
def test_every_example_of_a_request_succeeds() -> None:  # noqa: PLR0915  a day is long
    """Send the example of every body in the order of a day, from nothing to a correction."""
    founder = staff(cast.make_creator("founder"))
    sent = set()

    def send(who: Program, method: str, path: str, more: Any = None, **places: Any) -> Any:
        sent.add((method, path))
        body = REQUESTS[method, path] | (more or {})
        ask = who.put if method == "put" else partial(who.ask, method.upper())
        answer: HttpResponse = ask(path.format(**places), body)
        assert answer.status_code in {200, 201}, answer.content
        return json_of(answer)

    made = send(founder, "post", TOURNAMENTS)
    where = {"slug": made["slug"]}
    send(founder, "post", f"{TOURNAMENT}/publish", **where)
    send(founder, "post", f"{TOURNAMENT}/staff", **where)
    keeper = REQUESTS["post", f"{TOURNAMENT}/staff"]
    named = {"username": keeper["username"], "password": keeper["password"]}
    keeper_token = send(Program(), "post", "/api/token", named)["token"]
    send(founder, "post", f"{TOURNAMENT}/entries/preview", **where)
    for _ in range(3):
        send(founder, "post", f"{TOURNAMENT}/entries", **where)
    send(founder, "patch", f"{TOURNAMENT}/entries/{{entry}}", entry=1, **where)
    send(founder, "put", f"{SESSION}/presence/{{entry}}", session=1, entry=6, **where)
    send(founder, "put", f"{SESSION}/substitutes/{{entry}}", session=1, entry=6, **where)
    seen = founder.get(f"/api/tournaments/{made['slug']}/sessions/1/presence")["version"]
    send(founder, "post", f"{SESSION}/presence/restart", {"seen": seen}, session=1, **where)
    send(founder, "put", f"{TOURNAMENT}/ranking", **where)
    send(founder, "put", f"{TOURNAMENT}/registrations/settings", **where)
    send(Program(), "post", f"{TOURNAMENT}/register", **where)
    send(founder, "post", f"{TOURNAMENT}/registrations", **where)
    send(founder, "post", f"{TOURNAMENT}/adjustments", **where)
    send(founder, "post", f"{TOURNAMENT}/decisions", **where)
    send(founder, "post", f"{TOURNAMENT}/decisions/lot", {"number": 2, "tied": [2, 1]}, **where)
    (table,) = send(founder, "post", f"{TOURNAMENT}/sessions", **where)["sittings"]
    seen = founder.get(f"/api/tournaments/{made['slug']}/sessions/1/seats")["version"]
    seats = {"tables": [[1, 2, 3, 4, 5, 6]], "seen": seen}
    send(founder, "put", f"{SESSION}/seats", seats, session=1, **where)
    seen = send(founder, "put", SCHEDULE, **where)["version"]
    send(founder, "put", f"{SCHEDULE}/{{session}}", {"seen": seen}, session=3, **where)
    card = {"tournament": made["slug"], "pin": table["pin"]}
    joined = Program(send(Program(), "post", "/api/join", card)["token"])
    places = {"sitting": table["id"], "number": 1, "deal": 1}
    send(joined, "put", f"{ROUND}/deals/{{deal}}", **places)
    send(joined, "post", f"{ROUND}/accept", **places)
    send(joined, "post", f"{SITTING}/calls", **places)
    corrected = send(Program(keeper_token), "put", ROUND, **places)
    assert (corrected["version"], corrected["accepted"]) == (2, False)
    [goes_on] = {send(founder, "put", f"{SITTING}/players", sitting=table["id"])["table"]}
    send(founder, "put", f"{TOURNAMENT}/seats", **where)
    seen = send(founder, "put", f"{SESSION}/clock", session=1, **where)["version"]
    send(
        founder, "post", f"{SESSION}/clock/{{act}}", {"seen": seen}, session=1, act="start", **where
    )
    send(founder, "post", f"{SESSION}/end", {"stopping": [goes_on]}, session=1, **where)
    send(founder, "post", f"{SESSION}/resume", session=1, **where)
    founder.post(f"/api/tournaments/{made['slug']}/close", {})
    send(founder, "post", f"{TOURNAMENT}/reopen", **where)
    send(founder, "post", f"{TOURNAMENT}/play-offs", **where)
    send(founder, "put", STAGE, stage=2, **where)
    send(founder, "post", f"{STAGE}/confirm", stage=2, **where)
    send(founder, "post", f"{STAGE}/replace", stage=2, **where)
    send(founder, "post", f"{STAGE}/take-back", stage=2, **where)
    made_series = send(founder, "post", ALL_SERIES)
    in_series = {"series": made_series["slug"]}
    send(founder, "put", SERIES, **in_series)
    other = make_played("来年の大会", 1, by=founder_of(made))
    cast.make_staff(other, "other", "director")
    found = Series.objects.get(slug=made_series["slug"])
    for each in (Tournament.objects.get(slug=made["slug"]), other):
        series.add_event(found, each, by=cast.SOMEBODY)
    pair = {"first": {"tournament": made["slug"], "player": 1}}
    pair["second"] = {"tournament": other.slug, "player": 1}
    assert send(founder, "post", SAME_PLAYERS, {"pairs": [pair]}, **in_series)["linked"] == 1
    owner = User.objects.create_superuser("owner", password="owner")
    send(founder, "put", f"{SERIES}/owners", **in_series)
    send(staff(owner), "patch", "/api/accounts/{account}", account=founder_of(made).pk)
    send(Program(keeper_token), "post", "/api/account/password", {"password": named["password"]})
    assert sent == REQUESTS.keys()
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.ROUND_CORRECTED).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, {"rounds": [{"number": 1}]}),
        (200, {"rounds": [], "more": 1}),
        (201, {"rounds": []}),
        (404, {"ok": False}),
        (503, {"ok": False, "code": "full", "message": "", "errors": []}),
    ],
)
def test_response_that_differs_from_its_schema_is_detected(
    status: int, body: dict[str, Any]
) -> None:
    response = HttpResponse(json.dumps(body), status=status, content_type=JSON)
    place = openapi_validation.place_of("GET", "/api/sittings/1/rounds")
    assert place is not None
    with pytest.raises(AssertionError):
        openapi_validation.check(place, response)


@pytest.mark.django_db
def test_every_response_is_validated(client: Client) -> None:
    sitting = cast.make_sitting()
    assert "tests.openapi_validation.OpenAPIValidationMiddleware" in settings.MIDDLEWARE
    for path in ("", "/rounds", "/rounds/1"):
        assert openapi_validation.place_of("GET", f"/api/sittings/{sitting.pk}{path}") is not None
    assert phone(sitting).get(f"/api/sittings/{sitting.pk}/rounds") == {"rounds": []}
