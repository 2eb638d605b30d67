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
    assert code(director.post(url, body | {"number": 9})) == (422, "session_missing")
    cast.record(tournament.sessions.get(number=2).sittings.get())
    rows = director.get(f"{base(tournament)}/standings")["standings"]
    assert rows[0]["points"] == 1
