"""Final totals typed in: versions, where they count, and how they are marked."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tests.api import code, phone
from tournaments import verification
from tournaments.audit.guards import lift_guards
from tournaments.models import Entry, Sitting, SittingTotals, Tournament
from tournaments.queries import exchanges, round_validation
from tournaments.queries.events import Event
from tournaments.queries.presence import Status
from tournaments.queries.progress import progress_of, sessions_of
from tournaments.queries.sheets import sheet_of
from tournaments.services import (
    handover,
    presence,
    publications,
    ranking,
    seating,
    substitutions,
    totals,
)
from tournaments.services.exchanges import exchange
from tournaments.services.versions import ranking_version

FAIR = {1: 13, 2: 13, 3: -13, 4: 13, 5: -13, 6: -13}
MARK = "totals only"


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    tournament.totals_only = True
    tournament.save()
    return cast.make_sitting(tournament)


def address(sitting: Sitting, name: str = "enter-totals") -> str:
    session = sitting.session
    return reverse(name, args=[session.tournament.slug, session.number, sitting.number])


def typed(points: dict[int, int], *, seen: int = 0, **others: Any) -> dict[str, Any]:
    return {f"total_{number}": own for number, own in points.items()} | {"seen": seen} | others


def test_sum_is_shown_while_typing(page: Page, live_server: LiveServer, sitting: Sitting) -> None:
    cast.make_staff(sitting.session.tournament, "keeper")
    page.goto(f"{live_server.url}{reverse('log-in')}?next={address(sitting)}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.keyboard.press("Enter")
    for number, points in FAIR.items():
        page.fill(f"[name=total_{number}]", str(points))
        so_far = sum(FAIR[each] for each in range(1, number + 1))
        shown = {True: "+", False: "−"}[so_far > 0] + str(abs(so_far)) if so_far else "0"
        expect(page.locator("output")).to_have_text(shown)
    expect(page.locator("form .icon-check")).to_be_visible()
    page.fill("[name=total_1]", "ー１３")
    expect(page.locator("output")).to_have_text("−26")
    expect(page.locator("form .icon-check")).to_be_hidden()


def test_totals_are_typed_and_count(scorekeeper: Client, sitting: Sitting) -> None:
    assert scorekeeper.post(address(sitting), typed(FAIR)).status_code == 302
    rows = cast.standings_for(sitting.session.tournament)
    assert {row.entry.number: row.place.points for row in rows if row.place} == FAIR
    assert sheet_of(sitting).is_finished
    assert [act.kind for act in sitting.session.tournament.audit_entries.all()][
        -1
    ] == "totals_entered"
    assert verification.verify(sitting.session.tournament) == []


@pytest.mark.parametrize("are_in", [False, True])
def test_pages_of_rounds_say_that_only_totals_are_typed(
    scorekeeper: Client, sitting: Sitting, are_in: bool
) -> None:
    if are_in:
        scorekeeper.post(address(sitting), typed(FAIR))
    browser, table = cast.in_english(scorekeeper), phone(sitting)
    said = "the desk enters only the totals."
    lines = {"rounds": "6 13 59", "first": 1, "seen": 0}
    assert said in browser.post(address(sitting, "preview-sheet"), lines).text
    for client in (browser, cast.in_english(visitor := Client())):
        visitor.get(reverse("join-table", args=[sitting.token]))
        page = client.get(address(sitting, "play-table"), follow=True)
        assert (page.request["PATH_INFO"], said in page.text) == (sitting.get_absolute_url(), True)
    to, facts = f"/api/sittings/{sitting.pk}/rounds/1", cast.plain_round(sitting)
    of = {"of": handover.event_digest(sitting), "to": to, "key": "k", "seen": 0, "reason": ""}
    for button in ({}, {"store": "1"}):
        brought = json.dumps(of | {"facts": facts})
        assert said in browser.post("/desk/", {"rounds": brought} | button).text
    answer = table.put(to, {"facts": facts, "seen": 0})
    assert code(answer) == (422, "only_totals")


def test_the_next_table_follows_then_the_board(scorekeeper: Client, tournament: Tournament) -> None:
    tournament.totals_only = True
    tournament.save()
    people = cast.make_entries(tournament, 12)
    seated = [people[:6], people[6:]]
    one, other = seating.open_session(tournament, seated, by=cast.SOMEBODY).sittings.all()
    form = scorekeeper.get(address(one)).text
    assert -1 < form.find('name="next">') < form.find('button">保存<')  # Enter sends the first
    first = scorekeeper.post(address(one), typed(FAIR, next=""))
    assert scorekeeper.get(first["Location"])["Location"] == address(other)  # by way of its sheet
    second = {number + 6: own for number, own in FAIR.items()}
    board = reverse("board", args=[tournament.slug])
    assert scorekeeper.post(address(other), typed(second, next=""))["Location"].startswith(board)


def test_impossible_sum_needs_a_tick(scorekeeper: Client, sitting: Sitting) -> None:
    wrong = FAIR | {1: 12}
    answer = scorekeeper.post(address(sitting), typed(wrong))
    assert answer.status_code == 422
    assert "despite" in answer.context["form"].errors
    assert "0でなくても保存する: " not in answer.text  # the tick is not what the sentence is about
    assert scorekeeper.post(address(sitting), typed(wrong, despite="on")).status_code == 302


@pytest.mark.both
@pytest.mark.parametrize("nonsense", ["", "x", "1.5", "\x00", "9" * 30])
def test_text_that_is_no_total_is_refused(
    scorekeeper: Client, sitting: Sitting, nonsense: str
) -> None:
    answer = scorekeeper.post(address(sitting), typed(FAIR) | {"total_1": nonsense})
    assert answer.status_code == 422
    assert not SittingTotals.objects.exists()


def test_the_cursor_is_in_the_box_that_is_wrong(scorekeeper: Client, sitting: Sitting) -> None:
    answer = scorekeeper.post(address(sitting), typed(FAIR) | {"total_3": "x"})
    focused = [box.name for box in answer.context["form"].boxes() if "autofocus" in str(box)]
    assert focused == ["total_3"]


@pytest.mark.both
def test_a_correction_has_a_reason_and_keeps_the_old_version(
    scorekeeper: Client, sitting: Sitting
) -> None:
    scorekeeper.post(address(sitting), typed(FAIR))
    other = {number: -own for number, own in FAIR.items()}
    assert scorekeeper.post(address(sitting), typed(other, seen=1)).status_code == 422
    right = typed(other, seen=1, reason="符号が逆")
    assert scorekeeper.post(address(sitting), right).status_code == 302
    assert [row.reason for row in SittingTotals.objects.order_by("version")] == ["", "符号が逆"]
    assert verification.verify(sitting.session.tournament) == []


@pytest.mark.both
def test_a_stale_page_replaces_nothing(scorekeeper: Client, sitting: Sitting) -> None:
    scorekeeper.post(address(sitting), typed(FAIR))
    other = {number: -own for number, own in FAIR.items()}
    answer = scorekeeper.post(address(sitting), typed(other, reason="x"))
    assert answer.status_code == 409
    assert answer.context["form"]["seen"].value() == "1"
    assert SittingTotals.objects.count() == 1


def pages_of(sitting: Sitting) -> list[str]:
    session, slug = sitting.session, sitting.session.tournament.slug
    return [
        sitting.get_absolute_url(),
        session.get_absolute_url(),
        session.tournament.get_absolute_url(),
        reverse("standings", args=[slug]),
        reverse("player", args=[slug, 1]),
    ]


def test_typed_totals_are_marked_everywhere(scorekeeper: Client, sitting: Sitting) -> None:
    scorekeeper.post(address(sitting), typed(FAIR))
    browser, slug = cast.in_english(scorekeeper), sitting.session.tournament.slug
    marked = [address(sitting), *pages_of(sitting)]
    assert [url for url in marked if MARK not in browser.get(url).text] == []
    of_rounds = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(of_rounds)
    assert [url for url in pages_of(of_rounds) if MARK in browser.get(url).text] == []
    book = load_workbook(BytesIO(browser.get(reverse("standings-workbook", args=[slug])).content))
    cells = [cell for row in book["Rules"].iter_rows(values_only=True) for cell in row]
    assert "Sessions with typed totals only" in cells


def test_pages_tell_how_totals_get_there_and_when(director: Client, sitting: Sitting) -> None:
    cast.in_english(director)
    event = sitting.session.tournament.get_absolute_url()
    publications.show_live(sitting.session.tournament, by=cast.SOMEBODY)
    overview = " ".join(director.get(event).text.split())
    assert "the desk enters the totals of each table" in overview
    assert "record their rounds" not in overview
    table, players = sitting.get_absolute_url(), address(sitting, "table-players")
    cells = re.compile(r'<td class="num points total">\s*(\S+)\s*</td>')
    assert cells.findall(director.get(table).text) == ["–"] * 6
    assert "Nothing is recorded here yet" in director.get(players).text
    director.post(address(sitting), typed(FAIR))
    assert "+13" in cells.findall(director.get(table).text)
    assert "Nothing is recorded here yet" not in director.get(players).text


def test_no_rounds_are_recorded_there(scorekeeper: Client, sitting: Sitting) -> None:
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    assert scorekeeper.get(reverse("record-round", args=[*place, 1])).status_code == 404
    assert scorekeeper.get(address(sitting, "enter-sheet"))["Location"] == address(sitting)
    with pytest.raises(round_validation.NotNext):
        cast.record(sitting)


def test_later_session_may_record_rounds(scorekeeper: Client, sitting: Sitting) -> None:
    scorekeeper.post(address(sitting), typed(FAIR))
    tournament = Tournament.objects.get()
    tournament.totals_only = False
    tournament.save()
    finalists = list(tournament.entries.all())
    final = seating.open_session(tournament, [finalists], by=cast.SOMEBODY).sittings.get()
    row = cast.record(final)
    points = sheet_of(final).score.rounds[0].points
    for number, before in FAIR.items():  # the running total goes on from the typed one
        page = scorekeeper.get(reverse("player", args=[tournament.slug, number]))
        [own] = page.context["tables"][0].rounds
        assert own.total == before + points[str(number)]
    places = {
        each.entry.number: each.place for each in cast.standings_for(tournament) if each.place
    }
    assert {number: place.points for number, place in places.items()} == {
        number: own + points[str(number)] for number, own in FAIR.items()
    }
    assert row.version == 1
    assert sheet_of(sitting).is_totals_only


def test_totals_do_not_count_as_rounds(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    points = {str(number): own for number, own in FAIR.items()}
    totals.enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    totals.enter_totals(sitting, points, seen_version=1, by=cast.SOMEBODY)
    assert SittingTotals.objects.count() == 1
    tournament.totals_only = False
    tournament.save()
    everybody = list(tournament.entries.all())
    final = seating.open_session(tournament, [everybody], by=cast.SOMEBODY).sittings.get()
    cast.record(final)
    scored = sheet_of(final).score.rounds[0].points
    standings = list(cast.standings_for(tournament))
    assert len(standings) == len(everybody)
    for row in standings:
        own = scored[row.entry.key]
        assert row.place is not None
        assert row.place.values == (FAIR[row.entry.number] + own, int(own > 0), own)
        assert row.place.rounds_played == 1


def test_standings_show_rounds_only_where_some_are_recorded(
    scorekeeper: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    scorekeeper.post(address(sitting), typed(FAIR))
    browser = cast.in_english(scorekeeper)
    standings = reverse("standings", args=[tournament.slug])
    for page in (browser.get(standings).text, browser.get(f"{standings}?wall=1").text):
        assert "totals entered for 1 table" in page
        assert "Best round" not in page
        assert ">Rounds<" not in page
        assert "round counted" not in page
    workbook = browser.get(reverse("standings-workbook", args=[tournament.slug])).content
    book = load_workbook(BytesIO(workbook))
    assert book.sheetnames == ["Standings", "Rules"]
    assert "Session 1" in [cell.value for cell in book["Standings"][1]]


def test_standings_tell_the_sessions_played_where_they_differ(
    scorekeeper: Client, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    scorekeeper.post(address(sitting), typed(FAIR))
    page = reverse("standings", args=[tournament.slug])
    assert "出た回戦数" not in scorekeeper.get(page).text
    people = [*tournament.entries.all(), *cast.make_entries(tournament, 1)]
    second = seating.open_session(tournament, [people[1:]], by=cast.SOMEBODY).sittings.get()
    scorekeeper.post(address(second), typed({i + 1: own for i, own in FAIR.items()}))
    assert "出た回戦数" in scorekeeper.get(page).text
    rows = scorekeeper.get(f"/api/tournaments/{tournament.slug}/standings").json()["standings"]
    counted = {row["number"]: row["sessions_played"] for row in rows}
    assert counted == {1: 1, **dict.fromkeys(range(2, 7), 2), 7: 1}
    assert "+13" in scorekeeper.get(sitting.session.get_absolute_url()).text


def test_page_says_whose_are_the_totals_of_a_substitute(
    scorekeeper: Client, tournament: Tournament
) -> None:
    tournament.totals_only = True
    tournament.save()
    absent, *others = cast.make_entries(tournament, 6)
    presence.mark_presence(absent, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=cast.SOMEBODY)
    stands_in = substitutions.add_substitute(absent, 1, {"name": "代田"}, by=cast.SOMEBODY)
    players = [stands_in.substitute, *others]
    table = seating.open_session(tournament, [players], by=cast.SOMEBODY).sittings.get()
    points = {7: 13, 2: 13, 3: -13, 4: 13, 5: -13, 6: -13}
    scorekeeper.post(address(table), typed(points))

    def shown(number: int) -> tuple[int, bool]:
        page = scorekeeper.get(reverse("player", args=[tournament.slug, number]))
        return len(page.context["typed"]), "合計には入りません" in page.text

    told = []
    for choice in ("substitute", "place", "nobody"):
        chosen = {"tie_breaks": ["points"], "substitutes": choice}
        seen = ranking_version(tournament)
        ranking.set_ranking(tournament, chosen, seen_version=seen, by=cast.SOMEBODY)
        told.append((shown(1), shown(7)))
    assert told == [
        ((0, False), (1, False)),
        ((1, False), (1, True)),
        ((0, False), (1, True)),
    ]


@pytest.mark.both
def test_exchanged_players_take_their_totals_with_them(
    scorekeeper: Client, sitting: Sitting
) -> None:
    totals.enter_totals(
        sitting, {str(k): v for k, v in FAIR.items()}, seen_version=0, by=cast.SOMEBODY
    )
    one, other = Entry.objects.get(number=1), Entry.objects.get(number=3)
    stamp = exchanges.plan_exchange(sitting.session, one, other).stamp
    exchange(sitting.session, one, other, seen_stamp=stamp, by=cast.SOMEBODY, reason="mixed up")
    assert sheet_of(sitting).score.totals["3"] == 13
    joins = cast.make_entries(sitting.session.tournament, 1)[0]
    stamp = exchanges.plan_exchange(sitting.session, other, joins).stamp
    exchange(sitting.session, other, joins, seen_stamp=stamp, by=cast.SOMEBODY, reason="mixed up")
    versions = scorekeeper.get(address(sitting)).context["versions"]
    key_of = {name: key for key, name in Event(sitting.session.tournament).names.items()}
    told = [{int(key_of[name]): points for name, points in totals} for _row, totals in versions]
    second = FAIR | {1: -13, 3: 13}
    third = {number: points for number, points in second.items() if number != 3} | {7: 13}
    assert told == [third, second, FAIR]
    assert sheet_of(sitting).score.totals["1"] == -13
    assert verification.verify(sitting.session.tournament) == []


@pytest.mark.both
def test_verification_finds_a_manipulated_total(sitting: Sitting) -> None:
    totals.enter_totals(sitting, {"1": 5}, seen_version=0, by=cast.SOMEBODY)
    lift_guards()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_sittingtotals SET points = '{\"1\": 6}'")
    assert len(verification.verify(sitting.session.tournament)) == 1


@pytest.mark.both
def test_rows_cannot_be_changed_or_deleted(sitting: Sitting) -> None:
    totals.enter_totals(sitting, {"1": 5}, seen_version=0, by=cast.SOMEBODY)
    row = SittingTotals.objects.get()
    for change in (row.save, row.delete, SittingTotals.objects.all().delete):
        with pytest.raises(TypeError):
            change()
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM tournaments_sittingtotals")


def test_tables_with_rounds_redirect_to_their_sheet(
    scorekeeper: Client, tournament: Tournament
) -> None:
    sitting = cast.make_sitting(tournament)
    assert scorekeeper.get(address(sitting))["Location"] == address(sitting, "enter-sheet")


def test_setting_applies_to_later_sessions(director: Client, tournament: Tournament) -> None:
    settings = reverse("edit-tournament", args=[tournament.slug])
    page = director.get(settings)
    form, seen = page.context["form"], page.context["seen"]
    typed_so = {name: form[name].value() or "" for name in form.fields}
    typed_so |= {"totals_only": "on", "seen": seen}
    answer = director.post(settings, typed_so)
    assert answer.status_code == 302, answer.context["form"].errors
    assert Tournament.objects.get().totals_only


def test_table_with_totals_is_finished(scorekeeper: Client, sitting: Sitting) -> None:
    tournament = sitting.session.tournament

    def far() -> list[tuple[int, int | None]]:
        [of_tournament] = progress_of(Tournament.objects.filter(pk=tournament.pk))
        found = [of_tournament.progress, *(each.progress for each in sessions_of(tournament))]
        return [(each.recorded, each.planned) for each in found]

    assert far() == [(0, 1), (0, 1)]
    scorekeeper.post(address(sitting), typed(FAIR))
    assert far() == [(1, 1), (1, 1)]
    tournament.totals_only = False
    tournament.save()
    final = seating.open_session(tournament, [list(tournament.entries.all())], by=cast.SOMEBODY)
    cast.record(final.sittings.get())
    assert far() == [(2, 11), (1, 1), (1, 10)]
