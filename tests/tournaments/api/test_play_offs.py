"""Play-offs over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import base, code, director_of, json_of

pytestmark = pytest.mark.django_db


def test_play_off_is_seated_once() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    tournament = sitting.session.tournament
    director, url = director_of(tournament), f"{base(tournament)}/play-offs"
    body = {"number": 2, "tied": [4, 2], "tables": [[1, 2, 3, 4, 5, 6]], "rounds": 1}
    for _ in range(2):
        made = json_of(director.post(url, body))
    assert made["play_off"] == {"tied": [2, 4], "rounds": 1}
    listed = director.get(f"{base(tournament)}/sessions")["sessions"]
    assert [each["play_off"] for each in listed] == [None, {"tied": [2, 4], "rounds": 1}]
    assert code(director.post(url, body | {"tied": [2, 5]})) == (409, "already_seated")
    assert code(director.post(url, body | {"tied": [2]})) == (422, "tied_not_seated")
    second = {"number": 3, "tied": [2, 4]}
    assert code(director.post(url, body | second)) == (409, "play_off_on")
    assert code(director.post(url, body | {"number": 9, "tied": [2, 5]})) == (
        422,
        "session_missing",
    )
    cast.record(tournament.sessions.get(number=2).sittings.get())
    rows = director.get(f"{base(tournament)}/standings")["standings"]
    assert rows[0]["points"] == 1


def test_tied_players_keep_a_seat_in_their_play_off() -> None:
    tournament = cast.make_tournament()
    first, others = cast.make_entries(tournament, 12)[:6], tournament.entries.all()[6:]
    director, where = director_of(tournament), base(tournament)
    seats = [[entry.number for entry in table] for table in (first, others)]
    json_of(director.post(f"{where}/sessions", {"tables": seats}))
    play_off = {"number": 2, "tied": [2, 4], "tables": seats[:1], "rounds": 1}
    json_of(director.post(f"{where}/play-offs", play_off))
    url = f"{where}/sessions/2/seats"
    seen = director.get(url)["version"]
    refused = director.put(url, {"tables": seats[1:], "seen": seen})
    assert code(refused) == (422, "tied_not_seated")
    turned = director.put(url, {"tables": [seats[0][::-1]], "seen": seen})
    assert turned.status_code == 200
    seen = json_of(turned)["version"]
    redrawn = json_of(director.put(url, {"seed": 3, "seen": seen}))
    assert {each["number"] for each in redrawn["sittings"][0]["seats"]} == set(seats[0])
    level = {"method": "level", "seen": redrawn["version"]}
    assert code(director.put(url, level)) == (422, "play_off_by_lot")
    table = tournament.sessions.get(number=2).sittings.get()
    now = [seat.entry.number for seat in table.seats.all()]
    away = {"players": [12 if each == 4 else each for each in now], "seen": now}
    assert code(director.put(f"/api/sittings/{table.pk}/players", away)) == (422, "tied_leave")
