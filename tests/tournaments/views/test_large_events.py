"""Every address of an event of a thousand players, more than SQLite takes in one expression.

`benchmarks/pages.py` asks the same of events of other sizes, and measures the pages.
"""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests import large_events
from tests.visiting import OF_A_TOURNAMENT, World, read_to_end

PLAYERS = 1_002
MOST_BYTES = 300_000  # of a page
SHOWN = ["entries", "seats", "session", "standings", "teams", "tournament"]
SEATING = [name for name in OF_A_TOURNAMENT if name.startswith(("play-off", "seat-", "schedule"))]


@pytest.fixture(scope="module")
def lasting_large_world(lasting_database: DjangoDbBlocker) -> World:
    with lasting_database.unblock():
        return large_events.make_large_world(PLAYERS)


@pytest.fixture
def large_world(lasting_large_world: World, db: None, nothing_printed: None) -> World:
    """As `lasting_large_world`; changes are rolled back."""
    return deepcopy(lasting_large_world)


def faults_of(browser: Client, url: str) -> list[str]:
    """Return what is wrong with the answer: a failure, or a page that is too large."""
    answer = browser.get(url)
    read_to_end(answer)
    faults = [f"{url}: {answer.status_code}"] if answer.status_code >= 500 else []
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    if is_page and len(answer.content) > MOST_BYTES:
        faults.append(f"{url}: {len(answer.content):,} bytes")
    return faults


def faults(world: World, role: str, names: list[str]) -> list[str]:
    browser = world.browser(role)
    return [fault for name in names for fault in faults_of(browser, world.url(name))]


def test_every_address_answers(large_world: World) -> None:
    assert faults(large_world, "owner", OF_A_TOURNAMENT) == []
    assert faults(large_world, "anonymous", SHOWN) == []


def test_seats_are_proposed_and_planned(large_world: World) -> None:
    large_events.end_the_session(large_world)
    assert faults(large_world, "owner", SEATING) == []
    large_events.propose_seats(large_world)
    assert faults(large_world, "owner", SEATING) == []


def test_players_and_tables_of_all_pages_are_found(large_world: World) -> None:
    browser, player = large_world.browser("anonymous"), f"/players/{PLAYERS}/"
    for name in ("entries", "seats"):
        address = large_world.url(name)
        assert player not in browser.get(address).text
        assert player in browser.get(address, {"q": f"{PLAYERS}"}).text
    session = large_world.url("session")
    shown = [browser.get(session, {"page": page}).text for page in (1, 2)]
    assert [page.count('<li class="sitting ') for page in shown] == [100, 67]
    assert [page.count("/players/") for page in shown] == [PLAYERS // 2] * 2
