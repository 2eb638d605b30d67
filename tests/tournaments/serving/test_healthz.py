"""`/healthz` tells whether results can be stored right now."""

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client


@pytest.mark.django_db
def test_it_answers_200_when_the_database_can_be_written(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.text) == (200, "ok")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_it_leaves_nothing_behind(client: Client) -> None:
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


def test_it_changes_nothing_on_request(client: Client) -> None:
    assert client.post("/healthz").status_code == 405
