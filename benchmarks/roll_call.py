"""CPU time and size of the roll call of 340 players, relative to reading the players alone.

Run it with ``.venv/bin/python benchmarks/roll_call.py``; it prints the table of
`docs/benchmarks.md`. Compare the ratios, which hardly depend on the machine.
"""
# ruff: noqa: E402  models can be imported once Django is set up

import itertools
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.core.management import call_command
from django.test import Client

from tests import cast
from tournaments.models import Presence, Tournament
from tournaments.queries.presence import Status

PLAYERS, RUNS = 340, 15
PRESENT, LATE, ABSENT = 300, 10, 20  # the others are not checked
JSON = {"Accept": "application/json"}


def set_up() -> Tournament:
    """Enter the players and mark most of them, in a database in memory."""
    call_command("migrate", verbosity=0)
    tournament = cast.make_tournament()
    entries = cast.make_entries(tournament, PLAYERS)
    tournament.entries.update(reading="つしま じゅんいち")
    statuses = [Status.PRESENT] * PRESENT + [Status.LATE] * LATE + [Status.ABSENT] * ABSENT
    Presence.objects.bulk_create(
        Presence(entry=entry, session_number=1, status=status)
        for entry, status in zip(entries, statuses, strict=False)
    )
    return tournament


def milliseconds(work: Callable[[], object]) -> float:
    """Return the CPU time of a call."""
    started = time.process_time()
    work()
    return 1000 * (time.process_time() - started)


def main() -> None:
    tournament = set_up()
    keeper = cast.browser_of(cast.make_staff(tournament, "keeper"))
    answers: dict[str, Callable[[], Any]] = requests_of(keeper, tournament.slug)
    works: dict[str, Callable[[], object]] = {
        "the players read only": lambda: list(tournament.entries.all()),
        **answers,
    }
    sizes = {name: len(answer().content) for name, answer in answers.items()}  # fills the caches
    runs = [[milliseconds(work) for work in works.values()] for _ in range(RUNS)]
    print(f"Python {platform.python_version()}, {platform.machine()}, SQLite, {RUNS} runs each:")
    print()
    print(f"| {PLAYERS} players | median of CPU time | × reading | size |")
    print("| --- | ---: | ---: | ---: |")
    for i, name in enumerate(works):
        median = statistics.median(run[i] for run in runs)
        ratio = median / statistics.median(run[0] for run in runs)
        size = f"{sizes[name] / 1000:,.0f} kB" if name in sizes else ""
        print(f"| {name} | {median:.1f} ms | {ratio:.1f} | {size} |")


def requests_of(keeper: Client, slug: str) -> dict[str, Callable[[], Any]]:
    page = f"/tournaments/{slug}/sessions/1/roll-call/"
    known = {"If-None-Match": ""}
    marks = itertools.cycle(("expected.present", "present.expected"))

    def ask() -> Any:
        answer = keeper.get(f"{page}marks/")
        known["If-None-Match"] = answer.headers["ETag"]
        return answer

    def ask_again() -> Any:
        return keeper.get(f"{page}marks/", headers=known)

    def tap() -> Any:
        return keeper.post(page, {"mark": f"{PLAYERS}.{next(marks)}"}, headers=JSON)

    return {
        "the page": lambda: keeper.get(page),
        "asking for changes": ask,
        "asking again, without any": ask_again,
        "a tap": tap,
    }


if __name__ == "__main__":
    main()
