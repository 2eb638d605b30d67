"""Readers without a log-in or a phone share pages, for a moment and only what they may see."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import publications
from tournaments.web.public_pages import HTTP_CACHES

pytestmark = pytest.mark.django_db
PAGES = ("standings", "tournament", "session", "sitting", "player", "entries", "seats")
PAGES_OF_NO_EVENT = ("home", "rules", "rule-set")


@pytest.fixture(autouse=True)
def kept(settings: Settings) -> None:
    settings.PUBLIC_CACHE_SECONDS = 3600
    cache.clear()


@pytest.fixture
def sitting() -> Sitting:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    return sitting


def address(name: str, sitting: Sitting) -> str:
    if name in PAGES_OF_NO_EVENT:
        return reverse(name, args=["gouji"] if name == "rule-set" else [])
    places: dict[str, list[Any]] = {"session": [1], "sitting": [1, 1], "player": [1]}
    return reverse(name, args=[sitting.session.tournament.slug, *places.get(name, [])])


@pytest.mark.parametrize("name", PAGES)
def test_second_reader_gets_the_same_page_for_one_query(
    name: str, sitting: Sitting, django_assert_num_queries: Any
) -> None:
    first = Client().get(address(name, sitting))
    with django_assert_num_queries(1):  # may this reader see the tournament?
        second = Client().get(address(name, sitting))
    assert first.content == second.content


@pytest.mark.parametrize("name", [*PAGES, *PAGES_OF_NO_EVENT])
def test_http_caches_keep_a_page_for_a_second_and_browsers_ask_each_time(
    name: str, sitting: Sitting
) -> None:
    url = address(name, sitting)
    page = Client().get(url)
    unchanged = Client().get(url, headers={"If-None-Match": page.headers["ETag"]})
    for answer in (page, unchanged):
        assert answer.headers["Cache-Control"] == HTTP_CACHES
        assert "Cookie" in answer.headers["Vary"]
        assert not {"Expires", "Age"} & answer.headers.keys()


@pytest.mark.parametrize("name", [*PAGES, *PAGES_OF_NO_EVENT])
@pytest.mark.parametrize("told_apart_by", ["phones", "sessionid", "token"])
def test_http_caches_never_keep_what_a_known_reader_gets(
    name: str, told_apart_by: str, sitting: Sitting
) -> None:
    browser = Client()
    if told_apart_by == "token":
        browser.defaults["HTTP_AUTHORIZATION"] = "Bearer x"
    else:
        browser.cookies[told_apart_by] = "x"
    answer = browser.get(address(name, sitting))
    assert answer.headers["Cache-Control"] == "no-store, private"


def test_caches_ask_again_for_what_says_nothing() -> None:
    assert Client().get(reverse("chart", args=["gouji"])).headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("name", PAGES)
def test_reader_who_has_the_page_gets_304(name: str, sitting: Sitting) -> None:
    etag = Client().get(address(name, sitting)).headers["ETag"]
    answer = Client().get(address(name, sitting), headers={"If-None-Match": etag})
    assert (answer.status_code, answer.content) == (304, b"")


@pytest.mark.parametrize("name", [*PAGES, *PAGES_OF_NO_EVENT])
def test_shared_page_has_no_token_and_sets_no_cookie(name: str, sitting: Sitting) -> None:
    answer = Client().get(address(name, sitting))
    assert "csrfmiddlewaretoken" not in answer.text
    assert not answer.cookies


@pytest.mark.parametrize("name", PAGES)
def test_languages_and_queries_have_pages_of_their_own(name: str, sitting: Sitting) -> None:
    url = address(name, sitting)
    in_japanese = Client().get(url).text
    assert cast.in_english(Client()).get(url).text != in_japanese
    # The form for the language leads back to the address with its query.
    assert f'value="{url}?sort=x"' in Client().get(f"{url}?sort=x").text


def test_staff_and_tables_see_every_change_at_once(sitting: Sitting) -> None:
    url = address("standings", sitting)
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    table = Client()
    table.get(reverse("join-table", args=[sitting.token]), follow=True)
    stranger, known = Client().get(url).content, [each.get(url).content for each in (keeper, table)]
    cast.record(sitting, number=2)
    assert Client().get(url).content == stranger
    assert all(
        each.get(url).content != before for each, before in zip((keeper, table), known, strict=True)
    )


def test_withdrawn_event_is_no_longer_shown(sitting: Sitting) -> None:
    url, tournament = address("standings", sitting), sitting.session.tournament
    assert Client().get(url).status_code == 200
    publications.unpublish(tournament, by=cast.SOMEBODY)
    assert Client().get(url).status_code == 404


def test_page_with_a_message_is_not_shared(sitting: Sitting) -> None:
    url, browser = address("standings", sitting), Client()
    Client().get(url)
    browser.cookies["messages"] = "x"
    cast.record(sitting, number=2)
    assert "ETag" not in browser.get(url).headers


def test_language_is_chosen_without_a_token(sitting: Sitting) -> None:
    browser, url = Client(enforce_csrf_checks=True), address("standings", sitting)
    answer = browser.post(reverse("set-language"), {"language": "en", "next": url}, follow=True)
    assert answer.status_code == 200
    assert '<html lang="en"' in answer.text
    assert Tournament.objects.count() == 1
