"""Addresses of objects that do not exist, and nonsense as input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.db import connection, transaction
from django.http import QueryDict
from django.test import Client
from django.urls import Resolver404, resolve

from tests.visiting import (
    NAMES,
    NOT_FOUND,
    NUMBERED,
    OF_A_TOURNAMENT,
    World,
    addresses,
    publish,
    read_to_end,
)
from tournaments.permissions.levels import levels_by_url_name

MAY = levels_by_url_name()
HUGE = 10**30
LIKELY_TO_BREAK = ("\x00", "9" * 30)
ODD = ("", "-1", "1e5", "髙\u202e🃏" * 200, "<script>", "'; --")
NONSENSE = (*LIKELY_TO_BREAK, *ODD)
FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*? name="([^"]+)"')
HIDDEN_FIELD = re.compile(r'<(?:input type="hidden"|button)\b[^>]*? name="([^"]+)"')
HIDDEN_FIELDS = ("all", "players", "class", "sort", "page", "wall", "out", "people", "remove")


@pytest.mark.alike
def test_missing_tournament_answers_404(world: World) -> None:
    asked = [("owner", "GET"), ("owner", "POST"), ("anonymous", "GET"), ("table", "POST")]
    for name, (role, method) in product(OF_A_TOURNAMENT, asked):
        status = world.ask(role, method, world.url(name, slug="no-such-tournament"))
        assert status in {404, 405} or (role, status) == ("anonymous", 401), (name, role)


@pytest.mark.alike
def test_numbers_of_another_tournament_answer_404(world: World) -> None:
    """The other tournament has a session 4 and a player 13; here session 3 is the last planned."""
    publish(world.tournament)
    theirs = {"session": world.other.session.number, "number": 13}
    assert theirs["session"] > world.sitting.session.number + 2
    for name in NUMBERED:
        for key in {"session", "number"} & {*addresses()[name]}:
            url = world.url(name, **{key: theirs[key]})
            assert world.row("GET", url) in NOT_FOUND, name
            for role in ("table", "director"):
                assert world.ask(role, "POST", url) in {404, 405}, (name, role)


def test_huge_numbers_answer_404(world: World) -> None:
    """On PostgreSQL only those that it would refuse."""
    asked = [(HUGE, "GET"), (HUGE, "POST")]
    if connection.vendor == "sqlite":
        asked += [(0, "GET"), (99, "POST")]
    for name, (number, method) in product(NUMBERED, asked):
        for key in {"session", "table", "number"} & {*addresses()[name]}:
            status = world.ask("director", method, world.url(name, **{key: number}))
            assert status in {404, 405}, (name, key, number, method)


def test_missing_rule_set_answers_404(world: World) -> None:
    names = [name for name in NAMES if "rule_set" in addresses()[name]]
    for name, slug in product(names, ("no-such-rules", "gouji-2", "GOUJI")):
        for method in ("GET", "POST"):
            status = world.ask("owner", method, world.url(name, rule_set=slug))
            assert status in {404, 405}, (name, slug)


def test_unknown_link_token_opens_nothing(world: World) -> None:
    for token in ("x", world.sitting.token.lower(), world.sitting.token[:-1], "a" * 2000):
        assert world.row("GET", world.url("join-table", token=token)) == "404 404 404 404 404"


def nonsense(name: str) -> tuple[str, ...]:
    """Return what is sent to this address: of what is merely odd, two of six in turn.

    To PostgreSQL only what a database may refuse.
    """
    if connection.vendor != "sqlite":
        return LIKELY_TO_BREAK
    at = sum(name.encode()) % len(ODD)
    return (*LIKELY_TO_BREAK, ODD[at], ODD[at - 3])


def has_forms(name: str) -> bool:
    return "POST" in MAY[name] and not name.startswith("api-")


def is_address(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True


@contextmanager
def parameters_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """Collect the names of the parameters that views read from a query."""
    read: set[str] = set()

    def collecting(method: Callable[..., Any]) -> Callable[..., Any]:
        def collect(query: QueryDict, key: str, *others: Any) -> Any:
            read.add(key)
            return method(query, key, *others)

        return collect

    with monkeypatch.context() as patched:
        for name in ("__getitem__", "__contains__", "get", "getlist"):
            patched.setattr(QueryDict, name, collecting(getattr(QueryDict, name)))
        yield read


@pytest.mark.parametrize("name", NAMES)
def test_no_path_or_query_breaks_anything(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All parameters that the page reads hold nonsense, until it reads no further one."""
    client, url = world.browser("owner"), world.url(name)
    asked = [f"{url}{quote(typed)}" for typed in nonsense(name) if is_address(f"{url}{typed}")]
    asked.append(f"{url}?unknown=%00")
    known = {"unknown"}
    with parameters_read(monkeypatch) as read:
        while asked:
            for address in asked:
                response = client.get(address)
                read_to_end(response)
                assert response.status_code < 500, address
            asked = []
            if read - known:
                known |= read
                names = sorted(known)
                asked = [
                    f"{url}?{urlencode(dict.fromkeys(names, each))}" for each in nonsense(name)
                ]


def test_nonsense_is_no_address(client: Client, db: None) -> None:
    for typed in NONSENSE:
        assert client.get(f"/{quote(typed)}x").status_code == 404, typed


@pytest.mark.parametrize("name", [name for name in NAMES if has_forms(name)])
def test_no_field_breaks_anything(world: World, name: str) -> None:
    """All fields of the page's forms hold nonsense, then those one types in, then others singly.

    A view may read hidden fields and buttons before the form. The bodies of API operations are
    tested in `api/test_any_input.py`.
    """
    client, url = world.browser("owner"), world.url(name)
    page = b"".join(client.get(url)).decode("utf-8", "replace")
    fields = {*FIELD.findall(page)} - {"csrfmiddlewaretoken"}
    unseen = {*HIDDEN_FIELD.findall(page)} - {"csrfmiddlewaretoken"}
    for typed in nonsense(name):
        forms = [{*fields, *HIDDEN_FIELDS}]
        if typed in LIKELY_TO_BREAK:
            forms += [fields - unseen, *({name} for name in unseen)]
        for names in forms:
            form = dict.fromkeys(sorted(names), typed)
            with transaction.atomic():
                assert client.post(url, form).status_code < 500, form
                transaction.set_rollback(True)
