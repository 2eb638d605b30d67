"""The board: the state of every table, open calls and disputes, and how it is updated."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests import cast, clocks, stages
from tests.markup import tight
from tournaments.models import (
    Acceptance,
    Call,
    Disagreement,
    Entry,
    Phone,
    Session,
    Tournament,
)
from tournaments.queries import exchanges
from tournaments.queries.board import board_of, board_version, desk_requests_in
from tournaments.queries.presence import Status
from tournaments.queries.sheets import sheet_of
from tournaments.server.peer_limits import LIVE_PHONE, HeldBack
from tournaments.services import acceptances, calls, disputes, phones, presence, seating
from tournaments.services import exchanges as exchanges_service
from tournaments.services.entries import correct_entry
from tournaments.services.publications import show_live
from tournaments.services.table_players import change_players

MOST_SECONDS = 10  # of the page's own clock, until the board asks for what was recorded


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Three tables of six."""
    return cast.make_session(tournament, tables=3)


def address(session: Session, name: str = "board") -> str:
    return reverse(name, args=[session.tournament.slug])


def other_facts(session: Session) -> dict[str, Any]:
    players = cast.keys(session.sittings.get(number=1))
    return {
        "dealer": players[-1],
        "kankei": [players[0], players[3]],
        "deals": [{"kankei": 5, "mukankei": 9}],
    }


def test_board_shows_the_progress_of_every_table(scorekeeper: Client, session: Session) -> None:
    cast.record(session.sittings.get(number=2))
    page = cast.in_english(scorekeeper).get(address(session))
    assert page.status_code == 200
    assert [table.sheet.state for table in page.context["board"].tables] == [
        "waiting",
        "playing",
        "waiting",
    ]
    assert "成田 キヨ" in page.content.decode()


@pytest.mark.parametrize("status", [Status.WITHDRAWN, Status.ABSENT, Status.LATE])
def test_player_who_is_away_is_told_at_the_table(
    scorekeeper: Client, session: Session, status: Status
) -> None:
    """On the board and on the page of the session, for the staff alone, until it is mended."""
    table = session.sittings.get(number=2)
    seats = table.seats.select_related("entry")
    gone, joining = seats[1].entry, cast.make_entries(session.tournament, 1)[0]
    presence.mark_presence(gone, 1, status, seen_status=Status.EXPECTED, by=cast.SOMEBODY)
    place = [session.tournament.slug, 1, 2]
    told = f'href="{reverse("table-players", args=place)}">{status.label}'
    pages = address(session), address(session, "board-tables"), session.get_absolute_url()
    for each in pages:
        assert told in tight(scorekeeper.get(each).text)
    show_live(session.tournament, by=cast.SOMEBODY)
    public = Client().get(session.get_absolute_url())
    assert gone.name in public.text
    assert str(status.label) not in public.text.partition('id="tables"')[2]
    sheet = sheet_of(table)
    players = [joining if each == gone else each for each in sheet.entries]
    change_players(table, players, seen_players=sheet.players, by=cast.SOMEBODY)
    for each in pages:
        assert told not in tight(scorekeeper.get(each).text)


def test_finished_session_links_to_the_next_step(
    scorekeeper: Client, director: Client, tournament: Tournament
) -> None:
    sitting = cast.make_sitting(tournament)
    pages = [reverse(name, args=[tournament.slug]) for name in ("board", "board-tables")]
    leads = [reverse(name, args=[tournament.slug]) for name in ("publish", "seat-session")]
    for number in range(1, 11):
        assert not any(f'href="{leads[0]}"' in director.get(page).text for page in pages[1:])
        cast.record(sitting, number=number)
    for page in pages:
        told = [f'href="{lead}"' in director.get(page).text for lead in leads]
        assert all(told), page
    assert not any(f'href="{lead}"' in scorekeeper.get(pages[1]).text for lead in leads)
    awards = f'href="{reverse("awards", args=[tournament.slug])}"'
    for planned, comes_first in ((3, leads[1]), (1, leads[0])):
        Tournament.objects.update(sessions_planned=planned)
        overview, board = director.get(tournament.get_absolute_url()), director.get(pages[1])
        for found in (overview.text, board.text):
            assert found.index(comes_first) == min(map(found.index, leads)), planned
        assert (awards in board.text) == (planned == 1)
        assert ("もう1回戦行う" in board.text) == (planned == 1)


