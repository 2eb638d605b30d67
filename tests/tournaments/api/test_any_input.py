"""No input breaks anything: requests near to good ones, changed at random, to API and forms alike.

An answer of the API is besides held against its description, whatever it was asked: see
`tests.openapi_validation`. More of it: ANY_INPUT_EXAMPLES=2000.
"""

from __future__ import annotations

import copy
import json
import os
import re
from html import unescape
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from tests import cast, series
from tests.api import REQUESTS, Program, phone, staff
from tournaments.models import Series, Sitting
from tournaments.permissions.levels import addresses, levels_by_url_name
from tournaments.printing import rendering

pytestmark = pytest.mark.django_db

EXAMPLES = "8" if connection.vendor == "sqlite" else "4"  # others than those on SQLite
SETTINGS = settings(
    max_examples=int(os.environ.get("ANY_INPUT_EXAMPLES", EXAMPLES)),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXTS = st.one_of(
    st.text(max_size=30),
    st.text(st.characters(codec="ascii"), max_size=12),
    st.sampled_from(
        ["", " ", "0", "-1", "1e5", "9" * 40, "\x00", "髙﨑𠮷", "\u202e🃏", "a" * 3000]
    ),
    st.sampled_from(["2026-02-30", "true", "null", "<script>", "=1+1", "{}", "٣", "1_0", "+1"]),
)
NUMBERS = st.one_of(
    st.integers(-3, 20), st.integers(), st.sampled_from([2**31, 2**63, -(2**63) - 1, 10**40])
)
# What a server hands on of a header: no line ends, and every byte as one character.
HEADERS = st.one_of(
    st.sampled_from(["key", '"1"', 'W/"1"', "", "1" * 5000, '"-1"', "²"]),
    st.text(st.characters(max_codepoint=255, exclude_categories=["Cc"]), max_size=12),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.floats(allow_nan=False), TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)

MAY = levels_by_url_name()


def places_in(value: Any) -> list[tuple[Any, ...]]:
    """Return the path to every part of a document."""
    found: list[tuple[Any, ...]] = [()]
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else enumerate(value)
        found += [(key, *rest) for key, each in inside for rest in places_in(each)]
    return found


@st.composite
def changed(draw: st.DrawFn, good: Any) -> Any:
    """Return a document with a few of its parts replaced, left out or added to."""
    document = copy.deepcopy(good)
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places_in(document)[1:] or [("x",)]))
        inside = document
        for key in way:
            inside = inside[key]
        match draw(st.integers(0, 4)):
            case 0:
                del inside[last]
            case 1 if isinstance(inside, dict):
                inside[draw(TEXTS)] = draw(VALUES)
            case _:
                inside[last] = draw(VALUES)
        if not document:
            break
    return document


class Desk(NamedTuple):
    """A table with one recorded round, and the clients that may write there."""

    sitting: Sitting
    programs: list[Program]  # a director's, and one of the phone that writes
    cookies: SimpleCookie  # of a director's browser in which the table's link has been opened, too


@pytest.fixture(scope="module")
def lasting_desk(lasting_database: DjangoDbBlocker) -> Desk:
    """Return a `Desk`, made once for all tests of this file; its director also edits a series."""
    with lasting_database.unblock():
        sitting = cast.make_sitting(cast.make_tournament())
        cast.record(sitting)
        director = cast.make_staff(sitting.session.tournament, "director", "director")
        series.make_series(sitting.session.tournament, owner=director)
        programs = [staff(director), phone(sitting)]
        browser = cast.browser_of(director)
        browser.get(reverse("join-table", args=[sitting.token]), follow=True)
        return Desk(sitting, programs, browser.cookies)


@pytest.fixture
def sitting(lasting_desk: Desk, db: None, monkeypatch: pytest.MonkeyPatch) -> Sitting:
    """Printing is replaced, since it takes long and does not matter here."""
    for printer in ("pdf", "stamped_pdf"):
        monkeypatch.setattr(rendering, printer, lambda *_, **_named: b"%PDF-")
    return copy.deepcopy(lasting_desk.sitting)


@pytest.fixture
def programs(lasting_desk: Desk) -> list[Program]:
    return lasting_desk.programs


