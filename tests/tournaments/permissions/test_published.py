"""Who gets what of a published tournament, and of a publication named in the query.

`test_reading.py` asks for the pages of a published tournament as every role.
"""

from __future__ import annotations

import pytest
from pytest_django import DjangoDbBlocker

from tests import cast
from tests.tournaments.permissions.expected import (
    EXPECTED,
    NOTHING_THERE_YET,
    assert_statuses,
    published,
)
from tests.visiting import NAMES, OF_A_TOURNAMENT, ROLES, World, make_world
from tournaments.permissions.levels import Level, levels_by_url_name
from tournaments.services import publications

MAY = levels_by_url_name()


@pytest.fixture(scope="module")
def lasting_world(lasting_database: DjangoDbBlocker) -> World:
    """Two tournaments, one of them published, made once for this file."""
    with lasting_database.unblock():
        world = make_world()
        publications.publish(world.tournament, by=cast.SOMEBODY)
        return world


@pytest.mark.alike  # `test_unknown_addresses.py` posts to every address on both databases
@pytest.mark.parametrize("name", [name for name in NAMES if name in EXPECTED])
def test_everybody_gets_what_is_listed(world: World, name: str) -> None:
    assert_statuses(world, "POST", world.url(name), EXPECTED[name].post, ROLES)


@pytest.mark.alike
def test_a_named_publication_changes_nobodys_level(world: World) -> None:
    for name in (name for name in OF_A_TOURNAMENT if "GET" in MAY[name]):
        for query in ("publication=1", "publication=1&links&wall=1"):
            url = f"{world.url(name)}?{query}"
            assert_statuses(world, "GET", url, published(name), ("anonymous", "scorekeeper"))


CLUB_TABLES = {"go-on", "play-again"}  # asked in `test_every_url.py`


@pytest.mark.alike
@pytest.mark.parametrize(
    ("name", "method"),
    [
        (name, method)
        for name in NAMES
        for method in MAY[name]
        if method != "GET" and (method != "POST" or name in NOTHING_THERE_YET - CLUB_TABLES)
    ],
)
def test_listed_roles_are_answered(world: World, name: str, method: str) -> None:
    """No role listed at /api/urls is refused; `test_reading.py` asserts the same of GET.

    The listed answers to POST refuse nobody either: `test_every_url.py`.
    """
    cast.record(world.sitting)
    level = MAY[name][method]
    for role in ROLES if level == Level.SEE else level.roles:
        status = world.ask(role, method, world.url(name))
        assert status not in {401, 403, 404, 405, 500}, role
