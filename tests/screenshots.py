"""Take the pictures of the guides and of the README from a new demo, in every language.

make screenshots

The guides' texts name buttons. `pictures.json` tells the words that can be seen on each picture;
`tests/tournaments/views/test_guides.py` compares them with the texts and with the pages.
"""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from itertools import cycle, product
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests import browsers, deals
from tests.guide_pictures import CATALOGUES, FOLDER, NAMES, words_of_pages
from tests.serving import manage, served_from

EVENT = "/tournaments/demo-goshogawara/"
RULES = "goninkan-association"
BY_PHONE, ON_PAPER = 1, 8  # tables of the second session
SURNAMES = [
    "工藤",
    "三上",
    "成田",
    "葛西",
    "対馬",
    "奈良",
    "木村",
    "佐藤",
    "齋藤",
    "山内",
    "福士",
    "須藤",
]
GIVEN = ["りんご", "つがる"]
TOWNS = ["板柳", "五所川原", "弘前", "金木", "鶴田", "黒石", "青森", "深浦"]
PLAYERS = "\n".join(
    f"{surname} {given}、{town}支部、一般"
    for (surname, given), town in zip(product(SURNAMES, GIVEN), cycle(TOWNS), strict=False)
)
SHEET = "4 26 94 79\n5 13 78\n"

LOCALES = {"ja": "ja-JP", "en": "en-GB", "zh-hans": "zh-CN"}  # of the browser
# Without it, a field of a date has the format of the browser’s own language, which is English.
BY_LANGUAGE = "--enable-blink-features=LangAttributeAwareFormControlUI"
DATES_OF_LOCALE = """(field, locale) => {
    field.lang = locale
    for (const type of ["text", "date"]) field.type = type  // to be drawn again
}"""

DESK = {"width": 600, "height": 2400}  # nothing sticks to an edge
PHONE = {"width": 360, "height": 1600}
EDGE, COLOURS, SCALE = 8, 64, 1.5
BUTTONS = ":is(a, button, summary):not(header *, footer *, .breadcrumbs *)"

VISIBLE_WORDS = """([left, top, width, height]) => {
    const within = element => [...element.getClientRects()].some(box => box.width
        && box.left >= left - 1 && box.right <= left + width + 1
        && box.top + scrollY >= top - 1 && box.bottom + scrollY <= top + height + 1)
    const found = "a, button, summary, label, legend, h1, h2, h3, th, dt, strong, span"
    return [...document.querySelectorAll(found)]
        .filter(each => each.checkVisibility({ visibilityProperty: true }) && within(each))
        .map(each => each.innerText.replace(/\\s+/g, " ").trim())
}"""


class Camera:
    """A browser in a language: presses what a guide names, and keeps pictures."""

    def __init__(self, browser: Browser, address: str, language: str) -> None:
        self.browser, self.address, self.language = browser, address, language
        self.catalogue: NullTranslations = NullTranslations()
        if language != "en":
            path = CATALOGUES / NAMES[language] / "LC_MESSAGES" / "django.mo"
            self.catalogue = GNUTranslations(path.open("rb"))
        self.shown: dict[str, Any] = {}

    def new_page(self, size: dict[str, int]) -> Page:
        context = self.browser.new_context(
            viewport={"width": size["width"], "height": size["height"]},
            device_scale_factor=SCALE,
            locale=LOCALES[self.language],
            reduced_motion="reduce",
        )
        cookie = {"name": "django_language", "value": self.language, "url": self.address}
        context.add_cookies([cookie])  # type: ignore[list-item]
        return context.new_page()

    def button(self, where: Page | Locator, message: str, context: str = "") -> Locator:
        """Return the first visible button or link with the words of a message."""
        words = self.words(message, context)
        named = re.compile(rf"^\s*{re.escape(words)}\s*$")
        buttons = where.locator(BUTTONS).filter(has_text=named)
        return buttons.locator("visible=true").first

    def words(self, message: str, context: str = "") -> str:
        catalogue = self.catalogue
        return catalogue.pgettext(context, message) if context else catalogue.gettext(message)

    def press(self, where: Page | Locator, message: str, context: str = "") -> None:
        self.button(where, message, context).click()

    def take(self, page: Page, name: str, *parts: Locator, most: int = 480) -> None:
        """Keep a picture of these parts of a page, at most so high, and note its words."""
        boxes = [part.bounding_box() for part in parts]
        page.evaluate("document.activeElement?.blur()")
        scrolled = page.evaluate("scrollY")
        left = max(min(box["x"] for box in boxes if box) - EDGE, 0)
        top = max(min(box["y"] for box in boxes if box) + scrolled - EDGE, 0)
        right = max(box["x"] + box["width"] for box in boxes if box) + EDGE
        bottom = max(box["y"] + box["height"] for box in boxes if box) + scrolled + EDGE
        clip = [round(each) for each in (left, top, right - left, min(bottom - top, most))]
        seen = set(page.evaluate(VISIBLE_WORDS, clip)) & words_of_pages(self.language)
        picture = page.screenshot(full_page=True, clip=dict(zip(BOX, clip, strict=True)))  # type: ignore[arg-type]
        self.keep(name, picture)
        self.shown[name] = {
            "page": urlsplit(page.url).path,
            "size": clip[2:],
            "words": sorted(seen),
        }

    def keep(self, name: str, picture: bytes) -> None:
        """Write a picture, small enough for a repository."""
        path = FOLDER / self.language / f"{name}.webp"
        path.parent.mkdir(parents=True, exist_ok=True)
        few = (
            Image.open(BytesIO(picture))
            .convert("RGB")
            .quantize(COLOURS, kmeans=1, dither=Image.Dither.NONE)
        )
        few.convert("RGB").save(path, lossless=True, quality=100, method=6)
        sys.stdout.write(f"{self.language}/{name}: {path.stat().st_size // 1000} kB\n")


