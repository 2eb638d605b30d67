"""The data of released versions in mid-session, with a phone whose next round is not sent yet.

    python manage.py shell --settings tests.settings -c \
        "from tests.faults import releases; releases.write()"

writes those of this version to `released/`, once, when it is released. Never write them again.
"""

from __future__ import annotations

import json
import lzma
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.urls import reverse
from django.utils import timezone

import scoring
from tests import cast, events
from tournaments import __version__
from tournaments.models import Tournament
from tournaments.services.publications import publish

FILES = sorted((Path(__file__).parent / "released").glob("*.json.xz"))
Release = dict[str, Any]


def read(path: Path) -> Release:
    release: Release = json.loads(lzma.decompress(path.read_bytes()))
    return release


def write() -> None:
    """Needs the settings of tests, of which the database is an empty one in memory."""
    setup_test_environment()
    text = json.dumps(make(), ensure_ascii=False).encode()
    path = Path(__file__).parent / "released" / f"{__version__}.json.xz"
    path.write_bytes(lzma.compress(text, preset=9))


def make() -> Release:
    """Return the SQL of the database, and what the browsers of the desk and of a phone hold.

    `sends` is the round that the phone has not sent, `standings` are those once it is stored.
    """
    call_command("migrate", verbosity=0)
    first, *others = scoring.RULE_SETS
    events.full_event(first.slug)
    for rule_set in others:
        sitting = cast.make_sitting(cast.make_tournament(rule_set.slug))
        cast.record(sitting)
        publish(sitting.session.tournament, by=cast.SOMEBODY)
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    desk = cast.browser_of(cast.make_staff(sitting.session.tournament, "desk", "director"))
    phone = Client(enforce_csrf_checks=True)
    page = phone.get(reverse("join-table", args=[sitting.token]), follow=True)
    release = {
        "at": timezone.now().isoformat(),
        "database": "\n".join(connection.connection.iterdump()),
        "desk": cookies_of(desk),
        "phone": cookies_of(phone),
        "pages": [sitting.session.tournament.get_absolute_url(), page.request["PATH_INFO"]],
        "sends": {
            "path": reverse("api-round", args=[sitting.pk, 2]),
            "data": json.dumps({"facts": cast.plain_round(sitting), "seen": 0, "reason": ""}),
            "headers": {
                "Idempotency-Key": "of-the-released-version",
                "Makiyaku-Table": sitting.key,
                "X-CSRFToken": str(page.context["csrf_token"]),
            },
        },
    }
    send(phone, release)
    return release | {"standings": standings()}


def cookies_of(browser: Client) -> dict[str, str]:
    return {name: cookie.value for name, cookie in browser.cookies.items()}


def browser_with(cookies: dict[str, str]) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = SimpleCookie(cookies)
    return browser


def send(phone: Client, release: Release) -> dict[str, Any]:
    """Send the phone's round as its page does, and return the answer."""
    answer = phone.put(**release["sends"], content_type="application/json")
    assert answer.status_code == 201, answer.content
    assert answer.headers["Idempotency-Key"] == release["sends"]["headers"]["Idempotency-Key"]
    stored: dict[str, Any] = answer.json()
    return stored


def standings() -> dict[str, Any]:
    """Return of each event by slug the fingerprint of its rules, and its standings."""
    return {
        each.slug: [
            each.rules.fingerprint,
            *(
                [line.entry.number, line.place.rank, line.place.points]
                for line in cast.standings_for(each)
                if line.place
            ),
        ]
        for each in Tournament.every.all()
    }
