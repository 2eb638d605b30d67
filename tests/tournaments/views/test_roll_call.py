"""The roll call: without scripts, and in the browsers of two helpers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import AuditEntry, Entry, Presence, Session, Tournament
from tournaments.queries import presence as presence_queries
from tournaments.queries.presence import Status
from tournaments.services import closing, entries, presence, seating, sessions
from tournaments.views import roll_call

PEOPLE = (
    {"name": "成田 キヨ", "reading": "なりた きよ", "club": "五所川原"},
    {"name": "工藤 正", "reading": "くどう ただし", "club": "なかよし村"},
    {"name": "庄司 ハル", "reading": "しょうじ はる", "club": "五所川原"},
    {"name": "Müller", "reading": "", "club": ""},
    {"name": "髙﨑 実", "reading": "タカサキ ミノル", "club": ""},
    {"name": "一戸 茂", "reading": "いちのへ しげる", "club": ""},
)
POLL = 6000  # milliseconds of a page's clock, until it asks what others have marked
JSON = {"Accept": "application/json"}


def add_people(tournament: Tournament) -> None:
    entries.add_entries(tournament, PEOPLE, by=SOMEBODY)


@pytest.fixture
def address(tournament: Tournament) -> str:
    """The roll call of the first session, with six players."""
    add_people(tournament)
    return reverse("roll-call", args=[tournament.slug, 1])


def statuses(tournament: Tournament, session: int = 1) -> dict[int, str]:
    """Return the statuses of those who were marked, by number."""
    found = presence_queries.roll_call(tournament, session).statuses
    return {entry.number: str(each) for entry, each in found.items() if each != Status.EXPECTED}


def mark(
    tournament: Tournament, number: int, status: Status, seen: Status = Status.EXPECTED
) -> None:
    entry = tournament.entries.get(number=number)
    presence.mark_presence(entry, 1, status, seen_status=seen, by=SOMEBODY)


def listed(page: Any) -> list[int]:
    return [line.entry.number for line in page.context["lines"] if line.is_listed]


def test_button_marks_without_a_script(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    answer = scorekeeper.post(f"{address}?q=narita&show=expected", {"mark": "1.expected.present"})
    assert answer.headers["Location"] == f"{address}?q=narita&show=expected#p1"
    assert statuses(tournament) == {1: "present"}
    page = scorekeeper.get(address).content.decode()
    assert re.search(r'value="1\.present\.present"\s+aria-pressed="true"', page)
    scorekeeper.post(address, {"mark": "1.present.expected"})
    assert statuses(tournament) == {}


def test_mark_made_since_is_told(scorekeeper: Client, tournament: Tournament, address: str) -> None:
    mark(tournament, 1, Status.LATE)
    page = scorekeeper.post(address, {"mark": "1.expected.present"}, follow=True)
    [told] = [str(each) for each in page.context["messages"]]
    assert "成田" in told
    assert "遅刻" in told
    assert statuses(tournament) == {1: "late"}
    answer = scorekeeper.post(address, {"mark": "1.expected.present"}, headers=JSON)
    assert answer.status_code == 409
    assert "遅刻" in answer.json()["refused"]
    assert answer.json()["statuses"]["1"] == "late"


@pytest.mark.parametrize(
    "sent", ["", "1", "1.present", "x.expected.present", "1.expected.asleep", "1.expected.late.x"]
)
def test_invalid_mark_is_refused(
    scorekeeper: Client, tournament: Tournament, address: str, sent: str
) -> None:
    assert scorekeeper.post(address, {"mark": sent}).status_code == 422
    assert scorekeeper.post(address, {"mark": "99.expected.present"}).status_code == 404
    assert statuses(tournament) == {}


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("成田", [1]),
        ("なりた", [1]),
        ("ナリタキヨ", [1]),
        ("narita", [1]),
        ("syouzi", [3]),
        ("Shōji h", [3]),
        ("takasa", [5]),
        ("高崎", [5]),
        ("muller", []),
        ("müller", [4]),
        ("3", [3]),
        ("五所川原", [1, 3]),
        ("", [1, 2, 3, 4, 5, 6]),
        ("いない", []),
    ],
)
def test_players_are_searched(
    scorekeeper: Client, address: str, typed: str, found: list[int]
) -> None:
    assert listed(scorekeeper.get(address, {"q": typed})) == found


def test_many_players_are_several_pages(
    scorekeeper: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search finds players of all pages, and a mark leads back to its own."""
    monkeypatch.setattr(roll_call, "LINES_A_PAGE", 2)
    mark(tournament, 2, Status.ABSENT)
    assert [listed(scorekeeper.get(address, {"page": page})) for page in (1, 3)] == [[1, 2], [5, 6]]
    assert listed(scorekeeper.get(address, {"q": "五所川原"})) == [1, 3]
    assert listed(scorekeeper.get(f"{address}?show=expected&page=2")) == [4, 5]
    answer = scorekeeper.post(f"{address}?page=3", {"mark": "5.expected.present"})
    assert answer.headers["Location"] == f"{address}?page=3#p5"
    assert "このページの残り全員を出席にする" in scorekeeper.get(address).text


