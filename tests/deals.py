"""Filling in a deal of a face-card round in a browser, as a table does."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def fill_in(page: Page, number: int, kankei: int, mukankei: int, declaration: str = "") -> None:
    """Fill in a deal once the form has opened it: by one tap, or else by its counters."""
    deal = page.locator(f"#deal-{number}")
    expect(page.locator(f"#deal-{number}.is-waiting")).to_have_count(0)
    open_again(deal)
    usual = deal.locator(f".result input[value='{kankei}-{mukankei}']")
    if usual.count():
        usual.click()
        if not deal.locator(".has-error").count():
            expect(deal.locator(".deal-line")).to_be_visible()
    else:
        type_counts(deal, kankei, mukankei)
    if declaration:
        declare(deal, declaration)


def open_again(deal: Locator) -> None:
    """Open a deal that is decided and shown as a line."""
    if deal.locator(".deal-line").is_visible():
        deal.locator(".deal-line").click()


def show_counters(deal: Locator) -> None:
    """Open the counters of a deal, for what is no usual result."""
    if not deal.locator(".counters").is_visible():
        deal.locator(".deal-other > summary").click()


def type_counts(deal: Locator, kankei: int | str, mukankei: int | str) -> None:
    """Type both counts of an open deal."""
    show_counters(deal)
    deal.locator(".counter-kankei input").fill(str(kankei))
    deal.locator(".counter-mukankei input").fill(str(mukankei))


def declare(deal: Locator, declaration: str) -> None:
    """Choose a declaration: beside the line where the counts make it, else in the open deal."""
    chip = deal.locator(f"[data-declaration={declaration}]")
    if not chip.is_visible():
        open_again(deal)
        show_counters(deal)
    chip.click()
