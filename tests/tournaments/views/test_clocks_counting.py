"""The clock on the wall counts down in a browser, by the server's time and without the network."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast, clocks
from tests.cast import SOMEBODY
from tournaments.queries.clocks import ClockSettings
from tournaments.services.publications import show_live


@pytest.mark.django_db(transaction=True)
def test_wall_counts_down_to_the_last_call_and_the_end(
    live_server: LiveServer, still_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    page = still_page
    session = cast.make_sitting().session
    show_live(session.tournament, by=SOMEBODY)
    cast.start_clock(session, ClockSettings(1200, 300, {"1": 60}))
    page.goto(live_server.url + reverse("clock", args=[session.tournament.slug]))
    page.wait_for_load_state("networkidle")
    shown, words = page.locator(".clock-digits"), page.locator(".clock-words")
    page.clock.run_for(1000)
    expect(shown).to_have_text("19:59")
    expect(words).to_have_text("")
    expect(page.locator(".clock-others")).to_have_text("1卓 +1:00")
    page.route("**/api/**", lambda route: route.abort())  # it goes on without the network
    page.clock.fast_forward("15:30")
    expect(words).to_contain_text("まもなく終了")
    page.clock.fast_forward("05:00")
    expect(shown).to_have_text("0:00")
    expect(words).to_have_text("時間です")
