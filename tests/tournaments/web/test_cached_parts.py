"""Parts of pages are kept for staff and tables while nothing changes, and for nobody else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests import cast
from tournaments.models import Sitting
from tournaments.services.entries import correct_entry
from tournaments.tables import StandingsTable

pytestmark = pytest.mark.django_db
PAGES = ("standings", "session")


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    caches["parts"].clear()


@pytest.fixture
def sitting() -> Sitting:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    return sitting


def address(name: str, sitting: Sitting) -> str:
    return reverse(
        name, args=[sitting.session.tournament.slug, *([1] if name == "session" else [])]
    )


def keeper_of(sitting: Sitting, role: str = "scorekeeper") -> Client:
    return cast.browser_of(cast.make_staff(sitting.session.tournament, f"a {role}", role))


def table_of(sitting: Sitting) -> Client:
    browser = Client()
    browser.get(reverse("join-table", args=[sitting.token]), follow=True)
    return browser


def without_tokens(html: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", html)


def test_rows_are_made_once_while_nothing_changes(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[StandingsTable] = []
    rows = StandingsTable.page_rows

    def counted_rows(table: StandingsTable) -> Any:
        made.append(table)
        return rows(table)

    monkeypatch.setattr(StandingsTable, "page_rows", counted_rows)
    keeper, url = keeper_of(sitting), address("standings", sitting)
    first, second = keeper.get(url), keeper.get(url)
    assert without_tokens(first.text) == without_tokens(second.text)
    assert len(made) == 1


def test_unchanged_session_is_not_read_again(sitting: Sitting) -> None:
    keeper, url = keeper_of(sitting), address("session", sitting)
    keeper.get(url)
    with CaptureQueriesContext(connection) as queries:
        keeper.get(url)
    assert not [each for each in queries if "tournaments_round" in each["sql"]]


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("reader", [keeper_of, table_of])
def test_every_change_is_seen_at_once(name: str, reader: Any, sitting: Sitting) -> None:
    browser, url = reader(sitting), address(name, sitting)
    seen = [browser.get(url).text]
    cast.record(sitting, number=2)
    seen.append(browser.get(url).text)
    entry = sitting.session.tournament.entries.get(number=1)
    correct_entry(entry, {"name": "改名 太郎"}, seen_version=0, by=cast.SOMEBODY)
    seen.append(browser.get(url).text)
    assert "改名 太郎" in seen[-1]
    assert len({without_tokens(page) for page in seen}) == 3


@pytest.mark.parametrize("name", PAGES)
def test_readers_get_what_their_role_and_language_and_query_ask_for(
    name: str, sitting: Sitting
) -> None:
    url = address(name, sitting)
    keeper, director, table = keeper_of(sitting), keeper_of(sitting, "director"), table_of(sitting)
    pages = [keeper.get(url), director.get(url), table.get(url), Client().get(url)]
    again = [each.get(url).text for each in (keeper, director, table, Client())]
    assert [without_tokens(page.text) for page in pages] == [without_tokens(page) for page in again]
    staff_only = "卓カード" if name == "session" else "進行状況"
    assert [staff_only in page for page in again] == [True, True, False, False]
    assert "Session 1" in cast.in_english(keeper).get(url).text
    if name == "standings":
        assert "選手" not in keeper.get(f"{url}?name=nobody").text.partition("<tbody>")[2]


def test_links_of_tables_are_not_kept(sitting: Sitting) -> None:
    keeper, url = keeper_of(sitting), address("session", sitting)
    assert sitting.token in keeper.get(f"{url}?links").text
    assert not caches["parts"]._cache  # type: ignore[attr-defined]  # there is no public way


def test_spectators_pages_are_not_among_the_kept_parts(sitting: Sitting) -> None:
    for name in PAGES:
        Client().get(address(name, sitting))
    assert not caches["parts"]._cache  # type: ignore[attr-defined]
