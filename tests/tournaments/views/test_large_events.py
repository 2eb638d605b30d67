"""Every address of an event of a thousand players, more than SQLite takes in one expression.

`benchmarks/pages.py` asks the same of events of other sizes, and measures the pages.
"""

from __future__ import annotations

from copy import deepcopy

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from tests import large_events
from tests.visiting import NAMES, OF_A_TOURNAMENT, World, read_to_end
from tournaments.permissions.levels import levels_by_url_name

PLAYERS = 1_002
MOST_BYTES = 300_000  # of a page
SEATING = ["seat-session", "schedule", "tournament", "play-off", "ties"]
READ = [name for name in NAMES if "GET" in levels_by_url_name()[name]]


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


def test_every_address_answers_while_a_session_is_played(large_world: World) -> None:
    assert faults(large_world, "owner", READ) == []


def test_every_address_answers_between_two_sessions(large_world: World) -> None:
    large_events.end_the_session(large_world)
    assert faults(large_world, "owner", SEATING) == []
    large_events.propose_seats(large_world)
    assert faults(large_world, "owner", OF_A_TOURNAMENT) == []


@pytest.mark.parametrize("role", ["anonymous", "table"])
def test_every_address_answers_those_without_a_log_in(large_world: World, role: str) -> None:
    assert faults(large_world, role, OF_A_TOURNAMENT) == []
