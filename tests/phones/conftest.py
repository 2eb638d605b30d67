"""Phones in Chromium, at an http address that the browser does not treat as loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from django.conf import settings as project
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from tests import browsers, cast, deals, live
from tests.browsers import HOST
from tournaments.models import Sitting


class Phone:
    """A browser profile at a table, with methods for a user's taps."""

    def __init__(self, context: BrowserContext, address: str, sitting: Sitting) -> None:
        self.context = context
        self.address = address
        self.sitting = sitting
        self.page_errors: list[str] = []
        self.page = self.listen(context.pages[0] if context.pages else context.new_page())

    @property
    def play_address(self) -> str:
        session = self.sitting.session
        place = [session.tournament.slug, session.number, self.sitting.number]
        return self.address + reverse("play-table", args=place)

    def new_page(self) -> Page:
        return self.listen(self.context.new_page())

    def listen(self, page: Page) -> Page:
        page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        return page

    def join(self) -> None:
        self.page.goto(self.address + reverse("join-table", args=[self.sitting.token]))

    def admit(self) -> None:
        """Join without loading a page: set the cookies. Faster than `join`."""
        client = Client(HTTP_HOST=HOST)
        client.get(reverse("join-table", args=[self.sitting.token]))
        for name, cookie in client.cookies.items():
            self.context.add_cookies([{"name": name, "value": cookie.value, "url": self.address}])

    def play(self, page: Page | None = None) -> Page:
        """Open the table's page and wait until its script is ready."""
        page = page or self.page
        page.goto(self.play_address)
        expect(page.locator("html[data-phone=ready]")).to_have_count(1)
        return page

    def tap_seat(self, seat: int) -> None:
        self.page.locator(f".ring .seat:nth-child({seat})").click()

    def choose_dealer(self) -> None:
        """Tap seat 1 if the page asks for the first dealer."""
        if self.page.locator("[data-asks=dealer]").is_visible():
            self.tap_seat(1)

    def kankei(self, *seats: int) -> None:
        self.choose_dealer()
        for seat in seats:
            self.tap_seat(seat)

    def count(self, deal: int, kankei: int, mukankei: int, declaration: str = "") -> int:
        return deals.fill_in(self.page, deal, kankei, mukankei, declaration)

    def save(self) -> None:
        self.page.locator(".actions-stuck button").click()

    def take_phone(self) -> None:
        self.page.locator("[data-do=take-phone]").click()

    def call_desk(self, wrong: str = "") -> None:
        """Call the desk to the table, or with this reason to correct the last round."""
        self.page.locator(".phone-head [data-do=call]").click()
        answer = f"='{wrong}'" if wrong else "^='director:'"
        self.page.locator(f"#call [data-answer{answer}]").first.click()

    def open_queue(self) -> None:
        """Open the list of unsent items. Not by a tap, since the list may be moving."""
        self.page.locator("#queue > summary").evaluate(
            "each => each.parentElement.open || each.click()"
        )
        expect(self.page.locator("#queue[open]")).to_have_count(1)

    def expect_draft(self, field: str, value: str) -> None:
        """Wait until a field of the draft is stored, before the page is left."""
        draft = "() => makiyaku.phone.editor.draft()"
        live.wait_until(lambda: (self.page.evaluate(draft) or {}).get(field) == value)

    def expect_tries(self, number: int) -> None:
        """Wait until the first item of the queue was sent this often, and the count is stored."""
        items = "() => makiyaku.phone.outbox.items()"
        live.wait_until(lambda: self.page.evaluate(items)[0]["tries"] >= number)

    def expect_pause(self) -> None:
        """Wait until the next retry is scheduled."""
        self.page.wait_for_function("() => makiyaku.phone.outbox.timer")

    def expect_unsent(self, number: int) -> None:
        """Wait until the head of the page shows this number of unsent items."""
        said = self.page.locator("#queue.is-waiting")
        expect(said).to_have_count(1 if number else 0)
        if number:
            expect(self.page.locator("#queue-words")).to_contain_text(str(number))


# A click while a page scrolls smoothly may be lost.
NO_MOTION: dict[str, Any] = {"reduced_motion": "reduce"}


@pytest.fixture
def new_context(chromium: Browser, address: str) -> Iterator[Callable[[], BrowserContext]]:
    """Make browser profiles, which are closed before the server."""
    contexts: list[BrowserContext] = []

    def make() -> BrowserContext:
        contexts.append(browsers.new_profile(chromium, **NO_MOTION))
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def phones_tab(chromium: Browser) -> browsers.SharedTab:
    """The tab of the fixture `first_context`."""
    return browsers.SharedTab(chromium, **NO_MOTION)


@pytest.fixture
def first_context(phones_tab: browsers.SharedTab, address: str) -> Iterator[BrowserContext]:
    """An empty browser profile, for tests that neither set the clock nor add scripts."""
    yield phones_tab.context
    phones_tab.empty()


@pytest.fixture
def address(live_server: LiveServer, settings: Settings) -> str:
    """The server's address, which is not a secure context."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, HOST]
    return f"http://{HOST}:{live_server.thread.port}"


@pytest.fixture
def sitting(transactional_db: None) -> Sitting:
    """A table of six in a tournament without acceptance."""
    return cast.make_sitting()


SCRIPTS = [
    "round/words",
    *(f"phone/{name}" for name in ("store", "outbox", "codes", "playbook", "wording")),
]


@pytest.fixture(scope="package")
def blank(chromium: Browser) -> Page:
    """Return a page without a server that has loaded the phone's scripts."""
    page = chromium.new_page()
    for name in SCRIPTS:
        page.add_script_tag(path=project.BASE_DIR / "static" / "js" / f"{name}.js")
    return page


MakePhone = Callable[[Sitting], Phone]


@pytest.fixture
def make_phone(
    first_context: BrowserContext, new_context: Callable[[], BrowserContext], address: str
) -> MakePhone:
    """Make a phone that shows the page of a table."""
    contexts = chain([first_context], iter(new_context, None))

    def make(sitting: Sitting) -> Phone:
        phone = Phone(next(contexts), address, sitting)
        phone.admit()
        phone.play()
        return phone

    return make


@pytest.fixture
def phone(make_phone: MakePhone, sitting: Sitting) -> Phone:
    return make_phone(sitting)


@pytest.fixture
def own_phone(new_context: Callable[[], BrowserContext], address: str, sitting: Sitting) -> Phone:
    """A phone for tests that set the clock, add scripts or fill the storage."""
    phone = Phone(new_context(), address, sitting)
    phone.admit()
    phone.play()
    return phone
