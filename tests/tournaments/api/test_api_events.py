"""Setting up a tournament over HTTP: tokens, players, sessions; and what is found out of it."""

from __future__ import annotations

import json
from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils import timezone

import scoring
from tests import cast
from tests.api import Program, code, phone, staff, told
from tests.private import PRIVATE, private_in
from tests.races import just_before
from tournaments.access import roles
from tournaments.api.urls import described
from tournaments.facts import registration
from tournaments.models import Entry, Guesses, StaffToken, Tournament
from tournaments.phones import guesses, pins

pytestmark = pytest.mark.django_db


def director(tournament: Tournament) -> Program:
    return staff(cast.make_staff(tournament, "director", "director"))


def base(tournament: Tournament) -> str:
    return f"/api/tournaments/{tournament.slug}"


# Tokens


def test_name_and_password_become_a_token(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    answer = Program().post("/api/token", {"username": "keeper", "password": "keeper"})
    document = told(answer)
    assert answer.status_code == 201
    assert document["tournaments"] == [
        {"slug": tournament.slug, "name": tournament.name, "role": "scorekeeper"}
    ]
    stored = StaffToken.objects.get(user=user)
    assert document["token"] not in stored.digest
    assert timedelta(days=29) < stored.expires_at - timezone.now() <= timedelta(days=30)
    assert Program(document["token"]).get("/api/token")["username"] == "keeper"


def test_a_token_ends_when_it_is_revoked_or_old_or_its_owner_leaves(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    keeper = staff(user)
    assert told(keeper.ask("DELETE", "/api/token")) == {"revoked": 1}
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    keeper = staff(user)
    StaffToken.objects.update(expires_at=timezone.now())
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    keeper = staff(user)
    User.objects.update(is_active=False)
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")


def test_a_token_ends_with_the_password_it_was_got_for(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    keeper, other = staff(user), staff(cast.make_staff(tournament, "other"))
    User.objects.filter(pk=user.pk).update(password=make_password("another"))  # as any tool does
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    assert other.ask("GET", "/api/token").status_code == 200
    answer = Program().post("/api/token", {"username": "keeper", "password": "another"})
    assert Program(told(answer)["token"]).ask("GET", "/api/token").status_code == 200


@pytest.mark.parametrize(
    "token", ["", ".", "1", "1.", "1.x", "x.x", "٣.x", "9" * 40 + ".x", "-1.x"]
)
def test_what_is_no_token_is_told_so(tournament: Tournament, token: str) -> None:
    cast.make_staff(tournament, "keeper")
    assert code(Program(f"{token} ").ask("GET", "/api/token")) == (401, "token_unknown")


def test_wrong_passwords_are_counted_for_the_account() -> None:
    cast.make_user("keeper")
    cast.make_user("other")
    wrong = {"username": "keeper", "password": "guess"}
    answers = [Program().post("/api/token", wrong) for _ in range(6)]
    assert [code(each) for each in answers[:5]] == [(401, "wrong_password")] * 5
    assert code(answers[5]) == (429, "throttled")
    assert 1 <= int(answers[5].headers["Retry-After"]) <= 30
    assert code(Program().post("/api/token", {**wrong, "password": "keeper"}))[0] == 429
    assert staff(User.objects.get(username="other")).token
    Guesses.objects.update(closed_until=None)
    assert staff(User.objects.get(username="keeper")).token
    assert Guesses.objects.get(subject=guesses.at_account("keeper")).count == 0


def test_an_account_that_is_not_there_looks_the_same() -> None:
    cast.make_user("keeper")
    for name in ("keeper", "nobody"):
        answers = [
            Program().post("/api/token", {"username": name, "password": "guess"}) for _ in range(6)
        ]
        assert [each.status_code for each in answers] == [401] * 5 + [429]


# A whole event


def test_an_event_is_set_up_and_played() -> None:
    someone = staff(cast.make_user("founder"))
    made = someone.post(
        "/api/tournaments",
        {"name": "新春大会", "rule_set": "goninkan-association", "accepting": "second"},
    )
    assert made.status_code == 201
    where = f"/api/tournaments/{told(made)['slug']}"
    people = [{"name": f"選手{i}", **PRIVATE} for i in range(12)]
    added = someone.post(f"{where}/entries", {"entries": people})
    assert [entry["number"] for entry in told(added)["entries"]] == list(range(1, 13))
    tables = [[12, 10, 8, 6, 4, 2], [1, 3, 5, 7, 9, 11]]
    seated = told(someone.post(f"{where}/sessions", {"tables": tables}))
    for sitting, numbers in zip(seated["sittings"], tables, strict=True):
        assert [seat["number"] for seat in sitting["seats"]] == numbers
        assert len(sitting["pin"]) == 6
        assert sitting["token"] in sitting["link"]
        assert len(sitting["token"]) >= 112 / 6
    first = seated["sittings"][0]
    by_link = Program().post("/api/join", {"token": first["token"]})
    slug = told(made)["slug"]
    card = {"tournament": slug, "table": 1, "pin": first["pin"]}
    by_pin = Program().post("/api/join", card)
    assert (by_link.status_code, by_pin.status_code) == (201, 201)
    assert (told(by_link)["is_writer"], told(by_pin)["is_writer"]) == (True, False)
    facts = {"dealer": "12", "kankei": ["10", "6"], "deals": [{"kankei": 5, "mukankei": 9}]}
    one = f"/api/sittings/{first['id']}/rounds/1"
    writer, other = Program(told(by_link)["token"]), Program(told(by_pin)["token"])
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


def test_everybody_is_drawn_where_no_tables_are_named(tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    session = told(director(tournament).post(f"{base(tournament)}/sessions", {"pins": False}))
    sizes = [len(sitting["seats"]) for sitting in session["sittings"]]
    assert sizes == [6, 6, 6, 6]
    assert not any("pin" in sitting for sitting in session["sittings"])


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
def test_what_cannot_be_seated_is_refused(
    tournament: Tournament, tables: Any, at: str, problem: str
) -> None:
    cast.make_entries(tournament, 12)
    answer = director(tournament).post(f"{base(tournament)}/sessions", {"tables": tables})
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in told(answer)["errors"]] == [(at, problem)]
    assert not tournament.sessions.exists()


def test_a_session_is_seated_once(tournament: Tournament) -> None:
    cast.make_entries(tournament, 6)
    program, body = director(tournament), {"number": 1, "pins": False}
    assert program.post(f"{base(tournament)}/sessions", body).status_code == 201
    assert code(program.post(f"{base(tournament)}/sessions", body)) == (409, "already_seated")
    body["number"] = 3
    assert code(program.post(f"{base(tournament)}/sessions", body)) == (422, "session_missing")


def test_whoever_was_deleted_meanwhile_is_not_seated(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = cast.make_entries(tournament, 6)[5]
    remove = partial(registration.remove_entry, last, by=cast.SOMEBODY)
    just_before(monkeypatch, pins, "draw", remove)
    body = {"tables": [[1, 2, 3, 4, 5, 6]]}
    answer = director(tournament).post(f"{base(tournament)}/sessions", body)
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in told(answer)["errors"]] == [
        ("tables[0][5]", "no_entry")
    ]
    assert not tournament.sessions.exists()


def test_tables_are_of_the_size_that_was_settled_meanwhile(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = cast.make_tournament("gong-zhu")
    cast.make_entries(tournament, 5)
    choose = partial(Tournament.objects.update, partners=True)
    just_before(monkeypatch, pins, "draw", choose)
    body = {"tables": [[1, 2, 3, 4, 5]]}
    answer = director(tournament).post(f"{base(tournament)}/sessions", body)
    assert code(answer) == (422, "table_size")


def test_a_clubs_table_is_seated_once(db: None) -> None:
    tournament = cast.make_tournament(kind=Tournament.Kind.TABLE)
    cast.make_sitting(tournament)
    body = {"tables": [[1, 2, 3, 4, 5, 6]], "pins": False}
    answer = director(tournament).post(f"{base(tournament)}/sessions", body)
    assert code(answer) == (409, "one_table")


def test_an_account_that_there_is_joins_the_staff_of_a_second_event(tournament: Tournament) -> None:
    head, where = director(tournament), f"{base(tournament)}/staff"
    keeper = staff(cast.make_staff(cast.make_tournament(), "keeper"))
    told_of = {"username": "keeper", "role": "scorekeeper"}
    made_anew = {**told_of, "password": "shamisen-neputa-7"}
    assert code(head.post(where, made_anew)) == (409, "name_taken")
    assert head.post(where, told_of).status_code == 201
    assert len(keeper.get("/api/token")["tournaments"]) == 2
    assert code(head.post(where, told_of)) == (409, "on_staff")
    assert code(head.post(where, {**told_of, "username": "nobody"})) == (422, "no_account")


@pytest.mark.parametrize(
    ("entries", "at"),
    [
        ([{"name": "a"}, {"name": "b\0"}], "entries[1].name"),
        ([{"name": "a", "notes": "\ud800"}], "entries[0].notes"),
        ([{"name": "a", "\0": ""}], "entries[0]"),
    ],
)
def test_what_cannot_be_kept_is_told_where_it_is(
    tournament: Tournament, entries: list[dict[str, str]], at: str
) -> None:
    answer = director(tournament).post(f"{base(tournament)}/entries", {"entries": entries})
    assert code(answer) == (422, "not_kept")
    assert told(answer)["errors"][0]["at"] == at


def test_an_address_of_the_api_that_is_none_is_told_so_to_programs() -> None:
    for path in ("/api", "/api/", "/api/nothing"):
        assert code(Program().ask("GET", path)) == (404, "not_found")


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
def test_a_tournament_that_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    event = {"name": "新春大会", "rule_set": "goninkan-association"}
    answer = staff(cast.make_user("founder")).post("/api/tournaments", event | wrong)
    assert answer.status_code == 422
    assert not Tournament.objects.exists()


# Long lists


def listed_in_parts(program: Program, path: str, of: str) -> list[Any]:
    """Return what a list holds by following every `next`."""
    found, following = [], path
    while following:
        part = program.get(following)
        found += part[of]
        following = part["next"]
    return found


def test_a_long_trail_is_told_in_parts(tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    program, trail = director(tournament), f"{base(tournament)}/audit"
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
def test_a_part_of_the_trail_that_cannot_be_is_refused(
    tournament: Tournament, asked_for: str, at: str, problem: str
) -> None:
    answer = director(tournament).ask("GET", f"{base(tournament)}/audit?{asked_for}")
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in told(answer)["errors"]] == [(at, problem)]


def test_tournaments_are_listed_in_parts_the_newest_first() -> None:
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


def test_who_sits_where_is_told_without_scoring_a_round(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.record(cast.make_sitting(tournament))
    program, before = director(tournament), f"{base(tournament)}/sessions"
    expected = program.get(before)

    def refuse(*_: Any) -> None:
        raise AssertionError("a round is scored")

    monkeypatch.setattr(scoring, "score", refuse)
    assert program.get(before) == expected
    assert len(expected["sessions"][0]["sittings"][0]["seats"]) == 6


# Private fields


def test_private_fields_are_the_staffs_alone(tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    Entry.objects.update(**PRIVATE)
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    found = keeper.get(f"{base(tournament)}/entries")["entries"][0]
    assert {name: found[name] for name in PRIVATE} == PRIVATE
    elsewhere = staff(cast.make_staff(cast.make_tournament(), "elsewhere", "director"))
    for who in (Program(), phone(sitting), elsewhere):
        for path in ("", "/entries", "/sessions", "/standings"):
            text = json.dumps(who.get(f"{base(tournament)}{path}"), ensure_ascii=False)
            assert not private_in(text), (path, text)
        assert "token" not in json.dumps(who.get(f"{base(tournament)}/sessions"))
        text = json.dumps(who.get(f"/api/sittings/{sitting.pk}"), ensure_ascii=False)
        assert not private_in(text)
    trail = json.dumps(keeper.get(f"{base(tournament)}/audit"), ensure_ascii=False)
    assert not private_in(trail)


def test_what_is_known_of_a_player_is_put_right(tournament: Tournament) -> None:
    cast.make_entries(tournament, 1, **PRIVATE)
    head, where = director(tournament), f"{base(tournament)}/entries"
    version = head.get(where)["entries"][0]["version"]
    answer = head.ask("PATCH", f"{where}/1", {"seen": version, "contact": "017-1", "notes": ""})
    assert answer.status_code == 200
    stored = told(answer)
    expected = {"name": "成田 キヨ", "contact": "017-1", "birth_year": PRIVATE["birth_year"]}
    assert stored.items() >= expected.items()
    assert head.get(where)["entries"] == [stored]
    mine = {"seen": version, "contact": "017-2"}
    late = head.ask("PATCH", f"{where}/1", mine)
    assert code(late) == (409, "entry_changed")
    assert (told(late)["stored"], told(late)["yours"]) == (stored, mine)


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({"contact": "017"}, "seen"),
        ({"seen": 0, "name": " "}, "name"),
        ({"seen": 0, "birth_year": 1066}, "birth_year"),
        ({"seen": 0, "number": 7}, "number"),
    ],
)
def test_what_cannot_be_known_of_a_player_is_refused(
    tournament: Tournament, body: dict[str, Any], at: str
) -> None:
    cast.make_entries(tournament, 1)
    answer = director(tournament).ask("PATCH", f"{base(tournament)}/entries/1", body)
    assert answer.status_code == 422
    assert told(answer)["errors"][0]["at"] == at


def test_others_put_no_player_right(tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    where = f"{base(tournament)}/entries"
    for who, status in ((Program(), 401), (phone(sitting), 404), (keeper, 404)):
        answer = who.ask("PATCH", f"{where}/1", {"seen": 0, "contact": "017"})
        assert answer.status_code == status
    assert director(tournament).ask("PATCH", f"{where}/99", {"seen": 0}).status_code == 404


NAMES = ("髙﨑 𠮷", "葛\U000e0100城", "🃏", "\u202eעברית", "あ" * 200, "<script>", "=1+1", " 空白 ")


@pytest.mark.parametrize("name", NAMES)
def test_names_come_back_as_they_are(tournament: Tournament, name: str) -> None:
    program = director(tournament)
    program.post(f"{base(tournament)}/entries", {"entries": [{"name": name}]})
    assert program.get(f"{base(tournament)}/entries")["entries"][0]["name"] == name


# Staff


def test_a_director_makes_accounts(tournament: Tournament) -> None:
    program, where = director(tournament), f"{base(tournament)}/staff"
    account = {"username": "kiroku", "password": "shamisen-neputa-7"}
    assert program.post(where, account).status_code == 201
    assert tournament.memberships.get(user__username="kiroku").role == "scorekeeper"
    assert code(program.post(where, account)) == (409, "name_taken")
    weak = {"username": "other", "password": "1234"}
    assert code(program.post(where, weak)) == (422, "weak_password")


# What there is


def test_every_address_is_told_with_its_roles() -> None:
    listed = {each["name"]: each for each in Program().get("/api/urls")["urls"]}
    assert listed.keys() == roles.MAY.keys()
    assert listed["api-audit"]["methods"] == {"GET": ["scorekeeper", "director", "owner"]}
    assert listed["sitting"]["methods_once_published"] == {"GET": list(roles.ROLES)}


def test_every_operation_is_described() -> None:
    document = Program().get("/api/openapi.json")
    assert document == json.loads(json.dumps(described()))
    expected = {
        (name, method)
        for name, methods in roles.MAY.items()
        if name.startswith("api-")
        for method in methods
    }
    routes = {
        route.replace("<int:", "{").replace("<slug:", "{").replace(">", "}"): name
        for name, _pattern, route in roles.addresses()
    }
    found = {
        (routes[path], method.upper())
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert found == expected
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["description"], (path, method)
