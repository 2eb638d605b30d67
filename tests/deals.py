"""Filling in deals of a face-card round in a browser, by what a person sees and taps."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

# By which the winners can exceed their target with one tap, and the face cards of a deal.
EXTRAS, FACE_CARDS = (0, 1, 2), 16


def fill_in(page: Page, number: int, kankei: int, mukankei: int, declaration: str = "") -> int:
    """Fill in a deal, by its buttons where it has them; return the number of taps and keys."""
    deal = page.locator(f"#deal-{number}")
    expect(page.locator(f"#deal-{number}.is-waiting")).to_have_count(0)
    taps = open_again(deal)
    if not taps:
        assert_nothing_is_chosen(deal)
    taps += tap_result(deal, kankei, mukankei) or type_counts(deal, kankei, mukankei)
    if declaration:
        taps += declare(deal, declaration)
    return taps


def assert_nothing_is_chosen(deal: Locator) -> None:
    if not any(field.input_value() for field in deal.locator(".counter input").all()):
        expect(deal.locator(".result input:checked, [aria-pressed=true]")).to_have_count(0)


def tap_result(deal: Locator, kankei: int, mukankei: int) -> int:
    """Tap the result with these counts; return the number of taps, 0 if there is no such button.

    It has both counts, or stands in the row of the winners, with the others' count.
    """
    taps = 1
    result = labelled(deal, f"{kankei}–{mukankei}")
    for row, held, others in (
        (".result-won", kankei, mukankei),
        (".result-lost", mukankei, kankei),
    ):
        target = int(deal.locator(row).get_attribute("data-target") or 0)
        has_room = held - target in EXTRAS and kankei + mukankei <= FACE_CARDS
        if has_room and not result.count():
            result = labelled(deal.locator(row), str(others))
            taps += hold_more(deal.locator(row), held - target) if result.count() else 0
    if not result.count():
        return 0
    result.click()
    if not deal.locator(".has-error").count():
        expect(deal.locator(".deal-line")).to_be_visible()
    return taps


def labelled(box: Locator, label: str) -> Locator:
    return box.locator(".result").filter(has_text=re.compile(rf"^\s*{label}\s*$"))


def hold_more(row: Locator, extra: int) -> int:
    """Tap until the winners of a row are shown to hold so many more than needed."""
    pressed = row.locator("[data-more][aria-pressed=true]")
    wanted = row.locator(f"[data-more='{extra}']") if extra else pressed
    if (extra and wanted.get_attribute("aria-pressed") == "true") or not wanted.count():
        return 0
    wanted.click()
    return 1


def open_again(deal: Locator) -> int:
    """Open a decided deal that is shown as a line; return the number of taps."""
    if not deal.locator(".deal-line").is_visible():
        return 0
    deal.locator(".deal-line").click()
    return 1


def show_counters(deal: Locator) -> int:
    """Open the counters of a deal, for other results; return the number of taps."""
    if deal.locator(".counters").is_visible():
        return 0
    deal.locator(".deal-other > summary").click()
    return 1


def type_counts(deal: Locator, kankei: int | str, mukankei: int | str) -> int:
    """Type both counts of an open deal; return the number of taps and keys.

    The first field needs no tap if opening the counters has led there.
    """
    taps = show_counters(deal)
    for side, count in (("kankei", kankei), ("mukankei", mukankei)):
        field = deal.locator(f".counter-{side} input")
        taps += (not field.evaluate("each => each === document.activeElement")) + len(str(count))
        field.fill(str(count))
    return taps


def declare(deal: Locator, declaration: str) -> int:
    """Choose a declaration, beside the line of the deal or in the open deal.

    Return the number of taps.
    """
    taps = 1
    chip = deal.locator(f"[data-declaration={declaration}]")
    if not chip.is_visible():
        taps += open_again(deal) + show_counters(deal)
    chip.click()
    return taps
