"""Who sits where, over HTTP: drawn or named, once, and told to whoever may know."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import scoring
from tests import cast
from tests.api import base, code, director_of, json_of, staff
from tests.races import run_before
from tournaments.models import Tournament
from tournaments.queries.seat_draws import Choices, draw_seats
from tournaments.queries.sheets import sheet_of
from tournaments.services import entries, pins
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db


def test_everybody_is_drawn_without_a_list_of_tables(tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    session = json_of(director_of(tournament).post(f"{base(tournament)}/sessions", {"pins": False}))
    sizes = [len(sitting["seats"]) for sitting in session["sittings"]]
    assert sizes == [6, 6, 6, 6]
    assert not any("pin" in sitting for sitting in session["sittings"])


def test_a_draw_takes_a_method_and_a_seed(tournament: Tournament) -> None:
    everybody = cast.make_entries(tournament, 24)
    choices = Choices("fewest_repeats", separates_clubs=False, seed=7)
    drawn = draw_seats(tournament, 1, everybody, choices)
    assert drawn
    body = {"method": "fewest_repeats", "seed": 7, "pins": False}
    session = json_of(director_of(tournament).post(f"{base(tournament)}/sessions", body))
    seats = [[seat["number"] for seat in each["seats"]] for each in session["sittings"]]
    assert seats == [[entry.number for entry in table] for table in drawn.tables]


def test_a_draw_is_told_with_what_it_was_asked(tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    program = director_of(tournament)
    wishes = {"apart": [[1, 2]], "fixed": [{"number": 3, "table": 4}]}
    program.post(f"{base(tournament)}/sessions", {"pins": False, **wishes})
    told = program.get(f"{base(tournament)}/sessions/1/draw")
    assert told["request"]["apart"] == [["1", "2"]]
    assert "3" in told["answer"]["sessions"][0]["tables"][3]
    assert told["changed"] == 0
    table = tournament.sessions.get().sittings.get(number=1)
    cast.record(table)
    seen, players = sheet_of(table).players, sheet_of(table).entries[1:]
    [joining] = entries.add_entries(tournament, [{"name": "途中 参加"}], by=cast.SOMEBODY)
    change_players(table, [joining, *players], seen_players=seen, by=cast.SOMEBODY)
    changed = program.get(f"{base(tournament)}/sessions/1/draw")["changed"]
    assert changed == 2  # who left and who joined
    program.post(f"{base(tournament)}/sessions", {"tables": [[1, 2, 3, 4, 5, 6]], "pins": False})
    assert code(program.ask("get", f"{base(tournament)}/sessions/2/draw")) == (404, "not_found")


def test_session_beyond_the_plan_is_seated_only_as_an_extra_one() -> None:
    founder = staff(cast.make_creator("founder"))
    final = {"name": "決勝", "quotas": [{"places": 6}], "carry": "half", "sessions_planned": 1}
    body = {"name": "大会", "rule_set": "goninkan-association", "sessions_planned": 1}
    made = json_of(founder.post("/api/tournaments", body | {"stages": [final]}))
    tournament = Tournament.objects.get(slug=made["slug"])
    [stage] = founder.get(f"{base(tournament)}/stages")["stages"]
    assert {name: stage[name] for name in ("name", "carry", "sessions_planned")} == {
        "name": "決勝",
        "carry": "half",
        "sessions_planned": 1,
    }
    cast.make_entries(tournament, 6)
    sessions = f"{base(tournament)}/sessions"
    seats = {"tables": [[1, 2, 3, 4, 5, 6]], "pins": False}
    assert founder.post(sessions, seats).status_code == 201
    answer = founder.post(sessions, seats | {"number": 2})
    assert (code(answer), json_of(answer)["errors"][0]["at"]) == ((409, "beyond_plan"), "extra")
    more = seats | {"number": 2, "extra": True}
    assert [founder.post(sessions, more).status_code for _ in range(2)] == [201, 409]
    tournament.refresh_from_db()
    assert tournament.sessions_planned == 2


def test_wishes_that_cannot_be_kept_are_refused(tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    body = {"apart": [[1, 2]], "fixed": [{"number": n, "table": 4} for n in (1, 2)]}
    answer = director_of(tournament).post(f"{base(tournament)}/sessions", body)
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in json_of(answer)["errors"]] == [
        ("apart", "apart")
    ]
    assert not tournament.sessions.exists()


@pytest.mark.parametrize(
    ("tables", "at", "problem"),
    [
        ([[1, 2, 3]], "tables[0]", "table_size"),
        ([[1, 2, 3, 4, 99, 5]], "tables[0][4]", "no_entry"),
        ([[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 1, 11]], "tables[1][4]", "seated_twice"),
        ([], "tables", "missing"),
        ([[1, 2, 3, 4, "5", 6]], "tables[0][4]", "type"),
        ([[1, 2, 3, 4, 10**30, 5]], "tables[0][4]", "no_entry"),
    ],
)
def test_invalid_seating_is_refused(
    tournament: Tournament, tables: Any, at: str, problem: str
) -> None:
    cast.make_entries(tournament, 12)
    answer = director_of(tournament).post(f"{base(tournament)}/sessions", {"tables": tables})
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in json_of(answer)["errors"]] == [(at, problem)]
    assert not tournament.sessions.exists()


def test_session_is_seated_once(tournament: Tournament) -> None:
    cast.make_entries(tournament, 6)
    program, body = director_of(tournament), {"number": 1, "pins": False}
    assert program.post(f"{base(tournament)}/sessions", body).status_code == 201
    assert code(program.post(f"{base(tournament)}/sessions", body)) == (409, "already_seated")
    body["number"] = 3
    assert code(program.post(f"{base(tournament)}/sessions", body)) == (422, "session_missing")


def test_session_is_seated_anew_until_it_has_begun(tournament: Tournament) -> None:
    cast.make_entries(tournament, 12)
    program, url = director_of(tournament), f"{base(tournament)}/sessions"
    tables = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]
    program.post(url, {"tables": tables, "pins": False})
    seen = program.get(f"{url}/1/seats")["version"]
    drawn = {"method": "fewest_repeats", "seed": 3, "seen": seen, "reason": "引き直し"}
    told = json_of(program.put(f"{url}/1/seats", drawn))
    assert told["version"] > seen
    assert program.get(f"{url}/1/draw")["answer"]["seed"] == 3
    body = {"tables": tables, "seen": seen}
    assert code(program.put(f"{url}/1/seats", body)) == (409, "seats_changed")
    cast.make_call(tournament.sessions.get().sittings.get(number=1))
    body["seen"] = told["version"]
    assert code(program.put(f"{url}/1/seats", body)) == (409, "session_begun")


def test_player_deleted_meanwhile_is_not_seated(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = cast.make_entries(tournament, 6)[5]
    remove = partial(entries.remove_entry, last, by=cast.SOMEBODY)
    run_before(monkeypatch, pins, "generate_pin", remove)
    body = {"tables": [[1, 2, 3, 4, 5, 6]]}
    answer = director_of(tournament).post(f"{base(tournament)}/sessions", body)
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in json_of(answer)["errors"]] == [
        ("tables[0][5]", "no_entry")
    ]
    assert not tournament.sessions.exists()


def test_table_size_changed_meanwhile_is_respected(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = cast.make_tournament("gong-zhu")
    cast.make_entries(tournament, 5)
    choose = partial(Tournament.objects.update, partners=True)
    run_before(monkeypatch, pins, "generate_pin", choose)
    body = {"tables": [[1, 2, 3, 4, 5]]}
    answer = director_of(tournament).post(f"{base(tournament)}/sessions", body)
    assert code(answer) == (422, "table_size")


def test_club_table_is_seated_once(db: None) -> None:
    tournament = cast.make_tournament(kind=Tournament.Kind.TABLE)
    cast.make_sitting(tournament)
    body = {"tables": [[1, 2, 3, 4, 5, 6]], "pins": False}
    answer = director_of(tournament).post(f"{base(tournament)}/sessions", body)
    assert code(answer) == (409, "one_table")


def test_sessions_are_listed_without_scoring_a_round(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.record(cast.make_sitting(tournament))
    program, before = director_of(tournament), f"{base(tournament)}/sessions"
    expected = program.get(before)

    def refuse(*_: Any) -> None:
        raise AssertionError("a round is scored")

    monkeypatch.setattr(scoring, "score", refuse)
    assert program.get(before) == expected
    assert len(expected["sessions"][0]["sittings"][0]["seats"]) == 6
