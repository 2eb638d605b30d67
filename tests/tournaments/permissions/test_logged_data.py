"""Logs contain no private data, tokens or passwords."""

from __future__ import annotations

import logging
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.api import Program, staff
from tests.database_failures import failing
from tests.private_data import PRIVATE, private_in
from tournaments.models import Sitting


@pytest.mark.django_db(transaction=True)
def test_private_data_are_not_logged(
    sitting: Sitting, director: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither on success, nor when the body is refused or the database fails."""
    caplog.set_level(logging.INFO)
    program = staff(User.objects.get(username="director"))
    slug = sitting.session.tournament.slug
    where, url = f"/api/tournaments/{slug}/entries", reverse("edit-entry", args=[slug, 2])
    good = {"entries": [{"name": "木村 勇", **PRIVATE}]}
    statuses = [program.post(where, body).status_code for body in (good, {**good, "x": 1}, {})]
    edit = {**PRIVATE, "seen": 1}
    director.raise_request_exception = False
    typed = {"name": "木村 勇", "seen": "1", **PRIVATE}
    for statement in range(12):
        with failing(statement, permanent=True):
            statuses.append(program.post(where, good).status_code)
            statuses.append(program.ask("PATCH", f"{where}/2", edit).status_code)
            statuses.append(director.post(url, typed).status_code)
    statuses.append(program.ask("PATCH", f"{where}/2", edit).status_code)
    statuses.append(director.post(url, typed).status_code)
    assert set(statuses) == {201, 409, 422, 503}
    assert caplog.text
    assert private_in(caplog.text) == set()


def test_tokens_and_passwords_are_not_logged(
    sitting: Sitting, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    answer = Program().post("/api/token", {"username": "director", "password": "wrong-secret"})
    assert answer.status_code == 401
    assert Program("guessed-token").ask("GET", "/api/token").status_code == 401
    Client().get(reverse("join-table", args=[sitting.token]))
    assert not re.search("wrong-secret|guessed-token", caplog.text)
    assert sitting.token not in caplog.text
