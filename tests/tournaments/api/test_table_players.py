"""Players join and leave a table over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import Program, code, json_of, staff
from tournaments.models import Sitting
from tournaments.services import sessions

pytestmark = pytest.mark.django_db
JOINED = {"players": [1, 2, 3, 4, 5, 6], "seen": [1, 2, 3, 4, 5]}


@pytest.fixture
def table() -> Sitting:
    """A table of five; a sixth player has no seat."""
    table = cast.make_sitting(cast.make_tournament("goninkan-classic"), players=5)
    cast.make_entries(table.session.tournament, 1)
    return table


@pytest.fixture
def keeper(table: Sitting) -> Program:
    return staff(cast.make_staff(table.session.tournament, "keeper"))


def test_player_joins_before_and_after_a_round(table: Sitting, keeper: Program) -> None:
    url = f"/api/sittings/{table.pk}/players"
    for _ in range(2):
        seated = json_of(keeper.put(url, JOINED))
        assert (seated["table"], len(seated["seats"])) == (1, 6)
    cast.record(table)
    left = {"players": [1, 2, 3, 4, 6], "seen": [1, 2, 3, 4, 5, 6], "reason": "早退"}
    for _ in range(2):
        seated = json_of(keeper.put(url, left))
        assert (seated["table"], [each["number"] for each in seated["seats"]]) == (
            2,
            [1, 2, 3, 4, 6],
        )
        assert seated["link"].endswith(f"/join/{seated['token']}/")


def test_refusals_have_a_code(table: Sitting, keeper: Program) -> None:
    url = f"/api/sittings/{table.pk}/players"
    assert code(keeper.put(url, JOINED | {"seen": [1]})) == (409, "players_changed")
    assert code(keeper.put(url, JOINED | {"players": [1, 2, 3, 4]})) == (422, "table_size")
    assert code(keeper.put(url, JOINED | {"players": [1, 2, 3, 4, 4]})) == (422, "seated_twice")
    assert code(keeper.put(url, JOINED | {"players": [1, 2, 3, 4, 9]})) == (422, "no_entry")
    sessions.end_session(table.session, stopping=[1], by=cast.SOMEBODY)
    assert code(keeper.put(url, JOINED)) == (409, "table_over")
