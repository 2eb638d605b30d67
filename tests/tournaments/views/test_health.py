"""`/healthz` says whether the database can be written, and is cheap to ask."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client

from tests import live
from tournaments.server import sqlite
from tournaments.views import health


@pytest.fixture(autouse=True)
def unknown() -> None:
    health.check.clear_cache()


@pytest.mark.django_db
def test_it_answers_200_when_the_database_can_be_written(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_check_stores_nothing(client: Client) -> None:
    client.get("/healthz")
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_it_answers_503_when_the_database_cannot_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("attempt to write a readonly database")

    monkeypatch.setattr(Session, "save", refuse)
    assert client.get("/healthz").status_code == 503


@pytest.mark.django_db
def test_it_answers_503_when_the_disk_has_no_room_for_a_round(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "has_room", lambda _connection: False)
    assert client.get("/healthz").status_code == 503


def test_other_methods_are_refused(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


class Times:
    """A stopped clock, and a check that counts its calls."""

    def __init__(self) -> None:
        self.now, self.made, self.is_well = 100.0, 0, True

    def monotonic(self) -> float:
        return self.now

    def can_write(self) -> bool:
        self.made += 1
        return self.is_well


@pytest.fixture
def times(monkeypatch: pytest.MonkeyPatch) -> Times:
    times = Times()
    monkeypatch.setattr(health, "time", times)
    return times


def test_check_is_made_once_a_second(times: Times) -> None:
    check = health.WriteCheck(times.can_write)
    assert [check.answer() for _ in range(100)] == [True] * 100
    assert times.made == 1
    times.is_well = False
    times.now += health.SECONDS_CACHED
    assert [check.answer() for _ in range(100)] == [False] * 100
    assert times.made == 2


def test_health_check_returns_at_once_while_the_lock_is_held(times: Times) -> None:
    has_begun, may_end = Event(), Event()

    def wait_for_the_lock() -> bool:
        has_begun.set()
        return may_end.wait(live.PATIENCE)

    check = health.WriteCheck(wait_for_the_lock)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(check.answer)
        assert has_begun.wait(live.PATIENCE)
        times.now += health.SECONDS_CACHED
        assert check.answer() is False
        may_end.set()
        assert first.result(live.PATIENCE) is True
    assert check.answer() is True
