"""A player's contact, year of birth and notes are shown to the staff of that tournament only.

Every address is opened by everybody, and whatever comes back is read: pages, JSON, PDF, Excel; and
so is what was logged.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
from functools import cache
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from tests import cast
from tests.api import Program, staff
from tests.database_failures import failing
from tests.private_data import PRIVATE, private_in
from tournaments.audit import Actor
from tournaments.models import Entry, Sitting, Tournament
from tournaments.permissions.levels import ROLES, addresses, levels_by_url_name
from tournaments.printing import rendering
from tournaments.services import entries
from tournaments.services.publications import publish

STAFF = {"scorekeeper", "director", "owner"}  # the owner of the installation
SHOWN_TO_STAFF = {"api-entries", "entries", "edit-entry"}
MAY = levels_by_url_name()
READABLE = sorted(name for name in MAY if "GET" in MAY[name])

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    """A table with a round and with private data of its players."""
    cast.make_staff(tournament, "scorekeeper")
    cast.make_staff(tournament, "director", "director")
    cast.make_staff(cast.make_tournament(), "elsewhere", "director")
    User.objects.create_superuser("owner", password="owner")
    founder = staff(User.objects.get(username="director"))
    people = [{"name": f"選手{number}", **PRIVATE} for number in range(6)]
    where = f"/api/tournaments/{tournament.slug}"
    assert founder.post(f"{where}/entries", {"entries": people}).status_code == 201
    assert founder.post(f"{where}/sessions", {"tables": [[1, 2, 3, 4, 5, 6]]}).status_code == 201
    sitting = Sitting.objects.get()
    cast.record(sitting)
    return sitting


def browser(role: str, sitting: Sitting) -> Client:
    if role not in {"anonymous", "table"}:
        return cast.browser_of(User.objects.get(username=role))
    client = Client()
    if role == "table":
        client.get(reverse("join-table", args=[sitting.token]))
    return client


lay_out_once = cache(rendering._lay_out)  # it takes half a second each time


@cache
def text_of_pdf(content: bytes) -> str:
    return "".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)


def text_of(response: Any) -> str:
    """Return all readable text of a response."""
    content, kind = response.content, response.headers.get("Content-Type", "")
    if kind == "application/pdf":
        return text_of_pdf(content)
    if "spreadsheet" in kind or kind == "application/zip":
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return "".join(book.read(name).decode() for name in book.namelist())
    return str(content.decode())


def url_of(name: str, sitting: Sitting) -> str:
    (route,) = (route for each, _pattern, route in addresses() if each == name)
    tournament = sitting.session.tournament
    places = {
        "slug": tournament.slug,
        "rule_set": tournament.rule_set,
        "sitting": sitting.pk,
        "token": "x",
        "disagreement": cast.make_disagreement(sitting, {"deals": []}).pk,
    }
    names = re.findall(r"<(?:\w+:)?(\w+)>", route)
    return reverse(name, kwargs={key: places.get(key, 1) for key in names})


@pytest.mark.alike
@pytest.mark.parametrize("name", READABLE)
def test_private_data_are_in_no_other_response(
    name: str, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads the response of every role; a page that is the same for all is laid out once."""
    monkeypatch.setattr(rendering, "_lay_out", lay_out_once)
    url = url_of(name, sitting)
    salts = list(Entry.objects.values_list("salt", flat=True))
    for role in ROLES:
        text = text_of(browser(role, sitting).get(url))
        if not (role in STAFF and name in SHOWN_TO_STAFF):
            assert private_in(text) == set(), role
        assert not any(salt in text for salt in salts), role  # needed to guess a digest


@pytest.mark.alike
def test_account_names_are_shown_to_staff_only(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that of the publisher: an account name is half of a log-in."""
    monkeypatch.setattr(rendering, "_lay_out", lay_out_once)
    tournament, name = sitting.session.tournament, "tsugaru-no-kanji"
    publish(tournament, by=Actor(cast.make_staff(tournament, name), name))
    publish(tournament, by=Actor(None, name))
    told = set()
    for address in READABLE:
        url = url_of(address, sitting)
        for role in ("anonymous", "table", "elsewhere"):
            assert name not in text_of(browser(role, sitting).get(url)), (role, address)
        if name in text_of(browser("scorekeeper", sitting).get(url)):
            told.add(address)
    assert {"api-publications", "api-publication", "history"} <= told


def test_private_data_are_shown_to_staff(sitting: Sitting) -> None:
    for role in STAFF:
        answer = browser(role, sitting).get(url_of("api-entries", sitting))
        assert private_in(text_of(answer)) == set(PRIVATE)


@pytest.mark.django_db(transaction=True)
def test_private_data_are_not_logged(sitting: Sitting, caplog: pytest.LogCaptureFixture) -> None:
    """Neither on success, nor when the body is refused or the database fails."""
    caplog.set_level(logging.INFO)
    director = staff(User.objects.get(username="director"))
    where = f"/api/tournaments/{sitting.session.tournament.slug}/entries"
    good = {"entries": [{"name": "木村 勇", **PRIVATE}]}
    statuses = [director.post(where, body).status_code for body in (good, {**good, "x": 1}, {})]
    edit, page = {**PRIVATE, "seen": 1}, browser("director", sitting)
    page.raise_request_exception = False
    url = url_of("edit-entry", sitting)
    typed = {"name": "木村 勇", "seen": "1", **PRIVATE}
    for statement in range(12):
        with failing(statement, permanent=True):
            statuses.append(director.post(where, good).status_code)
            statuses.append(director.ask("PATCH", f"{where}/2", edit).status_code)
            statuses.append(page.post(url, typed).status_code)
    statuses.append(director.ask("PATCH", f"{where}/2", edit).status_code)
    statuses.append(page.post(url, typed).status_code)
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
    browser("table", sitting)
    assert not re.search("wrong-secret|guessed-token", caplog.text)
    assert sitting.token not in caplog.text


def test_deleted_private_data_are_gone(sitting: Sitting) -> None:
    """Only a digest remains, and the salt that could test a guess is deleted."""
    tournament = sitting.session.tournament
    entry = tournament.entries.get(number=1)
    before = entry.audit_values()["private"]
    nothing = {"contact": "", "birth_year": None, "notes": ""}
    entries.correct_entry(entry, nothing, seen_version=0, by=cast.SOMEBODY)
    changed = tournament.audit_entries.latest("number")
    assert (changed.old or {})["private"] == before
    assert (changed.new or {})["private"] is None
    assert tournament.entries.get(number=1).salt == ""


def test_audit_entries_contain_no_private_data(sitting: Sitting) -> None:
    """Nor does their `repr`."""
    entry = Entry.objects.earliest("pk")
    assert private_in(f"{entry!r} {entry} {entry.public_values()}") == set()
