"""How many clicks the commonest tasks of the day take, as docs/clicks.md says: none above five.

Each begins on the overview, as the director; typing is not counted, a tick is a click.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tests.cast import SOMEBODY
from tournaments.models import AuditEntry, Call, Clock, Presence, Publication, Session, Tournament
from tournaments.services import seating
from tournaments.services.publications import show_live

MOST = 5
DOCUMENT = Path(settings.BASE_DIR, "docs", "clicks.md")
ROW = re.compile(r"^\| ([^|]+?) \| ([^|]+?) \| (\d) \|$", re.MULTILINE)


class Desk:
    """The director's browser, which counts its clicks."""

    def __init__(self, page: Page, url: str, tournament: Tournament) -> None:
        self.page, self.url, self.tournament = page, url, tournament
        self.clicks = 0

    def click(self, what: str | Locator) -> None:
        """Click a link or button with this text, or an element."""
        self.clicks += 1
        if isinstance(what, Locator):
            what.click()
        else:
            wanted = re.compile(rf"^\s*{re.escape(what)}")
            main = self.page.locator("main")
            main.locator("a, button").filter(has_text=wanted).locator("visible=true").first.click()
        self.page.wait_for_load_state()

    def open(self) -> None:
        self.page.goto(self.url + self.tournament.get_absolute_url())


def two_tables(tournament: Tournament) -> Session:
    session = cast.make_session(tournament, tables=2)
    show_live(tournament, by=SOMEBODY)
    return session


def add_players(desk: Desk) -> None:
    desk.open()
    desk.click("選手を加える")
    desk.page.locator("[name=people]").fill("成田 キヨ\n工藤 正")
    desk.click("まとめて加える")
    assert desk.tournament.entries.count() == 2


def mark_present(desk: Desk) -> None:
    cast.make_entries(desk.tournament, 6)
    desk.open()
    desk.click("第1回戦の点呼")
    with desk.page.expect_response(lambda answer: answer.request.method == "POST"):
        desk.click(desk.page.locator("#p1 button").first)
    assert Presence.objects.filter(status="present").count() == 1


def seat_everybody(desk: Desk) -> None:
    cast.make_entries(desk.tournament, 12)
    desk.open()
    desk.click("第1回戦の席を決める")
    desk.click("席を抽選する")
    desk.click("この案で決める")
    assert desk.tournament.sessions.get().sittings.count() == 2


def show_seats(desk: Desk) -> None:
    entries = cast.make_entries(desk.tournament, 6)
    seating.open_session(desk.tournament, [entries], by=SOMEBODY)
    desk.open()
    desk.click("席を公開する")
    desk.tournament.refresh_from_db()
    assert desk.tournament.shows_seats


def start_clock(desk: Desk) -> None:
    two_tables(desk.tournament)
    desk.open()
    desk.click("タイマー")
    desk.click("この時間で始める")
    assert Clock.objects.get().started_at is not None


def answer_call(desk: Desk) -> None:
    cast.make_call(two_tables(desk.tournament).sittings.get(number=1))
    desk.open()
    desk.click("進行状況")
    desk.click("対応済み")
    assert Call.objects.get().answered_at is not None


def correct_round(desk: Desk) -> None:
    cast.record(two_tables(desk.tournament).sittings.get(number=2))
    desk.open()
    desk.click("第1回戦の卓")
    desk.click(desk.page.get_by_role("link", name="第2卓"))
    desk.click("この記録を訂正")
    expect(desk.page.locator("form [name=reason]")).to_be_visible()


def end_session(desk: Desk) -> None:
    two_tables(desk.tournament)
    desk.open()
    desk.click("この回戦を終える")
    desk.click(desk.page.locator("[name=everything]"))
    desk.click("この回戦を終える")
    assert desk.tournament.sessions.get().ended_at is not None


def announce(desk: Desk) -> None:
    session = two_tables(desk.tournament)
    for sitting in session.sittings.all():
        for number in range(1, 11):
            cast.record(sitting, number=number)
    desk.open()
    desk.click("成績を発表する")
    desk.click("発表する")
    assert Publication.objects.count() == 1


def take_back_end(desk: Desk) -> None:
    end_session(desk)
    desk.clicks = 0
    desk.open()
    desk.click("回戦の終了を取り消す")
    desk.click("回戦の終了を取り消す")
    kinds = desk.tournament.audit_entries.values_list("kind", flat=True)
    assert AuditEntry.Kind.SESSION_RESUMED in kinds


TASKS: dict[str, Callable[[Desk], None]] = {
    "add players from a list": add_players,
    "mark a player in the roll call": mark_present,
    "draw and settle the seats": seat_everybody,
    "show the seats to everybody": show_seats,
    "start the clock": start_clock,
    "answer a table's call": answer_call,
    "open a round to correct it": correct_round,
    "end a session when time is up": end_session,
    "publish the results": announce,
    "take back the end of a session": take_back_end,
}


def documented() -> dict[str, int]:
    found = ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    return {task: int(clicks) for task, _way, clicks in found}


def test_every_task_is_documented() -> None:
    assert documented().keys() == TASKS.keys()
    assert max(documented().values()) <= MOST


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("task", TASKS)
def test_task_takes_as_many_clicks_as_documented(
    task: str, live_server: LiveServer, page: Page
) -> None:
    tournament = cast.make_tournament()
    director = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    cookie = {"name": "sessionid", "value": director.cookies["sessionid"].value}
    page.context.add_cookies([cookie | {"url": live_server.url}])  # type: ignore[list-item]
    desk = Desk(page, live_server.url, tournament)
    TASKS[task](desk)
    assert desk.clicks == documented()[task]
