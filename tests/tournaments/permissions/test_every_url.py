"""Every address, role and method: a matrix made from the URLconf."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.test import Client
from django.urls import resolve, reverse
from pytest_django import DjangoDbBlocker

from tests import cast
from tests.database_failures import contents
from tests.tournaments.permissions.expected import (
    EXPECTED,
    NOTHING_THERE_YET,
    ONCE_PUBLISHED,
    ONCE_RECORDED,
    REDIRECTED,
    assert_statuses,
    by_role,
    published,
)
from tests.visiting import (
    NAMES,
    NOBODY,
    ROLES,
    World,
    publish,
    read_to_end,
    walk,
)
from tournaments.api import authentication
from tournaments.api.urls import api
from tournaments.models import Tournament
from tournaments.permissions.levels import Level, levels_by_url_name

Contents = dict[str, list[tuple[Any, ...]]]

METHODS = ("PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")

MAY = levels_by_url_name()


OUTSIDERS = ("anonymous", "elsewhere", "table")  # what is shown makes no difference to others
LISTED = [name for name in NAMES if name in EXPECTED]


def test_every_address_is_listed() -> None:
    missing, gone = {*NAMES} - {*EXPECTED}, {*EXPECTED} - {*NAMES}
    assert not missing, f"Add rows for {sorted(missing)} to EXPECTED."
    assert not gone, f"Remove the rows of {sorted(gone)} from EXPECTED."
    assert len(list(walk())) == len(NAMES), "two addresses have the same name"


def let_in(statuses: str) -> set[str]:
    """Return the roles that were neither refused nor sent to log in."""
    is_log_in = statuses.startswith("302") and statuses != REDIRECTED
    refused = {"401", "403", "404", "405"} | ({"302"} if is_log_in else set())
    return {role for role, status in by_role(statuses).items() if status not in refused}


def test_api_urls_lists_who_may_read_once_published() -> None:
    for name in (name for name in LISTED if "GET" in MAY[name]):
        level = MAY[name]["GET"]
        if name in NOTHING_THERE_YET or level in {Level.ACCOUNT, Level.CREATE}:  # as before
            expected = ROLES if level == Level.SEE else level.roles
            assert level.roles_once_published == expected, name
        else:
            assert let_in(published(name)) == set(level.roles_once_published), name


def test_api_urls_lists_the_same_roles() -> None:
    for name, row in EXPECTED.items():
        for method, statuses in (("GET", row.get), ("POST", row.post)):
            level = MAY[name].get(method)
            expected = set(level.roles) if level else set()
            if name in NOTHING_THERE_YET:
                assert let_in(statuses) <= expected, (name, method)
            else:
                assert let_in(statuses) == expected, (name, method)


def test_every_url_declares_a_level() -> None:
    undeclared = [name for name in NAMES if not MAY[name]]
    assert not undeclared, "declare by @requires(...), operations of the API by auth=Requires(...)"


@pytest.mark.alike
@pytest.mark.parametrize("name", ["rules", "tournament", "api-tournament"])
def test_view_without_a_declaration_answers_404(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = world.url(name)
    assert world.ask("owner", "GET", url) == 200
    monkeypatch.delattr(resolve(url).func, "levels")
    assert world.row("GET", url) == NOBODY


def test_operation_without_a_declaration_answers_404() -> None:
    """Even if another operation at its address has a declaration."""
    assert api.auth == [authentication.deny]  # for operations without `auth`
    with pytest.raises(Http404):
        authentication.deny(HttpRequest())


@pytest.mark.alike
@pytest.mark.parametrize("name", LISTED)
def test_everybody_gets_what_is_listed(world: World, name: str) -> None:
    """Before publication; `test_published.py` and `test_reading.py` ask afterwards, also staff."""
    row, url = EXPECTED[name], world.url(name)
    has_changed = name in {*ONCE_PUBLISHED, *ONCE_RECORDED}
    assert_statuses(world, "GET", url, row.get, ROLES if has_changed else OUTSIDERS)
    assert_statuses(world, "POST", url, row.post, OUTSIDERS)


@pytest.mark.alike
@pytest.mark.parametrize("name", [name for name in LISTED if EXPECTED[name].public])
def test_live_tournament_is_seen_by_everybody(world: World, name: str) -> None:
    publish(world.tournament)
    assert_statuses(world, "GET", world.url(name), EXPECTED[name].public, OUTSIDERS)


@pytest.mark.alike
@pytest.mark.django_db
@pytest.mark.parametrize("name", ["go-on", "play-again"])
def test_club_table_is_answered(name: str, client: Client) -> None:
    sitting = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE))
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    assert MAY[name] == {"POST": Level.PHONE}
    assert client.post(reverse(name, args=place)).status_code == 302


@pytest.fixture(scope="module")
def contents_before(lasting_world: World, lasting_database: DjangoDbBlocker) -> Contents:
    """Return all rows that every test of this file begins with."""
    with lasting_database.unblock():
        return contents()


@pytest.mark.alike
@pytest.mark.parametrize("name", NAMES)
def test_other_methods_change_nothing(world: World, name: str, contents_before: Contents) -> None:
    """The owner, who may do everything, tries all methods; each other role one of them in turn."""
    url = world.url(name)
    for at, role in enumerate(ROLES, NAMES.index(name)):
        browser = world.browser(role)
        methods = METHODS if role == "owner" else [METHODS[at % len(METHODS)]]
        for method in {*methods} - {*MAY[name]}:
            response = browser.generic(method, url)
            read_to_end(response)
            assert response.status_code < 500
    assert contents() == contents_before


@pytest.mark.alike
def test_cross_site_requests_are_refused(world: World) -> None:
    """Except the choice of a language, whose form is on pages that are the same for everybody.

    Followers bring a token, and no cookie.
    """
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username="director"))
    for name in {*NAMES} - {"set-language", "pair-follower", "follow-pages"}:
        assert client.post(world.url(name)).status_code == 403, name


def test_table_cannot_correct_rounds_in_force(world: World) -> None:
    cast.record(world.sitting)
    url = world.url("record-round")
    assert world.row("GET", url) == "404 404 403 200 200"
    assert world.row("POST", url) == "404 404 403 422 422"


def test_table_cannot_record_at_another_table(world: World) -> None:
    neighbour = cast.make_sitting(world.tournament)
    url = world.url("record-round", session=neighbour.session.number)
    assert world.row("GET", url) == "404 404 404 200 200"
    assert world.row("POST", url) == "404 404 404 422 422"
