"""No operation changes a state of an event that its sender has not seen."""

from __future__ import annotations

from copy import copy, deepcopy
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from tests import api
from tests.api import json_of
from tests.tournaments.audit.test_every_operation import OPERATIONS, World, ask
from tournaments.audit import STATE_KINDS


class OldPage(api.Program):
    """A client that sends an outdated version of the state wherever it has to send one."""

    is_old = True

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        if self.is_old and isinstance(body, dict) and "seen_version" in body:
            body = body | {"seen_version": body["seen_version"] - 1}
        if self.is_old and "seen_version=" in path:
            before, _, version = path.partition("seen_version=")
            path = f"{before}seen_version={int(version) - 1}"
        return super().send(method, path, body, **headers)


@pytest.fixture(scope="module")
def lasting_world(lasting_database: DjangoDbBlocker) -> World:
    """A tournament with a table and clients, made once for this file."""
    with lasting_database.unblock():
        return World()


@pytest.fixture
def world(lasting_world: World, db: None) -> World:
    """As `lasting_world`, with a director who sends outdated versions; changes are rolled back."""
    world = copy(lasting_world)
    world.sitting, world.user = deepcopy((lasting_world.sitting, lasting_world.user))
    world.director = OldPage(lasting_world.director.token)
    return world


def numbers_of_changes(world: World) -> list[int]:
    trail = world.sitting.session.tournament.audit_entries.filter(kind__in=STATE_KINDS)
    return list(trail.order_by("number").values_list("number", flat=True))


@pytest.mark.alike
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_operation_changes_a_state_that_was_not_seen(
    world: World, method: str, path: str
) -> None:
    send = ask(world, method, path)
    before = numbers_of_changes(world)
    refused = send()
    assert numbers_of_changes(world) == before
    if refused.status_code < 300:
        return  # it changes nothing of the state
    assert api.code(refused) == (409, "state_changed")
    told = json_of(refused)
    assert [each["number"] for each in told["since"]] == before[-1:]
    assert told["state_version"] == before[-1]
    assert isinstance(world.director, OldPage)
    world.director.is_old = False
    done = send()
    assert done.status_code < 300, done.content
    assert json_of(done)["state_version"] == numbers_of_changes(world)[-1] > before[-1]
