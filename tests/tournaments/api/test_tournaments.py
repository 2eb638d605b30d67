"""Tournaments over HTTP: set up and played, listed with their trails in parts, or refused."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tests import cast
from tests.api import Program, base, code, director_of, json_of, staff
from tests.private_data import PRIVATE
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_planned_sessions_of_the_first_stage_are_changed() -> None:
    someone = staff(cast.make_creator("founder"))
    wanted = {"name": "x", "rule_set": "goninkan-classic", "totals_only": True}
    stages = [{"name": "決勝", "quotas": [{"places": 5}]}]
    made = json_of(someone.post("/api/tournaments", {**wanted, "stages": stages}))
    tournament = Tournament.objects.get(slug=made["slug"])
    assert made["totals_only"] is tournament.totals_only is True
    address = f"/api/tournaments/{made['slug']}/plan"
    plan = someone.get(address)
    assert [(each["name"], each["sessions_planned"]) for each in plan["stages"]] == [
        ("", None),
        ("決勝", None),
    ]
    changed = json_of(someone.put(address, {"sessions_planned": 3, "seen": plan["version"]}))
    assert (changed["stages"][0]["sessions_planned"], changed["current"]) == (3, 1)
    again = someone.put(address, {"sessions_planned": 2, "seen": plan["version"]})
    assert code(again) == (409, "plan_changed")
    assert code(someone.put(address, {"sessions_planned": 0, "seen": 0})) == (422, "range")
    tournament.refresh_from_db()
    assert tournament.sessions_planned == 3


def test_tournament_is_created_seated_and_played() -> None:
    someone = staff(cast.make_creator("founder"))
    made = someone.post(
        "/api/tournaments",
        {"name": "新春大会", "rule_set": "goninkan-association", "accepting": "second"},
    )
    assert made.status_code == 201
    where = f"/api/tournaments/{json_of(made)['slug']}"
    people = [{"name": f"選手{i}", **PRIVATE} for i in range(12)]
    added = someone.post(f"{where}/entries", {"entries": people})
    assert [entry["number"] for entry in json_of(added)["entries"]] == list(range(1, 13))
    tables = [[12, 10, 8, 6, 4, 2], [1, 3, 5, 7, 9, 11]]
    seated = json_of(someone.post(f"{where}/sessions", {"tables": tables}))
    for sitting, numbers in zip(seated["sittings"], tables, strict=True):
        assert [seat["number"] for seat in sitting["seats"]] == numbers
        assert len(sitting["pin"]) == 6
        assert sitting["token"] in sitting["link"]
        assert len(sitting["token"]) >= 112 / 6
    first = seated["sittings"][0]
    by_link = Program().post("/api/join", {"token": first["token"]})
    slug = json_of(made)["slug"]
    card = {"tournament": slug, "table": 1, "pin": first["pin"]}
    by_pin = Program().post("/api/join", card)
    assert (by_link.status_code, by_pin.status_code) == (201, 201)
    assert (json_of(by_link)["is_writer"], json_of(by_pin)["is_writer"]) == (True, False)
    facts = {"dealer": "12", "kankei": ["10", "6"], "deals": [{"kankei": 5, "mukankei": 9}]}
    one = f"/api/sittings/{first['id']}/rounds/1"
    writer, other = Program(json_of(by_link)["token"]), Program(json_of(by_pin)["token"])
    assert writer.put(one, {"facts": facts, "seen": 0}).status_code == 201
    assert code(writer.post(f"{one}/accept", {"version": 1})) == (403, "another_phone")
    assert other.post(f"{one}/accept", {"version": 1}).status_code == 200
    call = other.post(f"/api/sittings/{first['id']}/calls", {"kind": "director", "words": "札"})
    assert call.status_code == 201
    standings = someone.get(f"{where}/standings")
    points = {row["number"]: row["points"] for row in standings["standings"]}
    assert points == {12: -1, 10: -1, 8: 1, 6: -1, 4: 1, 2: 1} | dict.fromkeys(tables[1])
    acts = [act["kind"] for act in someone.get(f"{where}/audit")["acts"]]
    assert acts[-3:] == ["round_recorded", "round_accepted", "desk_called"]


@pytest.mark.alike
def test_tournament_like_another_takes_what_is_not_given() -> None:
    someone = staff(cast.make_creator("founder"))
    first = {"name": "第9回 新春大会", "rule_set": "goninkan-association", "rounds_per_session": 7}
    made = json_of(someone.post("/api/tournaments", {**first, "venue": "体育館"}))
    steps = {"tie_breaks": ["points", "best_round"], "seen": 0}
    assert someone.put(f"/api/tournaments/{made['slug']}/ranking", steps).status_code == 200
    like = {"name": "第10回", "rule_set": "goninkan-association", "like": made["slug"]}
    new = json_of(someone.post("/api/tournaments", {**like, "venue": "公民館"}))
    assert (new["name"], new["venue"], new["rounds_per_session"]) == ("第10回", "公民館", 7)
    copied = someone.get(f"/api/tournaments/{new['slug']}/ranking")
    assert copied["tie_breaks"] == ["points", "best_round"]
    stranger = staff(cast.make_creator("stranger"))
    assert code(stranger.post("/api/tournaments", like)) == (404, "not_found")


@pytest.mark.parametrize(
    ("entries", "at"),
    [
        ([{"name": "a"}, {"name": "b\0"}], "entries[1].name"),
        ([{"name": "a", "notes": "\ud800"}], "entries[0].notes"),
        ([{"name": "a", "\0": ""}], "entries[0]"),
    ],
)
def test_unstorable_text_is_refused_with_its_place(
    tournament: Tournament, entries: list[dict[str, str]], at: str
) -> None:
    answer = director_of(tournament).post(f"{base(tournament)}/entries", {"entries": entries})
    assert code(answer) == (422, "not_kept")
    assert json_of(answer)["errors"][0]["at"] == at


@pytest.mark.parametrize(
    "wrong",
    [
        {"rule_set": "whist"},
        {"name": ""},
        {"name": "x" * 201},
        {"options": {"no such": True}},
        {"points": {"skunk": 10**6}},
        {"rounds_per_session": 0},
        {"accepting": "perhaps"},
        {"held_on": "tomorrow"},
        {"partners": True},
        {"unknown": 1},
    ],
    ids=str,
)
def test_invalid_tournament_is_refused(wrong: dict[str, Any]) -> None:
    event = {"name": "新春大会", "rule_set": "goninkan-association"}
    answer = staff(cast.make_creator("founder")).post("/api/tournaments", event | wrong)
    assert answer.status_code == 422
    assert not Tournament.objects.exists()


def listed_in_parts(program: Program, path: str, of: str) -> list[Any]:
    """Return what a list holds by following every `next`."""
    found, following = [], path
    while following:
        part = program.get(following)
        found += part[of]
        following = part["next"]
    return found


def test_audit_trail_is_paginated(tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    program, trail = director_of(tournament), f"{base(tournament)}/audit"
    cast.record(cast.make_sitting(tournament))
    whole = program.get(trail)
    assert whole["next"] is None
    assert listed_in_parts(program, f"{trail}?limit=2", "acts") == whole["acts"]
    assert program.get(f"{trail}?after=3&limit=1")["acts"] == whole["acts"][3:4]
    assert program.get(f"{trail}?after=999") == {"acts": [], "next": None}


@pytest.mark.parametrize(
    ("asked_for", "at", "problem"),
    [
        ("limit=0", "limit", "range"),
        ("limit=10001", "limit", "range"),
        ("after=-1", "after", "range"),
        ("after=" + "9" * 30, "after", "range"),
        ("after=x", "after", "type"),
    ],
)
def test_invalid_page_of_the_audit_trail_is_refused(
    tournament: Tournament, asked_for: str, at: str, problem: str
) -> None:
    answer = director_of(tournament).ask("GET", f"{base(tournament)}/audit?{asked_for}")
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in json_of(answer)["errors"]] == [(at, problem)]


def test_tournaments_are_paginated_newest_first() -> None:
    days = (1, 3, 3, 3, 2)
    made = [
        cast.make_tournament(name=f"第{i}回", published=True, held_on=date(2026, 11, day))
        for i, day in enumerate(days, 1)
    ]
    private = cast.make_tournament()
    everything = Program().get("/api/tournaments")
    assert [each["name"][1] for each in everything["tournaments"]] == ["4", "3", "2", "5", "1"]
    assert everything["next"] is None
    parts = listed_in_parts(Program(), "/api/tournaments?limit=2", "tournaments")
    assert parts == everything["tournaments"]
    for last in (private.slug, "none-such"):
        answer = Program().ask("GET", f"/api/tournaments?after={last}")
        assert code(answer) == (404, "not_found")
    assert code(Program().ask("GET", "/api/tournaments?after=%00")) == (422, "type")
    assert Program().get(f"/api/tournaments?after={made[0].slug}")["tournaments"] == []


def test_tournament_without_a_name_is_refused(tournament: Tournament) -> None:
    asked = {"name": "   ", "rule_set": tournament.rule_set}
    answer = staff(cast.make_creator("founder")).post("/api/tournaments", asked)
    assert (code(answer), json_of(answer)["errors"][0]["at"]) == ((422, "missing"), "name")
