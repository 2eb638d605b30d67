"""The cost of the worst bodies at addresses without log-in, relative to a small refused one.

Run it with ``.venv/bin/python benchmarks/hostile.py``; it prints the tables of
`docs/benchmarks.md`. Bodies are as large as their address accepts, and sent within one process, so
that only our code is measured. Compare the ratio, which hardly depends on the machine. The engine
is measured separately, with records of 1 MB.
"""

# ruff: noqa: E402  models can be imported once Django is set up

import json
import logging
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import reverse

from scoring.answers import answer, as_line
from tests import cast, hostile
from tournaments.models import Guesses, Tournament
from tournaments.web import body_sizes

RUNS = 5
MEGABYTE = 990_000
MEASURED_AGAIN = 0.5  # seconds or more
FORM, JSON = "application/x-www-form-urlencoded", "application/json"

Ask = Callable[[str], Any]


def bodies(most: int) -> Iterator[tuple[str, str]]:
    """Yield names and JSON bodies of the largest size."""
    room = most - 200
    yield "unknown keys", hostile.keys(room)
    yield "one long text", json.dumps({"token": "x" * room})
    yield "lists in lists", hostile.filled("[", "[" * 300 + "]" * 300, "]", room - 700)
    yield (
        "texts that no database stores",
        hostile.filled('{"token":[', '{"a":1}', ',"\\u0000"]}', room),
    )
    yield "a key again and again", hostile.filled("{", '"a":1', "}", room)
    for unit in hostile.ROUNDS:
        yield f"deals of {unit}", hostile.filled('{"facts":{"deals":[', unit, ']},"seen":0}', room)
    for before, unit, after in hostile.INSIDE:
        facts = hostile.filled(before, unit, after, room)
        yield f"{before}{unit}…", f'{{"facts":{facts},"seen":0}}'


def forms(fields: list[str], most: int) -> Iterator[tuple[str, str]]:
    """Yield names and forms of the largest size."""
    room = most - 100
    share = room // len(fields) - 20
    yield "quotation marks", "&".join(f"{field}={chr(34) * share}" for field in fields)
    yield "999 unknown fields", "&".join(f"{i}=1" for i in range(min(999, room // 7)))
    yield "one long field", f"{fields[0]}={'%22' * (room // 3)}"


def targets() -> Iterator[tuple[str, Ask, str, list[tuple[str, str]]]]:
    """Yield each address, a function that requests it, a small refused body, and large ones."""
    sitting = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE))
    phone = Client()
    phone.get(reverse("join-table", args=[sitting.token]), follow=True)
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    round_url = f"/api/sittings/{sitting.pk}/rounds/1"
    for name, url in (("api-join", "/api/join"), ("api-token", "/api/token")):
        yield (
            url,
            _asking(Client(), "POST", url, JSON),
            '{"a":1}',
            list(bodies(body_sizes.limit_of(name))),
        )
    put = _asking(phone, "PUT", round_url, JSON)
    small = '{"facts":{},"seen":0}'
    yield (
        "PUT of a round, as a club's table",
        put,
        small,
        list(bodies(body_sizes.limit_of("api-round"))),
    )
    forms_asked: list[tuple[str, str, list[str]]] = [
        ("log-in", reverse("log-in"), ["username", "password"]),
        ("join", reverse("join"), ["table", "pin"]),
        ("set-language", reverse("set-language"), ["language", "next"]),
        ("start-table", reverse("start-table", args=["gouji"]), [f"name_{i}" for i in range(1, 7)]),
        ("record-round", reverse("record-round", args=[*place, 1]), ["dealer", "kankei", "reason"]),
    ]
    slug = sitting.session.tournament.slug
    for name, page, fields in forms_asked:
        post = _asking(phone, "POST", page, FORM)
        small, large = f"{fields[0]}={'x' * 201}", list(forms(fields, body_sizes.limit_of(name)))
        yield page.replace(slug, "…"), post, small, large


def _asking(client: Client, method: str, url: str, content_type: str) -> Ask:
    def ask(body: str) -> Any:
        Guesses.objects.all().delete()
        headers = {"Idempotency-Key": "k"}
        return client.generic(method, url, body, content_type=content_type, headers=headers)

    return ask


def cost(ask: Ask, body: str) -> tuple[float, int]:
    """Return the minimal CPU time of a response in seconds, and its size."""
    best, answered = 9.0, ask(body)
    for _ in range(RUNS):
        started = time.process_time()
        answered = ask(body)
        best = min(best, time.process_time() - started)
    return best, len(answered.content)


def requests() -> None:
    """Print the cost of the worst bodies by address."""
    print("| address | a small body refused | the worst of its size | × | largest answer |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, ask, small, large in targets():
        base, _ = cost(ask, small)
        costs = [(*cost(ask, body), what) for what, body in large]
        worst, _, what = max(costs)
        most = max(size for _, size, _ in costs)
        ratio = worst / base
        print(
            f"| `{name}` | {base * 1e3:.1f} ms | {worst * 1e3:.1f} ms ({what})"
            f" | {ratio:.1f} | {most / 1e3:.0f} kB |"
        )


def scored(text: bytes) -> tuple[float, int]:
    """Return the seconds to score a record, and the size of the answer."""
    started = time.process_time()
    line = as_line(answer(text))
    return time.process_time() - started, len(line)


def engine() -> None:
    """Print the cost of the worst records in the engine."""
    costs = []
    for name, text in hostile.records(MEGABYTE):
        seconds, size = scored(text.encode())
        if seconds > MEASURED_AGAIN:
            seconds = min(seconds, *(scored(text.encode())[0] for _ in range(RUNS)))
        costs.append((seconds, size, name))
    print("| record of 1 MB | seconds of CPU time | answer |")
    print("| --- | ---: | ---: |")
    for seconds, size, name in sorted(costs, reverse=True)[:3]:
        print(f"| {name} | {seconds:.2f} | {size / 1e3:,.0f} kB |")
    seconds, size = max(each[0] for each in sorted(costs)[:-3]), max(each[1] for each in costs)
    print(f"| the other {len(costs) - 3} | at most {seconds:.2f} | at most {size / 1e3:,.0f} kB |")


def main() -> None:
    logging.disable(logging.CRITICAL)
    setup_test_environment()
    connection.creation.create_test_db(verbosity=0)
    print(f"Python {platform.python_version()}, {platform.machine()}, the best of {RUNS} runs:\n")
    requests()
    print()
    engine()


if __name__ == "__main__":
    main()
