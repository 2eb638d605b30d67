"""Addresses of objects that do not exist, and nonsense as input."""

from __future__ import annotations

import re
from urllib.parse import quote, urlencode

import pytest
from django.db import connection, transaction

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
NONSENSE = (*LIKELY_TO_BREAK, "", "-1", "1e5", "髙\u202e🃏" * 200, "<script>", "'; --")
FIELD = re.compile(r'<(?:input|select|textarea|button)\b[^>]*? name="([^"]+)"')
HIDDEN_FIELDS = ("all", "players", "class", "sort", "page", "wall", "out", "people", "remove")


@pytest.mark.alike
@pytest.mark.parametrize("name", OF_A_TOURNAMENT)
def test_missing_tournament_answers_404(world: World, name: str) -> None:
    for method in ("GET", "POST"):
        answers = world.row(method, world.url(name, slug="no-such-tournament"))
        assert answers in NOT_FOUND


@pytest.mark.alike
@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_of_another_tournament_answer_404(world: World, name: str) -> None:
    """The other tournament has a session 4 and a player 13; here session 3 is the last planned."""
    publish(world.tournament)
    theirs = {"session": world.other.session.number, "number": 13}
    assert theirs["session"] > world.sitting.session.number + 2
    for key in {"session", "number"} & {*addresses()[name]}:
        for method in ("GET", "POST"):
            answers = world.row(method, world.url(name, **{key: theirs[key]}))
            assert answers in NOT_FOUND


@pytest.mark.parametrize("name", NUMBERED)
def test_huge_numbers_answer_404(world: World, name: str) -> None:
    for key in {"session", "table", "number"} & {*addresses()[name]}:
        for number in (0, 99, HUGE):
            for method in ("GET", "POST"):
                status = world.ask("director", method, world.url(name, **{key: number}))
                assert status in {404, 405}, (key, number, method)


@pytest.mark.parametrize("slug", ["no-such-rules", "gouji-2", "GOUJI"])
@pytest.mark.parametrize("name", [name for name in NAMES if "rule_set" in addresses()[name]])
def test_missing_rule_set_answers_404(world: World, name: str, slug: str) -> None:
    for method in ("GET", "POST"):
        assert world.ask("owner", method, world.url(name, rule_set=slug)) in {404, 405}


def test_unknown_link_token_opens_nothing(world: World) -> None:
    for token in ("x", world.sitting.token.lower(), world.sitting.token[:-1], "a" * 2000):
        assert world.row("GET", world.url("join-table", token=token)) == "404 404 404 404 404"


@pytest.mark.parametrize("name", NAMES)
def test_no_input_breaks_anything(world: World, name: str) -> None:
    """All parameters and all fields of the page's forms hold nonsense, then one field at a time.

    PostgreSQL gets only what a database may refuse. The bodies of API operations are tested in
    `api/test_any_input.py`.
    """
    client, url = world.browser("owner"), world.url(name)
    page = b"".join(client.get(url)).decode("utf-8", "replace")
    fields = {*FIELD.findall(page)} - {"csrfmiddlewaretoken"}
    has_forms = "POST" in MAY[name] and not name.startswith("api-")
    for nonsense in NONSENSE if connection.vendor == "sqlite" else LIKELY_TO_BREAK:
        everything = dict.fromkeys(sorted({*fields, *HIDDEN_FIELDS}), nonsense)
        one_by_one = [{field: nonsense} for field in fields if nonsense in LIKELY_TO_BREAK]
        for address in (f"{url}?{urlencode(everything)}", f"{url}{quote(nonsense)}"):
            response = client.get(address)
            read_to_end(response)
            assert response.status_code < 500, nonsense
        for typed in (everything, *one_by_one) if has_forms else ():
            with transaction.atomic():
                assert client.post(url, typed).status_code < 500, typed
                transaction.set_rollback(True)
