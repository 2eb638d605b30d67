"""The page on which players join and leave a table."""

from __future__ import annotations

import re

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments import verification
from tournaments.i18n.sentences import signed
from tournaments.models import Sitting, Tournament
from tournaments.paper_entry.typed_sheets import read_sheet
from tournaments.queries.events import Event
from tournaments.queries.free_seats import free_seats
from tournaments.queries.presence import Status, roll_call, status_of
from tournaments.queries.seated_tables import last_continuation, tables_in_play
from tournaments.queries.sheets import sheet_of
from tournaments.services import presence, publications, seating, sessions
from tournaments.views import printed_forms

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
    """As `make_table`."""
    return make_table()


@pytest.fixture
def keeper(table: Sitting) -> Client:
    client = Client()
    client.login(username="keeper", password="keeper")
    return cast.in_english(client)


def address(table: Sitting) -> str:
    session = table.session
    return reverse("table-players", args=[session.tournament.slug, session.number, table.number])


def change(keeper: Client, table: Sitting, **typed: str) -> int:
    """Send the form as shown, with these values; return the status."""
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


def test_everybody_sees_one_table(keeper: Client, table: Sitting) -> None:
    cast.record(table)
    assert change(keeper, table, joining="6", position="5", leaving="5") == 302
    goes_on = last_continuation(table)
    cast.record(goes_on)
    assert "The players of this table have changed." in keeper.get(goes_on.get_absolute_url()).text
    tournament, session = table.session.tournament, table.session
    slug = tournament.slug
    pages = [
        keeper.get(each.get_absolute_url()).text.partition("<main")[2].partition("</main>")[0]
        for each in (table, goes_on)
    ]
    assert pages[0] == pages[1]
    assert all(words in pages[0] for words in ("2 of 10 rounds", "Round 1", "Round 2", "has left"))
    changed = re.sub(r"<[^>]+>|\s+", " ", pages[0][pages[0].index("players-changed") :])
    assert "left the table: 5 三上 ユキ joined it: 6 木村 勇" in " ".join(changed.split())
    shown = keeper.get(session.get_absolute_url())
    assert [sheet.sitting for sheet in shown.context["sheets"]] == [goes_on]
    seats = [(seat.entry.number, seat.sitting.shown_number) for seat in shown.context["seats"]]
    assert seats == [(number, 1) for number in (1, 2, 3, 4, 6)]
    assert "2 of 10 rounds" in shown.text
    board = keeper.get(reverse("board", args=[slug])).text
    assert ("Table 1" in board, "Table 2" in board) == (True, False)
    listed = keeper.get(reverse("seats", args=[slug])).context["seats"]
    assert {(seat.entry.number, seat.table) for seat in listed if seat.table} == set(seats)
    sessions.end_session(session, stopping=[goes_on.number], by=cast.SOMEBODY)
    history = keeper.get(reverse("history", args=[slug])).text
    assert "Session 1 · Table 1 · Round 2" in history
    assert "Tables stopped before the end: 1" in history
    assert "Table 2" not in keeper.get(reverse("history", args=[slug])).text
    assert keeper.get(address(table)).headers["Location"] == address(goes_on)
    publications.publish(tournament, by=cast.SOMEBODY)
    published = keeper.get(f"{table.get_absolute_url()}?publication=1").text
    assert all(words in published for words in ("2 of 10 rounds", "Round 2", "has left"))
    tournament.refresh_from_db()
    sheet = serials_and_lines(keeper, table)
    assert sheet == [("1", list(range(2, 11)))]


def test_player_who_stays_finds_one_table(keeper: Client, table: Sitting) -> None:
    """Also after undoing the change."""
    cast.record(table)
    assert change(keeper, table, joining="6", leaving="5") == 302
    assert change(keeper, last_continuation(table), take_back="1") == 302
    cast.record(last_continuation(table))
    assert change(keeper, last_continuation(table), joining="7", leaving="5") == 302
    cast.record(last_continuation(table))
    page = keeper.get(reverse("player", args=[table.session.tournament.slug, 1]))
    [own] = page.context["tables"]
    assert [entry.number for entry, _replaced in own.others] == [2, 3, 4, 5, 7]
    numbers = re.findall(r'<th class="margin" scope="row"[^>]*>\s*(\d+)</th>', page.text)
    assert numbers[-3:] == ["1", "2", "3"]


