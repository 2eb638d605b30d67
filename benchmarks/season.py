"""CPU time of a season table of 12 events with 340 players each, relative to one event's rows.

    .venv/bin/python benchmarks/season.py

prints the table of `docs/benchmarks.md`. The baseline reads entries and standings out of the
content of one publication: compare the ratio to it, which hardly depends on the machine.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import os
import platform
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import median

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from tournaments.audit import Actor
from tournaments.models import Entry, Publication, SamePlayer, Series, Tournament
from tournaments.queries import season
from tournaments.queries.publications.content import content_of, digest_of
from tournaments.services.entries import add_entries
from tournaments.services.series import add_event, create_series
from tournaments.web import heavy_files

EVENTS, PLAYERS, RUNS = 12, 340, 9
DESK = Actor(None, "desk")


def main() -> None:
    call_command("migrate", verbosity=0)
    series = set_up()
    newest = Publication.objects.latest("pk")
    parts = ("content__entries", "content__standings")
    baseline = seconds(lambda: Publication.objects.values_list(*parts).get(pk=newest.pk))
    rows = {
        "the table, nothing kept": seconds(lambda: season.season_of(series, ()), forget),
        "the table, a link or one event changed": seconds(
            lambda: season.season_of(series, ()), forget_tables
        ),
        "the table, nothing changed": seconds(lambda: season.season_of(series, ())),
        "its page of 100 rows, nothing changed": seconds(lambda: ask(series.get_absolute_url())),
        "its workbook, nothing kept": seconds(
            lambda: ask(f"{series.get_absolute_url()}table.xlsx"), forget
        ),
    }
    print(f"Python {platform.python_version()}, {platform.machine()}; baseline", end=" ")
    print(f"{1000 * baseline:.1f} ms:")
    print()
    print("| what | ms of CPU time | relative to the baseline |")
    print("| --- | ---: | ---: |")
    for name, found in rows.items():
        print(f"| {name} | {1000 * found:.0f} | {found / baseline:.1f} |")


def set_up() -> Series:
    """Announce events of the same players, linked from each event to the next."""
    series = create_series(Series(name="シリーズ", rules={"best": 8}), by=DESK)
    people = [{"name": f"選手{i}", "division": "一般"} for i in range(PLAYERS)]
    before: list[Entry] = []
    for month in range(1, EVENTS + 1):
        tournament = Tournament.objects.create(
            name=f"第{month}戦",
            rule_set="goninkan-association",
            held_on=date(2026, month, 1),
            showing=Tournament.Showing.PUBLISHED,
        )
        entries = add_entries(tournament, people, by=DESK)
        announce(tournament, month)
        add_event(series, tournament, by=DESK)
        links = [
            SamePlayer(series=series, first=a, second=b)
            for a, b in zip(before, entries, strict=False)
        ]
        SamePlayer.objects.bulk_create(links)
        before = entries
    return series


def announce(tournament: Tournament, month: int) -> None:
    """Store a publication with made-up standings."""
    content = content_of(tournament)
    content["standings"] = [
        {
            "number": (place * 7 + month) % PLAYERS + 1,
            "rank_in_class": place,
            "rank": place,
            "who": str(place),
            "points": PLAYERS // 2 - place,
            "rounds_played": 40,
            "values": [PLAYERS // 2 - place, 20, 3],
            "tied": False,
            "separated_by": "points",
        }
        for place in range(1, PLAYERS + 1)
    ]
    Publication.objects.create(
        tournament=tournament,
        number=1,
        at=timezone.now(),
        who="desk",
        content=content,
        digest=digest_of(content),
    )


def forget() -> None:
    """Clear all caches, as in a process that has just started."""
    forget_tables()
    season._published_results.cache_clear()  # noqa: SLF001
    season._live_results.cache_clear()  # noqa: SLF001


def forget_tables() -> None:
    """Clear the caches of season tables and workbooks, but not those of events."""
    season._cached_people.cache_clear()  # noqa: SLF001
    heavy_files.cache.clear()


def ask(address: str) -> None:
    response = Client().get(address)
    if response.status_code != 200:
        raise SystemExit(f"{address} answers {response.status_code}.")


def seconds(act: Callable[[], object], before: Callable[[], None] = lambda: None) -> float:
    """Return the median CPU time of several runs."""
    found = []
    for _run in range(RUNS):
        before()
        begun = time.process_time()
        act()
        found.append(time.process_time() - begun)
    return median(found)


if __name__ == "__main__":
    main()
