"""The championship over the HTTP API of a server; phones that have joined the tables record it."""

from __future__ import annotations

from http.client import HTTPConnection
from typing import Any

from django.http import HttpResponse

from tests.api import Program, dumped, json_of
from tests.championship import Championship, list_of_players


class Wire(Program):
    server = ""

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        named["Content-Type"] = "application/json"
        if self.token:
            named["Authorization"] = f"Bearer {self.token}"
        connection = HTTPConnection(self.server)
        connection.request(method, path, None if body is None else dumped(body), named)
        answer = connection.getresponse()
        return HttpResponse(answer.read(), status=answer.status)


class OverTheWire(Championship):
    def import_players(self) -> None:
        """Add the players in one request."""
        titles, *lines = [line.split(",") for line in list_of_players().splitlines()]
        names = ["name", "reading", "club", "division", "team"]
        people = [dict(zip(names, line, strict=True)) for line in lines]
        assert len(titles) == len(names)
        self.post(f"{self.base()}/entries", {"entries": people})

    def record(self, sitting: dict[str, Any], body: dict[str, Any]) -> None:
        """Record a round by the phone that has joined the table by its link."""
        joined = Wire().post("/api/join", {"token": sitting["token"]})
        phone = Wire(json_of(joined)["token"])
        self.answer(phone.put(f"/api/sittings/{sitting['id']}/rounds/1", body))
