"""CPU time of printed forms: sheets and seat list of a session, name cards, and points charts.

Run it with ``.venv/bin/python benchmarks/printing.py``; it prints the tables of
`docs/benchmarks.md`. The views are called through Django's test client, in one process, so that the
network does not count. CPU time is that of the process with all its threads.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.conf import settings
from django.core.management import call_command
from django.test import Client
from pypdf import PdfReader

from tests import cast
from tournaments.services import seating
from tournaments.web import heavy_files

PLAYERS, SEATED, RUNS = 342, 6, 3
SHEETS = ("goninkan-association", "gouji")
CHARTS = ("goninkan-association", "gong-zhu", "gouji")
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def import_weasyprint() -> None:
    import tournaments.printing.layout  # noqa: F401


def seat_everybody(rule_set: str) -> tuple[Client, str]:
    """Return a scorekeeper's browser and the address of an event with one session."""
    tournament = cast.make_tournament(rule_set, published=True, name="第31回 五所川原りんご杯")
    entries = cast.make_entries(tournament, PLAYERS)
    tables = [entries[i : i + SEATED] for i in range(0, PLAYERS, SEATED)]
    seating.open_session(tournament, tables, by=cast.SOMEBODY)
    scorekeeper = cast.browser_of(cast.make_staff(tournament, f"scorekeeper of {rule_set}"))
    return scorekeeper, f"/tournaments/{tournament.slug}/"


def fetch(client: Client, address: str, language: str) -> bytes:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    response = client.get(address)
    assert response.status_code == 200, response  # noqa: S101  a benchmark of errors is none
    return bytes(response.content)


def measure_run(title: str, client: Client, address: str) -> None:
    for language in LANGUAGES:
        content = fetch(client, address, language)
        pages = len(PdfReader(BytesIO(content)).pages)
        runs = [cpu_seconds(lambda: fetch(client, address, language)) for _ in range(RUNS)]  # noqa: B023  called at once
        median = statistics.median(runs)
        size = len(content) / pages / 1000
        print(
            f"| {title} | {language} | {pages} | {median:.2f} s | {pages / median:.1f} | "
            f"{size:.1f} kB |",
            flush=True,
        )


def measure_chart(rule_set: str, language: str) -> None:
    client, address = Client(), f"/rules/{rule_set}/chart.pdf"

    def laid_out() -> float:
        heavy_files.cache.clear()
        return cpu_seconds(lambda: fetch(client, address, language))

    content = fetch(client, address, language)
    median = statistics.median([laid_out() for _ in range(RUNS)])
    kept = statistics.median(
        [cpu_seconds(lambda: fetch(client, address, language)) for _ in range(5 * RUNS)]
    )
    print(
        f"| {rule_set} | {language} | {median:.2f} s | {1000 * kept:.1f} ms | "
        f"{len(content) / 1000:.0f} kB |",
        flush=True,
    )


def main() -> None:
    call_command("migrate", verbosity=0)
    print(f"Python {platform.python_version()}, {platform.machine()}, SQLite, {RUNS} runs each")
    imported = cpu_seconds(import_weasyprint)
    first = cpu_seconds(lambda: fetch(Client(), "/rules/gouji/chart.pdf", "ja"))
    print(f"(WeasyPrint imported in {imported:.2f} s, the first form of a process {first:.2f} s):")
    print(f"\n| {PLAYERS} players | language | pages | CPU time | pages/s | a page |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for rule_set in SHEETS:
        client, address = seat_everybody(rule_set)
        measure_run(f"sheets, {rule_set}", client, f"{address}sessions/1/sheets.pdf")
    measure_run("seat list", client, f"{address}sessions/1/seats.pdf")
    measure_run("name cards", client, f"{address}name-cards.pdf")
    print("\n| chart | language | laid out | kept | file |")
    print("| --- | --- | ---: | ---: | ---: |")
    for rule_set in CHARTS:
        for language in LANGUAGES:
            measure_chart(rule_set, language)


if __name__ == "__main__":
    main()