def test_a_slow_table_is_marked(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    for sitting in session.sittings.all():
        cast.record(sitting)
    now = timezone.now() + timedelta(minutes=20, seconds=5)
    assert board_of(session, now).slow == ()  # all have waited as long
    clocks.stop(monkeypatch, now - timedelta(minutes=2))
    for number in (1, 3):
        cast.record(session.sittings.get(number=number), number=2)
    board = board_of(session, now)
    assert [table.minutes for table in board.tables] == [2, 20, 2]
    assert [table.sheet.sitting.number for table in board.slow] == [2]


def test_correction_does_not_count_as_a_new_round(session: Session) -> None:
    sitting = session.sittings.get(number=1)
    first = cast.record(sitting)
    cast.record(sitting, other_facts(session), seen=1, reason="read wrongly")
    board = board_of(session, first.recorded_at + timedelta(minutes=5))
    assert board.tables[0].minutes == 5


def test_rounds_that_wait_for_acceptance_are_shown(session: Session) -> None:
    sitting = session.sittings.get(number=1)
    row = cast.record(sitting, by=cast.AT_THE_TABLE)
    now = timezone.now()
    assert board_of(session, now).unaccepted == 0
    session.tournament.accepting = Tournament.Accepting.SECOND
    session.tournament.save()
    assert board_of(Session.objects.get(pk=session.pk), now).unaccepted == 1
    Acceptance.objects.create(round=row)
    assert board_of(Session.objects.get(pk=session.pk), now).unaccepted == 0


def test_paper_entry_is_one_click_away(scorekeeper: Client, session: Session) -> None:
    table = session.sittings.get(number=2)
    typing = reverse("enter-sheet", args=[session.tournament.slug, session.number, table.number])
    board = reverse("board", args=[session.tournament.slug])
    assert f'href="{typing}"' in scorekeeper.get(board).text
    for number in range(1, 11):
        cast.record(table, number=number)
    assert f'href="{typing}"' not in scorekeeper.get(board).text


@pytest.mark.both
def test_rounds_typed_by_the_desk_need_no_acceptance(session: Session) -> None:
    session.tournament.accepting = Tournament.Accepting.SECOND
    session.tournament.save()
    typed_in, of_table = session.sittings.all()[:2]
    cast.record(typed_in)
    cast.record(of_table, by=cast.AT_THE_TABLE)
    other = {**cast.plain_round(of_table), "deals": [{"kankei": 4, "mukankei": 9}]}
    cast.record(of_table, other, seen=1, by=cast.AT_THE_TABLE, reason="read wrongly")
    board = board_of(Session.objects.get(pk=session.pk), timezone.now())
    assert [len(table.unaccepted) for table in board.tables][:2] == [0, 1]
    cast.record(of_table, number=2)
    cast.record(of_table, number=3, by=cast.AT_THE_TABLE)
    board = board_of(Session.objects.get(pk=session.pk), timezone.now())
    assert board.tables[1].unaccepted == (1, 3)


@pytest.mark.both
def test_what_the_desk_does_to_a_round_settles_no_other(
    scorekeeper: Client, session: Session
) -> None:
    """It corrects the second of four, and decides about the third and the fourth."""
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    sitting = Session.objects.get(pk=session.pk).sittings.get(number=1)

    def waiting() -> tuple[int, ...]:
        [table, *_] = board_of(sitting.session, timezone.now()).tables
        shown = scorekeeper.get(sitting.get_absolute_url()).text.count(">相手の確認待ち</span>")
        disputed = {each.number for each in table.disagreements}
        assert shown == len(set(table.unaccepted) - disputed)
        return table.unaccepted

    for number in (1, 2, 3, 4):
        cast.record(sitting, number=number, by=cast.AT_THE_TABLE)
    assert waiting() == (1, 2, 3, 4)
    other = other_facts(session)
    cast.record(sitting, other, number=2, seen=1, reason="read wrongly")
    assert waiting() == (1, 3, 4)
    taken, kept = (cast.make_disagreement(sitting, other, number) for number in (3, 4))
    same = cast.plain_round(sitting)
    row = sheet_of(sitting).rows[0]
    disputes.record_settled_dispute(sitting, 1, same, row, by=cast.AT_THE_TABLE)
    disputes.record_settled_dispute(sitting, 1, other, row, by=cast.SOMEBODY)
    assert waiting() == (1, 3, 4)  # nobody decided anything
    disputes.take_disputed_facts(taken, seen_version=1, by=cast.SOMEBODY, reason="x")
    assert waiting() == (1, 4)
    disputes.keep_stored_facts(kept, seen_version=1, by=cast.SOMEBODY)
    assert waiting() == (1,)
    cast.record(sitting, other, number=4, seen=1, by=cast.AT_THE_TABLE, reason="read wrongly")
    assert waiting() == (1, 4)  # another version than the desk has seen


def test_answered_call_is_in_the_audit_trail(scorekeeper: Client, session: Session) -> None:
    call = cast.make_call(session.sittings.get(number=2), "カードが足りない")
    assert "カードが足りない" in scorekeeper.get(address(session)).content.decode()
    answer = reverse("answer-call", args=[session.tournament.slug, call.pk])
    assert scorekeeper.post(answer).status_code == 302
    assert scorekeeper.post(answer).status_code == 302
    assert Call.objects.get().answered_at is not None
    assert [act.kind for act in session.tournament.audit_entries.all()].count("call_answered") == 1
    assert (
        "カードが足りない" not in scorekeeper.get(address(session, "board-tables")).content.decode()
    )


def test_table_page_shows_its_open_calls_and_disputes(
    scorekeeper: Client, client: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    Tournament.objects.update(accepting="same")
    cast.record(sitting, by=cast.AT_THE_TABLE)
    cast.make_call(sitting, "第1役を訂正してください", "correction")
    page = scorekeeper.get(sitting.get_absolute_url()).text
    assert page.count("訂正してください") == 1  # in the table's words, not once more in ours
    assert f"{address(session)}calls/" in page
    assert page.count(">相手の確認待ち</span>") == 1
    cast.make_disagreement(sitting)
    page = scorekeeper.get(sitting.get_absolute_url()).text
    assert page.count(">食い違い</span>") == 1
    show_live(sitting.session.tournament, by=cast.SOMEBODY)
    everybody = client.get(sitting.get_absolute_url()).text
    assert "訂正してください" not in everybody
    assert "食い違い" not in everybody


def test_overview_tells_the_staff_what_waits_for_the_desk_as_the_board_does(
    scorekeeper: Client, director: Client, client: Client, session: Session
) -> None:
    tournament = session.tournament
    show_live(tournament, by=cast.SOMEBODY)
    overview, link = tournament.get_absolute_url(), f"{address(session)}#"
    first, second = session.sittings.all()[:2]
    call, found = cast.make_call(second), cast.make_disagreement(first)
    waiting = desk_requests_in(tournament)
    assert len(waiting) == 2
    for staff in (scorekeeper, director):
        page = staff.get(overview)
        assert (page.context["disagreements"], page.context["calls"]) == (1, 1)
        assert "解決していない食い違いが1件あります" in page.text
        assert "対応していない呼び出しが1件あります" in page.text
        assert link in page.text
    told = client.get(overview).text
    assert not any(each in told for each in ("食い違い", "呼び出し", link))
    calls.answer_call(call, by=cast.SOMEBODY)
    told = director.get(overview).text
    assert ("食い違いが1件" in told, "呼び出しが" in told) == (True, False)
    stages.make_stage(tournament)
    decided = [stages.url("publish", tournament), stages.url("stage-members", tournament, 2)]
    for address_of_page in decided:
        assert "食い違いが1件" in director.get(address_of_page).text
    Disagreement.objects.filter(pk=found.pk).update(settled_at=timezone.now())
    for address_of_page in (overview, *decided):
        assert link not in director.get(address_of_page).text


def _settle(session: Session, found: Disagreement) -> tuple[str, None, list[Any]]:
    return "settle-disagreement", None, [session.tournament.slug, found.pk]


def test_another_tournaments_calls_and_disagreements_are_not_found(
    scorekeeper: Client, session: Session
) -> None:
    theirs = cast.make_sitting(cast.make_tournament())
    slug = session.tournament.slug
    call, found = cast.make_call(theirs), cast.make_disagreement(theirs)
    assert scorekeeper.post(reverse("answer-call", args=[slug, call.pk])).status_code == 404
    assert scorekeeper.get(reverse(*_settle(session, found))).status_code == 404
    assert scorekeeper.get(f"/tournaments/{slug}/board/?session=2").status_code == 404


def test_unchanged_board_answers_304(
    scorekeeper: Client,
    session: Session,
    django_assert_max_num_queries: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clocks.stop(monkeypatch)  # or else a minute may end meanwhile
    tables = address(session, "board-tables")
    first = scorekeeper.get(tables)
    with django_assert_max_num_queries(6):
        again = scorekeeper.get(tables, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    cast.record(session.sittings.get(number=1))
    changed = scorekeeper.get(tables, headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


def test_poll_gets_only_the_tables_that_have_changed(scorekeeper: Client, session: Session) -> None:
    tables = address(session, "board-tables")
    first = scorekeeper.get(tables).text
    marks = re.findall(r'<li class="sitting[^>]*data-mark="(\w+)"', first)
    cast.record(session.sittings.get(number=2))
    known = {"Board-Tables": " ".join(marks)}
    poll = scorekeeper.get(tables, headers=known)
    assert "Board-Tables" in poll["Vary"]
    assert re.findall(r'id="table-(\d)"', poll.text) == ["2"]
    unchanged = [f'<li id="board-table-{i}" data-mark="{marks[i - 1]}"></li>' for i in (1, 3)]
    assert all(each in poll.text for each in unchanged)
    in_english = cast.in_english(scorekeeper).get(tables, headers=known)
    assert re.findall(r'id="table-(\d)"', in_english.text) == ["1", "2", "3"]
    for other in ("", "x", " ".join(marks[:2])):
        poll = scorekeeper.get(tables, headers={"Board-Tables": other})
        assert re.findall(r'id="table-(\d)"', poll.text) == ["1", "2", "3"]


def test_head_of_the_board_keeps_its_mark(scorekeeper: Client, session: Session) -> None:
    """Although the CSRF token of a form in it differs each time."""
    cast.make_call(session.sittings.get(number=2))
    pages = [scorekeeper.get(address(session, "board-tables")).text for _ in range(2)]
    assert "csrfmiddlewaretoken" in pages[0]
    marks = [re.findall(r'id="board-head" data-mark="(\w+)"', page) for page in pages]
    assert marks[0] == marks[1]


def test_every_board_shows_what_waits_in_earlier_sessions(
    scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=2)
    call = cast.make_call(sitting, "カードが足りない")
    cast.record(sitting)
    found = cast.make_disagreement(sitting, other_facts(session))
    seats = [[seat.entry for seat in table.seats.all()] for table in session.sittings.all()]
    later = seating.open_session(session.tournament, seats, by=cast.SOMEBODY)
    cast.make_call(later.sittings.get(number=1))
    page = cast.in_english(scorekeeper).get(f"{address(session)}?session=2")
    board = page.context["board"]
    assert (board.session.number, board.waiting_for_desk) == (2, 3)
    assert [(tab.session.number, tab.waiting) for tab in board.tabs] == [(1, 2), (2, 1)]
    assert [table.needs_desk for table in board.tables] == [True, False, False]
    assert re.search(r"Session 1\s+Table 2", page.text)
    answer = reverse("answer-call", args=[session.tournament.slug, call.pk])
    assert f'action="{answer}?session=2"' in page.text
    assert f'href="{reverse(*_settle(session, found))}?session=2"' in page.text
    board_seen = f"{address(session)}?session=2"
    assert scorekeeper.post(f"{answer}?session=2")["Location"] == board_seen
    assert scorekeeper.post(f"{answer}?session=9")["Location"] == f"{address(session)}?session=1"
    tables = scorekeeper.get(address(session, "board-tables") + "?session=2")
    assert [tab.waiting for tab in tables.context["board"].tabs] == [1, 1]


@pytest.mark.both
def test_version_never_decreases(session: Session) -> None:
    """After every act of the desk or of a table."""
    sitting, by = session.sittings.get(number=1), cast.SOMEBODY
    call, row = cast.make_call(sitting), cast.record(sitting)
    found = cast.make_disagreement(sitting, other_facts(session))
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    deeds: list[Callable[[], object]] = [
        lambda: cast.record(sitting, number=2),
        lambda: acceptances.accept_round(sitting, 2, 1, by=by),
        lambda: calls.call_desk(sitting, "director", "x", by=by),
        lambda: calls.answer_call(call, by=by),
        lambda: disputes.open_dispute(sitting, 2, other_facts(session), row, by=by),
        lambda: disputes.keep_stored_facts(
            Disagreement.objects.get(number=2), seen_version=1, by=by
        ),
        lambda: disputes.take_disputed_facts(found, seen_version=1, by=by, reason="x"),
        lambda: phones.join(sitting.token),
        lambda: exchange(session, one, other),
        lambda: correct_entry(one, {**PERSON, "name": "x"}, seen_version=0, by=by),
    ]
    seen = [board_version(session.tournament)]
    for deed in deeds:
        deed()
        seen.append(board_version(session.tournament))
    assert seen == sorted(set(seen))


PERSON = {"name": "成田 キヨ", "club": "", "division": ""}


def exchange(session: Session, one: Entry, other: Entry) -> None:
    stamp = exchanges.plan_exchange(session, one, other).stamp
    exchanges_service.exchange(session, one, other, seen_stamp=stamp, by=cast.SOMEBODY, reason="x")


def test_many_tables_take_no_more_queries(
    session: Session, django_assert_max_num_queries: Any
) -> None:
    for sitting in session.sittings.all():
        cast.record(sitting)
        cast.make_call(sitting)
    with django_assert_max_num_queries(8):
        board_of(Session.objects.select_related("tournament").get(pk=session.pk), timezone.now())


def test_board_without_a_session_says_so(scorekeeper: Client, tournament: Tournament) -> None:
    assert scorekeeper.get(reverse("board", args=[tournament.slug])).status_code == 200
    assert scorekeeper.get(reverse("board-tables", args=[tournament.slug])).status_code == 404


@pytest.fixture
def shown(still_page: Page, live_server: LiveServer, session: Session) -> Page:
    """The board in a browser without any input."""
    page = still_page
    cast.make_staff(session.tournament, "keeper")
    page.goto(f"{live_server.url}{reverse('log-in')}?next={address(session)}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")
    expect(page.locator("#board .sitting")).to_have_count(3)
    page.wait_for_load_state()  # its script runs and has set its timer
    return page


@pytest.mark.django_db(transaction=True)
def test_a_new_call_appears_without_reloading(shown: Page, session: Session) -> None:
    table = session.sittings.get(number=3)
    calls.call_desk(table, "director", "来てください", by=cast.AT_THE_TABLE)
    shown.clock.run_for(MOST_SECONDS * 1000)
    expect(shown.locator(".desk-list")).to_contain_text("来てください")
    shown.click(".desk-list button")
    expect(shown.locator(".desk-list")).to_have_count(0)


@pytest.mark.django_db(transaction=True)
def test_a_new_round_appears_within_seconds(shown: Page, session: Session) -> None:
    playing = shown.locator("#board .sitting.is-playing")
    expect(playing).to_have_count(0)
    cast.record(session.sittings.get(number=2))
    shown.clock.run_for(MOST_SECONDS * 1000)
    expect(playing).to_have_count(1)


@pytest.mark.django_db(transaction=True)
def test_unchanged_tables_are_left_alone(shown: Page, session: Session) -> None:
    shown.evaluate("document.querySelector('#board-table-1').isTheSame = true")
    shown.evaluate("document.querySelector('#board-head').isTheSame = true")
    shown.focus("#type-2")
    cast.record(session.sittings.get(number=2))
    shown.clock.run_for(MOST_SECONDS * 1000)
    expect(shown.locator("#board .sitting.is-playing")).to_have_count(1)
    expect(shown.locator("#board .sitting ol")).to_have_count(3)
    expect(shown.locator("#type-2")).to_be_focused()
    same = "['#board-table-1', '#board-head', '#board-table-2'].map(each => "
    same += "Boolean(document.querySelector(each).isTheSame))"
    assert shown.evaluate(same) == [True, True, False]


def test_board_names_addresses_that_are_held_back(
    scorekeeper: Client, session: Session, settings: Settings, tmp_path: Path
) -> None:
    settings.HELD_BACK_DIR = tmp_path / "held-back"
    polled = scorekeeper.get(address(session, "board-tables"))
    HeldBack(settings.HELD_BACK_DIR).note("192.168.1.20")
    HeldBack(settings.HELD_BACK_DIR).note("../no-address")
    again = scorekeeper.get(
        address(session, "board-tables"), headers={"If-None-Match": polled["ETag"]}
    )
    assert "192.168.1.20）からの接続が多すぎて" in again.text


def test_phone_of_a_table_tells_the_server_that_it_is_live(
    client: Client, scorekeeper: Client, session: Session
) -> None:
    sitting = session.sittings.get(number=1)
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    path = f"/api/sittings/{sitting.pk}"
    live = [each.get(path).wsgi_request.META.get(LIVE_PHONE) for each in (client, scorekeeper)]
    assert live == [Phone.objects.get().pk, None]