def test_players_are_filtered_by_status(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    mark(tournament, 2, Status.ABSENT)
    page = scorekeeper.get(address, {"show": "absent"})
    assert listed(page) == [2]
    assert dict(page.context["counts"])[Status.EXPECTED] == 5


def test_seats_are_drawn_again_while_nothing_is_recorded(
    director: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    session = seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    reseating = reverse("reseat-session", args=[tournament.slug, 1])
    assert reseating in director.get(address).text
    assert reseating not in scorekeeper.get(address).text
    cast.record(session.sittings.get())
    assert reseating not in director.get(address).text


def test_unknown_session_is_not_found(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    for session in (0, 2):
        assert scorekeeper.get(address.replace("/1/", f"/{session}/")).status_code == 404
    seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert scorekeeper.get(address.replace("/1/", "/2/")).status_code == 200


def test_seats_that_do_not_follow_the_roll_call_are_listed(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    mark(tournament, 2, Status.PRESENT)
    nobody: tuple[list[Entry], ...] = ([], [], [])
    assert scorekeeper.get(address).context["seats"] == nobody
    added = cast.make_entries(tournament, 1)
    seated = list(tournament.entries.filter(number__lte=6))
    seating.open_session(tournament, [seated], by=SOMEBODY)
    assert scorekeeper.get(address).context["seats"] == nobody
    mark(tournament, 1, Status.ABSENT)
    mark(tournament, 7, Status.PRESENT)
    assert scorekeeper.get(address).context["seats"] == (seated[:1], added, [])
    told = scorekeeper.get(f"{address}marks/").json()["seats"]
    assert told == {"away": [1], "unseated": [7], "released": []}
    overview = scorekeeper.get(tournament.get_absolute_url())
    assert overview.context["seats"] == (seated[:1], added, [])
    assert overview.text.count('<p data-seats="') == 3
    mark(tournament, 7, Status.WITHDRAWN, seen=Status.PRESENT)
    told = scorekeeper.get(f"{address}marks/").json()["seats"]
    assert told == {"away": [1], "unseated": [], "released": []}
    mark(tournament, 7, Status.PRESENT, seen=Status.WITHDRAWN)
    assert scorekeeper.get(address.replace("/1/", "/2/")).context["seats"] == nobody
    Session.objects.update(tied=[1, 2])  # as a play-off, in which nobody else needs a seat
    assert scorekeeper.get(address).context["seats"] == (seated[:1], [], [])


def test_no_seat_is_asked_for_in_a_session_that_is_past(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    """It is over, or the next one is seated."""
    [late] = cast.make_entries(tournament, 1)
    seated = list(tournament.entries.filter(number__lte=6))
    session = seating.open_session(tournament, [seated], by=SOMEBODY)
    mark(tournament, 1, Status.ABSENT)
    mark(tournament, 7, Status.PRESENT)

    def asks() -> list[bool]:
        told = scorekeeper.get(f"{address}marks/").json()
        page = scorekeeper.get(address)
        return [any(page.context["seats"]), any(told["seats"].values()), bool(told["places"])]

    assert asks() == [True] * 3
    sessions.end_session(session, stopping={1}, by=SOMEBODY)
    assert asks() == [False] * 3
    sessions.resume_session(session, by=SOMEBODY, reason="続ける")
    assert asks() == [True] * 3
    seating.open_session(tournament, [[*seated[1:], late]], by=SOMEBODY)
    assert asks() == [False] * 3


def test_late_player_is_seated_by_one_tap(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    absent, *seated = tournament.entries.filter(number__lte=6)
    [late] = cast.make_entries(tournament, 1)
    session = seating.open_session(tournament, [[absent, *seated]], by=SOMEBODY)
    mark(tournament, 1, Status.ABSENT)
    mark(tournament, 7, Status.LATE)
    assert scorekeeper.get(f"{address}marks/").json()["places"] == ""
    told = scorekeeper.post(
        address, {"mark": "7.late.present"}, headers={"Accept": "application/json"}
    ).json()["places"]
    assert ("第1卓" in told, late.name in told) == (True, True)
    [action] = re.findall(r'action="([^"]*)"', told)
    hidden = dict(re.findall(r'name="(seen|then|leaving)" value="([^"]*)"', told))
    [joining] = re.findall(r'name="joining" value="([^"]*)"', told)
    assert scorekeeper.post(action, {**hidden, "joining": joining}).status_code == 302
    assert [seat.entry for seat in session.sittings.get().seats.all()] == [late, *seated]
    assert scorekeeper.get(f"{address}marks/").json()["places"] == ""


def test_marks_are_not_sent_again_while_nothing_changes(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    first = scorekeeper.get(f"{address}marks/")
    assert first.json()["statuses"] == {str(number): "expected" for number in range(1, 7)}
    etag = {"If-None-Match": first.headers["ETag"]}
    assert scorekeeper.get(f"{address}marks/", headers=etag).status_code == 304
    mark(tournament, 6, Status.PRESENT)
    second = scorekeeper.get(f"{address}marks/", headers=etag)
    assert second.json()["statuses"]["6"] == "present"
    assert second.json()["version"] > first.json()["version"]


def test_closed_event_is_told(scorekeeper: Client, tournament: Tournament, address: str) -> None:
    closing.close(tournament, by=SOMEBODY)
    page = scorekeeper.post(address, {"mark": "1.expected.present"}, follow=True)
    assert str(closing.EventClosed.sentence) in [str(each) for each in page.context["messages"]]
    assert not Presence.objects.exists()


def test_closed_event_draws_and_marks_nobody(
    director: Client, tournament: Tournament, address: str
) -> None:
    """Nothing on the page speaks of a draw, or offers what is refused."""
    cast.in_english(director)
    mark(tournament, 1, Status.ABSENT)
    offered = (
        *("included in the draw", "Assign seats", "Choose a substitute</a></p>"),
        *("Start the roll call again", 'value="1.absent.present" aria-pressed="false">'),
    )
    page = director.get(address).text
    assert [words for words in offered if words not in page] == []
    closing.close(tournament, by=SOMEBODY)
    page = director.get(address).text
    assert [words for words in offered if words in page] == []
    assert re.search(r'id="roll-rest" hidden\s+disabled', page)
    assert "“Absent” until somebody changes it" in page
    closing.reopen(tournament, by=SOMEBODY)
    mark(tournament, 1, Status.PRESENT, seen=Status.ABSENT)
    session = seating.open_session(tournament, [list(tournament.entries.all())], by=SOMEBODY)
    assert offered[0] in director.get(address).text
    cast.record(session.sittings.get())
    assert offered[0] not in director.get(address).text


def test_each_roll_call_leads_to_the_next(
    director: Client, tournament: Tournament, address: str
) -> None:
    """Play-offs have none, and a closed event has none to come."""
    everybody = list(tournament.entries.all())
    for number in (1, 2, 3, 4):
        session = seating.open_session(tournament, [everybody], by=SOMEBODY)
        cast.record(session.sittings.get())
        if number == 2:
            Session.objects.filter(number=2).update(tied=[1, 2])
            seating.store_play_off_numbers(tournament)

    def leads_to(session: int) -> list[int]:
        page = director.get(reverse("roll-call", args=[tournament.slug, session])).text
        found = re.findall(r'class="button" href="[^"]*/sessions/(\d+)/roll-call/"', page)
        return [int(each) for each in found]

    assert [leads_to(session) for session in (1, 3, 4, 5)] == [[3], [4], [5], []]
    closing.close(tournament, by=SOMEBODY)
    assert [leads_to(session) for session in (1, 3, 4, 5)] == [[3], [4], [], []]


def test_roll_call_is_started_again(
    scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    mark(tournament, 1, Status.PRESENT)
    mark(tournament, 2, Status.WITHDRAWN)
    seen = scorekeeper.get(f"{address}restart/").context["seen"]
    mark(tournament, 3, Status.PRESENT)
    assert scorekeeper.post(f"{address}restart/", {"seen": seen}).status_code == 422
    seen = scorekeeper.get(f"{address}restart/").context["seen"]
    answer = scorekeeper.post(f"{address}restart/", {"seen": seen, "reason": "昼休み"})
    assert answer.headers["Location"] == address
    assert statuses(tournament) == {2: "withdrawn"}
    assert AuditEntry.objects.latest("number").reason == "昼休み"


def test_overview_leads_to_the_next_roll_call(
    scorekeeper: Client, director: Client, tournament: Tournament, address: str
) -> None:
    for browser in (scorekeeper, director):
        assert address in browser.get(tournament.get_absolute_url()).content.decode()
    seating.open_session(tournament, [list(tournament.entries.all()[:6])], by=SOMEBODY)
    for planned, leads_on in ((2, True), (1, False)):  # never past the last planned session
        Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=planned)
        following = address.replace("/1/", "/2/")
        assert (f'"{following}"' in director.get(address).text) == leads_on
    assert "to-seating" not in director.get(tournament.get_absolute_url()).text  # not begun


def log_in_to_roll_call(page: Page, live_server: LiveServer, tournament: Tournament) -> None:
    path = reverse("roll-call", args=[tournament.slug, 1])
    page.goto(f"{live_server.url}{reverse('log-in')}?next={path}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")


def open_roll_call(page: Page, live_server: LiveServer, tournament: Tournament) -> None:
    log_in_to_roll_call(page, live_server, tournament)
    expect(page.locator(".roll > li")).to_have_count(6)
    page.wait_for_load_state()  # its script runs


def tap(page: Page, number: int, status: str) -> None:
    """Tap a button, on a phone below "Other"."""
    if not button(page, number, status).is_visible():
        page.locator(f"#p{number} summary").click()
    button(page, number, status).click()


def button(page: Page, number: int, status: str) -> Any:
    return page.locator(f"#p{number} button[value$='.{status}']")


def count(page: Page, status: str) -> Any:
    return page.locator(f"[data-show='{status}'] b")


@pytest.fixture
def event(transactional_db: None) -> Tournament:
    """A tournament with six players and a scorekeeper."""
    tournament = cast.make_tournament()
    add_people(tournament)
    cast.make_staff(tournament, "keeper")
    return tournament


@pytest.mark.django_db(transaction=True)
def test_script_marks_nobody_in_a_closed_event(
    page: Page, live_server: LiveServer, event: Tournament
) -> None:
    open_roll_call(page, live_server, event)
    expect(page.locator("#roll-rest")).to_be_visible()
    closing.close(event, by=SOMEBODY)
    page.reload()
    page.wait_for_load_state()
    expect(page.locator("#roll-rest")).to_be_hidden()


@pytest.mark.django_db(transaction=True)
def test_two_helpers_see_each_others_marks(
    still_page: Page, own_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page, other = still_page, own_page
    other.clock.install(time=0)
    other.clock.pause_at(1)
    for each in (page, other):
        open_roll_call(each, live_server, event)
    page.fill("#roll-q", "syouzi")
    expect(page.locator(".roll > li:visible")).to_have_count(1)
    page.fill("#roll-q", "高崎實")
    expect(page.locator(".roll > li:visible bdi")).to_have_text("髙﨑 実")
    page.fill("#roll-q", "syouzi")
    tap(page, 3, "present")
    expect(button(page, 3, "present")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    expect(count(page, "present")).to_have_text("1")
    assert statuses(event) == {3: "present"}
    # The other has not asked since, and is told instead of overwriting it.
    tap(other, 3, "absent")
    expect(other.locator("#roll-refused")).to_contain_text("出席")
    expect(button(other, 3, "present")).to_have_attribute("aria-pressed", "true")
    tap(other, 1, "late")
    expect(other.locator("[aria-busy]")).to_have_count(0)
    page.fill("#roll-q", "")
    page.clock.run_for(POLL)
    expect(button(page, 1, "late")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#p1 summary")).to_have_text("遅刻")
    expect(page.locator("#p1 a")).to_have_attribute("href", "1/substitute/")
    page.locator("[data-show=late]").click()
    expect(page.locator(".roll > li:visible")).to_have_count(1)
    assert statuses(event) == {1: "late", 3: "present"}
    # One button marks the others, and who has no seat is told without loading the page again.
    others = list(event.entries.exclude(number=5)) + cast.make_entries(event, 1)
    cast.seat_who_left(event, [each.number for each in others])
    page.locator("#roll-rest").click()
    expect(page.locator("[data-seats=unseated]")).to_contain_text("5 髙﨑 実")
    expect(page.locator("[data-seats=away]")).to_contain_text("1 成田 キヨ")
    expect(page.locator("#roll-rest")).to_be_hidden()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert {1, 2, 3, 4, 5, 6} <= statuses(event).keys()


@pytest.mark.django_db(transaction=True)
def test_marks_of_other_pages_are_counted(
    still_page: Page,
    live_server: LiveServer,
    event: Tournament,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roll_call, "LINES_A_PAGE", 2)
    cast.make_entries(event, 1, is_substitute=True)  # who replaces nobody
    page = still_page
    log_in_to_roll_call(page, live_server, event)
    expect(page.locator(".roll > li")).to_have_count(2)
    page.wait_for_load_state()
    mark(event, 6, Status.PRESENT)
    tap(page, 1, "late")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    counts = ("present", "1"), ("late", "1"), ("expected", "4"), ("substitute", "0")
    for status, number in counts:
        expect(count(page, status)).to_have_text(number)
    expect(page.locator("#roll-stale")).to_be_hidden()
    page.locator("#roll-rest").click()
    expect(count(page, "present")).to_have_text("2")
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert statuses(event) == {1: "late", 2: "present", 6: "present", 7: "absent"}
    page.fill("#roll-q", "takasaki")
    page.locator(".roll-search button").click()
    expect(page.locator(".roll > li")).to_have_count(1)
    expect(page.locator("#p5")).to_be_visible()
    page.locator("[data-show=late]").click()
    expect(page.locator("#roll-none")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_mark_is_sent_again_after_a_failure(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page = still_page
    open_roll_call(page, live_server, event)

    def fail(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(status=503, body="<p>busy</p>", content_type="text/html")
        else:
            route.continue_()

    page.route("**/roll-call/*", fail)
    tap(page, 2, "present")
    tap(page, 4, "absent")
    tap(page, 4, "late")
    expect(page.locator("#roll-unsent b")).to_have_text("2")
    assert not Presence.objects.exists()
    page.unroute("**/roll-call/*")
    page.clock.run_for(POLL)
    expect(page.locator("#roll-unsent")).to_be_hidden()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    assert statuses(event) == {2: "present", 4: "late"}
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.PRESENCE_MARKED).count() == 2


@pytest.mark.django_db(transaction=True)
def test_marks_are_sent_when_the_page_is_left(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page = still_page
    open_roll_call(page, live_server, event)
    page.on("dialog", lambda dialog: dialog.accept())
    page.locator("#roll-rest").evaluate("button => { button.click(); location.assign('/') }")
    page.wait_for_url(f"{live_server.url}/")
    page.goto(live_server.url + reverse("roll-call", args=[event.slug, 1]))
    page.clock.run_for(POLL)
    expect(count(page, "present")).to_have_text("6")
    assert len(statuses(event)) == 6


@pytest.mark.django_db(transaction=True)
def test_seats_are_proposed_once_every_mark_is_stored(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    event.memberships.update(role="director")
    page = still_page
    open_roll_call(page, live_server, event)
    page.on("dialog", lambda dialog: dialog.accept())
    page.route("**/roll-call/*", lambda route: route.fulfill(status=503, body="busy"))
    page.locator("#roll-rest").click()
    expect(page.locator("#roll-unsent b")).to_have_text("6")
    with page.expect_response("**/roll-call/*"):  # sent again, and refused
        page.locator("[form=propose-seats]").click()
    expect(page.locator("#roll-unsent b")).to_have_text("6")  # the page is not left
    page.unroute("**/roll-call/*")
    page.clock.run_for(POLL)
    expect(page.locator("#roll-unsent")).to_be_hidden()
    page.locator("[form=propose-seats]").click()
    page.wait_for_url("**/sessions/new/*/")
    expect(page.locator("main")).to_contain_text("未確認 0 · 出席 6")


@pytest.mark.django_db(transaction=True)
def test_script_searches_as_the_server_does(
    still_page: Page, live_server: LiveServer, event: Tournament
) -> None:
    page = still_page
    open_roll_call(page, live_server, event)
    ids = "lines => lines.map(line => line.id)"
    for typed in ("なりた", "Shōji h", "takasa", "高崎", "3", "五所川原", "ﾅﾘﾀ", "いない"):
        page.fill("#roll-q", typed)
        shown = page.locator(".roll > li:visible").evaluate_all(ids)
        page.reload()  # with what was typed in the address
        assert page.locator(".roll > li:visible").evaluate_all(ids) == shown, typed
        assert page.locator("#roll-none").is_visible() == (not shown), typed
