"""Accessibility of the pages, checked by axe: contrast, names, labels, landmarks.

A page is checked in one colour scheme and then in the other, without tapping the way there again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from tests import cast
from tests.phones.conftest import Phone
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db(transaction=True)

# Text read at arm's length, such as points: a contrast of 7 to 1, or 4.5 to 1 if large.
NUMBERS = [
    *(".num", ".points", ".facts-big dd", ".counter input", ".counter-fill", ".seat-number"),
    *(".tap-place", ".taker b", ".card-taker", ".playing-card", "#queue-words", ".panel-state"),
    *(".save-points", ".panel .facts dd", "#refusal dd", "#rare-deal h2", ".ring-hint"),
]

# The frame after a tap, in which transitions begin.
TWO_FRAMES = """async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done));
}"""
# Not their `finished`: that of a transition whose element is replaced may stay pending.
NOTHING_MOVES = "() => document.getAnimations().every((each) => each.playState !== 'running')"


# All rules in light colours; in dark ones only those whose results depend on the colours.
LIGHT = {"rules": {"color-contrast-enhanced": {"enabled": True}}}
DARK = {"runOnly": ["color-contrast", "color-contrast-enhanced", "link-in-text-block"]}

# Returns the violations of axe, those of the enhanced contrast for numbers only.
RUN = """async ([options, numbers]) => {
  const asked = { resultTypes: ["violations"], elementRef: true, ...options };
  return (await axe.run(document, asked)).violations.flatMap(({ id, nodes }) => nodes
    .filter(({ element }) => id !== "color-contrast-enhanced" || element.closest(numbers))
    .map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`));
}"""


def assert_accessible(page: Page) -> None:
    """Assert that axe finds no violation, and that numbers have enough contrast."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)  # 500 kB, once per page
    assert problems(page, "dark", DARK) == [], f"{page.url} in the dark"
    assert problems(page, "light", LIGHT) == [], page.url


def problems(page: Page, scheme: Literal["light", "dark"], options: dict[str, Any]) -> list[str]:
    page.emulate_media(color_scheme=scheme)
    page.evaluate(TWO_FRAMES)
    page.wait_for_function(NOTHING_MOVES)
    found: list[str] = page.evaluate(RUN, [options, ", ".join(NUMBERS)])
    return found


@pytest.fixture
def phone_at(first_context: BrowserContext, address: str) -> Callable[[str, int | None], Phone]:
    """The phone shows a table with this rule set."""

    def make(rule_set: str, players: int | None = None) -> Phone:
        tournament = cast.make_tournament(rule_set, accepting="same")
        phone = Phone(first_context, address, cast.make_sitting(tournament, players))
        phone.admit()
        phone.play()
        return phone

    return make


def test_round_of_goninkan(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("goninkan-association")
    assert_accessible(phone.page)
    phone.kankei(2, 3)
    phone.count(1, 9, 0)
    phone.count(2, 16, 0)
    phone.save()
    expect(phone.page.locator("#rare-deal")).to_be_visible()
    assert_accessible(phone.page)
    phone.page.locator("#rare-deal [data-answer=no]").click()
    phone.count(2, 16, 0, "juroku")
    assert_accessible(phone.page)
    phone.count(3, 3, 9)
    phone.context.set_offline(True)
    phone.save()
    phone.open_queue()
    assert_accessible(phone.page)
    phone.take_phone()
    expect(phone.page.locator("#panel-check")).to_be_visible()
    assert_accessible(phone.page)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    phone.page.locator("[data-do=accept]").click()
    phone.save()
    expect(phone.page.locator("#save-problem")).to_be_visible()
    assert_accessible(phone.page)


def test_dispute_call_and_correction(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("goninkan-association")
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.context.set_offline(True)
    phone.save()
    phone.page.locator(".phone-head [data-do=call]").click()
    expect(phone.page.locator("#call")).to_be_visible()
    assert_accessible(phone.page)
    phone.page.locator("#call [data-answer^='director:']").first.click()
    expect(phone.page.locator("#call-state .is-waiting")).to_be_visible()
    assert_accessible(phone.page)
    cast.record(phone.sitting, by=cast.AT_THE_TABLE)
    phone.context.set_offline(False)
    expect(phone.page.locator("#refusal dd")).to_have_count(2)
    expect(phone.page.locator("#call-state .is-sent")).to_be_visible()
    assert_accessible(phone.page)
    phone.page.locator(".more [data-do=correct]").click()
    expect(phone.page.locator("#reason-field")).to_be_visible()
    assert_accessible(phone.page)


def test_sheets(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("gong-zhu", 4)
    page = phone.page
    cast.record(phone.sitting)
    page.evaluate("makiyaku.phone.refresh()")
    page.wait_for_function("() => makiyaku.phone.sheets.contents.standings")
    page.locator(".phone-head [data-sheet=ledger]").click()
    for name in ("ledger", "chart", "standings", "settings"):
        page.locator(f"#sheets nav [data-sheet={name}]").click()
        expect(page.locator(f"[data-of-sheet={name}]")).to_be_visible()
        assert_accessible(page)


def test_watching_phone_and_end(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("yoninkan")
    other = Phone(phone.context, phone.address, phone.sitting)
    cast.record(phone.sitting)
    phone.context.clear_cookies()
    other.join()
    other.play()
    expect(other.page.locator("#pass-points")).to_be_visible()
    assert_accessible(other.page)
    phone.sitting.session.tournament.rounds_per_session = 1
    phone.sitting.session.tournament.save()
    other.play()
    expect(other.page.locator("#end-points")).to_be_visible()
    assert_accessible(other.page)


def test_deal_of_gong_zhu(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("gong-zhu", 4)
    assert_accessible(phone.page)
    phone.page.locator(".exposure").nth(1).click()
    phone.page.locator("[data-take-rest]").click()
    assert_accessible(phone.page)
    phone.page.locator(f"[data-taker-button='{cast.keys(phone.sitting)[1]}']").click()
    assert_accessible(phone.page)
    phone.save()
    assert_accessible(phone.page)


def test_deal_of_gouji(phone_at: Callable[..., Phone]) -> None:
    phone = phone_at("gouji")
    assert_accessible(phone.page)
    for place in (3, 1, 0, 2, 5):
        phone.page.locator(".tap-player").nth(place).click()
    assert_accessible(phone.page)


PAGES = ["home", "log-in", "join", "hand-over", "rules", "rule-set", "start-table"]
OF_TOURNAMENT = ["tournament", "standings", "board", "entries", "session", "sitting", "player"]
FORMS = [
    "record-round",
    "enter-sheet",
    "seat-session",
    "edit-tournament",
    "staff",
    "close",
    "table-cards",
    "register",
    "registrations",
    "roll-call",
]


def url_of(name: str, sitting: Sitting) -> str:
    session = sitting.session
    slug, place = session.tournament.slug, [session.number, sitting.number]
    arguments: dict[str, list[Any]] = {
        **{known: [] for known in PAGES},
        "rule-set": [session.tournament.rule_set],
        "start-table": [session.tournament.rule_set],
        "session": [slug, session.number],
        "roll-call": [slug, session.number],
        "table-cards": [slug, session.number],
        "sitting": [slug, *place],
        "enter-sheet": [slug, *place],
        "player": [slug, 1],
        "record-round": [slug, *place, 2],
    }
    return reverse(name, args=arguments.get(name, [slug]))


def test_main_pages(first_context: BrowserContext, address: str) -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    cast.make_call(sitting)
    cast.open_registration(sitting.session.tournament)
    cast.register(sitting.session.tournament)
    director = cast.browser_of(cast.make_staff(sitting.session.tournament, "director", "director"))
    context = first_context
    cookie = settings.SESSION_COOKIE_NAME
    context.add_cookies([{"name": cookie, "value": director.cookies[cookie].value, "url": address}])
    page = context.pages[0]
    for name in [*PAGES, *OF_TOURNAMENT, *FORMS]:
        page.goto(address + url_of(name, sitting))
        assert_accessible(page)


@pytest.mark.parametrize(("players", "rows"), [(4, [2, 2]), (5, [3, 2])])
def test_no_row_has_a_single_name(
    phone_at: Callable[..., Phone], players: int, rows: list[int]
) -> None:
    """Of the buttons for the player who took a card."""
    phone = phone_at("gong-zhu", players)
    tops = phone.page.locator(".taker").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().top)"
    )
    assert [tops.count(top) for top in sorted(set(tops))] == rows