BOX = ("x", "y", "width", "height")


def main() -> None:
    expect.set_options(timeout=60_000)  # for slow machines
    shown = {}
    for language in sys.argv[1:] or NAMES:
        with (
            tempfile.TemporaryDirectory(prefix="makiyaku-pictures-") as name,
            served_from(Path(name), "--demo") as address,
            chromium() as browser,
        ):
            camera = Camera(browser, address, language)
            take_pictures(camera, new_director(Path(name)), token_of_table(Path(name)))
            shown[language] = camera.shown
    told = json.dumps(shown, ensure_ascii=False, indent=1, sort_keys=True)
    (FOLDER / "pictures.json").write_text(told + "\n", encoding="utf-8")


def take_pictures(camera: Camera, password: str, token: str) -> None:
    desk = camera.new_page(DESK)
    log_in(desk, camera.address, password)
    new_event(camera, desk)
    round_on_a_phone(camera, token)
    day_of_the_demo(camera, desk)
    final_of_the_demo(camera, desk)


def new_event(camera: Camera, desk: Page) -> None:
    """Take pictures of an event from its beginning to the seats of the first session."""
    desk.goto(camera.address)
    camera.take(desk, "home", desk.locator("main > section, main > div").first)
    desk.goto(f"{camera.address}/tournaments/new/{RULES}/")
    desk.fill("[name=name]", "第5回 りんごの里ゴニンカン大会")
    desk.fill("[name=venue]", "中央公民館")
    desk.locator("[type=date]").evaluate(DATES_OF_LOCALE, LOCALES[camera.language])
    first = desk.locator("form .sheet").first
    camera.take(desk, "new-tournament", first, first.locator(".field").nth(2), most=390)
    camera.press(desk, "Create the tournament")
    desk.wait_for_url("**/entries/")
    event = desk.url.removesuffix("entries/")
    desk.fill("[name=people]", PLAYERS)
    desk.locator("[name=people]").evaluate("it => { it.rows = 7; it.scrollTop = 0 }")
    camera.take(desk, "players", desk.locator("form:has([name=people])"), most=560)
    camera.press(desk, "Add them all")
    desk.goto(f"{event}sessions/1/roll-call/")
    rows = desk.locator(".roll > li")
    for row in (0, 1):
        camera.press(rows.nth(row), "Present", "roll call")
        expect(rows.nth(row)).to_have_attribute("data-status", "present")
    expect(desk.locator("[aria-busy]")).to_have_count(0)
    camera.press(rows.nth(2), "Other", "marks of the roll call")
    camera.take(desk, "roll-call", *(rows.nth(row) for row in range(4)))
    desk.goto(f"{event}sessions/new/")
    camera.press(desk, "Draw the seats")
    expect(desk.locator("#seating-board")).to_be_visible()
    camera.take(
        desk, "seats", desk.locator(".board-table").last, desk.locator(".board-actions"), most=560
    )


