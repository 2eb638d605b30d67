"""Accounts over HTTP: their tokens, the staff they join, and what there is to ask."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils import timezone

from tests import cast
from tests.api import Program, base, code, director_of, json_of, staff
from tournaments import __version__
from tournaments.api.urls import openapi_document
from tournaments.models import Guesses, StaffToken, Tournament
from tournaments.permissions import levels
from tournaments.server import proxies
from tournaments.services import guesses

pytestmark = pytest.mark.django_db


def test_name_and_password_are_exchanged_for_a_token(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    answer = Program().post("/api/token", {"username": "keeper", "password": "keeper"})
    document = json_of(answer)
    assert answer.status_code == 201
    assert document["tournaments"] == [
        {"slug": tournament.slug, "name": tournament.name, "role": "scorekeeper"}
    ]
    stored = StaffToken.objects.get(user=user)
    assert document["token"] not in stored.digest
    assert timedelta(days=29) < stored.expires_at - timezone.now() <= timedelta(days=30)
    assert Program(document["token"]).get("/api/token")["username"] == "keeper"


def test_token_ends_when_revoked_expired_or_its_account_disabled(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    keeper = staff(user)
    assert json_of(keeper.ask("DELETE", "/api/token")) == {"revoked": 1}
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    keeper = staff(user)
    StaffToken.objects.update(expires_at=timezone.now())
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    keeper = staff(user)
    User.objects.update(is_active=False)
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")


def test_token_ends_when_the_password_changes(tournament: Tournament) -> None:
    user = cast.make_staff(tournament, "keeper")
    keeper, other = staff(user), staff(cast.make_staff(tournament, "other"))
    User.objects.filter(pk=user.pk).update(password=make_password("another"))  # as any tool does
    assert code(keeper.ask("GET", "/api/token")) == (401, "token_unknown")
    assert other.ask("GET", "/api/token").status_code == 200
    answer = Program().post("/api/token", {"username": "keeper", "password": "another"})
    assert Program(json_of(answer)["token"]).ask("GET", "/api/token").status_code == 200


@pytest.mark.parametrize(
    "token", ["", ".", "1", "1.", "1.x", "x.x", "٣.x", "9" * 40 + ".x", "-1.x"]
)
def test_invalid_token_is_refused(tournament: Tournament, token: str) -> None:
    cast.make_staff(tournament, "keeper")
    assert code(Program(f"{token} ").ask("GET", "/api/token")) == (401, "token_unknown")


def with_address() -> Program:
    program = Program()
    program.client.defaults[proxies.PEER] = "203.0.113.7"
    return program


def test_wrong_passwords_are_counted_per_account() -> None:
    cast.make_user("keeper")
    cast.make_user("other")
    wrong = {"username": "keeper", "password": "guess"}
    peer = with_address()
    answers = [peer.post("/api/token", wrong) for _ in range(6)]
    assert [code(each) for each in answers[:5]] == [(401, "wrong_password")] * 5
    assert code(answers[5]) == (429, "throttled")
    assert 1 <= int(answers[5].headers["Retry-After"]) <= 30
    assert code(peer.post("/api/token", {**wrong, "password": "keeper"}))[0] == 429
    right = {name: {"username": name, "password": name} for name in ("keeper", "other")}
    assert peer.post("/api/token", right["other"]).status_code == 201
    Guesses.objects.update(closed_until=None)
    assert peer.post("/api/token", right["keeper"]).status_code == 201
    subject = guesses.account_subject("keeper")
    assert Guesses.objects.get(subject=subject, who__startswith="peer:").count == 0


def test_unknown_account_is_answered_like_a_wrong_password() -> None:
    cast.make_user("keeper")
    for name in ("keeper", "nobody"):
        answers = [
            with_address().post("/api/token", {"username": name, "password": "guess"})
            for _ in range(6)
        ]
        assert [each.status_code for each in answers] == [401] * 5 + [429]


def test_existing_account_joins_the_staff_of_a_second_event(tournament: Tournament) -> None:
    head, where = director_of(tournament), f"{base(tournament)}/staff"
    keeper = staff(cast.make_staff(cast.make_tournament(), "keeper"))
    told_of = {"username": "keeper", "role": "scorekeeper"}
    made_anew = {**told_of, "password": "shamisen-neputa-7"}
    assert code(head.post(where, made_anew)) == (409, "name_taken")
    assert head.post(where, told_of).status_code == 201
    assert len(keeper.get("/api/token")["tournaments"]) == 2
    assert code(head.post(where, told_of)) == (409, "on_staff")
    assert code(head.post(where, {**told_of, "username": "nobody"})) == (422, "no_account")


def test_unknown_address_of_the_api_is_answered_in_json() -> None:
    for path in ("/api", "/api/", "/api/nothing"):
        assert code(Program().ask("GET", path)) == (404, "not_found")


def test_director_creates_accounts(tournament: Tournament) -> None:
    program, where = director_of(tournament), f"{base(tournament)}/staff"
    account = {"username": "kiroku", "password": "shamisen-neputa-7"}
    assert program.post(where, account).status_code == 201
    assert tournament.memberships.get(user__username="kiroku").role == "scorekeeper"
    assert code(program.post(where, account)) == (409, "name_taken")
    weak = {"username": "other", "password": "1234"}
    assert code(program.post(where, weak)) == (422, "weak_password")


def test_every_address_is_listed_with_its_roles() -> None:
    answer = Program().get("/api/urls")
    assert answer["version"] == openapi_document()["info"]["version"] == __version__
    listed = {each["name"]: each for each in answer["urls"]}
    assert listed.keys() == levels.levels_by_url_name().keys()
    assert listed["api-audit"]["methods"] == {"GET": ["scorekeeper", "director", "owner"]}
    assert listed["sitting"]["methods_once_published"] == {"GET": list(levels.ROLES)}


def test_every_operation_is_described() -> None:
    document = Program().get("/api/openapi.json")
    assert document == json.loads(json.dumps(openapi_document()))
    expected = {
        (name, method)
        for name, methods in levels.levels_by_url_name().items()
        if name.startswith("api-")
        for method in methods
    }
    routes = {
        route.replace("<int:", "{").replace("<slug:", "{").replace(">", "}"): name
        for name, _pattern, route in levels.addresses()
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
