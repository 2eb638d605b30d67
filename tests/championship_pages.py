"""The championship by the pages of its director, in a browser."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.urls import resolve, reverse
from playwright.sync_api import Page, expect

from tests.api import Program
from tests.championship import (
    FINALISTS,
    NAME,
    RULES,
    SESSIONS,
    TIE_BREAKS,
    list_of_players,
)
from tests.championship_lists import Row, check_lists, standings_in
from tests.championship_over_http import OverTheWire, Wire


class InBrowser(OverTheWire):
    """The event by its pages; tables record by their phones. Each task begins on the overview."""

    def __init__(self, director: Program, page: Page, seed: int) -> None:
        super().__init__(director, seed)
        self.page = page
        self.clicks = 0
        self.tasks: dict[str, int] = {}
        self.seconds: dict[str, list[float]] = {}
        self.checked = range(1, SESSIONS + 1)  # the sessions after which lists are checked
        self.agreed: Counter[str] = Counter()  # rows that agree, by list
        self.differences: list[str] = []

    def address(self, name: str, *numbers: int) -> str:
        return reverse(name, args=[self.slug, *numbers])

    def open(self, path: str) -> None:
        self.page.goto(f"http://{Wire.server}{path}")
        self.note_time()

    def go(self, selector: str) -> None:
        """Click an element that leads to another page."""
        with self.page.expect_navigation():
            self.click(selector)
        self.note_time()

    def go_to(self, name: str, *numbers: int) -> None:
        path = self.address(name, *numbers)
        self.go(f":is(a[href='{path}'], a[href^='{path}?'])")

    def click(self, selector: str) -> None:
        """Click the first visible one of these elements; if none is, open their `details`."""
        found = self.page.locator(f"main {selector}").locator("visible=true")
        if not found.count():
            self.clicks += 1
            self.page.locator(f"main details:has({selector}) > summary").first.click()
        self.clicks += 1
        found.first.click()

    def save(self, field: str) -> None:
        """Send the form with this field by its first button."""
        self.go(f"form:has([name={field}]) button.button-primary")

    def fill(self, **fields: object) -> None:
        for name, value in fields.items():
            self.page.locator(f"main [name={name}]").locator("visible=true").fill(str(value))

    def choose(self, name: str, value: str) -> None:
        self.page.check(f"[name={name}][value={value}]")

    def note_time(self) -> None:
        """Note how long the page took, with what was sent before, until it was all there."""
        self.page.wait_for_load_state()
        timing = self.page.evaluate("performance.getEntriesByType('navigation')[0].toJSON()")
        name = str(resolve(urlsplit(self.page.url).path).url_name)
        self.seconds.setdefault(name, []).append(timing["loadEventEnd"] / 1000)

    def fetch(self, name: str, *numbers: int, query: str = "") -> bytes:
        begun = time.monotonic()
        address = f"http://{Wire.server}{self.address(name, *numbers)}{query}"
        answer = self.page.request.get(address, timeout=0)
        assert answer.ok, answer.text()
        content = answer.body()
        self.seconds.setdefault(name, []).append(time.monotonic() - begun)
        return content

    def print_cards(self, session: int) -> bytes:
        """Print the table cards of a session, each with a new PIN."""
        self.open(self.address("table-cards", session))
        with self.page.expect_download() as printed:
            self.click("form button.button-primary")
        return printed.value.path().read_bytes()

    def ask(self, path: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.director.get(f"{self.base()}/{path}")
        return answer

    def standings(self) -> list[Row]:
        return standings_in(self.ask("standings"))

    @contextmanager
    def spectator(self, path: str) -> Iterator[Page]:
        """Open a page in a browser that is not logged in."""
        browser = self.page.context.browser
        assert browser is not None
        context = browser.new_context(locale="ja-JP")
        page = context.new_page()
        page.goto(f"http://{Wire.server}{path}")
        yield page
        context.close()

    @contextmanager
    def task(self, name: str) -> Iterator[None]:
        """Do a task from the overview on, and count its clicks."""
        self.open(self.address("tournament"))
        self.clicks = 0
        yield
        self.tasks[name] = max(self.clicks, self.tasks.get(name, 0))

    def create(self) -> str:
        self.open(reverse("create-tournament", args=[RULES]))
        self.fill(name=NAME, rounds_per_session=1, sessions_planned=SESSIONS - 1)
        self.save("rounds_per_session")
        return str(resolve(urlsplit(self.page.url).path).kwargs["slug"])

    def import_players(self) -> None:
        """Read the list of players from a file."""
        content = list_of_players().encode()
        with self.task("add players from a list"):
            self.go_to("entries")
            file = {"name": "players.csv", "mimeType": "text/csv", "buffer": content}
            self.page.set_input_files("[name=file]", file)  # type: ignore[arg-type]
            self.save("file")

    def mark(self, session: int, numbers: Iterable[int], status: str) -> None:
        for count, number in enumerate(numbers):
            if not count:
                self.open(self.address("tournament"))
                self.clicks = 0
                self.go_to("roll-call", session)
            self.page.fill("#roll-q", str(number))
            self.click(f"#p{number} button[value$='.{status}']")
            expect(self.page.locator(f"#p{number}[data-status={status}]")).to_have_count(1)
            if not count:
                self.tasks["mark a player in the roll call"] = self.clicks
        expect(self.page.locator("[aria-busy]")).to_have_count(0)

    def seat(self, session: int) -> None:
        """Draw with the number of the draw typed, and assign the seats."""
        with self.task("draw and settle the seats"):
            self.go_to("seat-session")
            opened = "all => all.forEach(it => it.open = true)"
            self.page.eval_on_selector_all("details:has([name=seed])", opened)
            self.fill(seed=self.seed + session)
            with self.page.expect_navigation():
                self.page.press("main [name=seed]", "Enter")
            self.note_time()
            expect(self.page.locator("#seating-board")).to_be_visible()
            self.save("digest")

    def play(self, sittings: Iterable[dict[str, Any]]) -> None:
        """Let the phones record; in the first session do the other tasks of a desk, too."""
        tables = list(sittings)
        if not self.seats[1:]:
            self.use_the_desk(tables)
        super().play(tables)

    def use_the_desk(self, tables: list[dict[str, Any]]) -> None:
        """Show the seats, run the clock, answer a call, end the session and take that back."""
        with self.task("show the seats to everybody"):
            self.go("button[name=showing][value=seats]")
        with self.task("start the clock"):
            self.go_to("set-clock", 1)
            self.go("button[value=set_and_start]")
        call = {"kind": "director", "words": "札が足りない"}
        self.post(f"/api/sittings/{tables[40]['id']}/calls", call)
        with self.task("answer a table's call"):
            self.go_to("board")
            self.go("form[action*='/calls/'] button")
        with self.task("end a session when time is up"):
            self.go_to("end-session", 1)
            self.click("[name=everything]")
            self.go("button[value=end]")
        with self.task("take back the end of a session"):
            self.go_to("end-session", 1)
            self.go("button[value=resume]")

    def end(self, session: int) -> None:
        self.open(self.address("end-session", session))
        self.go("button[value=end]")

    def substitute(self, session: int, number: int) -> None:
        with self.task("name a substitute"):
            self.go_to("roll-call", session)
            self.page.fill("#roll-q", str(number))
            self.click(f"#p{number} button[value$='.absent']")
            expect(self.page.locator(f"#p{number}[data-status=absent]")).to_have_count(1)
            self.go(f"#p{number} a[href*=substitute]")
            self.fill(name=f"代理 {number}", reading="ダイダ", reason="急用")
            self.save("player")

    def deduct(self, number: int, player: int, points: int) -> None:
        with self.task("deduct points"):
            self.go_to("standings")
            self.go_to("adjustments")
            self.fill(player=player, points=-points, reason="遅刻")
            self.save("points")

    def choose_ranking(self) -> None:
        self.open(self.address("ranking"))
        for number, step in enumerate([*TIE_BREAKS, "", ""], 1):
            self.page.select_option(f"[name=step_{number}]", step)
        for name, value in (
            ("withdrawn", "listed"),
            ("missed", "own_average"),
            ("substitutes", "place"),
        ):
            self.choose(name, value)
        self.save("step_1")

    def plan_final(self) -> None:
        self.open(self.address("edit-stage", 2))
        self.fill(name="決勝")
        for line, (division, places) in enumerate(FINALISTS.items()):
            self.page.select_option(f"[name=quota-{line}-division]", division)
            self.page.fill(f"[name=quota-{line}-places]", str(places))
        self.choose("carry", "half")
        self.choose("at_line", "open")
        self.save("carry")

    def confirm_final(self) -> None:
        """Tick who of those tied at the line goes on, and confirm who does."""
        self.at_line = self.decided_at_line()
        with self.task("confirm who goes on"):
            self.go_to("stage-members", 2)
            while self.page.locator("[name=chosen][type=checkbox]").count():
                for number in self.at_line:
                    for box in self.page.locator(f"[type=checkbox][value='{number}']").all():
                        box.check()
                        self.clicks += 1
                self.go("form:has([name=chosen]) button")  # the first choice is a play-off
            if self.at_line:
                self.fill(reason="抽選")
            self.go("button[value=confirm]")

    def exchange(self, session: int, one: int, other: int) -> None:
        with self.task("exchange two players after the rounds are in"):
            self.go_to("session", session)
            self.go_to("exchange-players", session)
            self.fill(one=one, other=other, reason="席の取り違え")
            self.save("one")
            self.go("button[name=confirm]")

    def run_session(self, session: int) -> None:
        """Run a session, correct a round, publish the results, and check the lists."""
        super().run_session(session)
        if session == 1:
            with self.task("open a round to correct it"):
                self.go_to("session", 1)
                self.go_to("sitting", 1, 29)
                self.go_to("record-round", 1, 29, 1)
        with self.task("publish the results"):
            self.go_to("publish")
            self.go("button[value=published]")
        if session in self.checked:
            check_lists(self, session)
        told = f"{self.slug}, session {session}: {len(self.differences)} lists that differ\n"
        sys.stdout.write(told)
