"""Take the screenshots of the README from a new demo.

make screenshots
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests import browsers, deals
from tests.programs import find_program
from tests.serving import ROOT, served_from

TOURNAMENT, RULES = "demo-goshogawara", "goninkan-association"
TABLE_IN_A_ROUND = 4

PICTURES = ROOT / "docs" / "screenshots"
COLOURS = 128  # enough for the design; reduces the size to a third

PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 860}


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="makiyaku-screenshots-") as name:
        folder = Path(name)
        with demo_served_from(folder) as url, chromium() as browser:
            take_pictures(browser, url, token_of_table(folder))


def take_pictures(browser: Browser, url: str, token: str) -> None:
    laptop = page_of(browser, LAPTOP, scale=1)
    laptop.goto(url)
    keep("front-page", laptop.screenshot())

    laptop.goto(f"{url}/tournaments/{TOURNAMENT}/standings/")
    keep("standings", laptop.screenshot())

    phone = page_of(browser, PHONE, scale=2)
    phone.goto(f"{url}/join/{token}/")
    expect(phone.locator("html[data-phone=ready]")).to_have_count(1)
    phone.evaluate("scrollTo(0, 0)")
    keep("table-on-a-phone", phone.screenshot())
    count_the_next_deal(phone)
    keep("round-on-a-phone", phone.screenshot())

    with urlopen(f"{url}/rules/{RULES}/chart.pdf") as pdf:  # noqa: S310  our own server
        keep("chart", first_page(pdf.read()))


def count_the_next_deal(phone: Page) -> None:
    expect(phone.locator("#queue-words")).not_to_have_text("…")  # the stored rounds are loaded
    deals.fill_in(phone, 2, 8, 0)
    expect(phone.locator("#preview dd").first).to_have_text("+3")
    phone.locator("#deal-1").evaluate("it => it.scrollIntoView()")


def page_of(browser: Browser, size: dict[str, int], *, scale: float) -> Page:
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        device_scale_factor=scale,
        locale="ja-JP",
        reduced_motion="reduce",
    )
    return context.new_page()


def first_page(pdf: bytes) -> bytes:
    """Return the first page of a PDF as a picture."""
    command = [find_program("pdftoppm"), "-r", "96", "-f", "1", "-singlefile", "-png", "-"]
    return subprocess.run(command, input=pdf, stdout=subprocess.PIPE, check=True).stdout


def keep(name: str, picture: bytes) -> None:
    """Write a picture, small enough for a repository."""
    path = PICTURES / f"{name}.png"
    colours = Image.open(BytesIO(picture)).convert("RGB").quantize(COLOURS)
    colours.save(path, optimize=True)
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB\n")


def token_of_table(folder: Path) -> str:
    """Return the token of the table with an unfinished round."""
    with closing(sqlite3.connect(folder / "makiyaku.sqlite3")) as database:
        found = database.execute(
            "SELECT token FROM tournaments_sitting AS sitting"
            " JOIN tournaments_session AS session ON session.id = session_id"
            " JOIN tournaments_tournament AS tournament ON tournament.id = tournament_id"
            " WHERE slug = ? AND session.number = 2 AND sitting.number = ?",
            (TOURNAMENT, TABLE_IN_A_ROUND),
        )
        return str(found.fetchone()[0])


def demo_served_from(folder: Path) -> AbstractContextManager[str]:
    return served_from(folder, "--demo")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**browsers.options())
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