def round_on_a_phone(camera: Camera, token: str) -> None:
    """Take three pictures of a phone that records a round, and let it call the desk."""
    phone = camera.new_page(PHONE)
    phone.goto(f"{camera.address}/join/{token}/")
    expect(phone.locator("html[data-phone=ready]")).to_have_count(1)
    expect(phone.locator("#queue-words")).not_to_have_text("…")  # the stored rounds are loaded
    ring = phone.locator("fieldset:has(.ring)")
    for player in (1, 3):
        phone.locator(".ring .seat:not(.is-dealer)").nth(player).click()
    camera.take(phone, "phone-kankei", phone.locator("#round-title"), ring)
    deals.fill_in(phone, 1, 9, 4)
    phone.locator("#deal-1 .deal-line").click()
    expect(phone.locator("#deal-1 .result").last).to_be_visible()
    camera.take(phone, "phone-cards", phone.locator("#deal-1"))
    deals.fill_in(phone, 2, 5, 9)
    expect(phone.locator("#preview tbody tr")).to_have_count(2)
    bar = phone.locator("main form .actions-stuck")
    camera.take(phone, "phone-points", phone.locator("#points-so-far"), bar, most=600)
    phone.locator("[data-do=call]").click()
    phone.locator("#call button[data-answer]").first.click()
    expect(phone.locator("#call-state")).to_be_visible()


def day_of_the_demo(camera: Camera, desk: Page) -> None:
    desk.goto(f"{camera.address}{EVENT}board/")
    camera.take(desk, "progress", desk.locator("#board"))
    desk.goto(f"{camera.address}{EVENT}sessions/2/tables/{ON_PAPER}/paper/")
    desk.locator("[name=rounds]").evaluate("it => it.rows = 3")
    with desk.expect_response("**/paper/preview/"):
        desk.fill("[name=rounds]", SHEET)
    expect(desk.locator("#paper-ledger tbody tr")).to_have_count(3)
    camera.take(
        desk, "paper", desk.locator(".field:has([name=rounds])"), desk.locator("#paper-ledger")
    )
    desk.goto(f"{camera.address}{EVENT}standings/")
    camera.take(desk, "standings", desk.locator(".page-head"))


def final_of_the_demo(camera: Camera, desk: Page) -> None:
    """Plan a final after the second session, end this, and publish the results."""
    desk.goto(f"{camera.address}{EVENT}plan/")
    desk.locator("[name=plan]").nth(1).check()
    desk.fill("[name=sessions_planned]", "2")
    desk.fill("[name=finalists]", "6")
    camera.press(desk, "Save")
    desk.goto(f"{camera.address}{EVENT}sessions/2/end/")
    desk.check("[name=everything]")
    camera.press(desk, "End the session")
    desk.goto(f"{camera.address}{EVENT}")
    camera.take(desk, "next-step", desk.locator("main .sheet").first)
    camera.press(desk, "Confirm who advances")
    desk.goto(f"{camera.address}{EVENT}publish/")
    camera.take(desk, "publish", desk.locator("section[aria-labelledby=announce-title]"))
    desk.goto(f"{camera.address}/backups/")
    form = desk.locator("details:has(form[action$='/standby/'])")
    camera.take(desk, "standby", form, most=290)


def log_in(desk: Page, address: str, password: str) -> None:
    desk.goto(f"{address}/log-in/")
    desk.fill("[name=username]", "pictures")
    desk.fill("[name=password]", password)
    desk.locator("main button.button-primary").click()


def token_of_table(folder: Path) -> str:
    """Return the token of the table with a phone."""
    with closing(sqlite3.connect(folder / "makiyaku.sqlite3")) as database:
        found = database.execute(
            "SELECT token FROM tournaments_sitting AS sitting"
            " JOIN tournaments_session AS session ON session.id = session_id"
            " JOIN tournaments_tournament AS tournament ON tournament.id = tournament_id"
            " WHERE slug = ? AND session.number = 2 AND sitting.number = ?",
            (EVENT.split("/")[2], BY_PHONE),
        )
        return str(found.fetchone()[0])


def new_director(folder: Path) -> str:
    """Create an account that may do everything; return its password."""
    os.environ["DJANGO_SUPERUSER_PASSWORD"] = password = token_hex(16)
    manage(folder, "createsuperuser", "--no-input", "--username=pictures", "--email=p@example.com")
    return password


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        options = browsers.options()
        options["args"].append(BY_LANGUAGE)
        browser = playwright.chromium.launch(**options)
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
