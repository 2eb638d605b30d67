"""Run the championship of 340 players in Chromium, as its director would, and check every list.

    .venv/bin/python -m tests.championship_in_browser

Serves an empty data folder, runs the event twice by its pages and once over the API, with the same
seeds, and compares them; each list that is shown, printed or exported on the way is compared with
the standings of the API. Prints the clicks that tasks take, and which pages are slow. Takes some
ten minutes.
"""
# ruff: noqa: E402, T201  models can be imported once Django is set up; it reports to a terminal

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from django.urls import reverse
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import browsers
from tests.api import json_of
from tests.championship import SEED, SESSIONS, Championship
from tests.championship_lists import standings_in
from tests.championship_over_http import OverTheWire, Wire
from tests.championship_pages import InBrowser
from tests.serving import manage, served_from
from tournaments.server.venue import DIRECTOR

PATIENCE = 60_000  # milliseconds


def main() -> None:
    """Run the event, compare, and exit with an error where something differs."""
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory(prefix="makiyaku-championship-") as name:
        folder = Path(name)
        with served_from(folder) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(**browsers.options())
            differences = run_all(browser, url, (folder / "director-password").read_text().strip())
            browser.close()
        verified = manage(folder, "verify")
    for difference in differences:
        print("DIFFERS:", difference)
    sys.exit(bool(differences) or verified)


def run_all(browser: Browser, url: str, password: str) -> list[str]:
    """Run the event twice in the browser and once over the API; return the differences."""
    Wire.server = url.removeprefix("http://")
    answer = Wire().post("/api/token", {"username": DIRECTOR, "password": password})
    director = Wire(json_of(answer)["token"])
    pages = [logged_in(browser, url, password) for _ in range(2)]
    first, second = events = [InBrowser(director, page, SEED) for page in pages]
    second.checked = range(SESSIONS, SESSIONS + 1)
    for event in events:
        event.run()
        report(event)
    over_http = OverTheWire(director, SEED)
    over_http.run()
    return [
        *(each for event in events for each in event.differences),
        *differences_between(first, second),
        *differences_between(first, over_http),
    ]


def logged_in(browser: Browser, url: str, password: str) -> Page:
    page = browser.new_context(locale="ja-JP").new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(url + reverse("log-in"))
    page.fill("[name=username]", DIRECTOR)
    page.fill("[name=password]", password)
    with page.expect_navigation():
        page.click("main button")
    return page


def differences_between(one: Championship, other: Championship) -> list[str]:
    ends = [standings_in(each.director.get(f"{each.base()}/standings")) for each in (one, other)]
    found = {
        "seats": one.seats == other.seats,
        "finalists": one.finalists == other.finalists,
        "standings": ends[0] == ends[1],
    }
    return [f"{name} of {one.slug} and {other.slug}" for name, same in found.items() if not same]


def report(event: InBrowser) -> None:
    """Print the clicks of tasks, how long pages and files usually took, and what agreed."""
    for task, clicks in event.tasks.items():
        print(f"{clicks} clicks: {task}")
    for name, seconds in sorted(event.seconds.items(), key=lambda each: -median(each[1])):
        print(f"{median(seconds):.1f} s, at most {max(seconds):.1f}: {name}")
    for name, rows in event.agreed.items():
        print(f"{rows} rows agree: {name}")


if __name__ == "__main__":
    main()
