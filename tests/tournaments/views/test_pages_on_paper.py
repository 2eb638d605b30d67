"""Pages as a browser prints them."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tests.tournaments.printing import forms, page_faults
from tournaments.models import Sitting
from tournaments.queries.presence import Status
from tournaments.services import presence, seating
from tournaments.services.entries import add_entries

UNCLIP = """() => {
    const styles = new CSSStyleSheet()
    styles.replaceSync("* { overflow: visible !important }")
    document.adoptedStyleSheets = [styles]
}"""


@pytest.fixture
def sitting(transactional_db: None) -> Sitting:
    tournament = cast.make_tournament(published=True, name=forms.EVENT)
    people = [{"name": name, "club": "なかよし村"} for name in (*forms.LONG, *forms.SHORT)]
    entries = add_entries(tournament, people, by=cast.SOMEBODY)
    draw = cast.drawn_facts(tournament, 1)
    session = seating.open_session(
        tournament, [entries[:6], entries[6:]], by=cast.SOMEBODY, draw=draw
    )
    for status, entry in ((Status.PRESENT, entries[0]), (Status.LATE, entries[1])):
        seen = Status.EXPECTED
        presence.mark_presence(entry, 2, status, seen_status=seen, by=cast.SOMEBODY)
    sitting = session.sittings.get(number=1)
    cast.record(sitting, cast.plain_round(sitting))
    return sitting


def test_pages_are_printed_whole_with_a_title(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    key = cast.browser_of(cast.make_staff(tournament, "director", "director")).cookies["sessionid"]
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": key.value, "url": live_server.url}])

    def printed(name: str, *numbers: int) -> str:
        """Return the text of a page on paper, after checking its titles and that nothing is cut."""
        page.goto(live_server.url + reverse(name, args=[tournament.slug, *numbers]))
        title = "".join(page.title().rpartition(" · ")[0].split())
        pdf = page.pdf()
        page.evaluate(UNCLIP)
        assert page_faults.hidden_ink(pdf, page.pdf()) == [], name
        sheets = page_faults.text_of_pages(pdf)
        for number, sheet in enumerate(sheets, 1):
            assert re.sub("[\u2068\u2069]", "", title) in sheet, (name, number)
            assert f"{number}/{len(sheets)}" in sheet, (name, number)
        return "".join(sheets)

    seats = printed("session", 1)
    assert "第1回戦の席" in seats
    assert "席の決め方" not in seats
    assert "抽選番号" not in seats
    roll = printed("roll-call", 2)
    assert roll.count("✓") == 1
    assert roll.count("遅刻") == 1
    assert "出席" not in roll
    player = printed("player", 2)
    assert "この順位の理由" in player
    assert "関係組の負け" in player
    printed("standings")


def test_standings_of_34_players_are_printed_on_one_sheet(
    page: Page, live_server: LiveServer, transactional_db: None
) -> None:
    tournament = cast.make_tournament("goninkan-classic", published=True, name=forms.EVENT)
    people = [{"name": f"成田 キヨ{i}", "club": "弘前ひいらぎ同好会"} for i in range(34)]
    entries = add_entries(tournament, people, by=cast.SOMEBODY)
    starts = (0, 6, 12, 18, 24, 29, 34)
    tables = [entries[start:end] for start, end in pairwise(starts)]
    for sitting in seating.open_session(tournament, tables, by=cast.SOMEBODY).sittings.all():
        cast.record(sitting, cast.plain_round(sitting))
    page.goto(live_server.url + reverse("standings", args=[tournament.slug]))
    [sheet] = page_faults.text_of_pages(page.pdf())
    assert "成田キヨ33" in sheet
    assert tournament.rules.fingerprint in sheet
