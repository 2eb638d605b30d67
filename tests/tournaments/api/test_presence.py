"""The roll call over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import Program, base, code, director_of, json_of, staff
from tournaments.models import AuditEntry, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(tournament: Tournament) -> Program:
    """A scorekeeper of a tournament with six players."""
    cast.make_entries(tournament, 6)
    return staff(cast.make_staff(tournament, "keeper"))


def test_players_are_marked_and_expected_again(tournament: Tournament, keeper: Program) -> None:
    url = f"{base(tournament)}/sessions/1/presence"
    body = {"status": "absent", "seen": "expected", "reason": "電話あり"}
    for _ in range(2):
        assert json_of(keeper.put(f"{url}/2", body)) == {"number": 2, "status": "absent"}
    told = keeper.get(url)
    assert told["statuses"] == {"1": "expected", "2": "absent"} | {
        str(number): "expected" for number in range(3, 7)
    }
    assert AuditEntry.objects.latest("number").reason == "電話あり"
    assert told["version"] == AuditEntry.objects.latest("number").number
    answer = keeper.post(f"{url}/restart", {"seen": told["version"]})
    assert set(json_of(answer)["statuses"].values()) == {"expected"}


def test_mark_made_since_is_told(tournament: Tournament, keeper: Program) -> None:
    url = f"{base(tournament)}/sessions/1/presence"
    keeper.put(f"{url}/2", {"status": "late", "seen": "expected"})
    answer = keeper.put(f"{url}/2", {"status": "present", "seen": "expected"})
    assert code(answer) == (409, "marked_otherwise")
    assert json_of(answer)["stored"] == {"number": 2, "status": "late"}
    assert code(keeper.post(f"{url}/restart", {"seen": 0})) == (409, "roll_call_changed")


def test_unknown_sessions_players_and_statuses(tournament: Tournament, keeper: Program) -> None:
    body = {"status": "late", "seen": "expected"}
    for path in ("sessions/2/presence/1", "sessions/1/presence/7", "sessions/0/presence/1"):
        assert code(keeper.put(f"{base(tournament)}/{path}", body)) == (404, "not_found")
    assert keeper.ask("GET", f"{base(tournament)}/sessions/2/presence").status_code == 404
    wrong = keeper.put(f"{base(tournament)}/sessions/1/presence/1", body | {"status": "asleep"})
    assert code(wrong) == (422, "type")
    restart = keeper.post(f"{base(tournament)}/sessions/2/presence/restart", {"seen": 0})
    assert code(restart) == (404, "not_found")


def test_club_table_has_no_roll_call() -> None:
    club = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE)).session.tournament
    url = f"{base(club)}/sessions/1/presence"
    assert code(director_of(club).ask("GET", url)) == (409, "one_table")


def test_who_is_away_is_not_drawn(tournament: Tournament) -> None:
    cast.make_entries(tournament, 8)
    director, url = director_of(tournament), f"{base(tournament)}/sessions"
    for number, status in ((3, "absent"), (5, "late")):
        director.put(f"{url}/1/presence/{number}", {"status": status, "seen": "expected"})
    (table,) = json_of(director.post(url, {"pins": False}))["sittings"]
    assert sorted(seat["number"] for seat in table["seats"]) == [1, 2, 4, 6, 7, 8]
