"""Seating a session by lot or by tables typed in."""

import re
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.proposals import Page, assign, numbers, propose
from tests.races import run_before
from tournaments.models import Session, Tournament
from tournaments.queries.presence import Status
from tournaments.services import entries, presence, seat_proposals, seating
from tournaments.services.entries import add_entries


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("seat-session", args=[tournament.slug])


def seat_typed(browser: Client, address: str, tables: str) -> Page:
    """Propose seats, type these tables instead, and confirm those that would sit out."""
    answer = assign(browser, propose(browser, address), tables)
    return assign(browser, answer) if answer.status_code == 409 else answer


def seated() -> list[list[int]]:
    session = Session.objects.order_by("number").last()
    assert session
    return [
        [seat.entry.number for seat in sitting.seats.all()] for sitting in session.sittings.all()
    ]


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 6)
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address).status_code == 404
        assert browser.post(address).status_code == 404
    assert not Session.objects.exists()


def test_proposed_draw_is_stored(director: Client, tournament: Tournament, address: str) -> None:
    cast.make_entries(tournament, 60)
    page = propose(director, address)
    drawn = numbers(page.context["tables"])
    assert [len(table) for table in drawn] == [6] * 10
    answer = assign(director, page)
    assert answer.headers["Location"] == Session.objects.get().get_absolute_url()
    assert seated() == drawn


def mark(tournament: Tournament, statuses: dict[int, Status]) -> None:
    """`statuses` are by player number. The first session's roll call is marked."""
    for number, status in statuses.items():
        entry, expected = tournament.entries.get(number=number), Status.EXPECTED
        presence.mark_presence(entry, 1, status, seen_status=expected, by=SOMEBODY)


def test_who_is_away_sits_out(director: Client, tournament: Tournament, address: str) -> None:
    cast.make_entries(tournament, 15)
    mark(tournament, {2: Status.ABSENT, 7: Status.LATE, 9: Status.WITHDRAWN})
    page = propose(director, address)
    assert page.context["draw_form"].initial["out"] == "2 7 9"
    assert sorted(each.number for table in page.context["tables"] for each in table) == [
        *(1, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14, 15)
    ]
    assert [status.value for status in page.context["roll"].away] == ["late", "absent", "withdrawn"]
    chosen = propose(director, address, out="2 7 9 10 15")
    assert {each.number for each in chosen.context["left_out"]} > {2, 7, 9, 10, 15}
    assert {10, 15} < {each.number for each in chosen.context["sitting_out"]}  # 2, 7, 9 are away
    assert "抜け番の人のこの回戦の点数：点数なし" in chosen.text


def test_only_those_present_are_seated_if_wanted(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 12)
    wish = 'name="seat" value="present"'
    assert wish not in director.get(address).text
    mark(tournament, dict.fromkeys(range(1, 7), Status.PRESENT))
    assert wish in director.get(address).text
    page = propose(director, address)
    assert wish in page.text
    assert len(page.context["tables"]) == 2
    only_present = propose(director, address, seat="present")
    [table] = only_present.context["tables"]
    assert {each.number for each in table} == set(range(1, 7))
    assert 'name="seat" value="all"' in only_present.text
    mark(tournament, dict.fromkeys(range(7, 13), Status.PRESENT))
    assert wish not in propose(director, address).text  # nobody is left unchecked


def test_players_who_sit_out_are_not_drawn(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 7)
    page = propose(director, address, out="３")
    assert [entry.number for entry in page.context["left_out"]] == [3]
    assert assign(director, page).status_code == 302
    assert sorted(seated()[0]) == [1, 2, 4, 5, 6, 7]


def test_an_unknown_number_sits_nowhere(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_entries(tournament, 6)
    unknown = propose(director, address, out="99 x")
    assert unknown.context["draw_form"].errors
    assert 'name="tables"' not in unknown.text  # no draw that could be settled by mistake


def test_without_players_the_page_links_to_them(
    director: Client, tournament: Tournament, address: str
) -> None:
    assert reverse("entries", args=[tournament.slug]) in director.get(address).text


def test_tables_are_seated_as_typed(director: Client, tournament: Tournament, address: str) -> None:
    cast.make_entries(tournament, 12)
    seat_typed(director, address, "12 11 10、9 8,7\n\n１ 2 3 4 5 6\n")
    assert seated() == [[12, 11, 10, 9, 8, 7], [1, 2, 3, 4, 5, 6]]


@pytest.mark.both
def test_every_problem_names_its_table_and_input_is_kept(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    cast.make_entries(tournament, 12)
    tables = "1 2 3 4 5 99\n\n6 7 8 9 1 x\n10 11"
    answer = seat_typed(director, address, tables)
    assert answer.status_code == 422
    problems = answer.context["form"].errors["tables"]
    assert [problem[:7] for problem in problems] == ["Table 1", "Table 2", "Table 2", "Table 3"]
    assert "成田 キヨ has a seat already, at table 1" in problems[1]
    assert ">Table 1:" in re.sub(r">\s+", ">", answer.text)  # not behind the name of the field
    assert answer.context["form"]["tables"].value() == tables
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_partners_sit_down_in_fours(client: Client) -> None:
    tournament = cast.make_tournament("gong-zhu", partners=True)
    browser = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    cast.make_entries(tournament, 8)
    page = propose(browser, reverse("seat-session", args=[tournament.slug]))
    assert [len(table) for table in page.context["tables"]] == [4, 4]


def test_player_deleted_meanwhile_is_not_seated(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = cast.make_entries(tournament, 7)[6]
    remove = partial(entries.remove_entry, last, by=cast.SOMEBODY)
    page = propose(cast.in_english(director), address, out="1")
    run_before(monkeypatch, seat_proposals, "confirm", remove)
    answer = assign(director, page)
    assert answer.status_code == 409
    assert answer.context["proposal"].misfits.gone == ["7"]
    assert "is no longer on the list" in answer.text
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_table_size_changed_meanwhile_is_enforced(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = cast.make_tournament("gong-zhu")
    browser = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    cast.make_entries(tournament, 5)
    page = propose(browser, reverse("seat-session", args=[tournament.slug]))
    choose = partial(Tournament.objects.update, partners=True)
    run_before(monkeypatch, seat_proposals, "confirm", choose)
    assert assign(browser, page).status_code == 409
    assert assign(browser, page).status_code == 422
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_club_table_has_one_session() -> None:
    tournament = cast.make_tournament(kind=Tournament.Kind.TABLE)
    browser = cast.browser_of(cast.make_staff(tournament, "chief", "director"))
    cast.make_sitting(tournament)
    page = propose(browser, reverse("seat-session", args=[tournament.slug]))
    assert assign(browser, page).status_code == 422
    assert Session.objects.count() == 1
    assert browser.get(tournament.get_absolute_url()).status_code == 302


@pytest.fixture
def seated_session(tournament: Tournament) -> Session:
    """The first six of eight at a table."""
    names = [f"{name}{i}" for i, name in enumerate("一二三四五六七八", 1)]
    people = [{"name": name, "reading": f"よみ{name}"} for name in names]
    entries = add_entries(tournament, people, by=SOMEBODY)
    return seating.open_session(tournament, [entries[:6]], by=SOMEBODY)


def test_players_are_typed_by_name(director: Client, seated_session: Session) -> None:
    address = reverse("seat-session", args=[seated_session.tournament.slug])
    drawn = propose(director, address, out="七、よみ八8")
    assert {entry.number for entry in drawn.context["left_out"]} == {7, 8}
    assert assign(director, drawn, "一 二 三 四 五 6").status_code == 302
    assert seated_session.tournament.sessions.count() == 2
