"""Every address of an event of a thousand players, more than SQLite takes in one expression.

`benchmarks/pages.py` asks the same of events of other sizes, and measures the pages.
"""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from pytest_django import DjangoDbBlocker

from tests import large_events
from tests.large_events import faults
from tests.visiting import OF_A_TOURNAMENT, World
from tournaments.forms.stages import ConfirmForm
from tournaments.models import Entry, Tournament
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.seat_draws import EarlierSeats
from tournaments.views.proposed_seats import board_context

PLAYERS = 1_002
LARGEST_DRAW = 2_994
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


def test_every_address_answers(large_world: World) -> None:
    assert faults(large_world, "owner", OF_A_TOURNAMENT) == []
    assert faults(large_world, "anonymous", SHOWN) == []


def test_seats_are_proposed_and_planned(large_world: World) -> None:
    large_events.end_the_session(large_world)
    assert faults(large_world, "owner", SEATING) == []
    large_events.propose_seats(large_world)
    assert faults(large_world, "owner", SEATING) == []
    browser, proposal = large_world.browser("owner"), large_world.url("seat-proposal")
    pages = [browser.get(proposal, {"page": page}).text for page in (1, 4)]
    assert [page.count('<li class="sitting ') for page in pages] == [50, 17]
    assert "第167卓" in pages[1]


def test_the_board_of_the_largest_draw_leaves_room_for_the_rest_of_the_page(
    tournament: Tournament,
) -> None:
    """With five earlier sessions; the rest has 95 kB."""
    entries = [
        Entry(pk=i, number=i, name=f"津軽なみ{i}", reading="つしま はる", club=f"{i // 6}番村")
        for i in range(1, LARGEST_DRAW + 1)
    ]
    roll = RollCall(6, dict.fromkeys(entries, Status.PRESENT))
    keys = [each.key for each in entries]
    tables = tuple(tuple(keys[i : i + 6]) for i in range(0, LARGEST_DRAW, 6))
    board = board_context(tournament, roll, EarlierSeats([tables] * 5, []))["board"]
    assert len(board.encode()) < large_events.MOST_BYTES - 95_000


def test_as_many_players_go_on_as_an_event_has() -> None:
    members = [{"group": "", "players": [*range(1, 10_000)]}]
    form = ConfirmForm({"members": json.dumps(members, separators=(",", ":"))})
    assert form.is_valid(), form.errors


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
