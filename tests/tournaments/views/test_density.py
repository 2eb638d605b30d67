"""How much the desk sees at once on a laptop, measured in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments.models import Tournament
from tournaments.services import seating

pytestmark = pytest.mark.django_db(transaction=True)

TABLES, ROWS = 24, 20
IN_VIEW = """all => all.filter(each => {
  const box = each.getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}).length"""


def make_large_event() -> Tournament:
    """Twenty-four tables, with a first round at each, in the second of two sessions."""
    tournament = cast.make_tournament(accepting="same")
    entries = cast.make_entries(tournament, 6 * TABLES)
    for entry in entries:
        entry.reading = "つがる はなこ"
        entry.save()
    tables = [entries[i : i + 6] for i in range(0, len(entries), 6)]
    for _ in range(2):
        session = seating.open_session(tournament, tables, by=cast.SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    return tournament


def languages_on_a_laptop(
    page: Page, live_server: LiveServer, tournament: Tournament, *languages: str
) -> Iterator[str]:
    """Log in as the director, and yield each language after choosing it."""
    browser = cast.browser_of(cast.make_staff(tournament, "director", "director"))
    page.set_viewport_size({"width": 1280, "height": 800})
    session = settings.SESSION_COOKIE_NAME
    for language in languages:
        cookies = {
            session: browser.cookies[session].value,
            settings.LANGUAGE_COOKIE_NAME: language,
        }
        page.context.add_cookies(
            [{"name": name, "value": cookies[name], "url": live_server.url} for name in cookies]
        )
        yield language


def test_an_exchange_of_players_is_one_screen_on_a_laptop(
    page: Page, live_server: LiveServer
) -> None:
    tournament = make_large_event()
    for language in languages_on_a_laptop(page, live_server, tournament, "ja", "en", "zh-hans"):
        page.goto(live_server.url + reverse("exchange-players", args=[tournament.slug, 2]))
        assert_exchange_is_one_screen(page, language)


def assert_exchange_is_one_screen(page: Page, language: str) -> None:
    page.wait_for_load_state()
    seats = page.locator(".exchange-seats .desk-list > li")
    assert seats.evaluate_all(IN_VIEW) == TABLES, language
    page.fill("[name=one]", "1")
    page.fill("[name=other]", "20")
    page.fill("[name=reason]", "席の取り違え")
    page.keyboard.press("Enter")
    for part in ("#follows", "[name=reason]", "[name=confirm]"):
        expect(page.locator(part), language).to_be_in_viewport(ratio=1)
    tops = page.locator("#follows h3").evaluate_all("all => all.map(each => each.offsetTop)")
    assert tops[0] == tops[1], language  # both tables, side by side


def test_twenty_rows_and_twenty_four_tables_stand_on_a_laptop_without_scrolling(
    page: Page, live_server: LiveServer
) -> None:
    tournament = make_large_event()
    for language in languages_on_a_laptop(page, live_server, tournament, "ja", "en"):
        for name in ("board", "standings", "entries", "history"):
            page.goto(live_server.url + reverse(name, args=[tournament.slug]))
            page.wait_for_load_state()
            rows = ".desk-tables > li" if name == "board" else ".ledger tbody tr"
            seen = page.locator(rows).evaluate_all(IN_VIEW)
            assert seen >= (TABLES if name == "board" else ROWS), f"{name} in {language}"
