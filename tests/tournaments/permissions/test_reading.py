"""Safe requests write nothing, and show private data only to the staff of that tournament.

Every address is opened by everybody on a read-only database, and whatever comes back is read:
pages, JSON, PDF, Excel.

Two things may write on a safe request, both by design: sessions (Django's middleware, and the new
key a session gets when a phone is admitted), and `AdmissionMiddleware`. `healthz` writes to find
out whether it can, and rolls that back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from typing import Any, NoReturn

import pytest
from django.db import OperationalError, connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from tests.private_data import PUBLISHER, make_private_world, private_in, text_of
from tests.tournaments.permissions.expected import ONCE_RECORDED, by_role, published
from tests.visiting import NAMES, ROLES, World, read_to_end
from tournaments.models import Entry, Phone, Sitting
from tournaments.permissions import admission
from tournaments.printing import layout, rendering
from tournaments.services import phones

WRITES_BY_DESIGN = {"healthz"}
PRIVATE_ROLES = {"table", "scorekeeper", "owner"}
PUBLIC_FILES = {"script", "service-worker"}
STORED_BY_THE_BROWSER = {"play-table"}  # Back shows it again without the network
STAFF = {"scorekeeper", "director", "owner"}
SHOWN_TO_STAFF = {"api-entries", "entries", "edit-entry"}
READS = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA", "SET")


class UnexpectedWrite(Exception):
    """Raised where a safe request writes."""


@contextmanager
def read_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Refuse all writes except to sessions, and row locks, which SQLite has no statement for."""
    refused: list[str] = []

    def refuse(statement: str) -> NoReturn:
        refused.append(statement)
        raise UnexpectedWrite(statement)

    def only_read(
        execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any
    ) -> Any:
        statement = sql.strip().upper()
        is_read = statement.startswith(READS) and " FOR UPDATE" not in statement
        if not (is_read or "DJANGO_SESSION" in statement):
            refuse(sql)
        return execute(sql, parameters, many, context)

    with monkeypatch.context() as patched, connection.execute_wrapper(only_read):
        patched.setattr(QuerySet, "select_for_update", lambda *_, **__: refuse("FOR UPDATE"))
        yield refused


@pytest.fixture(scope="module")
def lasting_world(lasting_database: DjangoDbBlocker) -> World:
    """Two tournaments, one with private data, made once for this file."""
    with lasting_database.unblock():
        return make_private_world()


lay_out_once = cache(layout._lay_out)  # it takes half a second each time
PRINTERS = {"pdf": rendering.pdf, "stamped_pdf": rendering.stamped_pdf}  # not those of `world`


@pytest.mark.alike
@pytest.mark.parametrize("name", [name for name in NAMES if name not in WRITES_BY_DESIGN])
def test_safe_requests_write_and_reveal_nothing(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody gets what is listed; only staff see private data, and no cache stores them.

    A page that is the same for all is laid out once.
    """
    for printer, function in PRINTERS.items():
        monkeypatch.setattr(rendering, printer, function)
    monkeypatch.setattr(layout, "_lay_out", lay_out_once)
    url = world.url(name, number=2 if name == "record-round" else 1)  # a table records the next one
    salts = list(Entry.objects.exclude(salt="").values_list("salt", flat=True))
    assert salts
    asked = [
        *((role, "GET") for role in ROLES),
        *((role, "HEAD") for role in ("elsewhere", "owner")),
    ]
    listed = by_role(ONCE_RECORDED.get(name) or published(name))
    for role, method in asked:
        browser = world.browser(role)
        with read_only(monkeypatch) as refused:
            answer = browser.generic(method, url)
            text = text_of(answer)
        assert (refused, str(answer.status_code)) == ([], listed[role]), (role, method)
        if role in PRIVATE_ROLES and name not in PUBLIC_FILES:
            stored = "private" if name in STORED_BY_THE_BROWSER else "no-store"
            assert stored in answer.headers["Cache-Control"], role
        if name == "download-backup" and role == "owner":  # which has everything
            continue
        assert not any(salt in text for salt in salts), role  # needed to guess a digest
        if not (role in STAFF and name in SHOWN_TO_STAFF):
            assert private_in(text) == set(), role
        assert role in STAFF or PUBLISHER not in text, role


@pytest.mark.alike
def test_permissions_admit_no_phone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the middleware admits a browser that returns after opening a link."""
    browser = Client(raise_request_exception=False)
    browser.get(reverse("join-table", args=[world.sitting.token]))
    pending = deepcopy(browser.cookies)
    monkeypatch.setattr(admission, "_admit_pending", lambda *_: None)
    for name in {*NAMES} - WRITES_BY_DESIGN:
        browser.cookies = deepcopy(pending)
        with read_only(monkeypatch) as refused:
            read_to_end(browser.get(world.url(name)))
        assert refused == [], name


def test_phone_is_admitted_before_the_view_runs(client: Client, world: World) -> None:
    client.get(reverse("join-table", args=[world.sitting.token]))
    joined = Phone.objects.count()
    assert client.get(reverse("rules")).status_code == 200
    assert Phone.objects.count() == joined + 1


def test_token_takes_precedence_over_a_pending_phone(client: Client, world: World) -> None:
    client.get(reverse("join-table", args=[world.sitting.token]))
    joined = Phone.objects.count()
    client.get("/api/tournaments", headers={"Authorization": "Bearer nobody's"})
    assert Phone.objects.count() == joined


@pytest.mark.parametrize(
    ("page", "status"),
    [("rules", 200), ("log-in", 200), ("healthz", 200), ("home", 503), ("tournament", 503)],
)
def test_busy_database_does_not_block_public_pages(
    sitting: Sitting, page: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Client(raise_request_exception=False)
    browser.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug] if page == "tournament" else []

    def is_locked(*_: object) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(phones, "admit_phone", is_locked)
        assert browser.get(reverse(page, args=place)).status_code == status
    assert browser.get(f"{sitting.get_absolute_url()}play/").status_code == 200
    assert sitting.phones.get().is_writer
