"""Two players exchanged over HTTP: as on the page, the same is shown first and carried out."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import base, code, json_of, staff
from tournaments.models import Tournament
from tournaments.services import seating

pytestmark = pytest.mark.django_db


def test_players_are_exchanged_as_shown_before(tournament: Tournament) -> None:
    entries = cast.make_entries(tournament, 14)
    session = seating.open_session(tournament, [entries[:6], entries[6:12]], by=cast.SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    url = f"{base(tournament)}/sessions/1/exchange"
    planned = keeper.get(f"{url}?one=1&other=8")
    assert planned["rounds"] == 1
    assert [each["players"] for each in planned["tables"]] == [
        [8, 2, 3, 4, 5, 6],
        [7, 1, 9, 10, 11, 12],
    ]
    body = {"one": 1, "other": 8, "seen": planned["seen"], "reason": "席の取り違え"}
    for wrong, refused in (
        ({"other": 1}, (422, "same_player")),
        ({"other": 99}, (422, "no_entry")),
        ({"other": 10**30}, (422, "range")),
        ({"one": 13, "other": 14}, (422, "not_seated")),
        ({"reason": ""}, (422, "range")),
    ):
        assert code(keeper.post(url, body | wrong)) == refused
    assert json_of(keeper.post(url, body)) == planned
    assert code(keeper.post(url, body)) == (409, "players_changed")
    cast.make_disagreement(session.sittings.get(number=1))
    assert code(keeper.post(url, body)) == (409, "open_disputes")