def serials_and_lines(keeper: Client, table: Sitting) -> list[tuple[str, list[int]]]:
    """Return table and line numbers of each printed page of the table's score sheet."""
    session = table.session
    _row, sheets = Event(session.tournament).session(session.number)
    request = RequestFactory().get("/")
    request.session = {}  # type: ignore[assignment]
    return [
        (page.table, [line.number for line in page.lines])
        for sheet in tables_in_play(sheets)
        for page in printed_forms._sheet_pages(request, session, sheet, "")
    ]


def test_paper_sheet_of_the_table_goes_on(keeper: Client, table: Sitting) -> None:
    cast.record(table)
    assert change(keeper, table, joining="6", leaving="5") == 302
    goes_on = last_continuation(table)
    path = reverse("enter-sheet", args=[table.session.tournament.slug, 1, 1])  # the code on paper
    typing = keeper.get(path, follow=True)
    assert "from round 2" in typing.text
    form = typing.context["form"]
    typed = {"rounds": "13 94 95", "first": form["first"].value(), "seen": form["seen"].value()}
    saved = cast.in_english(keeper).post(typing.redirect_chain[-1][0], typed, follow=True)
    assert "Table 1: 1 record saved." in saved.text
    [stored] = goes_on.rounds.all()
    assert (stored.facts["dealer"], stored.facts["kankei"]) == ("1", ["1", "3"])


def test_typed_sheet_counts_rounds_and_totals_of_the_table(keeper: Client, table: Sitting) -> None:
    """After two changes: a column of the paper has the points of all who sat there."""
    cast.record(table)
    assert change(keeper, table, joining="6", leaving="5") == 302
    cast.record(last_continuation(table))
    assert change(keeper, last_continuation(table), joining="7", leaving="6") == 302
    goes_on = last_continuation(table)
    of_seats = [sheet.score.totals for sheet in sheet_of(goes_on).at_table]
    columns = [sum([*each.values()][seat] for each in of_seats) for seat in range(5)]
    path = reverse("enter-sheet", args=[table.session.tournament.slug, 1, goes_on.number])
    page = keeper.get(path)
    assert "from round 3" in page.text
    [recorded] = re.findall(r">2 rounds recorded<.*?</tr>", page.text, re.DOTALL)
    assert re.findall(r"points\">\s*(\S+?)\s*<", recorded) == [signed(each) for each in columns]
    assert [seat.points for seat in page.context["form"].seats()] == columns
    assert page.text.count("took the seat of") == 2
    typed = {"rounds": "13 94 95", "first": 1, "seen": 0, "check": "1"}
    row = re.search(r'id="line-1".*?scope="row">(\d+)<', keeper.post(path, typed).text, re.DOTALL)
    assert row
    assert row[1] == "3"
    points = goes_on_points(goes_on)
    sums = {
        f"total_{key}": column + points[key] for key, column in zip(points, columns, strict=True)
    }
    wrong = {**typed, **sums, "total_7": sums["total_7"] + 5}
    del wrong["check"]
    assert list(keeper.post(path, wrong).context["form"].errors) == ["total_7"]
    assert keeper.post(path, {**wrong, "despite": "on"}).status_code == 302
    entry = table.session.tournament.audit_entries.latest("number")
    assert entry.old == {"7": sums["total_7"] + 5}
    assert entry.new == {"7": sums["total_7"]}


def goes_on_points(table: Sitting) -> dict[str, int]:
    """Return the points of the line `13 94 95` by key, in seat order."""
    return dict(read_sheet(sheet_of(table), ("13 94 95")).lines[0].played.score.points)  # type: ignore[union-attr]


