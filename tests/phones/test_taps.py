"""A tap is seen and kept at once; what follows of it is worked out for the next frame."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import deals
from tests.phones.conftest import Phone

pytestmark = pytest.mark.django_db(transaction=True)

ONE_MORE = "#deal-1 .counter-kankei [data-step='1']"

# What is on the page before anything else has its turn.
TAP = """([tapped, submits]) => {
  document.querySelector(tapped).click();
  if (submits) document.querySelector(".actions-stuck button").click();
  const told = document.querySelector("#preview").innerText;
  return [document.querySelector("#id_deal_1_kankei").value, told];
}"""
NO_FRAMES = "() => { window.requestAnimationFrame = () => 0; }"
NOTHING_LATER = "() => { window.requestAnimationFrame = window.setTimeout = () => 0; }"
TWO_FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


@pytest.fixture
def page(phone: Phone) -> Page:
    """The page with a deal that one more face card decides."""
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 8, 0)
    expect(phone.page.locator("#preview [data-hint]")).to_be_visible()  # all that follows of it
    expect(phone.page.locator("#preview .facts-big")).to_be_hidden()
    return phone.page


def test_the_count_is_there_before_its_points(page: Page) -> None:
    before = page.locator("#preview").inner_text()
    assert page.evaluate(TAP, [ONE_MORE, False]) == ["9", before]
    expect(page.locator("#preview .facts-big dd").first).to_have_text("+2")
    expect(page.locator("#deal-2.is-open")).to_have_count(1)


def test_of_the_points_the_totals_alone_are_read_out_once(page: Page) -> None:
    expect(page.locator("[aria-live] #preview, #preview[aria-live]")).to_have_count(0)
    told = page.locator("#told[aria-live=polite]")
    page.locator(ONE_MORE).click()
    expect(told).to_have_text("関係組 +2, 無関係組 −2")
    more = page.locator("#deal-1 .counter-mukankei [data-step='1']")
    more.click()
    expect(told).to_have_text("関係組 +1, 無関係組 −1")
    page.evaluate("document.querySelector('#told').firstChild.isOld = true")
    more.click()  # a plain win as before: nothing is said again
    page.evaluate(TWO_FRAMES)
    assert told.evaluate("(each) => each.firstChild.isOld") is True


def test_it_is_kept_before_anything_follows_of_it(phone: Phone, page: Page) -> None:
    page.evaluate(NOTHING_LATER)
    page.evaluate(TAP, [ONE_MORE, False])
    phone.context.set_offline(False)
    phone.play()
    expect(page.locator("#id_deal_1_kankei")).to_have_value("9")


def test_a_page_without_frames_tells_the_points_too(page: Page) -> None:
    page.evaluate(NO_FRAMES)
    page.evaluate(TAP, [ONE_MORE, False])
    expect(page.locator("#preview .facts-big dd").first).to_have_text("+2")


def test_what_is_wrong_stays_told_though_saving_follows_at_once(page: Page) -> None:
    deals.type_counts(page.locator("#deal-1"), 3, 0)  # nobody has won with that
    page.evaluate(TAP, [ONE_MORE, True])
    page.evaluate(TWO_FRAMES)
    expect(page.locator("#save-problem")).to_be_visible()


def test_what_a_tap_leaves_as_it_is_stays_in_the_page(page: Page) -> None:
    """It need not be laid out and painted anew, and is not read out again."""
    page.evaluate(TWO_FRAMES)  # what follows of the deal so far
    kept = page.locator("#preview > *").first.element_handle()
    suit = page.locator(".ring-centre .suit").element_handle()
    page.evaluate(TAP, ["#deal-1 .counter-kankei [data-step='-1']", False])
    page.evaluate(TWO_FRAMES)
    assert [each.evaluate("each => each.isConnected") for each in (kept, suit)] == [True, True]
