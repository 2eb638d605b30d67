"""With larger type, on small phones, nothing is cut, covered or off the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings as project
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from tests import cast
from tests.phones.conftest import MakePhone, Phone
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = ((320, 640), (360, 740))
SIZES = (100, 130, 150, 200)  # percent
SET_SIZE = "(size) => { document.documentElement.style.fontSize = `${1.125 * size}%`; }"
READ = "h1, legend, td, th, dt, dd, .site-main p, .site-main li, .counter > *"
TAPPED = "button, .button, summary, .result > span, .chip > span, .seat"
# What is outside of the screen, cut, or covered by another control; and a head that is too high.
FAULTS = """([read, tapped]) => {
  const isShown = (each) => each.checkVisibility({ visibilityProperty: true })
    && each.getClientRects().length && !each.closest(".visually-hidden");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const name = (each) => `${each.tagName}.${each.className} "${each.innerText.slice(0, 20)}"`;
  const box = (each) => each.getBoundingClientRect();
  const isOff = (each) => box(each).left < -0.5 || box(each).right > innerWidth + 0.5;
  const isCut = (each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1;
  const isStacked = (each) => {
    const { fontSize, paddingLeft, paddingRight } = getComputedStyle(each);
    const width = each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const isShort = each.innerText.trim().length < 3 || each.matches(".card-tap");
    return !isShort && width < 1.9 * parseFloat(fontSize);
  };
  const isMixed = (row) => [...row.querySelectorAll(".result-more, .result-winners > p")]
    .some((each) => box(each).bottom > box(row.querySelector(".result-chips")).top);
  const layer = (each) => each.closest(
    "dialog, .actions-stuck, .accept-row, .phone-head, .taker-row");
  const isOver = (one, other) => {
    if (one.contains(other) || other.contains(one) || layer(one) !== layer(other)) return false;
    const [a, b] = [box(one), box(other)];
    return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  };
  const taps = all(tapped);
  const state = document.getElementById("queue-words");
  const lines = box(state).height / parseFloat(getComputedStyle(state).lineHeight);
  const isOpen = document.querySelector("#queue[open]"); // the list scrolls with the head
  const head = isOpen ? 0 : box(document.querySelector(".phone-head")).height;
  return [
    ...all(`${read}, ${tapped}`).filter(isOff).map((each) => `off the screen: ${name(each)}`),
    ...all(`${read}, ${tapped}:not(.seat)`).filter(isCut).map((each) => `cut: ${name(each)}`),
    ...taps.filter(isStacked).map((each) => `a letter a line: ${name(each)}`),
    ...taps.flatMap((one, i) => taps.slice(i + 1).filter((other) => isOver(one, other))
      .map((other) => `${name(one)} is over ${name(other)}`)),
    ...all(".result-row").filter(isMixed)
      .map((row) => `the count of the winners is among the others: ${name(row)}`),
    ...(head > innerHeight / 5 ? [`the head takes ${Math.round(head)} pixels`] : []),
    ...(lines > 2.5 ? [`the state takes ${Math.round(lines)} lines`] : []),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []),
  ];
}"""


def faults(page: Page, where: str) -> dict[str, list[str]]:
    """Return the faults of the page by screen and size of type, where there are any."""
    found: dict[str, list[str]] = {}
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        for size in SIZES:
            page.evaluate(SET_SIZE, size)
            found[f"{where}, {width} px, {size} %"] = page.evaluate(FAULTS, [READ, TAPPED])
    page.evaluate(SET_SIZE, 100)
    return {place: each for place, each in found.items() if each}


def test_round_of_goninkan(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament(accepting="same")))
    found = faults(phone.page, "first dealer")
    phone.kankei(2, 4)
    expect(phone.page.locator("#deal-1 .result-winners .result-more").first).to_be_visible()
    expect(phone.page.locator("#deal-1 .result-chips .result-more")).to_have_count(0)
    found |= faults(phone.page, "first deal")
    phone.count(1, 9, 0)
    found |= faults(phone.page, "second deal")
    phone.context.set_offline(True)
    phone.count(2, 4, 9)
    phone.save()
    phone.expect_unsent(1)
    expect(phone.page.locator("#panel-pass")).to_be_visible()
    found |= faults(phone.page, "passing on")
    phone.open_queue()
    found |= faults(phone.page, "unsent")
    phone.page.locator("#queue > summary").click()
    phone.take_phone()
    expect(phone.page.locator("#panel-check")).to_be_visible()
    found |= faults(phone.page, "acceptance")
    phone.page.locator(".phone-head [data-sheet=ledger]").click()
    for name in ("ledger", "settings"):
        phone.page.locator(f"#sheets nav [data-sheet={name}]").click()
        found |= faults(phone.page, name)
    phone.page.keyboard.press("Escape")
    phone.page.locator(".phone-head [data-do=call]").click()
    assert found | faults(phone.page, "call") == {}


@pytest.mark.parametrize("language", ["ja", "en"])
def test_end_of_play(make_phone: MakePhone, address: str, language: str) -> None:
    """English words make wider tables."""
    phone = make_phone(cast.make_sitting(cast.make_tournament(rounds_per_session=1)))
    choose_language(phone, address, language)
    phone.kankei(2, 4)
    phone.count(1, 9, 0)
    found = faults(phone.page, "second deal")
    phone.count(2, 3, 9)
    phone.save()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    found |= faults(phone.page, "end of play")
    phone.page.locator(".phone-head [data-sheet=chart]").click()
    assert found | faults(phone.page, "chart") == {}


def choose_language(phone: Phone, address: str, language: str) -> None:
    name = project.LANGUAGE_COOKIE_NAME
    phone.context.add_cookies([{"name": name, "value": language, "url": address}])
    phone.play()


@pytest.mark.parametrize(("game", "language"), [("gong-zhu", "zh-hans"), ("gouji", "en")])
def test_other_games(make_phone: MakePhone, address: str, game: str, language: str) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament(game)))
    choose_language(phone, address, language)
    assert faults(phone.page, game) == {}


def test_points_of_four_digits(make_phone: MakePhone) -> None:
    """In Gong Zhu somebody takes all cards, which were all exposed."""
    tournament = cast.make_tournament("gong-zhu", rounds_per_session=2)
    phone = make_phone(cast.make_sitting(tournament))
    found: dict[str, list[str]] = {}
    for panel in ("pass", "end"):
        for each in phone.page.locator(".exposure").all():
            each.click()
        phone.page.locator("[data-take-rest]").click()
        phone.page.locator("[data-taker-button]").first.click()
        if panel == "pass":
            found |= faults(phone.page, "points")
        phone.save()
        expect(phone.page.locator(f"#panel-{panel}")).to_be_visible()
        found |= faults(phone.page, panel)
        if panel == "pass":
            phone.take_phone()
    phone.page.locator(".phone-head [data-sheet=chart]").click()
    assert found | faults(phone.page, "chart") == {}


def test_dispute_and_correction(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting())
    cast.record(phone.sitting, by=cast.AT_THE_TABLE)
    phone.kankei(2, 4)
    phone.count(1, 5, 8)
    phone.save()
    expect(phone.page.locator("#refusal")).to_contain_text("5–9")
    phone.page.locator("#refusal summary").click()
    found = faults(phone.page, "dispute")
    phone.page.locator(".more [data-do=correct]").click()
    expect(phone.page.locator("#reason-field")).to_be_visible()
    assert found | faults(phone.page, "correction") == {}


def test_acceptance_and_correction_of_four_digits(make_phone: MakePhone) -> None:
    phone = make_phone(cast.make_sitting(cast.make_tournament("gong-zhu", accepting="same")))
    for each in phone.page.locator(".exposure").all():
        each.click()
    phone.page.locator("[data-take-rest]").click()
    phone.page.locator("[data-taker-button]").first.click()
    phone.save()
    phone.take_phone()
    expect(phone.page.locator("#panel-check")).to_be_visible()
    found = faults(phone.page, "acceptance")
    phone.page.locator("#panel-check [data-do=correct]").click()
    expect(phone.page.locator("#reason-field")).to_be_visible()
    assert found | faults(phone.page, "correction") == {}


def test_club_table(
    new_context: Callable[[], BrowserContext], address: str, transactional_db: None
) -> None:
    """From its form to the end of its game, where it may be prolonged."""
    context = new_context()
    page = context.new_page()
    page.goto(address + reverse("start-table", args=["goninkan-association"]))
    page.locator("[name=rounds]").fill("1")
    page.locator(".actions-stuck button").click()
    expect(page.locator(".table-code")).to_be_visible()
    phone = Phone(context, address, Sitting.objects.get())
    phone.play()
    phone.kankei(2, 4)
    phone.count(1, 9, 0)
    phone.count(2, 4, 9)
    found = faults(phone.page, "club table")
    phone.save()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    assert found | faults(phone.page, "end of a club table") == {}
