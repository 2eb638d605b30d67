"""Applications to play, over HTTP."""

from __future__ import annotations

import pytest
from django.test import override_settings

from tests import cast
from tests.api import Program, base, code, director_of, json_of
from tournaments.permissions.daily_limits import REGISTRATIONS

pytestmark = pytest.mark.django_db

KEY = "q3Zt8LwYx1cV5bN7mK2pR4sT"
APPLICATION = {"key": KEY, "name": "山田 太郎", "contact": "090-0000-0000", "consent": True}


def test_application_is_sent_approved_and_withdrawn() -> None:
    tournament = cast.make_tournament()
    director, where = director_of(tournament), base(tournament)
    stranger, register = Program(), f"{where}/register"
    assert code(stranger.post(register, APPLICATION)) == (401, "log_in")
    settings = {"open": True, "capacity": 1, "divisions": ["一般"], "seen": 0}
    wrong = settings | {"capacities": {"初心者": 1}}
    assert code(director.put(f"{where}/registrations/settings", wrong)) == (422, "no_division")
    settings["capacities"] = {"一般": 1}
    assert json_of(director.put(f"{where}/registrations/settings", settings))["open"]
    changed = director.put(f"{where}/registrations/settings", settings | {"capacity": 2})
    assert code(changed) == (409, "registration_set_since")
    page = stranger.get(register)
    assert (page["divisions"], page["capacities"]) == (["一般"], {"一般": 1})
    assert code(stranger.post(register, APPLICATION)) == (422, "no_division")
    body = APPLICATION | {"division": "一般"}
    for _ in range(2):
        assert json_of(stranger.post(register, body))["state"] == "pending"
    assert code(stranger.post(register, body | {"name": "木村"})) == (409, "key_reused")
    stranger.post(register, body | {"key": KEY[::-1], "name": "木村 勇"})
    numbers = [{"number": number, "seen": "pending"} for number in (1, 2)]
    decide = {"state": "approved", "registrations": numbers}
    url = f"{where}/registrations"
    assert code(director.post(url, decide)) == (409, "no_place_free")
    listed = json_of(director.post(url, decide | {"registrations": numbers[:1]}))
    assert [row["state"] for row in listed["registrations"]] == ["approved", "pending"]
    assert stranger.get(f"{register}/{KEY}")["player"] == 1
    ended = json_of(stranger.ask("DELETE", f"{register}/{KEY}"))
    assert (ended["state"], ended["player"]) == ("withdrawn", 1)
    left = json_of(director.ask("DELETE", f"{url}/1/player"))
    assert (left["players"], left["registrations"][0]["player"]) == (0, None)
    assert code(stranger.ask("GET", f"{register}/{KEY}x")) == (404, "not_found")


def test_applications_of_one_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(REGISTRATIONS, "limit", 1)
    tournament = cast.make_tournament()
    cast.open_registration(tournament)
    url = f"{base(tournament)}/register"
    with override_settings(VENUE=True):
        for _ in range(2):  # whose answer was lost, and who sends it again
            assert Program().post(url, APPLICATION).status_code == 201
        refused = Program().post(url, APPLICATION | {"key": KEY[::-1]})
    assert code(refused) == (429, "too_many_today")
    assert int(refused.headers["Retry-After"]) > 0


@pytest.mark.parametrize("closes_at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59Z"])
def test_end_that_no_page_could_show_is_refused(closes_at: str) -> None:
    tournament = cast.make_tournament()
    director, where = director_of(tournament), base(tournament)
    settings = {"open": True, "closes_at": closes_at, "seen": 0}
    answer = director.put(f"{where}/registrations/settings", settings)
    assert code(answer)[0] == 422