def test_form_lists_who_is_free(keeper: Client, table: Sitting) -> None:
    tournament = table.session.tournament
    sixth, seventh = tournament.entries.filter(number__gt=5)
    presence.mark_presence(sixth, 1, Status.LATE, seen_status=Status.EXPECTED, by=cast.SOMEBODY)
    joining = keeper.get(address(table)).context["form"]["joining"].field.choices
    [free] = free_seats(table.session, ())
    assert (free.sheet.sitting, free.away) == (table, None)
    assert joining == [
        ("", "Nobody"),
        ("Free to join", [("7", f"7 {seventh.name}")]),
        ("Late, absent or withdrawn", [("6", f"6 {sixth.name}")]),
    ]
    assert change(keeper, table, joining="6", position="5") == 302
    assert status_of(sixth, 1) == Status.PRESENT
    assert free_seats(table.session, ()) == []  # six play at most
    tournament.entries.filter(seats=None).delete()
    page = keeper.get(address(table)).text
    assert ('name="joining"' in page, "Nobody is free to join" in page) == (False, True)
    assert f'<a href="{reverse("entries", args=[tournament.slug])}">' in page


def test_who_leaves_is_gone(keeper: Client, table: Sitting) -> None:
    tournament, session = table.session.tournament, table.session
    cast.record(table)
    assert change(keeper, table, leaving="5", joining="6", then="withdraws") == 302
    fifth = tournament.entries.get(number=5)
    assert status_of(fifth, 1) == status_of(fifth, 2) == Status.WITHDRAWN
    to_seat = roll_call(tournament, 2).to_be_seated()
    assert [entry.number for entry in to_seat] == [1, 2, 3, 4, 6, 7]
    sitting_out = keeper.get(session.get_absolute_url()).context["without_seat"]
    assert [entry.number for entry, _reason in sitting_out] == [7]
    sessions.end_session(session, stopping=[last_continuation(table).number], by=cast.SOMEBODY)
    page = keeper.get(reverse("player", args=[tournament.slug, 5]))
    assert "no seat" not in page.text
    [own] = [row for row in cast.standings_for(tournament) if row.entry == fifth]
    assert own.place is not None
    assert (own.place.rounds_played, own.place.lines) == (1, ())
    assert verification.verify(tournament) == []


def test_who_stays_is_not_sitting_out_what_was_played(keeper: Client, table: Sitting) -> None:
    cast.record(table)
    assert change(keeper, table, leaving="5", joining="6", then="stays") == 302
    session = table.session
    assert status_of(session.tournament.entries.get(number=5), 1) == Status.EXPECTED
    sitting_out = keeper.get(session.get_absolute_url()).context["without_seat"]
    assert [entry.number for entry, _reason in sitting_out] == [7]
    listed = keeper.get(reverse("seats", args=[session.tournament.slug])).context["seats"]
    assert [seat.entry.number for seat in listed if seat.sits_out] == [7]


@pytest.mark.parametrize("is_called", [True, False])
def test_who_sits_down_unchecked_is_present_if_the_roll_is_called(
    keeper: Client, table: Sitting, *, is_called: bool
) -> None:
    """Where nobody calls a roll, one mark would ask for everybody else's."""
    tournament = table.session.tournament
    if is_called:
        first = tournament.entries.get(number=1)
        present, expected = Status.PRESENT, Status.EXPECTED
        presence.mark_presence(first, 1, present, seen_status=expected, by=cast.SOMEBODY)
    cast.record(table)
    assert change(keeper, table, joining="7") == 302
    marks = tournament.entries.get(number=7).presence.values_list("status", flat=True)
    assert list(marks) == ([Status.PRESENT] if is_called else [])


def test_change_is_taken_back(keeper: Client, table: Sitting) -> None:
    tournament = table.session.tournament
    cast.record(table)
    before = sheet_of(table).next_round
    assert change(keeper, table, leaving="5", joining="6", then="withdraws") == 302
    goes_on = last_continuation(table)
    assert "Undo this change" in keeper.get(address(goes_on)).text
    assert change(keeper, goes_on, take_back="1") == 302
    assert sheet_of(goes_on).next_round == before
    assert status_of(tournament.entries.get(number=5), 1) == Status.PRESENT
    assert "players-changed" not in keeper.get(table.get_absolute_url()).text
    assert "Undo this change" not in keeper.get(address(goes_on)).text
    acts = tournament.audit_entries.count()
    assert change(keeper, goes_on, take_back="1") == 302  # two presses are one act
    assert tournament.audit_entries.count() == acts
    assert change(keeper, goes_on, leaving="5", joining="6", then="withdraws") == 302
    cast.record(goes_on, cast.plain_round(goes_on))
    assert change(keeper, goes_on, take_back="1") == 409
    assert verification.verify(tournament) == []


