"""Spectators' pages are made from the replica; everything else asks the primary."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from tournaments.server import replica as databases
from tournaments.web.replica_reads import ReplicaMiddleware

PAGE = "/tournaments/x/standings/"


class Views:
    """Records the database that answers each request; the replica may fail."""

    def __init__(self) -> None:
        self.read_from: list[str] = []
        self.fails = False
        self.middleware = ReplicaMiddleware(self.answer)

    def answer(self, request: HttpRequest) -> HttpResponse:
        self.read_from.append("replica" if databases.is_reading() else "primary")
        if self.fails and databases.is_reading():
            self.middleware.process_exception(request, OperationalError("database is locked"))
            return HttpResponse(status=503)
        return HttpResponse("here")


@pytest.fixture
def views(monkeypatch: pytest.MonkeyPatch) -> Views:
    monkeypatch.setattr(databases.replica, "is_current", lambda: True)
    return Views()


def test_spectators_read_from_the_replica(views: Views) -> None:
    views.middleware(RequestFactory().get(PAGE))
    assert views.read_from == ["replica"]
    assert not databases.is_reading()


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", PAGE, {}),
        ("GET", "/api/tournaments/x/standings", {}),
        ("GET", PAGE, {"Authorization": "Bearer x"}),
        ("GET", PAGE, {"Cookie": "sessionid=x"}),
        ("GET", PAGE, {"Cookie": "phones=x"}),
        ("GET", PAGE, {"Cookie": "messages=x"}),
    ],
)
def test_others_read_from_the_primary(
    views: Views, method: str, path: str, headers: dict[str, str]
) -> None:
    views.middleware(RequestFactory().generic(method, path, headers=headers))
    assert views.read_from == ["primary"]


def test_replica_that_is_behind_is_not_used(views: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases.replica, "is_current", lambda: False)
    views.middleware(RequestFactory().get(PAGE))
    assert views.read_from == ["primary"]


def test_primary_answers_when_the_replica_fails(
    views: Views, monkeypatch: pytest.MonkeyPatch
) -> None:
    distrusted: list[bool] = []
    monkeypatch.setattr(databases.replica, "distrust", lambda: distrusted.append(True))
    views.fails = True
    assert views.middleware(RequestFactory().get(PAGE)).content == b"here"
    assert views.read_from == ["replica", "primary"]
    assert distrusted == [True]
