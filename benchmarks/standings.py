"""CPU time of the standings of 1,000 players after 30 deals, relative to reading the rows alone.

Rows say what was cached before: nothing, as in a process that has just started, or all that a
process caches of an event that has not changed. What a change costs is measured by ``live.py``.

Run it with ``.venv/bin/python benchmarks/standings.py``; it prints the table of
`docs/benchmarks.md`. Every round is recorded deal by deal, so that it has three versions. The
baseline only reads those rows and their JSON: compare the ratio to it, which hardly depends on the
machine.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.core.management import call_command
from django.db import connection
from django.test import Client
from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from tournaments.audit import Actor
from tournaments.models import Round, Tournament
from tournaments.queries import live_events
from tournaments.queries.events import Event
from tournaments.queries.seated_tables import with_seats
from tournaments.services.entries import add_entries
from tournaments.services.seating import open_session
from tournaments.web import heavy_files

PLAYERS, ROUNDS, RUNS = 1002, 10, 5  # 167 tables of six
DEALS = [
    {"kankei": 9, "mukankei": 4},
    {"kankei": 16, "mukankei": 0, "declaration": "juroku"},
    {"kankei": 9, "mukankei": 7},
]


def set_up() -> str:
    """Play the event in a database in memory, and return its slug."""
    call_command("migrate", verbosity=0)
    desk = Actor(None, "desk")
    tournament = Tournament.objects.create(
        name="世界大会", rule_set="goninkan-association", showing=Tournament.Showing.LIVE
    )
    people = [{"name": f"選手{i}", "division": "一般"} for i in range(PLAYERS)]
    entries = add_entries(tournament, people, by=desk)
    tables = [entries[i : i + 6] for i in range(0, PLAYERS, 6)]
    session = open_session(tournament, tables, by=desk)
    Round.objects.bulk_create(
        Round(sitting=sitting, number=number, version=len(facts["deals"]), facts=facts)
        for sitting in with_seats(session.sittings.all())
        for number in range(1, ROUNDS + 1)
        for facts in versions([seat.entry.key for seat in sitting.seats.all()], number)
    )
    return tournament.slug


def versions(players: list[str], number: int) -> list[dict[str, Any]]:
    """Return the versions of a round after one, two and three deals."""
    dealer = number % 6
    kankei = [players[(dealer + 1) % 6], players[(dealer + 3) % 6]]
    return [
        {"dealer": players[dealer], "kankei": kankei, "deals": DEALS[:deals]} for deals in (1, 2, 3)
    ]


def read_rows() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, sitting_id, number, version, facts FROM tournaments_round")
        for row in cursor.fetchall():
            json.loads(row[-1])


def milliseconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def cells_of(workbook: bytes) -> list[list[list[tuple[str, Any]]]]:
    """Return the style and value of each cell, by sheet and row; an empty one has no style."""
    book = load_workbook(BytesIO(workbook))
    return [
        [[(cell.number_format, cell.value) for cell in row] for row in sheet.iter_rows()]
        for sheet in book.worksheets
    ]


def write_bare(sheets: list[list[list[tuple[str, Any]]]]) -> None:
    """Write the same values with openpyxl alone, in a cell object for each number format.

    No widths, heights, fonts, print settings, filters; empty cells are left out.
    """
    book = Workbook(write_only=True)
    for rows in sheets:
        sheet = book.create_sheet()
        cells: dict[str, Any] = {}
        for style in {style for row in rows for style, _value in row}:
            cells[style] = WriteOnlyCell(sheet)
            cells[style].number_format = style
        for row in rows:
            sheet.append(filled(cell, cells) for cell in row)
    book.save(BytesIO())


def filled(cell: tuple[str, Any], cells: dict[str, Any]) -> Any:
    """Return the cell object of a style with its value, None for an empty cell."""
    style, value = cell
    if value is None:
        return None
    cells[style].value = value
    return cells[style]


def main() -> None:
    slug = set_up()
    tournament = Tournament.objects.get(slug=slug)
    client = Client()
    address = f"/tournaments/{slug}/standings"
    cells = cells_of(bytes(client.get(f"{address}.xlsx").content))

    def fetch(query: str, *, keeps_event: bool = True) -> None:
        heavy_files.cache.clear()
        if not keeps_event:
            live_events.events.forget()
        client.get(address + query)

    works: dict[str, Callable[[], object]] = {
        "the rows and their JSON read only": read_rows,
        "the standings of an event, read and ranked": lambda: Event(tournament).standings,
        "the page of the standings, nothing kept": lambda: fetch("/", keeps_event=False),
        "the page of the standings, event kept": lambda: fetch("/"),
        "the page for the wall, nothing kept": lambda: fetch("/?wall=1", keeps_event=False),
        "the page for the wall, event kept": lambda: fetch("/?wall=1"),
        "the Excel workbook, nothing kept": lambda: fetch(".xlsx", keeps_event=False),
        "the same cells written with openpyxl alone": lambda: write_bare(cells),
        "the Excel workbook, every round in it, event kept": lambda: fetch(".xlsx"),
    }
    for work in works.values():
        work()  # fills the caches
    runs = [[milliseconds(work) for work in works.values()] for _ in range(RUNS)]
    least = [min(times) for times in zip(*runs, strict=True)]  # others only add to it
    print(f"Python {platform.python_version()}, {platform.machine()}, SQLite, {RUNS} runs each:")
    print()
    print(f"| {PLAYERS:,} players, {ROUNDS * len(DEALS)} deals each | least | × reading |")
    print("| --- | ---: | ---: |")
    for i, name in enumerate(works):
        print(f"| {name} | {least[i]:,.0f} ms | {least[i] / least[0]:.1f} |")
    ratio = least[-1] / least[-2]
    print(f"\nThe workbook takes {ratio:.2f} times as long as its cells with openpyxl alone.")


if __name__ == "__main__":
    main()
