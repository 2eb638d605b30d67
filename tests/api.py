"""A client of the HTTP API."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client

from tests import cast, openapi_validation
from tournaments.models import Sitting, Tournament
from tournaments.services import phones, tokens

TOURNAMENTS = "/api/tournaments"
TOURNAMENT = f"{TOURNAMENTS}/{{slug}}"
SESSION = f"{TOURNAMENT}/sessions/{{session}}"
SCHEDULE = f"{TOURNAMENT}/schedule"
STAGE = f"{TOURNAMENT}/stages/{{stage}}"
ALL_SERIES = "/api/series"
SERIES = f"{ALL_SERIES}/{{series}}"
SAME_PLAYERS = f"{SERIES}/same-players"
SITTING = "/api/sittings/{sitting}"
ROUND = f"{SITTING}/rounds/{{number}}"

# The examples of request bodies in the OpenAPI document, by method and path.
REQUESTS: dict[tuple[str, str], dict[str, Any]] = {
    (method, path): content["example"]
    for path, operations in openapi_validation.document()["paths"].items()
    for method, operation in operations.items()
    for content in operation.get("requestBody", {}).get("content", {}).values()
    if "example" in content
}

KEYS = itertools.count()
LACKING = {("seen_version", "missing"), ("", "missing")}  # the latter without any body


@dataclass
class Program:
    """Sends requests with a bearer token, or without."""

    token: str = ""
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """Send a request. If it has to name the version of the state, read that first."""
        response = self.send(method, path, body, **headers)
        is_of_event = path.startswith("/api/tournaments/")
        if response.status_code != 422 or not (is_of_event and lacks_version(response)):
            return response
        tournament = self.send("GET", "/".join(path.split("/")[:4]))
        if tournament.status_code != 200:
            return tournament
        if "state_version" not in (read := json_of(tournament)):  # is for the staff only
            return response
        seen = {"seen_version": read["state_version"]}
        if method.upper() == "DELETE":
            mark = "&" if "?" in path else "?"
            return self.send(method, f"{path}{mark}{urlencode(seen)}", body, **headers)
        return self.send(method, path, (body or {}) | seen, **headers)

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named["Authorization"] = f"Bearer {self.token}"
        data = body if isinstance(body, bytes) else b"" if body is None else dumped(body)
        response: HttpResponse = self.client.generic(  # type: ignore[assignment]
            method, path, data, content_type="application/json", headers=named
        )
        return response

    def get(self, path: str, **headers: str) -> Any:
        response = self.ask("GET", path, **headers)
        assert response.status_code == 200, response.content
        return json.loads(response.content)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any, key: str = "", **headers: str) -> HttpResponse:
        """Send PUT with an idempotency key, by default a new one."""
        return self.ask("PUT", path, body, Idempotency_Key=key or f"key {next(KEYS)}", **headers)


def lacks_version(response: HttpResponseBase) -> bool:
    """Return whether a request was refused because it named no version of the event's state."""
    errors = json_of(response)["errors"]
    return any((each["at"], each["code"]) in LACKING for each in errors)


def example(method: str, path: str) -> dict[str, Any] | None:
    """Return the body of the example of an operation, if any, without a version of the state."""
    body = REQUESTS.get((method, path))
    return body and {name: value for name, value in body.items() if name != "seen_version"}


def dumped(body: Any) -> bytes:
    return json.dumps(body).encode()


def staff(user: User) -> Program:
    return Program(tokens.create_token(user).token)


def phone(sitting: Sitting) -> Program:
    return Program(phones.join(sitting.token).secret)


def json_of(response: HttpResponseBase) -> Any:
    return json.loads(b"".join(response))


def code(response: HttpResponse) -> tuple[int, str]:
    """Return the status and the code of a refusal."""
    return response.status_code, json_of(response)["code"]


def director_of(tournament: Tournament) -> Program:
    return staff(cast.make_staff(tournament, "director", "director"))


def base(tournament: Tournament) -> str:
    """Return the address of a tournament."""
    return f"/api/tournaments/{tournament.slug}"