@pytest.mark.parametrize(("method", "path"), sorted(REQUESTS))
@SETTINGS
@given(data=st.data())
def test_no_body_breaks_an_operation(
    sitting: Sitting,
    programs: list[Program],
    browser: Client,
    method: str,
    path: str,
    data: st.DataObject,
) -> None:
    slug = sitting.session.tournament.slug
    places = {"slug": slug, "sitting": sitting.pk, "number": data.draw(st.integers(0, 3))}
    url = path.format(
        deal=data.draw(st.integers(0, 3)),
        entry=1,
        account=1,
        session=1,
        stage=2,
        series=Series.objects.get().slug,
        act="start",
        **places,
    )
    body = data.draw(changed(REQUESTS[method, path]) | VALUES | st.binary(max_size=40))
    headers = {"Idempotency-Key": data.draw(HEADERS), "If-Match": data.draw(HEADERS)}
    for program in programs:
        with transaction.atomic():
            answer = program.ask(method.upper(), url, body, **headers)
            if answer.status_code < 300:
                look_at_it(sitting, browser)
            transaction.set_rollback(True)
        assert answer.status_code < 500, (url, body)


PARTS = ["captured", "cut_off", "dealer", "deals", "exposed", "finish", "kankei", "teams", "trump"]


@SETTINGS
@given(data=st.data())
def test_no_disputed_facts_break_the_pages_of_the_desk(
    sitting: Sitting, programs: list[Program], browser: Client, data: st.DataObject
) -> None:
    """A second phone disputes the round with these facts."""
    odd = st.dictionaries(st.sampled_from(PARTS), VALUES, max_size=3)
    facts = data.draw(changed(cast.plain_round(sitting)) | odd)
    with transaction.atomic():
        url = f"/api/sittings/{sitting.pk}/rounds/1"
        answer = programs[1].put(url, {"facts": facts, "seen": 0})
        look_at_it(sitting, browser)
        transaction.set_rollback(True)
    assert answer.status_code < 500, facts


def look_at_it(sitting: Sitting, browser: Client) -> None:
    """Request the pages that the desk opens after something is stored."""
    slug = sitting.session.tournament.slug
    looked_at = [reverse("history", args=[slug]) + "?text=a", reverse("board", args=[slug])]
    looked_at += [
        reverse("settle-disagreement", args=[slug, found.pk])
        for found in sitting.disagreements.all()
    ]
    for url in looked_at:
        assert browser.get(url).status_code < 500, url


FORM_FIELD = re.compile(r"<(?:input|select|textarea|button)\b[^>]*>")
ATTRIBUTE = re.compile(r'\b(name|value)="([^"]*)"')
FORMS = sorted(
    name for name in MAY if not name.startswith("api-") and MAY[name].get("POST") is not None
)


class Page(NamedTuple):
    """An address, and the fields of its forms with their values."""

    url: str
    form: dict[str, str]


def filled(page: str) -> dict[str, str]:
    """Return the fields of a page's forms with their values."""
    tags = [dict(ATTRIBUTE.findall(tag)) for tag in FORM_FIELD.findall(page)]
    return {tag["name"]: unescape(tag.get("value", "1")) for tag in tags if "name" in tag}


@pytest.fixture
def browser(lasting_desk: Desk) -> Client:
    browser = Client(raise_request_exception=False)
    browser.cookies = copy.deepcopy(lasting_desk.cookies)
    return browser


@pytest.fixture
def page(request: pytest.FixtureRequest, sitting: Sitting, browser: Client) -> Page:
    places = {
        "slug": sitting.session.tournament.slug,
        "rule_set": sitting.session.tournament.rule_set,
        "call": cast.make_call(sitting).pk,
        "disagreement": cast.make_disagreement(sitting).pk,
    }
    known = {key: places.get(key, 1) for key in _parameters(request.param)}
    url = reverse(request.param, kwargs=known)
    return Page(url, filled(browser.get(url).content.decode()))


@pytest.mark.parametrize("page", FORMS, indirect=True)
@SETTINGS
@given(data=st.data())
def test_no_form_breaks_a_page(browser: Client, page: Page, data: st.DataObject) -> None:
    names = st.sampled_from(sorted(page.form)) | TEXTS if page.form else TEXTS
    form = page.form | data.draw(st.dictionaries(names, TEXTS, max_size=5))
    with transaction.atomic():
        answer = browser.post(page.url, form)
        transaction.set_rollback(True)
    assert answer.status_code < 500, form


def _parameters(name: str) -> list[str]:
    (route,) = (route for each, _pattern, route in addresses() if each == name)
    return re.findall(r"<(?:\w+:)?(\w+)>", route)


def test_json_beyond_the_standard_is_read_or_refused(
    sitting: Sitting, programs: list[Program]
) -> None:
    _director, table = programs
    for text in ("NaN", "-Infinity", '"\\ud800"', '"\\u0000"', "1" * 5000, "[" * 5000, "1e999"):
        body = f'{{"facts": {{"deals": [{text}]}}, "seen": 0}}'.encode()
        answer = table.put(f"/api/sittings/{sitting.pk}/rounds/2", body)
        assert answer.status_code == 422, text
        assert json.loads(answer.content)["errors"]
