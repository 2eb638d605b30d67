"""The layout on a small phone: what is needed next is visible without scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import BrowserContext, Locator, expect

from tests import cast, deals
from tests.phones.conftest import Phone
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db(transaction=True)

MakePhone = Callable[..., Phone]
OUT_OF_VIEW = """(all) => all.filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width === 0 || box.top < 0 || box.left < 0
    || box.bottom > innerHeight + 0.5 || box.right > innerWidth + 0.5;
}).map((each) => each.innerText)"""
LANGUAGES = ["ja", "en", "zh-hans"]


@pytest.fixture
def make_phone(first_context: BrowserContext, address: str) -> MakePhone:
    """The phone shows a new table with this rule set, in this language."""

    def make(
        rule_set: str = "goninkan-association", language: str = "ja", accepting: str = "same"
    ) -> Phone:
        sitting = cast.make_sitting(cast.make_tournament(rule_set, accepting=accepting))
        return phone_at(sitting, language)

    def phone_at(sitting: Sitting, language: str) -> Phone:
        context = first_context
        name = settings.LANGUAGE_COOKIE_NAME
        context.add_cookies([{"name": name, "value": language, "url": address}])
        phone = Phone(context, address, sitting)
        phone.admit()
        phone.play()
        return phone

    return make


def assert_in_view(*all_of: Locator) -> None:
    for locator in all_of:
        expect(locator.first).to_be_visible()
        assert locator.evaluate_all(OUT_OF_VIEW) == []


def overflow(phone: Phone) -> int:
    """Return by how many pixels the page is wider than the screen."""
    width: int = phone.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return width


def record_three_deals(phone: Phone) -> None:
    phone.kankei(2, 3)
    phone.count(1, 9, 7)
    phone.count(2, 16, 0, "juroku")
    phone.count(3, 9, 4)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_acceptance_fits_the_screen(make_phone: MakePhone, language: str) -> None:
    phone = make_phone(language=language)
    record_three_deals(phone)
    passing = phone.page.locator("#panel-pass")
    assert_in_view(passing.locator("h1, button, tbody tr"))
    phone.take_phone()
    check = phone.page.locator("#panel-check")
    assert check.locator("dd").count() == 5
    assert check.locator("tbody tr").count() == 6
    assert check.locator("dd > .reasons").count() == 3  # one for each deal
    assert_in_view(check.locator("h1, dd, tbody tr, button"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_ring_fits_the_first_screen(make_phone: MakePhone, language: str) -> None:
    phone = make_phone(language=language)
    page = phone.page
    assert_in_view(page.locator("[data-asks=dealer]"), page.locator(".ring .seat"))
    phone.tap_seat(1)
    assert_in_view(page.locator("legend [data-asks=kankei]"), page.locator(".ring .seat"))
    head = page.locator(".phone-head").bounding_box()
    assert head
    assert head["height"] < 70, "one line"


@pytest.mark.parametrize("rule_set", ["gong-zhu", "gouji", "damarikan"])
def test_pages_are_no_wider_than_the_screen(make_phone: MakePhone, rule_set: str) -> None:
    phone = make_phone(rule_set)
    page = phone.page
    match rule_set:
        case "gong-zhu":
            page.locator("[data-take-rest]").click()
            page.locator(".taker").first.click()
        case "gouji":
            for place in range(5):
                page.locator(".tap-player").nth(place).click()
        case _:
            phone.kankei(2, 4)
            phone.count(1, 5, 8)
    expect(page.locator("#preview .facts-big")).to_be_visible()
    assert overflow(phone) <= 0
    phone.save()
    expect(page.locator("#panel-pass")).to_be_visible()
    assert overflow(phone) <= 0
    phone.take_phone()
    expect(page.locator("#panel-check")).to_be_visible()
    assert overflow(phone) <= 0
    assert_in_view(page.locator("[data-do=accept]"))


def test_cards_and_names_of_gong_zhu_fit_the_screen(make_phone: MakePhone) -> None:
    page = make_phone("gong-zhu").page
    assert_in_view(page.locator(".exposure"), page.locator(".card-tap .playing-card"))
    assert_in_view(page.locator(".taker"))


def test_finishing_order_and_save_button_fit_the_screen(make_phone: MakePhone) -> None:
    phone = make_phone("gouji")
    for place in range(5):
        phone.page.locator(".tap-player").nth(place).click()
    expect(phone.page.locator("#save-points dd")).to_have_text(["+2", "−2"])
    assert_in_view(phone.page.locator(".tap-player"), phone.page.locator(".actions-stuck button"))


def test_points_are_beside_the_save_button(make_phone: MakePhone) -> None:
    phone = make_phone()
    phone.kankei(2, 4)
    expect(phone.page.locator("#save-points")).to_be_hidden()
    phone.count(1, 9, 0)
    expect(phone.page.locator("#save-points dd")).to_have_text(["+2", "−2"])
    phone.page.evaluate("scrollTo(0, 0)")
    assert_in_view(phone.page.locator("#save-points"), phone.page.locator(".actions-stuck button"))


def test_next_deal_scrolls_into_view(make_phone: MakePhone) -> None:
    phone = make_phone()
    phone.kankei(2, 4)
    phone.count(1, 9, 4)
    phone.page.locator("#preview").scroll_into_view_if_needed()
    phone.save()
    expect(phone.page.locator("#save-points")).to_be_hidden()  # nothing is left to save
    assert_in_view(phone.page.locator("#deal-2 .counter input, #deal-2 .deal-number"))
    phone.expect_unsent(0)
    phone.play()
    assert_in_view(phone.page.locator("#deal-2 .counter input, #deal-2 .deal-number"))


def test_ring_shows_who_changes_seats(make_phone: MakePhone) -> None:
    phone = make_phone()
    phone.kankei(2, 3)
    expect(phone.page.locator("#ring-hint")).to_contain_text("席を交替")
    moving = phone.page.locator(".seat.is-moving")
    expect(moving).to_have_count(2)
    expect(moving.first).to_contain_text("対馬 ハル")
    expect(phone.page.locator("#ring-hint")).to_be_in_viewport(ratio=1)
    phone.tap_seat(3)
    expect(phone.page.locator("#ring-hint")).to_be_hidden()


def test_only_possible_declarations_are_offered(make_phone: MakePhone) -> None:
    phone = make_phone("damarikan")
    phone.kankei(2, 4)
    declarations = phone.page.locator("#deal-1 [data-declarations]")
    expect(declarations).to_be_hidden()
    phone.count(1, 9, 0)
    expect(declarations.locator("[data-declaration=called_skunk]")).to_be_visible()
    expect(declarations.locator("[data-declaration=called_juroku]")).to_be_hidden()
    phone.count(1, 9, 4)
    expect(declarations).to_be_hidden()
    deals.declare(phone.page.locator("#deal-1"), "called_reverse_skunk")  # declared and missed
    expect(phone.page.locator("#deal-1 .deal-line")).to_be_hidden()  # it is still open
    deals.fill_in(phone.page, 2, 2, 9)
    expect(phone.page.locator("#deal-1 .deal-line")).to_contain_text("9–4")


def test_one_open_deal_fits_the_screen_below_the_ring(make_phone: MakePhone) -> None:
    phone = make_phone()
    page = phone.page
    phone.kankei(2, 4)
    expect(page.locator("#deal-1 .deal-other > summary")).to_be_in_viewport(ratio=1)
    assert_in_view(page.locator(".ring .seat"), page.locator("#deal-1 .result"))
    sizes = page.locator("#deal-1 .result").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44
    phone.count(1, 9, 4)
    expect(page.locator("#deal-2 .deal-other > summary")).to_be_in_viewport(ratio=1)
    assert_in_view(page.locator("#deal-1 .deal-line"), page.locator("#deal-2 .result"))
    expect(page.locator("#deal-1 .results")).to_be_hidden()
    phone.count(2, 3, 9)
    expect(page.locator(".deal .results:visible")).to_have_count(0)
    page.locator("#deal-1 .deal-line").click()
    expect(page.locator("#deal-1 .result input[value='9-4']")).to_be_checked()


def test_two_digits_fit_a_screen_320_pixels_wide(make_phone: MakePhone) -> None:
    phone = make_phone()
    phone.page.set_viewport_size({"width": 320, "height": 640})
    phone.kankei(2, 4)
    deals.type_counts(phone.page.locator("#deal-1"), 16, 16)
    cut = "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert phone.page.locator("#deal-1 .counter input, .result > span").evaluate_all(cut) == 0
    assert overflow(phone) <= 0
