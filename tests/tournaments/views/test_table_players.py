"""The page on which players join and leave a table."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments import verification
from tournaments.models import Sitting, Tournament
from tournaments.queries.sheets import sheet_of
from tournaments.services import seating, table_players

pytestmark = pytest.mark.both


def make_table() -> Sitting:
    """Return a table of five; two more players have no seat."""
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 7)
    cast.make_staff(tournament, "keeper")
    session = seating.open_session(tournament, [players[:5]], by=cast.SOMEBODY)
    return session.sittings.get()


@pytest.fixture
def table(db: None) -> Sitting:
    """As `make_table` says."""
    return make_table()


@pytest.fixture
def keeper(table: Sitting) -> Client:
    """A scorekeeper's browser."""
    client = Client()
    client.login(username="keeper", password="keeper")
    return cast.in_english(client)


def address(table: Sitting) -> str:
    session = table.session
    return reverse("table-players", args=[session.tournament.slug, session.number, table.number])


def change(keeper: Client, table: Sitting, **typed: str) -> int:
    """Send the form as it is shown, with what is typed; return the status."""
    seen = keeper.get(address(table)).context["form"]["seen"].value()
    return keeper.post(address(table), {"seen": seen, **typed}).status_code


def seated(table: Sitting) -> str:
    return " ".join(sheet_of(table).players)


def test_player_sits_down_to_the_right_of_somebody(keeper: Client, table: Sitting) -> None:
    assert change(keeper, table, joining="6", position="2") == 302
    assert seated(table) == "1 2 6 3 4 5"


def test_player_takes_the_seat_of_who_leaves(keeper: Client, table: Sitting) -> None:
    assert change(keeper, table, joining="7", position="5", leaving="3") == 302
    assert seated(table) == "1 2 7 4 5"


def test_pages_lead_from_the_stopped_table_to_the_next(keeper: Client, table: Sitting) -> None:
    cast.record(table)
    assert change(keeper, table, joining="6", position="5") == 302
    goes_on = table_players.last_continuation(table)
    page = keeper.get(table.get_absolute_url()).text
    assert "This table goes on with other players as table 2." in page
    assert goes_on.get_absolute_url() in page
    page = keeper.get(goes_on.get_absolute_url()).text
    assert "Goes on from table 1, whose players have changed." in page
    session = keeper.get(table.session.get_absolute_url())
    tables = [(seat.entry.number, seat.sitting.number) for seat in session.context["seats"]]
    assert tables == [(number, 2) for number in range(1, 7)]
    assert "goes on from table 1" in session.text
    assert "goes on as table 2" in session.text
    slug = table.session.tournament.slug
    board = keeper.get(reverse("board", args=[slug])).text
    assert ("goes on as table 2" in board, "goes on from table 1" in board) == (True, True)
    seats = keeper.get(reverse("seats", args=[slug])).context["seats"]
    assert {(seat.entry.number, seat.table) for seat in seats if seat.table} == set(tables)
    assert address(goes_on) in keeper.get(address(table)).text


@pytest.mark.parametrize(
    "typed", [{}, {"joining": "だれもいない"}, {"joining": "1"}, {"leaving": "1"}, {"leaving": "9"}]
)
def test_impossible_change_is_refused(
    keeper: Client, table: Sitting, typed: dict[str, str]
) -> None:
    assert change(keeper, table, **typed) == 422
    assert seated(table) == "1 2 3 4 5"


def test_change_by_another_is_told(keeper: Client, table: Sitting) -> None:
    change(keeper, table, joining="6", position="5")
    typed = {"seen": "1.2.3.4.5", "joining": "7", "leaving": "1"}
    assert keeper.post(address(table), typed).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_late_player_joins_in_a_browser(page: Page, live_server: LiveServer) -> None:
    table = make_table()
    cast.record(table)
    path = table.get_absolute_url()
    page.goto(f"{live_server.url}{reverse('log-in')}?next={path}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")
    page.click(f"a[href='{address(table)}']")
    page.fill("[name=joining]", "6")
    page.select_option("[name=position]", "2")
    page.click("main .button-primary")
    expect(page.locator("table.by-round tbody tr")).to_have_count(6)
    expect(page.locator("table.by-round tbody tr").nth(2)).to_contain_text("木村 勇")
    tournament = Tournament.objects.get()
    assert verification.verify(tournament) == []
    assert seated(table_players.last_continuation(table)) == "1 2 6 3 4 5"
