"""What the lists of a championship say, read back from pages, workbooks and PDF files.

The players' names are 選手 001 and so on, so that lists without numbers identify them, too.
"""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from openpyxl import load_workbook

from tests.championship import PLAYERS
from tests.programs import find_program

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.championship_pages import InBrowser

Row = tuple[int | None, int, int]  # rank, number and points
Compared = tuple[str, list[Any], list[Any]]  # a list's name, what it says, what it should say

PLACES = 100  # of the award list
PLAYER = r"選手 (\d{3})"
PLACED = re.compile(rf"^\s*(\d+|–)位?\s+(?:同順位\s+)?{PLAYER}(?!\S)(.*)$", re.MULTILINE)
POINTS = re.compile(r"(?<!\S)(?:[+−]\d+|0)(?!\S)")  # without a sign only 0
SEAT = re.compile(r"(\d+)\s+(?:選手|代理) \d+\s+(\d+)-(\d+)")
ON_SHEET = re.compile(r"[1-6] (\d+)番")
CELLS = """rows => rows.map(row => [".rank", ".name", ".total"].map(
    selector => row.querySelector(selector).textContent.trim()))"""
TEAMS = CELLS.replace(".rank", ".num").replace(".name", "strong")


def standings_in(document: dict[str, Any]) -> list[Row]:
    """Return the standings of the API, without those who have not played."""
    rows = document["standings"]
    return [
        (row["place"], row["number"], row["points"]) for row in rows if row["points"] is not None
    ]


def rows_of_workbook(content: bytes) -> list[Row]:
    """Return rank, number and points of the first sheet, without those who have not played."""
    [titles, *rows] = load_workbook(io.BytesIO(content), data_only=True).worksheets[0].values
    columns = [titles.index(title) for title in ("順位", "番号", "得点")]
    listed = [tuple(row[column] for column in columns) for row in rows]
    return [row for row in listed if row[2] not in (None, "–")]  # type: ignore[misc]


def rows_of_page(page: Page) -> list[Row]:
    """Return the same of the tables of a page."""
    cells = page.locator("main table.ledger:has(.total) tbody tr:has(.rank)").evaluate_all(CELLS)
    return [
        (number_in(rank), numbers_of(name)[0], number_in(points) or 0)
        for rank, name, points in cells
        if points != "–"
    ]


def rows_of_pdf(pdf: bytes) -> list[Row]:
    """Return the same of the lines of a PDF that begin with a rank and a name."""
    found = PLACED.findall(text_of(pdf))
    return [
        (number_in(rank), int(name), number_in(points[0]) or 0)
        for rank, name, rest in found
        if (points := POINTS.findall(rest))
    ]


def number_in(text: str) -> int | None:
    """Return the number with which a text begins, None if with none.

    >>> number_in("+3"), number_in("−12"), number_in("4 同順位"), number_in("–")
    (3, -12, 4, None)
    """
    found = re.match(r"[+-]?\d+", text.replace("−", "-"))
    return int(found[0]) if found else None


def numbers_of(text: str) -> list[int]:
    """Return the numbers of the players whose names are in a text.

    >>> numbers_of("選手 007 選手 340")
    [7, 340]
    """
    return [int(number) for number in re.findall(PLAYER, text)]


def text_of(pdf: bytes) -> str:
    """Return the text of a PDF, in lines as they are laid out."""
    command = [find_program("pdftotext"), "-layout", "-", "-"]
    return subprocess.run(command, input=pdf, stdout=subprocess.PIPE, check=True).stdout.decode()


def check_lists(event: InBrowser, session: int) -> None:
    """Compare all lists with the API, as things stand after a session."""
    for name, found, expected in (
        *lists_of_standings(event),
        *lists_of_awards(event),
        *lists_of_seats(event, session),
    ):
        if found == expected:
            event.agreed[name] += len(expected)
        else:
            told = f"{name}, session {session} of {event.slug}"
            event.differences.append(f"{told}: {first_difference(found, expected)}")


def first_difference(found: list[Any], expected: list[Any]) -> str:
    """Return how many items there are, and the first ones that differ."""
    pairs = zip_longest(found, expected)
    one, other = next((each for each in pairs if each[0] != each[1]), (None, None))
    return f"{len(found)} instead of {len(expected)}; {one} instead of {other}"


def lists_of_standings(event: InBrowser) -> Iterator[Compared]:
    """Yield the lists of all players and of teams, each beside the standings of the API."""
    rows, page, path = event.standings(), event.page, event.address("standings")
    event.open(f"{path}?all=1")
    yield "page of the standings", rows_of_page(page), rows
    yield "printed standings", rows_of_pdf(page.pdf(format="A4")), rows
    event.open(f"{path}?wall=1")
    on_wall = rows_of_page(page)
    for number in range(2, -(-len(rows) // len(on_wall)) + 1):
        event.open(f"{path}?wall=1&page={number}")
        on_wall += rows_of_page(page)
    event.open(event.address("teams"))  # at once: the wall turns its pages by itself
    teams = [(team["place"], team["team"], team["points"]) for team in event.ask("teams")["teams"]]
    cells = page.locator("main table.ledger tbody tr:has(strong)").evaluate_all(TEAMS)
    shown_teams = [(number_in(rank), name, number_in(points)) for rank, name, points in cells]
    yield "page of the teams", shown_teams, teams
    yield "standings on the wall", on_wall, rows
    yield "workbook", rows_of_workbook(event.fetch("standings-workbook")), rows
    with event.spectator(f"{path}?all=1") as shown:
        yield "published standings", rows_of_page(shown), rows


def lists_of_awards(event: InBrowser) -> Iterator[Compared]:
    lists = event.ask(f"awards?places={PLACES}")["lists"]
    awards = [
        (row["place"], row["number"], row["points"]) for each in lists for row in each["awards"]
    ]
    ranked = [row for row in event.standings() if row[0] and row[0] <= PLACES]
    yield "award list of the API", awards[: len(ranked)], ranked
    event.open(f"{event.address('awards')}?places={PLACES}")
    yield "printed page of awards", rows_of_pdf(event.page.pdf(format="A4")), awards
    pdf = event.fetch("award-list", query=f"?places={PLACES}")
    yield "award list", rows_of_pdf(pdf), awards


def lists_of_seats(event: InBrowser, session: int) -> Iterator[Compared]:
    tables = [sitting["players"] for sitting in event.sittings(session)]
    seats = sorted(
        (player, number, seat)
        for number, players in enumerate(tables, 1)
        for seat, player in enumerate(players, 1)
    )
    seated = [player for players in tables for player in players]
    listed = SEAT.findall(text_of(event.fetch("seat-list", session)))
    yield "seat list", sorted(tuple(map(int, each)) for each in listed), seats
    sheets = text_of(event.fetch("session-sheets", session))
    yield "score sheets", list(map(int, ON_SHEET.findall(sheets))), seated
    cards = numbers_of(text_of(event.print_cards(session)))
    yield "table cards", sorted(cards), sorted({*seated} & {*range(1, PLAYERS + 1)})
    badges = numbers_of(text_of(event.fetch("name-cards")))
    yield "name cards", sorted(badges), list(range(1, PLAYERS + 1))
