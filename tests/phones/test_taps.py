"""A tap is shown and stored at once; points and problems follow in the next frame."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests import deals
from tests.phones.conftest import Phone

pytestmark = pytest.mark.django_db(transaction=True)

ONE_MORE = "#deal-1 .counter-kankei [data-step='1']"

# The count and the preview immediately after the tap, in the same task.
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
    """A page with a deal that one more face card decides."""
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    phone.count(1, 8, 0)
    expect(phone.page.locator("#preview [data-hint]")).to_be_visible()  # the preview is complete
    expect(phone.page.locator("#preview .facts-big")).to_be_hidden()
    return phone.page


def test_count_is_shown_before_its_points(page: Page) -> None:
    before = page.locator("#preview").inner_text()
    assert page.evaluate(TAP, [ONE_MORE, False]) == ["9", before]
    expect(page.locator("#preview .facts-big dd").first).to_have_text("+2")
    expect(page.locator("#deal-2.is-open")).to_have_count(1)


def test_screen_reader_announces_each_total_once(page: Page) -> None:
    expect(page.locator("[aria-live] #preview, #preview[aria-live]")).to_have_count(0)
    announced = page.locator("#points-announcement[aria-live=polite]")
    page.locator(ONE_MORE).click()
    expect(announced).to_have_text("関係組 +2, 無関係組 −2")
    more = page.locator("#deal-1 .counter-mukankei [data-step='1']")
    more.click()
    expect(announced).to_have_text("関係組 +1, 無関係組 −1")
    page.evaluate("document.querySelector('#points-announcement').firstChild.isOld = true")
    more.click()  # still a plain win: not announced again
    page.evaluate(TWO_FRAMES)
    assert announced.evaluate("(each) => each.firstChild.isOld") is True


def test_draft_is_stored_before_the_next_frame(phone: Phone, page: Page) -> None:
    page.evaluate(NOTHING_LATER)
    page.evaluate(TAP, [ONE_MORE, False])
    phone.context.set_offline(False)
    phone.play()
    expect(page.locator("#id_deal_1_kankei")).to_have_value("9")


def test_points_are_shown_without_animation_frames(page: Page) -> None:
    page.evaluate(NO_FRAMES)
    page.evaluate(TAP, [ONE_MORE, False])
    expect(page.locator("#preview .facts-big dd").first).to_have_text("+2")


def test_problem_stays_visible_after_an_immediate_save(page: Page) -> None:
    deals.type_counts(page.locator("#deal-1"), 3, 0)  # an undecided deal
    page.evaluate(TAP, [ONE_MORE, True])
    page.evaluate(TWO_FRAMES)
    expect(page.locator("#save-problem")).to_be_visible()


def test_unchanged_elements_are_not_replaced(page: Page) -> None:
    """They are not painted or announced again."""
    page.evaluate(TWO_FRAMES)  # the preview of the deal so far
    kept = page.locator("#preview > *").first.element_handle()
    suit = page.locator(".ring-centre .suit").element_handle()
    page.evaluate(TAP, ["#deal-1 .counter-kankei [data-step='-1']", False])
    page.evaluate(TWO_FRAMES)
    assert [each.evaluate("each => each.isConnected") for each in (kept, suit)] == [True, True]
