"""The second step of a log-in: codes of an app, recovery codes, and a lost phone."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from tests import cast
from tests.api import Program, code
from tournaments.services import guesses, second_factors
from tournaments.views import second_factors as views

pytestmark = pytest.mark.django_db

PASSWORD = {"username": "owner", "password": "owner"}


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", password="owner")


def give_code(browser: Client, typed: str) -> int:
    return browser.post(reverse("second-step"), {"code": typed}).status_code


def set_up(owner: User) -> list[str]:
    """Set up the second factor by its pages; return the recovery codes."""
    browser = cast.in_english(cast.browser_of(owner))
    page = reverse("second-factor")
    assert browser.post(page, {"begin": ""}, follow=True).text.count("data:image") == 1
    assert browser.post(page, {"code": "000000"}).status_code == 422
    shown = browser.post(page, {"code": cast.code_of_app(owner)}).text
    codes = re.findall(r"<li><code>(\w+)</code>", shown)
    assert len(set(codes)) == second_factors.RECOVERY_CODES
    assert browser.get(reverse("account")).status_code == 200  # this browser stays logged in
    assert "10 recovery codes are left" in browser.get(page).text
    return codes


def test_log_in_takes_a_code_that_is_used_once(owner: User) -> None:
    elsewhere = cast.browser_of(owner)
    recovery, *_others = set_up(owner)
    assert elsewhere.get(reverse("account")).status_code == 302
    browser = Client()
    answer = browser.post(reverse("log-in"), PASSWORD | {"next": "/account/"})
    assert answer.headers["Location"] == reverse("second-step")
    assert browser.get(reverse("account")).status_code == 302
    right = cast.code_of_app(owner)
    assert give_code(browser, "12 34 56") == 422
    done = browser.post(reverse("second-step"), {"code": f" {right[:3]} {right[3:]}"})
    assert done.headers["Location"] == "/account/"
    assert browser.get(reverse("account")).status_code == 200
    again = Client()
    again.post(reverse("log-in"), PASSWORD)
    assert give_code(again, right) == 422
    assert give_code(again, recovery.upper()) == 302
    third = Client()
    third.post(reverse("log-in"), PASSWORD)
    assert give_code(third, recovery) == 422


def test_code_is_asked_for_only_after_the_password_and_not_for_long(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(owner)
    assert give_code(Client(), cast.code_of_app(owner)) == 302
    browser = Client()
    browser.post(reverse("log-in"), PASSWORD)
    assert browser.get(reverse("second-step")).status_code == 200
    monkeypatch.setattr(views, "SECONDS_FOR_A_CODE", -1)
    late = browser.post(reverse("second-step"), {"code": cast.code_of_app(owner)})
    assert late.headers["Location"] == reverse("log-in")


def test_wrong_codes_are_throttled_and_do_not_concern_the_password(owner: User) -> None:
    set_up(owner)
    browser = Client()
    browser.post(reverse("log-in"), PASSWORD)
    statuses = [give_code(browser, "nonsense") for _ in range(guesses.LIMIT + 1)]
    assert statuses == [422] * guesses.LIMIT + [429]
    assert give_code(browser, cast.code_of_app(owner)) == 429
    assert Client().post(reverse("log-in"), PASSWORD).status_code == 302


def test_token_takes_a_code_too(owner: User) -> None:
    assert Program().post("/api/token", PASSWORD).status_code == 201
    set_up(owner)
    assert code(Program().post("/api/token", PASSWORD)) == (401, "code_needed")
    wrong = PASSWORD | {"code": "nonsense"}
    assert code(Program().post("/api/token", wrong)) == (401, "code_needed")
    right = PASSWORD | {"code": cast.code_of_app(owner)}
    assert Program().post("/api/token", right).status_code == 201


def test_it_is_turned_off_with_a_code_or_on_the_machine(owner: User) -> None:
    set_up(owner)
    page, browser = reverse("second-factor"), cast.browser_of(owner)
    assert browser.post(page, {"code": "nonsense"}).status_code == 422
    assert browser.post(page, {"code": cast.code_of_app(owner)}).status_code == 302
    assert Client().post(reverse("log-in"), PASSWORD).headers["Location"] == "/"
    set_up(owner)
    call_command("remove_second_factor", "owner")
    assert Client().post(reverse("log-in"), PASSWORD).headers["Location"] == "/"
    with pytest.raises(CommandError):
        call_command("remove_second_factor", "nobody")


def test_owner_without_it_is_warned_where_the_server_is_public(
    owner: User, settings: Settings
) -> None:
    browser, page = cast.in_english(Client()), reverse("accounts")
    for is_public in (True, False):
        settings.VENUE = not is_public
        shown = browser.post(reverse("log-in"), PASSWORD, follow=True).text
        assert ("who has your password" in shown) == is_public
        assert ("who has your password" in browser.get(page).text) == is_public


def test_second_factor_is_replaced_by_removing_it_first(owner: User) -> None:
    with pytest.raises(second_factors.WrongCode):
        second_factors.check(owner, "000000")
    set_up(owner)
    device = TOTPDevice.objects.get()
    second_factors.begin(owner)
    assert TOTPDevice.objects.get() == device