def test_round_recorded_since_the_page_was_opened_is_told(keeper: Client, table: Sitting) -> None:
    """The page names the round from which others play."""
    form = keeper.get(address(table)).context["form"]
    opened = {name: form[name].value() for name in ("seen", "rounds")}
    cast.record(table, cast.plain_round(table))
    response = keeper.post(address(table), {**opened, "leaving": "5", "joining": "6"})
    assert response.status_code == 409
    assert "This table has recorded more since you opened this page." in response.text
    form = response.context["form"]
    typed = {name: form[name].value() for name in ("seen", "rounds", "leaving", "joining")}
    assert keeper.post(address(table), typed).status_code == 302
    assert seated(last_continuation(table)) == "1 2 3 4 6"


@pytest.mark.parametrize(
    "typed", [{}, {"joining": "だれもいない"}, {"joining": "1"}, {"leaving": "1"}, {"leaving": "9"}]
)
def test_impossible_change_is_refused(
    keeper: Client, table: Sitting, typed: dict[str, str]
) -> None:
    assert change(keeper, table, **typed) == 422
    assert seated(table) == "1 2 3 4 5"


@pytest.mark.parametrize("has_played", [False, True])
@pytest.mark.parametrize("by_another", [{"joining": "6"}, {"joining": "6", "leaving": "1"}])
@pytest.mark.parametrize(
    "typed", [{"joining": "7"}, {"joining": "6", "leaving": "2"}, {"joining": "7", "leaving": "1"}]
)
def test_change_by_another_is_told(
    keeper: Client,
    table: Sitting,
    has_played: bool,
    by_another: dict[str, str],
    typed: dict[str, str],
) -> None:
    if has_played:
        cast.record(table, cast.plain_round(table))
    opened = {"seen": "1.2.3.4.5", "position": "5", "then": "stays", "reason": "遅刻"}
    for _sent_twice in range(2):
        assert keeper.post(address(table), opened | by_another).status_code == 302
    present = sheet_of(last_continuation(table)).players
    response = keeper.post(address(table), opened | typed)
    assert response.status_code == 409
    assert "have changed since you opened this page" in response.text
    assert "is not one of the available choices" not in response.text
    form = response.context["form"]
    assert form["seen"].value() == ".".join(present)
    assert (form["reason"].value(), form["then"].value()) == ("遅刻", "stays")
    goes_on = last_continuation(table)
    assert f'action="{address(goes_on)}"' in response.text
    shown = {"seen": form["seen"].value(), "joining": "7", "leaving": "3"}
    assert keeper.post(address(goes_on), shown).status_code == 302
    assert seated(last_continuation(table)) == " ".join(present).replace("3", "7")


@pytest.mark.parametrize("rounds", [0, 2])
def test_nobody_is_offered_to_join_a_table_that_is_over(
    keeper: Client, table: Sitting, rounds: int
) -> None:
    for number in range(1, rounds + 1):
        cast.record(table, cast.plain_round(table), number=number)
    sessions.end_session(table.session, stopping=[1], by=cast.SOMEBODY)
    page = keeper.get(address(table)).text
    assert (
        "This table has played all its rounds, or its session has ended, so its players can no "
        "longer change." in page
    )
    assert "The table continues with" not in page
    assert "Change the players" not in page
    assert address(table) not in keeper.get(table.get_absolute_url()).text
    event = [table.session.tournament.slug]
    told = {
        name: " ".join(keeper.get(reverse(name, args=event)).text.split())
        for name in ("tournament", "board", "history")
    }
    assert "Session 1 is over." in told["board"]
    assert not re.search(r"are (in|recorded)\.", told["board"] + told["tournament"])
    assert "Tables stopped before the end: 1" in told["history"]


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
    page.select_option("[name=joining]", "6")
    page.select_option("[name=position]", "2")
    page.click("main .button-primary")
    expect(page.locator("table.by-round tbody tr")).to_have_count(6)
    expect(page.locator("table.by-round tbody tr").nth(2)).to_contain_text("木村 勇")
    tournament = Tournament.objects.get()
    assert verification.verify(tournament) == []
    assert seated(last_continuation(table)) == "1 2 6 3 4 5"
