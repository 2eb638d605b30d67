"""How much each address takes: before anything of it is read, and of whom."""

import pytest
from django.test import Client

from tests.visiting import NAMES, let_go, make_world
from tournaments.access import sizes
from tournaments.access.roles import MAY, Level

pytestmark = pytest.mark.django_db
READ_UNASKED = 16_000  # bytes, of somebody who has not logged in


def unread(client: Client, url: str, length: int, method: str = "POST") -> int:
    """Return the answer to a request that says it is so long, and sends nothing."""
    response = client.generic(method, url, CONTENT_LENGTH=str(length), content_type="text/plain")
    let_go(response)
    return response.status_code


def test_the_table_names_addresses() -> None:
    assert set(NAMES) >= sizes.MOST.keys()


@pytest.mark.parametrize("name", sorted(sizes.MOST))
def test_what_anybody_sends_is_small(name: str) -> None:
    levels = set(MAY[name].values())
    if levels & {Level.RECORD, Level.PHONE} or (Level.ANYBODY in levels and name != "hand-over"):
        assert sizes.MOST[name] <= READ_UNASKED


def test_a_body_larger_than_its_address_takes_is_refused_unread() -> None:
    world = make_world()
    for name in NAMES:
        most, url = sizes.most(name), world.url(name)
        for role in ("anonymous", "table", "director", "owner"):
            client = world.browser(role)
            assert unread(client, url, most + 1) == 413, (name, role)


def test_more_than_usual_is_taken_only_of_whoever_has_logged_in() -> None:
    world = make_world()
    for name in (name for name in sizes.MOST if sizes.MOST[name] > sizes.USUAL):
        url, is_api = world.url(name), name.startswith("api-")
        expected = 401 if is_api else 302
        for role in ("anonymous", "table"):
            assert unread(world.browser(role), url, sizes.USUAL + 1) == expected, (name, role)


def test_a_token_that_is_none_is_refused_unread(client: Client) -> None:
    headers = {"Authorization": "Bearer nobody"}
    answer = client.post("/api/tournaments/archive", CONTENT_LENGTH="1000000", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "token_unknown")


def test_an_address_that_is_not_there_is_told_so(client: Client) -> None:
    assert client.post("/api/nothing", CONTENT_LENGTH="9" * 12).status_code == 404
