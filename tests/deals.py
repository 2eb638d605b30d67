"""Filling in deals of a face-card round in a browser."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def fill_in(page: Page, number: int, kankei: int, mukankei: int, declaration: str = "") -> int:
    """Fill in a deal, by its result buttons if possible; return the number of taps and keys."""
    deal = page.locator(f"#deal-{number}")
    expect(page.locator(f"#deal-{number}.is-waiting")).to_have_count(0)
    taps = open_again(deal)
    result = deal.locator(f".result input[value='{kankei}-{mukankei}']:enabled")
    taps += hold_more(deal, kankei, mukankei)
    if result.count():
        result.click()
        taps += 1
        if not deal.locator(".has-error").count():
            expect(deal.locator(".deal-line")).to_be_visible()
    else:
        taps += type_counts(deal, kankei, mukankei)
    if declaration:
        taps += declare(deal, declaration)
    return taps


def hold_more(deal: Locator, kankei: int, mukankei: int) -> int:
    """Tap that the winners hold one or two more than needed; return the number of taps."""
    for row, held, others in (
        (".result-won", kankei, mukankei),
        (".result-lost", mukankei, kankei),
    ):
        target = int(deal.locator(row).get_attribute("data-target") or 0)
        button = deal.locator(f"{row} [data-more='{held - target}'][aria-pressed=false]")
        if others < target and others + held <= 16 and button.count():
            button.click()
            return 1
    return 0


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
    """Type both counts of an open deal; return the number of taps and keys."""
    taps = show_counters(deal)
    deal.locator(".counter-kankei input").fill(str(kankei))
    deal.locator(".counter-mukankei input").fill(str(mukankei))
    return taps + 2 + len(f"{kankei}{mukankei}")


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
