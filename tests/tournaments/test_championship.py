"""A championship of 340 players, run over the API from the list of players to the archive.

The page, the workbook, the publication and the archive agree with the standings. The same seeds
give the same event. `tests.championship_in_browser` runs it by the pages, and checks every list.
"""

from itertools import chain
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import staff
from tests.championship import (
    FINALISTS,
    PENALISED,
    PLAYERS,
    REPLACED,
    SEED,
    SESSIONS,
    WITHDRAWN,
    Championship,
)
from tests.championship_lists import Row, rows_of_workbook, standings_in
from tests.events import forget
from tournaments import archives, verification
from tournaments.queries.events import Event
from tournaments.queries.stages import stage_standings

pytestmark = pytest.mark.django_db


def run(name: str) -> tuple[Championship, Client]:
    """Run the event as a new director; return it and the director's browser."""
    user = cast.make_creator(name)
    event = Championship(staff(user), seed=SEED)
    event.run()
    return event, cast.browser_of(user)


def standings(event: Championship) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = event.director.get(f"{event.base()}/standings")["standings"]
    return [row for row in rows if row["points"] is not None]


def in_brief(event: Championship) -> list[Row]:
    return standings_in(event.director.get(f"{event.base()}/standings"))


def test_championship_runs_from_the_list_of_players_to_the_archive() -> None:
    event, browser = run("chief")
    rows = in_brief(event)
    assert len(event.seats) == SESSIONS
    finalists = sum(FINALISTS.values())
    assert event.at_line != []  # chosen of those tied there
    if connection.vendor == "postgresql":  # where rows have no order of their own
        again, _browser = run("another chief")
        assert (again.seats, in_brief(again)) == (event.seats, rows)  # as the seeds are the same
        assert again.at_line == event.at_line
    assert sorted(chain.from_iterable(event.seats[-1])) == sorted(event.finalists)

    # Finalists first, then the others, and at the end those who withdrew.
    gone = {number for numbers in WITHDRAWN.values() for number in numbers}
    assert {number for _rank, number, _points in rows[:finalists]} == set(event.finalists)
    assert {number for rank, number, _points in rows if rank is None} == gone
    ranks = [rank for rank, _number, _points in rows if rank is not None]
    assert ranks == sorted(ranks)
    assert len(rows) == PLAYERS

    # Each finalist began the final with half of the points of the sessions before, rounded up.
    first, final = stage_standings(Event(event.tournament).ranking_facts)
    before = {row.entry.number: row.place.points for row in first.rows if row.place}
    carried = {row.entry.key: row.carried for row in final.rows}
    assert carried == {str(number): -(-before[number] // 2) for number in event.finalists}

    # Penalties, and rounds of substitutes, which count for whom they replaced.
    lines = {row["number"]: row["lines"] for row in standings(event)}
    for points, number in enumerate(PENALISED, 1):
        assert [line["points"] for line in lines[number] if line["item"] == "adjustment"] == [
            -points
        ]
    substitutes = event.director.get(f"{event.base()}/sessions/2/substitutes")["substitutes"]
    assert [each["number"] for each in substitutes] == list(REPLACED[2])

    assert_lists_agree(event, browser, rows)


def assert_lists_agree(event: Championship, browser: Client, rows: list[Row]) -> None:
    """Compare page, workbook, publication and imported archive with the rows of the API."""
    page = browser.get(reverse("standings", args=[event.slug]))
    shown = [row.record for row in page.context["table"].rows if row.record.place]
    assert [(row.place.rank, row.entry.number, row.place.points) for row in shown] == rows
    assert rows_of_workbook(browser.get(f"{page.request['PATH_INFO'][:-1]}.xlsx").content) == rows
    event.post(f"{event.base()}/publish", {"published": True})
    published = event.tournament.publications.get().content["standings"]
    assert [row["number"] for row in published][: len(rows)] == [row[1] for row in rows]
    assert verification.verify(event.tournament) == []
    archive = archives.export_archive(event.tournament, with_private=True)
    forget(event.tournament)
    imported = archives.import_archive(archive, by=cast.SOMEBODY)
    assert Event(imported).standings
    assert in_brief(event) == rows
