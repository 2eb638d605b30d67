"""Requesting every URL as every role: parameters, roles and rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from http.cookies import SimpleCookie
from types import ModuleType
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.test.client import ClientHandler
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import cast, stages
from tests.api import lacks_version
from tournaments import audit, backups
from tournaments.models import Call, Disagreement, Series, Sitting, Tournament
from tournaments.queries.seat_proposals import Purpose
from tournaments.server import scripts
from tournaments.services import adjustments, schedules, seat_proposals, series

ROLES = ("anonymous", "elsewhere", "table", "scorekeeper", "director", "owner")
NOT_ALLOWED = "405 405 405 405 405"
NOBODY = "404 404 404 404 404"
NOT_FOUND = {NOBODY, "401 404 404 404 404", NOT_ALLOWED}


@cache
def addresses() -> dict[str, tuple[str, ...]]:
    """Return the parameters of every URL pattern by its name."""
    return dict(walk())


def walk() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield name and parameters of all URL patterns, also those with the same name."""
    for pattern, parameters in _walk(get_resolver().url_patterns, ()):
        yield pattern.name or f"no name: {pattern.pattern}", parameters


def names_in(module: ModuleType) -> set[str]:
    patterns = [pattern for pattern, _parameters in _walk(get_resolver().url_patterns, ())]
    return {str(each.name) for each in patterns if each.callback.__module__ == module.__name__}


def _walk(
    patterns: list[URLPattern | URLResolver], above: tuple[str, ...]
) -> Iterator[tuple[URLPattern, tuple[str, ...]]]:
    for pattern in patterns:
        parameters = (*above, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, parameters)
        else:
            yield pattern, parameters


NAMES = sorted(addresses())
NUMBERED = [name for name in NAMES if {"session", "table", "number"} & {*addresses()[name]}]
OF_A_TOURNAMENT = [name for name in NAMES if "slug" in addresses()[name]]


def backup_name(name: str) -> str:
    """Return the name of a backup for URLs with this parameter."""
    if "backup" not in addresses()[name]:
        return ""
    listed = backups.all_backups() or [backups.take(backups.Reason.BY_HAND)]
    return listed[0].name


@cache
def handler() -> ClientHandler:
    """Return a handler shared by all browsers: making one takes as long as a small page."""
    return ClientHandler(enforce_csrf_checks=False)


def read_to_end(response: Any) -> None:
    """Closing the response earlier would close the database connection."""
    if response.streaming:
        b"".join(response)


class World(NamedTuple):
    """A table in a tournament, and one in another tournament, which has more rows."""

    sitting: Sitting
    other: Sitting
    call: Call
    disagreement: Disagreement
    series: Series
    cookies: dict[str, SimpleCookie]  # by role

    @property
    def tournament(self) -> Tournament:
        return self.sitting.session.tournament

    def url(self, name: str, **others: Any) -> str:
        known = {
            "slug": self.tournament.slug,
            "session": self.sitting.session.number,
            "table": self.sitting.number,
            "stage": 2,
            "series": self.series.slug,
            "token": self.sitting.token,
            "key": "k" * 24,
            "sitting": self.sitting.pk,
            "act": "start",
            "rule_set": self.tournament.rule_set,
            "backup": backup_name(name),
            "name": "phone",
            "guide": "desk",
            "digest": scripts.script("phone").digest,
            "call": self.call.pk,
            "disagreement": self.disagreement.pk,
            "search": "none",
            "job": "none",
        }
        wanted = addresses()[name]
        if "account" in wanted:
            known["account"] = User.objects.get(username="elsewhere").pk
        known |= others
        return reverse(name, kwargs={key: known.get(key, 1) for key in wanted})

    def browser(self, role: str) -> Client:
        """Return a browser of a role, which does not raise exceptions of views."""
        client = Client(raise_request_exception=False)
        client.handler = handler()
        client.cookies = deepcopy(self.cookies[role])
        return client

    def ask(self, role: str, method: str, url: str) -> int:
        """Return the status of a request by a role, and roll back its changes.

        An operation that has to name the version of the state names the current one.
        """
        browser = self.browser(role)
        with transaction.atomic():
            response = browser.generic(
                method, url, content_type="application/x-www-form-urlencoded"
            )
            if response.status_code == 422 and url.startswith("/api/") and lacks_version(response):
                seen = json.dumps({"seen_version": audit.state_version(self.tournament)})
                response = browser.generic(method, url, seen, content_type="application/json")
            transaction.set_rollback(True)
        read_to_end(response)
        assert "Content-Security-Policy" in response.headers
        return response.status_code

    def row(self, method: str, url: str) -> str:
        *others, director, owner = (str(self.ask(role, method, url)) for role in ROLES)
        return " ".join([*others, director, *([] if owner == director else [owner])])


def cookies_of(role: str, sitting: Sitting) -> SimpleCookie:
    """Return the cookies of a role: of a log-in, or of a phone at the table."""
    if role not in {"anonymous", "table"}:
        return cast.browser_of(User.objects.get(username=role)).cookies
    client = Client()
    if role == "table":
        client.get(reverse("join-table", args=[sitting.token]), follow=True)
    return client.cookies


def make_world() -> World:
    """Create two tournaments with staff, and log everybody in."""
    mine, other = cast.make_tournament(sessions_planned=3), cast.make_tournament()
    cast.make_entries(other, 12)
    for _ in range(3):
        cast.make_sitting(other)
    cast.make_staff(mine, "scorekeeper")
    cast.make_staff(mine, "director", "director")
    cast.make_staff(other, "elsewhere", "director")
    User.objects.create_superuser("owner")
    sitting, theirs = cast.make_sitting(mine, drawn=True), cast.make_sitting(other)
    one, two, *_ = mine.entries.all()
    adjustments.adjust_points(mine, 1, one, -5, by=cast.SOMEBODY, reason="遅刻")
    cast.open_registration(mine)
    cast.register(mine)
    adjustments.decide_tie(mine, 1, [one.number, two.number], by=cast.SOMEBODY, reason="裁定")
    stages.make_stage(mine)
    facts = cast.drawn_facts(mine, 2, sessions=2)
    planned = schedules.store_schedule(mine, 2, facts, seen_version=0, by=cast.SOMEBODY)
    seats, basis = planned.seats[0], seat_proposals.basis_of(mine, 2)
    seat_proposals.propose(mine, Purpose.SEAT, 2, seats, basis=basis, by=cast.SOMEBODY)
    call, disagreement = cast.make_call(sitting), cast.make_disagreement(sitting)
    played = series.create_series(Series(name="年間シリーズ"), by=cast.SOMEBODY)
    series.add_event(played, mine, by=cast.SOMEBODY)
    cookies = {role: cookies_of(role, sitting) for role in ROLES}
    return World(sitting, theirs, call, disagreement, played, cookies)


def publish(tournament: Tournament) -> None:
    """Show a tournament live to everybody."""
    Tournament.objects.filter(pk=tournament.pk).update(showing=Tournament.Showing.LIVE)
