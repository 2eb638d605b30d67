"""The OpenAPI document: it is one, it says everything, and its examples are what is done.

`tests.openapi_validation` validates the responses of every test with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests import cast, openapi_validation
from tests.api import (
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
    Program,
    example,
    json_of,
    phone,
    staff,
)
from tests.series import make_played
from tournaments.api.refusals import statuses_and_sentences
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
    assert ("413" in answers and "422" in answers) >= ("requestBody" in operation(path, method))
    for status, answer in answers.items():
        described = openapi_validation.resolved(answer)
        assert described["description"]
        if status != "304":  # has no body
            assert next(iter(described["content"].values()))["schema"]


def json_body(path: str, method: str) -> dict[str, Any] | None:
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
            content = openapi_validation.resolved(answer).get("content", {}).get(JSON, {})
            if "example" in content:
                yield f"{method} {path} {status}", status, content


def test_every_example_of_a_response_is_valid() -> None:
    shown = list(examples())
    refused = {str(status) for status, _sentence in statuses_and_sentences().values()} - {"405"}
    assert refused < {status for _name, status, _content in shown}
    for _name, _status, content in shown:
        openapi_validation.validator(content["schema"]).validate(content["example"])


def test_every_refusal_is_documented_by_an_operation() -> None:
    """`tests.openapi_validation` compares each refusal of the tests with its operation."""
    answers = [answer for each in OPERATIONS for answer in operation(*each)["responses"].values()]
    documented = set().union(*map(openapi_validation.codes_of, answers))
    pages = {"proposal_over"}
    assert statuses_and_sentences().keys() - documented == {"method", *pages}


def founder_of(made: dict[str, Any]) -> User:
    return User.objects.get(username=made["by"])


class Day:
    """Sends the examples of requests in the order of a day; `sent` are their methods and paths."""

    def __init__(self) -> None:
        self.founder = staff(cast.make_creator("founder"))
        self.sent: set[tuple[str, str]] = set()
        self.made = self.send(self.founder, "post", TOURNAMENTS)
        self.where = {"slug": self.made["slug"]}
        keeper = REQUESTS["post", f"{TOURNAMENT}/staff"]
        self.named = {"username": keeper["username"], "password": keeper["password"]}

    def send(
        self, who: Program, method: str, path: str, more: Any = None, **places: Any
    ) -> dict[str, Any]:
        """Send an example, with `more` in its body, and return the answer."""
        self.sent.add((method, path))
        body = (example(method, path) or {}) | (more or {})
        ask = who.put if method == "put" else partial(who.ask, method.upper())
        answer: HttpResponse = ask(path.format(**places), body)
        assert answer.status_code in {200, 201}, answer.content
        document: dict[str, Any] = json_of(answer)
        return document

    def direct(self, method: str, path: str, more: Any = None, **places: Any) -> dict[str, Any]:
        return self.send(self.founder, method, path, more, **places, **self.where)

    def version(self, of: str) -> int:
        """Return the version of something in the first session."""
        path = f"/api/tournaments/{self.made['slug']}/sessions/1/{of}"
        version: int = self.founder.get(path)["version"]
        return version

    def prepare(self) -> None:
        """Name the staff, take players and applications, call the roll, settle ties."""
        self.direct("post", f"{TOURNAMENT}/publish")
        self.direct("post", f"{TOURNAMENT}/staff")
        self.direct("post", f"{TOURNAMENT}/entries/preview")
        for _ in range(3):
            self.direct("post", f"{TOURNAMENT}/entries")
        self.direct("patch", f"{TOURNAMENT}/entries/{{entry}}", entry=1)
        self.direct("put", f"{SESSION}/presence/{{entry}}", session=1, entry=6)
        self.direct("put", f"{SESSION}/substitutes/{{entry}}", session=1, entry=6)
        undone = f"/api/tournaments/{self.made['slug']}/sessions/1/substitutes/6?substitute=7"
        assert self.founder.ask("DELETE", undone).status_code == 200
        seen = {"seen": self.version("presence")}
        self.direct("post", f"{SESSION}/presence/restart", seen, session=1)
        self.direct("put", f"{TOURNAMENT}/registrations/settings")
        self.send(Program(), "post", f"{TOURNAMENT}/register", **self.where)
        self.direct("post", f"{TOURNAMENT}/registrations")
        self.direct("post", f"{TOURNAMENT}/decisions", {"order": [3, 1]})
        self.direct("post", f"{TOURNAMENT}/decisions/lot", {"number": 2, "tied": [4, 3]})

    def seat(self) -> dict[str, Any]:
        """Seat the first session, seat it anew, plan others; return its table."""
        table: dict[str, Any]
        (table,) = self.direct("post", f"{TOURNAMENT}/sessions")["sittings"]
        exchange = f"/api/tournaments/{self.made['slug']}/sessions/1/exchange"
        seen = self.founder.get(f"{exchange}?one=1&other=2")["seen"]
        self.direct("post", f"{SESSION}/exchange", {"seen": seen}, session=1)
        seats = {"tables": [[1, 2, 3, 4, 5, 6]], "seen": self.version("seats")}
        self.direct("put", f"{SESSION}/seats", seats, session=1)
        seen = self.direct("put", SCHEDULE)["version"]
        self.direct("put", f"{SCHEDULE}/{{session}}", {"seen": seen}, session=3)
        return table

    def play(self, table: dict[str, Any], keeper: Program) -> None:
        """Record a round by phone, correct it, change players, run the clock, end the session."""
        card = {"tournament": self.made["slug"], "pin": table["pin"]}
        joined = Program(self.send(Program(), "post", "/api/join", card)["token"])
        places = {"sitting": table["id"], "number": 1, "deal": 1}
        self.send(joined, "put", f"{ROUND}/deals/{{deal}}", **places)
        self.send(joined, "post", f"{ROUND}/accept", **places)
        self.send(joined, "post", f"{SITTING}/calls", **places)
        corrected = self.send(keeper, "put", ROUND, **places)
        assert (corrected["version"], corrected["accepted"]) == (2, False)
        changed = self.send(self.founder, "put", f"{SITTING}/players", sitting=table["id"])
        self.direct("put", f"{TOURNAMENT}/seats")
        seen = {"seen": self.direct("put", f"{SESSION}/clock", session=1)["version"]}
        self.direct("post", f"{SESSION}/clock/{{act}}", seen, session=1, act="start")
        self.direct("post", f"{SESSION}/end", {"stopping": [changed["table"]]}, session=1)
        self.direct("post", f"{SESSION}/resume", session=1)
        of_totals = cast.make_sitting(cast.make_tournament(totals_only=True))
        typist = staff(cast.make_staff(of_totals.session.tournament, "typist"))
        self.send(typist, "put", f"{SITTING}/totals", sitting=of_totals.pk)

    def decide(self) -> None:
        """Close and reopen the event, open a play-off, define a stage and who goes on."""
        self.founder.post(f"/api/tournaments/{self.made['slug']}/close", {})
        self.direct("post", f"{TOURNAMENT}/close")
        self.direct("post", f"{TOURNAMENT}/reopen")
        self.direct("post", f"{TOURNAMENT}/play-offs")
        plan = self.founder.get(f"/api/tournaments/{self.made['slug']}/plan")
        self.direct("put", f"{TOURNAMENT}/plan", {"seen": plan["version"]})
        self.direct("put", STAGE, stage=2)
        for write in ("confirm", "replace", "take-back"):
            self.direct("post", f"{STAGE}/{write}", stage=2)

    def count_for_a_season(self) -> None:
        """Make a series of two events, and link players of them as one person."""
        made = self.send(self.founder, "post", ALL_SERIES)
        in_series = {"series": made["slug"]}
        self.send(self.founder, "put", SERIES, **in_series)
        other = make_played("来年の大会", 1, by=founder_of(self.made))
        cast.make_staff(other, "other", "director")
        found = Series.objects.get(slug=made["slug"])
        for each in (Tournament.objects.get(slug=self.made["slug"]), other):
            series.add_event(found, each, by=cast.SOMEBODY)
        pair = {"first": {"tournament": self.made["slug"], "player": 1}}
        pair["second"] = {"tournament": other.slug, "player": 1}
        linked = self.send(self.founder, "post", SAME_PLAYERS, {"pairs": [pair]}, **in_series)
        assert linked["linked"] == 1
        User.objects.create_superuser("owner", password="owner")
        self.send(self.founder, "put", f"{SERIES}/owners", **in_series)

    def do_the_rest(self) -> None:
        """Send what needs nothing but a tournament, and was not sent yet."""
        for method, path in REQUESTS:
            is_sent = (method, path) in self.sent
            if path.startswith(f"{TOURNAMENT}/") and path.count("{") == 1 and not is_sent:
                self.direct(method, path)


@pytest.mark.django_db
def test_every_example_of_a_request_succeeds() -> None:
    """The examples are sent in the order in which a tournament needs them."""
    day = Day()
    day.prepare()
    keeper = Program(day.send(Program(), "post", "/api/token", day.named)["token"])
    day.play(day.seat(), keeper)
    day.decide()
    day.count_for_a_season()
    day.do_the_rest()
    owner, founder = User.objects.get(username="owner"), founder_of(day.made)
    day.send(staff(owner), "patch", "/api/accounts/{account}", account=founder.pk)
    day.send(keeper, "post", "/api/account/password", {"password": day.named["password"]})
    assert day.sent == REQUESTS.keys()
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.ROUND_CORRECTED).count() == 1


def is_named_in(text: str, path: str) -> bool:
    """Return whether a text has the name of an address, or the last word of it before its ids."""
    name = resolve(re.sub(r"\{\w+\}", "1", path)).url_name
    word = re.findall(r"/([^/{]+)", path)[-1]
    following = r"/[{\d]" if path.endswith("}") else r"[\"?]"
    return f'"{name}"' in text or re.search(f"/{word}{following}", text) is not None


def test_every_operation_that_reads_is_in_a_test() -> None:
    """A test names each operation that reads; `test_every_operation.py` sends all that write."""
    texts = [
        text
        for file in (settings.BASE_DIR / "tests").rglob("*.py")
        if not {"documents", "permissions"} & {*file.parts}  # these only list the operations
        and "api" in (text := file.read_text(encoding="utf-8"))
    ]
    missing = [
        f"{method.upper()} {path}"
        for path, method in OPERATIONS
        if method == "get" and not any(is_named_in(text, path) for text in texts)
    ]
    assert not missing, f"Test these operations in tests/tournaments/api: {missing}."


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
