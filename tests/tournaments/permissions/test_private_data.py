"""A player's contact, year of birth and notes are shown to the staff of that tournament only.

Every address is opened by everybody, and whatever comes back is read: pages, JSON, PDF, Excel.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader
from pytest_django import DjangoDbBlocker

from tests import cast
from tests.api import staff
from tests.private_data import PRIVATE, private_in
from tests.visiting import cookies_of
from tournaments.audit import Actor
from tournaments.models import Entry, Sitting
from tournaments.permissions.levels import ROLES, addresses, levels_by_url_name
from tournaments.printing import rendering
from tournaments.services import entries
from tournaments.services.publications import publish

STAFF = {"scorekeeper", "director", "owner"}  # the owner of the installation
SHOWN_TO_STAFF = {"api-entries", "entries", "edit-entry"}
MAY = levels_by_url_name()
READABLE = sorted(name for name in MAY if "GET" in MAY[name])

pytestmark = pytest.mark.django_db


PUBLISHER = "tsugaru-no-kanji"  # the name of an account, which is half of a log-in


Browser = Callable[[str], Client]  # by role


class LastingTable(NamedTuple):
    """A table and the cookies of every role's browser."""

    sitting: Sitting
    cookies: dict[str, SimpleCookie]


@pytest.fixture(scope="module")
def lasting_table(lasting_database: DjangoDbBlocker) -> LastingTable:
    """A table with a round, players with private data, and two publications."""
    with lasting_database.unblock():
        sitting = make_sitting()
        return LastingTable(sitting, {role: cookies_of(role, sitting) for role in ROLES})


@pytest.fixture
def sitting(lasting_table: LastingTable, db: None) -> Sitting:
    """The same table for one test."""
    return Sitting.objects.get(pk=lasting_table.sitting.pk)


@pytest.fixture
def browser(lasting_table: LastingTable) -> Browser:
    """Return the browser of a role."""

    def open_browser(role: str) -> Client:
        client = Client()
        client.cookies = deepcopy(lasting_table.cookies[role])
        return client

    return open_browser


def make_sitting() -> Sitting:
    tournament = cast.make_tournament()
    publisher = cast.make_staff(tournament, PUBLISHER)
    for name, role in (("scorekeeper", "scorekeeper"), ("director", "director")):
        cast.make_staff(tournament, name, role)
    cast.make_staff(cast.make_tournament(), "elsewhere", "director")
    User.objects.create_superuser("owner", password="owner")
    founder = staff(User.objects.get(username="director"))
    people = [{"name": f"選手{number}", **PRIVATE} for number in range(6)]
    where = f"/api/tournaments/{tournament.slug}"
    assert founder.post(f"{where}/entries", {"entries": people}).status_code == 201
    assert founder.post(f"{where}/sessions", {"tables": [[1, 2, 3, 4, 5, 6]]}).status_code == 201
    sitting = Sitting.objects.get()
    cast.record(sitting)
    cast.make_disagreement(sitting, {"deals": []})
    publish(tournament, by=Actor(publisher, PUBLISHER))
    publish(tournament, by=Actor(None, PUBLISHER))
    return sitting


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
        "disagreement": sitting.disagreements.get().pk,
    }
    names = re.findall(r"<(?:\w+:)?(\w+)>", route)
    return reverse(name, kwargs={key: places.get(key, 1) for key in names})


@pytest.mark.alike
@pytest.mark.parametrize("name", READABLE)
def test_private_data_are_in_no_other_response(
    name: str, sitting: Sitting, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reads the response of every role; a page that is the same for all is laid out once.

    Account names are shown to staff only, also that of a publisher.
    """
    monkeypatch.setattr(rendering, "_lay_out", lay_out_once)
    url = url_of(name, sitting)
    salts = list(Entry.objects.values_list("salt", flat=True))
    for role in ROLES:
        text = text_of(browser(role).get(url))
        if not (role in STAFF and name in SHOWN_TO_STAFF):
            assert private_in(text) == set(), role
        assert not any(salt in text for salt in salts), role  # needed to guess a digest
        assert role in STAFF or PUBLISHER not in text, role


@pytest.mark.parametrize("name", ["api-publications", "api-publication", "history"])
def test_account_names_are_shown_to_staff(name: str, sitting: Sitting, browser: Browser) -> None:
    assert PUBLISHER in text_of(browser("scorekeeper").get(url_of(name, sitting)))


def test_private_data_are_shown_to_staff(sitting: Sitting, browser: Browser) -> None:
    for role in STAFF:
        answer = browser(role).get(url_of("api-entries", sitting))
        assert private_in(text_of(answer)) == set(PRIVATE)


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
