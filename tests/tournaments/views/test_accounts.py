"""Accounts: changing passwords, ending log-ins and tokens, the right to create events."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast, clocks
from tests.api import Program, code, json_of, staff
from tournaments.models import StaffToken, Tournament
from tournaments.services import accounts, guesses, tokens
from tournaments.services.staff import remove_role

pytestmark = pytest.mark.django_db
NEW = "tsugaru-karuta-31"
EVENT = {"name": "春季大会", "rule_set": "yoninkan"}


@pytest.fixture
def owner() -> Client:
    return cast.in_english(cast.browser_of(User.objects.create_superuser("owner")))


@pytest.fixture
def keeper() -> User:
    return cast.make_user("keeper")


def decide(owner: Client, action: str, user: User) -> object:
    sent = {"action": action, "account": str(user.pk)}
    return owner.post(reverse("accounts"), sent, follow=True)


def logged_in(name: str, password: str = "") -> Client:
    client = Client()
    sent = {"username": name, "password": password or name}
    assert client.post(reverse("log-in"), sent).status_code == 302
    return client


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_removed_scorekeeper_creates_nothing(tournament: Tournament) -> None:
    keeper = cast.make_staff(tournament, "keeper")
    cast.make_staff(tournament, "director", "director")
    remove_role(keeper.memberships.get(), by=cast.SOMEBODY)
    browser, program = cast.in_english(cast.browser_of(keeper)), staff(keeper)
    for address in (
        *(reverse("choose-rules"), reverse("read-archive")),
        reverse("create-tournament", args=["yoninkan"]),
    ):
        for answer in (browser.get(address), browser.post(address, {"name": "x"})):
            assert answer.status_code == 403
            assert "Ask the owner of this server" in answer.text
    assert code(program.post("/api/tournaments", EVENT)) == (403, "may_not_create")
    sent = program.post("/api/tournaments/archive", b"any")
    assert code(sent) == (403, "may_not_create")
    assert Tournament.objects.get() == tournament


def test_owner_gives_and_takes_the_right_to_create_events(owner: Client, keeper: User) -> None:
    program = staff(keeper)
    decide(owner, "allow", keeper)
    assert program.get("/api/token")["may_create"] is True
    assert program.post("/api/tournaments", EVENT).status_code == 201
    assert cast.browser_of(keeper).get(reverse("choose-rules")).status_code == 200
    decide(owner, "forbid", keeper)
    assert code(program.post("/api/tournaments", EVENT)) == (403, "may_not_create")


def test_disabled_account_ends_at_once(owner: Client, keeper: User) -> None:
    browser, program = logged_in("keeper"), staff(keeper)
    page = decide(owner, "disable", keeper)
    assert "keeper can no longer log in." in page.content.decode()  # type: ignore[attr-defined]
    assert not is_logged_in(browser)
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")
    sent = {"username": "keeper", "password": "keeper"}
    assert Client().post(reverse("log-in"), sent).status_code == 200
    assert code(Program().post("/api/token", sent)) == (401, "wrong_password")
    decide(owner, "enable", keeper)
    assert not is_logged_in(browser)  # what has ended stays so
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")
    assert is_logged_in(logged_in("keeper"))


def test_new_password_given_by_the_owner_ends_log_ins(owner: Client, keeper: User) -> None:
    browser, program = logged_in("keeper"), staff(keeper)
    sent = {"action": "password", "account": str(keeper.pk)}
    answer = owner.post(reverse("accounts"), sent)
    password = answer.context["password"]
    assert password in answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    assert not is_logged_in(browser)
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")
    assert is_logged_in(logged_in("keeper", password))


@pytest.mark.parametrize("action", ["disable", "password"])
def test_owner_does_not_shut_themselves_out(owner: Client, action: str) -> None:
    own = User.objects.get(username="owner")
    sent = {"action": action, "account": str(own.pk)}
    refused = owner.post(reverse("accounts"), sent)
    assert refused.status_code == 422
    assert "Another owner can disable it" in refused.text
    own.refresh_from_db()
    assert own.is_active


@pytest.mark.both
def test_changed_password_ends_all_other_log_ins_and_tokens(keeper: User) -> None:
    browser, other, program = logged_in("keeper"), logged_in("keeper"), staff(keeper)
    typed = {"old_password": "keeper", "new_password1": NEW, "new_password2": NEW}
    answer = browser.post(reverse("change-password"), typed)
    assert answer.headers["Location"] == reverse("account")
    assert is_logged_in(browser)
    assert not is_logged_in(other)
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")
    assert not StaffToken.objects.exists()
    assert is_logged_in(logged_in("keeper", NEW))


@pytest.mark.parametrize(
    ("field", "value"),
    [("old_password", "guess"), ("new_password1", "12345"), ("new_password2", "another-one-7")],
)
def test_password_is_not_changed_by_mistake(keeper: User, field: str, value: str) -> None:
    browser = logged_in("keeper")
    typed = {"old_password": "keeper", "new_password1": NEW, "new_password2": NEW, field: value}
    if field == "new_password1":
        typed["new_password2"] = value
    answer = browser.post(reverse("change-password"), typed)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert User.objects.get().check_password("keeper")


def test_present_password_is_guessed_no_faster_than_at_log_in(
    keeper: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    monkeypatch.setattr(guesses, "sleep", lambda _seconds: None)
    browser = logged_in("keeper")
    typed = {"old_password": "guess", "new_password1": NEW, "new_password2": NEW}
    tried = [browser.post(reverse("change-password"), typed) for _ in range(6)]
    assert [each.status_code for each in tried] == [422] * 5 + [429]
    assert tried[-1].headers["Retry-After"] == "30"
    program = with_token(keeper)
    sent = {"password": "guess", "new_password": NEW}
    told_of = [program.post("/api/account/password", sent).status_code for _ in range(6)]
    assert told_of == [403] * 5 + [429]


def with_token(user: User) -> Program:
    return Program(tokens.create_token(user)[0])


def test_program_changes_its_password(keeper: User) -> None:
    program, browser = staff(keeper), logged_in("keeper")
    path = "/api/account/password"
    weak = {"password": "keeper", "new_password": "12345"}
    assert code(program.post(path, weak)) == (422, "weak_password")
    wrong = {"password": "guess", "new_password": NEW}
    assert code(program.post(path, wrong)) == (403, "wrong_password")
    assert program.post(path, {"password": "keeper", "new_password": NEW}).status_code == 200
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")
    assert not is_logged_in(browser)
    assert is_logged_in(logged_in("keeper", NEW))


def test_other_log_ins_and_tokens_are_ended_by_a_tap(keeper: User) -> None:
    browser, other, program = logged_in("keeper"), logged_in("keeper"), staff(keeper)
    cast.make_user("director")
    director = logged_in("director")
    browser.post(reverse("account"), {"end": ""})
    assert is_logged_in(browser)
    assert is_logged_in(director)
    assert not is_logged_in(other)
    assert code(program.ask("GET", "/api/token")) == (401, "token_unknown")


def test_log_in_lasts_a_day(keeper: User, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = logged_in("keeper")
    assert 0 < browser.cookies["sessionid"]["max-age"] <= timedelta(days=1).total_seconds()
    browser.get(reverse("account"))
    clocks.stop(monkeypatch, timezone.now() + timedelta(days=1, seconds=1))
    assert not is_logged_in(browser)


def test_program_of_the_owner_decides_on_accounts(keeper: User) -> None:
    own = User.objects.create_superuser("owner", password="owner")
    program, their_own = staff(own), staff(keeper)
    listed = program.get("/api/accounts")["accounts"]
    assert [(each["username"], each["may_create"]) for each in listed] == [
        ("keeper", False),
        ("owner", True),
    ]
    path = f"/api/accounts/{keeper.pk}"
    assert json_of(program.ask("PATCH", path, {"may_create": True}))["may_create"] is True
    assert accounts.may_create_events(User.objects.get(pk=keeper.pk))
    assert json_of(program.ask("PATCH", path, {"active": False}))["active"] is False
    assert code(their_own.ask("GET", "/api/token")) == (401, "token_unknown")
    mine = program.ask("PATCH", f"/api/accounts/{own.pk}", {"active": False})
    assert code(mine) == (422, "own_account")
    assert code(program.ask("PATCH", "/api/accounts/999999", {})) == (404, "not_found")


def test_only_owners_manage_accounts(keeper: User) -> None:
    program = staff(keeper)
    for answer in (
        program.ask("GET", "/api/accounts"),
        program.ask("PATCH", f"/api/accounts/{keeper.pk}", {"may_create": True}),
    ):
        assert code(answer) == (404, "not_found")
    assert not accounts.may_create_events(User.objects.get(pk=keeper.pk))
